import type { McSolution } from "@service/engine";

/** A point of the profile: distance from the source in km, voltage per unit, and the name of the terminal. */
export interface ProfilePoint {
  x: number;
  y: number;
  name: string;
}

/** Resolution of a chart in each direction; phases with more segments are thinned to it. */
const ALL = 1000;
const [ACROSS, ALONG] = [100, 50];

/** Voltage against distance from the source, phase by phase. */
export class FeederProfile {
  readonly #solution: McSolution;
  /** By phase: rows of the terminals at both ends of each segment, one after the other. */
  readonly #segments = new Map<string, number[]>();
  /** By terminal, km. */
  readonly #distance: Float64Array;

  constructor(solution: McSolution) {
    this.#solution = solution;
    const { rows, columns } = solution;
    const { conductor_element: element, conductor_end: end, conductor_terminal: terminal } = columns;
    const { terminal_bus: bus, distance_m: distance, is_phase: phase } = columns;
    this.#distance = Float64Array.from(bus ?? [], (row) => (distance?.[row] ?? NaN) / 1000);
    if (!element || !end || !terminal || !phase) return;
    // The conductors of an element at its first end come before those at the other, in the same order.
    for (let row = 0; row < element.length;) {
      const ends: [number[], number[]] = [[], []];
      for (const of = element[row]; row < element.length && element[row] === of; row += 1) {
        ends[end[row] === 2 ? 1 : 0].push(terminal[row] ?? -1);
      }
      ends[0].forEach((from, k) => {
        const to = ends[1][k] ?? -1;
        const name = rows.terminals[from] ?? "";
        if (phase[from] !== 1 || phase[to] !== 1 || rows.terminals[to] !== name) return;
        const list = this.#segments.get(name) ?? [];
        list.push(from, to);
        this.#segments.set(name, list);
      });
    }
  }

  /**
   * The lines by phase for the voltages of all terminals, pu: points in sequence as far as segments meet, then a gap.
   * Segments that coincide on the chart are drawn once.
   */
  lines(voltages: Float64Array): Map<string, (ProfilePoint | null)[]> {
    const lines = [...this.#segments].sort(([a], [b]) => a.localeCompare(b));
    return new Map(lines.map(([phase, ends]) => [phase, this.#line(ends, voltages)]));
  }

  #line(ends: readonly number[], voltages: Float64Array): (ProfilePoint | null)[] {
    const few = ends.length <= 2 * ALL;
    const across = few ? null : places(ends, this.#distance, ACROSS);
    const along = few ? null : places(ends, voltages, ALONG);
    const placeOf = (terminal: number): number =>
      across === null || along === null ? terminal : across(terminal) * ALONG + along(terminal);
    const points: (ProfilePoint | null)[] = [];
    for (const trail of trails(ends, placeOf)) {
      points.push(...trail.map((terminal) => this.#point(terminal, voltages)), null);
    }
    return points;
  }

  #point(terminal: number, voltages: Float64Array): ProfilePoint {
    const { rows, columns } = this.#solution;
    return {
      x: this.#distance[terminal] ?? NaN,
      y: voltages[terminal] ?? NaN,
      name: `${rows.buses[columns.terminal_bus?.[terminal] ?? -1] ?? ""}.${rows.terminals[terminal] ?? ""}`,
    };
  }
}

/**
 * Joins segments to few lines: each continues where the previous segment ends, as long as undrawn segments remain. A
 * chart draws one line of a thousand segments in a fraction of the time of a thousand lines. Coinciding segments are
 * drawn once.
 */
function trails(ends: readonly number[], placeOf: (terminal: number) => number): number[][] {
  interface Segment {
    terminals: readonly [number, number];
    places: readonly [number, number];
    drawn: boolean;
  }
  const segments = new Map<string, Segment>();
  const at = new Map<number, Segment[]>();
  for (let k = 0; k < ends.length; k += 2) {
    const terminals = [ends[k] ?? -1, ends[k + 1] ?? -1] as const;
    const places = [placeOf(terminals[0]), placeOf(terminals[1])] as const;
    const key = `${Math.min(...places)} ${Math.max(...places)}`;
    if (segments.has(key)) continue;
    const segment = { terminals, places, drawn: false };
    segments.set(key, segment);
    for (const place of new Set(places)) {
      const here = at.get(place);
      if (here === undefined) at.set(place, [segment]);
      else here.push(segment);
    }
  }
  for (const here of at.values()) here.reverse();
  const found: number[][] = [];
  for (const first of segments.values()) {
    const trail: number[] = [];
    let [place] = first.places;
    for (let next: Segment | undefined = first; next !== undefined && !next.drawn; next = undrawn(at.get(place))) {
      next.drawn = true;
      const [from, to] = next.places[0] === place ? ([0, 1] as const) : ([1, 0] as const);
      if (trail.at(-1) !== next.terminals[from]) trail.push(next.terminals[from]);
      trail.push(next.terminals[to]);
      place = next.places[to];
    }
    if (trail.length > 0) found.push(trail);
  }
  return found;
}

/** The last segment not drawn yet; drawn segments after it are removed. */
function undrawn<One extends { drawn: boolean }>(segments: One[] | undefined): One | undefined {
  while (segments?.at(-1)?.drawn === true) segments.pop();
  return segments?.at(-1);
}

/** The index of a row's value among `count` equal steps between the extremes of some rows; 0 for NaN. */
function places(rows: readonly number[], values: Float64Array, count: number): (row: number) => number {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    const value = values[row] ?? NaN;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = high > low ? (count - 1) / (high - low) : 0;
  return (row) => Math.round(((values[row] ?? NaN) - low) * scale) || 0;
}
