import { busRadius, busRim, type Frame, type LabelBox, marked, type PictureDetail } from "../../map/index.ts";
import type { Theme } from "../../ui/index.ts";
import type { ViewedEdge, ViewedNetwork } from "../../workspace/index.ts";
import {
  angleFrom,
  beside,
  type Conductor,
  conductorsOf,
  type Lane,
  lanesOf,
  lengthOf,
  meets,
  pointAt,
  seenMiddle,
  type Way,
  wayOnScreen,
} from "./bundles.ts";
import { type DeviceGroup, freeDirection, groupsOf } from "./devices.ts";
import { NEUTRAL_DASH, type Phase, phaseColour, phaseOf, phaseOrder, PHASES } from "./phases.ts";
import { disc, line } from "./strokes.ts";
import { drawSymbol, type EdgeSymbol, symbolPath } from "./symbols.ts";

/** With more lines on screen only lines are drawn. */
const MOST_EDGES = 900;
/**
 * Length of a typical line on screen from which conductors are drawn separately, and from which they are labelled,
 * pixels.
 */
const APART = 24;
const NAMED = 52;
/** Length of a line from which it shows its symbol, pixels. */
const SYMBOL_LENGTH = 20;
/** Number of lines on screen up to which labels avoid them. */
const MOST_AVOIDED = 200;

/** A line on screen. */
interface Shown {
  row: number;
  way: Way;
  length: number;
}

/** Sizes of one frame, pixels. */
interface Measures {
  /** Distance between the conductors of a line. */
  gap: number;
  stroke: number;
  symbol: number;
  bus: number;
  names: boolean;
}

/**
 * A feeder as a one-line diagram, once there is room for it: conductors side by side by phase, symbols of transformers,
 * regulators and switches in their lines, and symbols of the equipment at each bus.
 */
export class OneLine implements PictureDetail {
  readonly #edges: readonly ViewedEdge[];
  readonly #conductors: readonly Conductor[][];
  readonly #lanes: readonly Lane[];
  readonly #groups: readonly DeviceGroup[][];
  readonly #at: readonly (readonly number[])[];
  #radius = 0;
  #taken: LabelBox[] = [];
  #avoided: LabelBox[] = [];

  constructor({ buses, edges, graph }: ViewedNetwork) {
    this.#edges = edges;
    this.#conductors = conductorsOf(edges);
    this.#lanes = lanesOf(graph, this.#conductors);
    this.#groups = buses.map(({ devices }) => groupsOf(devices));
    const at: number[][] = buses.map(() => []);
    edges.forEach((_, row) => {
      for (const bus of [graph.fromRow[row], graph.toRow[row]]) {
        at[bus ?? -1]?.push(row);
      }
    });
    this.#at = at;
  }

  get busRadius(): number {
    return this.#radius;
  }

  get taken(): readonly LabelBox[] {
    return this.#taken;
  }

  get avoided(): readonly LabelBox[] {
    return this.#avoided;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, ground: string): void {
    this.#radius = 0;
    this.#taken = [];
    this.#avoided = [];
    const shown = frame.places.length > 0 ? this.#onScreen(frame) : null;
    const typical = shown === null ? 0 : median(shown.map(({ length }) => length));
    if (shown === null) {
      return;
    }
    if (typical < APART) {
      // Conductors are not separated here; lines that are long enough show a small symbol.
      const long = shown.filter(({ length }) => length > SYMBOL_LENGTH);
      const small = { ...measuresOf(typical, busRadius(frame)), bus: busRadius(frame) };
      this.#symbols(context, frame, long, small, ground);
      return;
    }
    const measures = measuresOf(typical, busRadius(frame));
    this.#radius = measures.bus;
    context.lineCap = "butt";
    this.#lines(context, frame, shown, measures, ground);
    const buses = this.#busesOnScreen(frame, measures);
    this.#stubs(context, frame, buses, measures, ground);
    this.#buses(context, frame, buses, measures);
    this.#symbols(context, frame, shown, measures, ground);
    context.lineCap = "round";
  }

  /** The visible lines; null if there are too many. */
  #onScreen({ geometry, camera }: Frame): Shown[] | null {
    const seen = camera.seen(20);
    const found: Shown[] = [];
    for (let row = 0; row < geometry.paths.length; row += 1) {
      const path = geometry.paths[row] ?? new Float64Array();
      if (!meets(path, seen)) {
        continue;
      }
      if (found.length >= MOST_EDGES) {
        return null;
      }
      const way = wayOnScreen(path, camera);
      found.push({ row, way, length: lengthOf(way) });
    }
    return found;
  }

  #lines(
    context: CanvasRenderingContext2D,
    frame: Frame,
    shown: readonly Shown[],
    { gap, stroke, names }: Measures,
    ground: string,
  ): void {
    const { theme, camera } = frame;
    const total = (row: number): number => this.#lanes[row]?.total ?? 1;
    const width = (row: number): number => (total(row) - 1) * gap + stroke;
    const marks = new Map(marked(frame, "branch"));
    for (const { row, way } of shown.filter((one) => marks.has(one.row))) {
      line(context, [way], width(row) + 2 * (marks.get(row) ?? 0) + 5, theme.text);
    }
    for (const count of new Set(shown.map(({ row }) => total(row)))) {
      const alike = shown.filter(({ row }) => total(row) === count);
      line(
        context,
        alike.map(({ way }) => way),
        Math.max(4, (count - 1) * gap + stroke + 2),
        ground,
      );
    }
    const strokes = new Map<Phase, { live: Way[]; out: Way[] }>(PHASES.map((phase) => [phase, { live: [], out: [] }]));
    const labels: { text: string; phase: Phase; x: number; y: number }[] = [];
    for (const { row, way, length } of shown) {
      const conductors = this.#conductors[row] ?? [];
      const { first = 0, total: lanes = 1 } = this.#lanes[row] ?? {};
      const middle = seenMiddle(way, camera.width, camera.height);
      conductors.forEach(({ phase, name }, k) => {
        const lane = first + k - (lanes - 1) / 2;
        const own = beside(way, lane * gap);
        strokes.get(phase)?.[this.#edges[row]?.closed === false ? "out" : "live"].push(own);
        if (names && length > NAMED && this.#symbolOf(row) === null) {
          // Staggered, so that no label covers the next conductor.
          labels.push({ text: name, phase, ...pointAt(own, middle + (lane * 13) / length) });
        }
      });
      this.#avoid(way, length, (lanes * gap) / 2 + 2, shown.length);
    }
    for (const [phase, { live, out }] of strokes) {
      const colour = phaseColour(phase, theme);
      context.setLineDash(phase === "neutral" ? NEUTRAL_DASH : []);
      line(context, live, stroke, colour);
      context.globalAlpha = 0.45;
      line(context, out, stroke, colour);
      context.globalAlpha = 1;
    }
    context.setLineDash([]);
    this.#names(context, theme, labels, ground);
  }

  /** Keeps labels off both ends of a line, where there are few lines. */
  #avoid(way: Way, length: number, half: number, lines: number): void {
    const step = 9;
    const reach = Math.min(length, 72);
    for (let at = 0; lines <= MOST_AVOIDED && at <= reach; at += step) {
      for (const part of [at / length, 1 - at / length]) {
        const { x, y } = pointAt(way, part);
        this.#avoided.push({ x0: x - half, x1: x + half, y0: y - half, y1: y + half });
      }
    }
  }

  #names(
    context: CanvasRenderingContext2D,
    theme: Theme,
    labels: readonly { text: string; phase: Phase; x: number; y: number }[],
    ground: string,
  ): void {
    context.font = `600 10px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = ground;
    for (const { text, phase, x, y } of labels) {
      this.#take(x, y, 5);
      context.strokeText(text, x, y);
      context.fillStyle = phaseColour(phase, theme);
      context.fillText(text, x, y);
    }
    context.textBaseline = "alphabetic";
  }

  #symbolOf(row: number): EdgeSymbol | null {
    const { kind, closed, regulated } = this.#edges[row] ?? {};
    switch (kind) {
      case "transformer":
        return regulated === true ? "regulator" : "transformer";
      case "switch":
        return closed === true ? "switch-closed" : "switch-open";
      default:
        return closed === false ? "out" : null;
    }
  }

  #symbols(
    context: CanvasRenderingContext2D,
    { theme }: Frame,
    shown: readonly Shown[],
    measures: Measures,
    ground: string,
  ): void {
    for (const { row, way, length } of shown) {
      const name = this.#symbolOf(row);
      const { leads = true, edges = 1 } = this.#lanes[row] ?? {};
      if (name === null || !leads) {
        continue;
      }
      const at = pointAt(way, 0.5);
      const room = length / 2 - measures.bus;
      const size = Math.max(4.5, Math.min(measures.symbol, room / symbolPath(name).reach));
      // Between buses at one position the symbol is drawn beside them.
      const beside = room < 4 ? measures.bus + 1.6 * size : 0;
      const place = { ...at, x: at.x + beside * at.dy, y: at.y - beside * at.dx, size };
      drawSymbol(context, name, place, { ink: theme.text, ground, width: 1.4 });
      this.#take(place.x, place.y, 1.4 * size);
      if (edges > 1) {
        const off = 1.1 * size + 9;
        this.#count(context, theme, edges, place.x - off * at.dy, place.y + off * at.dx, ground);
      }
    }
  }

  #busesOnScreen({ geometry, camera }: Frame, { bus }: Measures): { row: number; x: number; y: number }[] {
    const found: { row: number; x: number; y: number }[] = [];
    const beyond = 4 * bus;
    for (let row = 0; row < geometry.busX.length; row += 1) {
      const [wx, wy] = [geometry.busX[row] ?? NaN, geometry.busY[row] ?? NaN];
      const [x, y] = [camera.screenX(wx, wy), camera.screenY(wx, wy)];
      if (x > -beyond && y > -beyond && x < camera.width + beyond && y < camera.height + beyond) {
        found.push({ row, x, y });
      }
    }
    return found;
  }

  /** The equipment at the buses, each on a stub with the conductors that it is connected to. */
  #stubs(
    context: CanvasRenderingContext2D,
    { geometry, camera, theme }: Frame,
    buses: readonly { row: number; x: number; y: number }[],
    { bus, symbol, stroke }: Measures,
    ground: string,
  ): void {
    const size = 0.85 * symbol;
    const gap = Math.min(3, stroke + 1);
    for (const { row, x, y } of buses) {
      const groups = this.#groups[row] ?? [];
      const taken =
        groups.length === 0
          ? []
          : (this.#at[row] ?? []).flatMap((edge) => angleFrom(geometry.paths[edge], x, y, camera));
      for (const { kind, count, live, terminals } of groups) {
        const angle = freeDirection(taken);
        taken.push(angle);
        const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
        const from = bus - 1;
        const to = bus + Math.max(4, 0.7 * size);
        const phases = [...new Set(terminals.map(phaseOf))].sort((a, b) => phaseOrder(a) - phaseOrder(b));
        context.globalAlpha = live ? 1 : 0.45;
        (phases.length === 0 ? [null] : phases).forEach((phase, k, all) => {
          const across = (k - (all.length - 1) / 2) * gap;
          const [ox, oy] = [x - dy * across, y + dx * across];
          context.setLineDash(phase === "neutral" ? [3, 2] : []);
          const way = [ox + from * dx, oy + from * dy, ox + to * dx, oy + to * dy];
          line(context, [way], Math.min(stroke, 1.6), phase === null ? theme.text : phaseColour(phase, theme));
        });
        context.setLineDash([]);
        const middle = to + size;
        const place = { x: x + middle * dx, y: y + middle * dy, dx, dy, size };
        drawSymbol(context, kind, place, { ink: theme.text, ground, width: 1.3 });
        context.globalAlpha = 1;
        this.#take(place.x, place.y, 1.1 * size);
        if (count > 1) {
          const end = middle + size + 7;
          this.#count(context, theme, count, x + end * dx, y + end * dy, ground);
        }
      }
    }
  }

  #count(context: CanvasRenderingContext2D, theme: Theme, count: number, x: number, y: number, ground: string): void {
    context.font = `500 10px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = ground;
    const text = `${count}\u00d7`;
    context.strokeText(text, x, y);
    context.fillStyle = theme.text;
    context.fillText(text, x, y);
    context.textBaseline = "alphabetic";
    this.#take(x, y, 7);
  }

  #buses(
    context: CanvasRenderingContext2D,
    frame: Frame,
    buses: readonly { row: number; x: number; y: number }[],
    { bus }: Measures,
  ): void {
    const { theme, palette, places } = frame;
    const marks = new Map(marked(frame, "bus"));
    const rim = busRim(bus, theme);
    for (const { row, x, y } of buses) {
      const mark = marks.get(row);
      if (mark !== undefined) {
        disc(context, x, y, bus + 3.5 + mark / 2 + 1.25, theme.casing);
        disc(context, x, y, bus + 3.5 + mark / 2, theme.text);
        disc(context, x, y, bus + 3.5 - mark / 2, theme.casing);
      }
      disc(context, x, y, bus + rim, theme.rim);
      disc(context, x, y, bus, palette[places[row] ?? -1] ?? theme.idle);
    }
  }

  #take(x: number, y: number, reach: number): void {
    this.#taken.push({ x0: x - reach, x1: x + reach, y0: y - reach, y1: y + reach });
  }
}

function measuresOf(typical: number, radius: number): Measures {
  const gap = Math.max(2.2, Math.min(6, typical / 14));
  return {
    gap,
    stroke: Math.max(1.3, Math.min(2, 0.45 * gap)),
    symbol: Math.max(4.5, Math.min(11, typical / 6)),
    bus: Math.max(radius, 1.5 * gap + 1.5),
    names: typical >= NAMED,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
