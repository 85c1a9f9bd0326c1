import { layoutPositions, type GeographyChange, type Positions } from "../../workspace/index.ts";
import type { Camera } from "./camera.ts";
import { drawingGeometry, type Geometry, mapGeometry } from "./geometry.ts";
import { Picker } from "./picker.ts";
import { linkAt, passesBox, targetInPerspective, waysOf } from "../perspective/screenPicker.ts";
import type { Box } from "../gestures/pointer.ts";
import type { SceneModel } from "./sceneModel.ts";
import type { Target } from "../picture/targets.ts";
import { trans } from "../../text/index.ts";
import { busRadius } from "../picture/busMarks.ts";
import { partOf } from "../style/shownPart.ts";

/** The two pictures of a network: on the map, and as a diagram in drawing coordinates. They are independent. */
export type Plane = "map" | "diagram";

/** The part of the scene that changed: the plane, the positions, or the progress of a layout. */
export type SceneChange = "plane" | "positions" | "layout";

/** Which of a network's pictures is on screen, and the positions in it. */
export class Scene {
  readonly #model: SceneModel;
  readonly #changed: (change: SceneChange) => void;
  #plane: Plane;
  #positions: Positions | null = null;
  /** The branches that the geometry was made of. */
  #fromRow: Int32Array | null = null;
  #geometry: Geometry | null = null;
  #picker: Picker | null = null;
  #drawn: { shown: Uint8Array; whole: Geometry; geometry: Geometry; picker: Picker } | null = null;

  constructor(model: SceneModel, changed: (change: SceneChange) => void) {
    this.#model = model;
    this.#changed = changed;
    this.#plane = model.geography.map === null ? "diagram" : "map";
    this.#locate();
    // Connected last, because a layout may begin while the parts above are being created.
    model.geography.changed.connect(this.#geographyChanged, this);
  }

  get plane(): Plane {
    return this.#plane;
  }

  /** The visible positions in this plane; null without positions. */
  get geometry(): Geometry | null {
    return this.#part().geometry;
  }

  /** The visible part of the network, and its picker. */
  #part(): { geometry: Geometry | null; picker: Picker | null } {
    if (this.#model.graph.fromRow !== this.#fromRow) {
      this.#locate(); // the state on screen adds branches, or no longer does
    }
    const [shown, whole] = [this.#model.look?.shown ?? null, this.#geometry];
    if (shown === null || whole === null) {
      return { geometry: whole, picker: this.#picker };
    }
    if (this.#drawn === null || this.#drawn.shown !== shown || this.#drawn.whole !== whole) {
      const geometry = partOf(whole, this.#model.graph, shown);
      this.#drawn = { shown, whole, geometry, picker: new Picker(geometry) };
    }
    return this.#drawn;
  }

  /** Builds the picker in advance. */
  prepare(): void {
    this.#part().picker?.prepare();
  }

  /** The bus, link or branch within `reach` pixels of a point of the screen; buses come first, then links. */
  targetAt(point: { x: number; y: number }, reach: number, camera: Camera): Target | null {
    const { geometry, picker } = this.#part();
    if (geometry === null || picker === null) {
      return null;
    }
    const radius = Math.max(busRadius({ camera, geometry }), this.#model.detail?.busRadius ?? 0);
    const link = linkAt(point, reach, camera, geometry);
    if (!camera.flat) {
      const found = targetInPerspective(point, { bus: radius + reach - 2, branch: reach }, camera, {
        geometry,
        picker,
      });
      return found?.kind === "bus" ? found : (link ?? found);
    }
    const [x, y] = [camera.worldX(point.x, point.y), camera.worldY(point.x, point.y)];
    const sizes = this.#model.look?.sizes(this.#model.sizes, geometry, camera);
    const seen = sizes === undefined ? undefined : (row: number): boolean => sizes[row] !== 0;
    const bus = picker.busAt(x, y, (radius + reach - 2) / camera.scale, seen);
    if (bus >= 0) {
      return { kind: "bus", row: bus };
    }
    if (link !== null) {
      return link;
    }
    const branch = picker.branchAt(x, y, reach / camera.scale);
    return branch < 0 ? null : { kind: "branch", row: branch };
  }

  /** The rows of the branches at a bus. */
  branchesOf(bus: number): number[] {
    const { fromRow, toRow } = this.#model.graph;
    return [...fromRow.keys()].filter((row) => fromRow[row] === bus || toRow[row] === bus);
  }

  /** The buses inside a box on the screen. */
  busesIn({ x0, y0, x1, y1 }: Box, camera: Camera): Target[] {
    const around = camera.boxOf(x0, y0, x1, y1); // larger than the box where the picture is turned
    const { geometry, picker } = this.#part();
    const rows = picker?.busesIn(around.x0, around.y0, around.x1, around.y1) ?? [];
    const inside = rows.filter((row) => {
      const [x, y] = [geometry?.busX[row] ?? NaN, geometry?.busY[row] ?? NaN];
      const [sx, sy] = [camera.screenX(x, y), camera.screenY(x, y)];
      return sx >= x0 && sx <= x1 && sy >= y0 && sy <= y1;
    });
    return inside.map((row) => ({ kind: "bus", row }));
  }

  /** The lines that pass through a box on the screen. */
  branchesIn({ x0, y0, x1, y1 }: Box, camera: Camera): Target[] {
    const around = camera.boxOf(x0, y0, x1, y1);
    const { geometry, picker } = this.#part();
    const rows = picker?.branchesIn(around.x0, around.y0, around.x1, around.y1) ?? [];
    const passes = (row: number): boolean => {
      const parts = waysOf(geometry?.paths[row] ?? new Float64Array(), camera);
      return parts.some((part) => passesBox(part, { x0, y0, x1, y1 }));
    };
    return rows.filter(passes).map((row) => ({ kind: "branch", row }));
  }

  /** The next bus in a direction (y downwards) from a selected one, or the bus nearest to the middle of the screen. */
  busTowards(from: Target | null, dx: number, dy: number, camera: Camera): Target | null {
    const { picker } = this.#part();
    if (picker === null) {
      return null;
    }
    const { x, y } = camera.view;
    const way = camera.unturned(dx, dy);
    const row = from?.kind === "bus" ? picker.busTowards(from.row, ...way) : picker.busAt(x, y, Infinity);
    return row < 0 ? null : { kind: "bus", row };
  }

  /** Whether there are two pictures: a drawing besides the map, or a diagram of a network that is not placed yet. */
  get choice(): boolean {
    const { map, drawing } = this.#model.geography;
    return drawing !== null || map === null;
  }

  /** Shows the other plane where there is a choice. */
  show(plane: Plane): void {
    if (plane !== this.#plane && this.choice) {
      this.#plane = plane;
      this.#locate();
      this.#changed("plane");
    }
  }

  /** Notes for the reader about the positions and assumed costs. */
  get notice(): string[] {
    const { map, drawing, synthetic } = this.#model.geography;
    const missing = this.#geometry?.busX.filter(Number.isNaN).length ?? 0;
    const origin =
      this.#plane === "map"
        ? map !== null && synthetic
          ? [trans.__("Synthetic layout, not where the equipment is")]
          : []
        : [
            drawing === null
              ? trans.__("Automatic layout, no map")
              : trans.__("Drawing %1, not to scale", drawing.source),
          ];
    const left = trans._n(
      "%1 bus without a position is not drawn",
      "%1 buses without a position are not drawn",
      missing,
    );
    const own = this.#model.notice ?? null;
    return [...origin, ...(missing > 0 ? [left] : []), ...(own === null ? [] : [own])];
  }

  dispose(): void {
    this.#model.geography.changed.disconnect(this.#geographyChanged, this);
  }

  #geographyChanged(_: unknown, change: GeographyChange): void {
    const { map, drawing } = this.#model.geography;
    const placed = change === "map" && map !== null && this.#plane === "diagram" && this.#positionsOf("map") !== null;
    const lost = this.#plane === "diagram" && !this.choice;
    const before = this.#plane;
    // A network that was just placed is shown on the map; without a drawing there is nothing else.
    if (lost || (placed && drawing === null)) {
      this.#plane = "map";
    }
    const moved = this.#locate();
    if (this.#plane !== before) {
      this.#changed("plane");
    } else {
      this.#changed(moved ? "positions" : "layout");
    }
  }

  /** Updates the positions of the plane; true when they have changed. */
  #locate(): boolean {
    const { graph, geography } = this.#model;
    if (geography.map === null && (this.#plane === "map" || geography.drawing === null)) {
      geography.layout.ensure();
    }
    const positions = this.#positionsOf(this.#plane);
    if (positions === this.#positions && graph.fromRow === this.#fromRow) {
      return false;
    }
    this.#positions = positions;
    this.#fromRow = graph.fromRow;
    const geometryOf = this.#plane === "map" ? mapGeometry : drawingGeometry;
    this.#geometry = positions === null ? null : geometryOf(positions, graph);
    this.#picker = this.#geometry === null ? null : new Picker(this.#geometry);
    return true;
  }

  #positionsOf(plane: Plane): Positions | null {
    const { graph, geography } = this.#model;
    if (plane === "map") {
      return geography.map;
    }
    const { state } = geography.layout;
    if (geography.drawing !== null) {
      return geography.drawing.positions;
    }
    return state.kind === "done" ? this.#laidOut(state.result.positions, graph) : null;
  }

  #layout: { flat: Float64Array; positions: Positions } | null = null;

  #laidOut(flat: Float64Array, graph: SceneModel["graph"]): Positions {
    if (this.#layout?.flat !== flat) {
      this.#layout = { flat, positions: layoutPositions(flat, graph) };
    }
    return this.#layout.positions;
  }
}
