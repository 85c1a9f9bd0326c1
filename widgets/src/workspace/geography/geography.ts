import type { CoordsKind, Engine, GeoReport, IngestedNetwork, Placement } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { AutomaticLayout } from "./automaticLayout.ts";
import { type Drawing, drawingOfLayer } from "./drawing.ts";
import { MutationQueue } from "../mutations/mutationQueue.ts";
import type { NetworkGraph } from "../cases/networkGraph.ts";
import { isWithinSubstation, mapPositions, ownDrawing, type Point, type Positions } from "./positions.ts";
import { trans } from "../../text/index.ts";

/** The part of the engine that places networks. */
export type GeographyEngine = Pick<Engine, "applyGeo" | "applyLayout" | "geoJson" | "layoutModule" | "placementOf">;

/** What changed: the map positions, the drawing, or the automatic layout. */
export type GeographyChange = "map" | "drawing" | "layout";

/** The part of the state that an undo restores. */
interface Shown {
  moduleJson: string;
  map: Positions | null;
  kind: CoordsKind;
  drawing: Drawing | null;
  /** Moves and scales the map positions; null unless they are a layout. */
  placement: Placement | null;
}

/** Steps that can be undone. */
const UNDO_STEPS = 50;

/**
 * The positions of a network on the map and in the diagram. They are display data on top of a case, whose identity and
 * Studies never change here because no position enters a solve. The positions live in a separate module, so that the
 * engine reads and writes layers, layouts and `.geo.json` files.
 */
export class Geography {
  readonly graph: NetworkGraph;
  readonly layout: AutomaticLayout;
  readonly #engine: GeographyEngine;
  readonly #original: string;
  readonly #queue = new MutationQueue();
  readonly #before: Shown[] = [];
  readonly #changed = new Signal<this, GeographyChange>(this);
  #shown: Shown;

  constructor(engine: GeographyEngine, graph: NetworkGraph, network: IngestedNetwork) {
    this.graph = graph;
    this.#engine = engine;
    this.#original = network.module_json;
    this.#shown = {
      moduleJson: network.module_json,
      map: mapPositions(network, graph),
      kind: network.coords_kind,
      drawing: drawingOfCase(network),
      placement: null,
    };
    this.layout = new AutomaticLayout(engine, network.module_json, () => this.#changed.emit("layout"));
  }

  /** Emitted with every change. */
  get changed(): ISignal<this, GeographyChange> {
    return this.#changed;
  }

  /** Longitude and latitude by row, null while the network is not on the map. */
  get map(): Positions | null {
    return this.#shown.map;
  }

  /** A drawing in units of its own, null without one. */
  get drawing(): Drawing | null {
    return this.#shown.drawing;
  }

  /** Whether the map positions are a layout and not real equipment: only a layout can be moved. */
  get synthetic(): boolean {
    return this.#shown.map !== null && this.#shown.kind === "synthetic";
  }

  /** Whether the user may place or move the network. */
  get placeable(): boolean {
    return this.#shown.map === null || this.synthetic;
  }

  /** Whether both ends of a branch are in one substation, where a map of the whole network does not show it. */
  isWithinSubstation(branch: number): boolean {
    const { map } = this.#shown;
    return map !== null && isWithinSubstation(map, this.graph, branch);
  }

  /** The module with the positions; the case's own module until something is placed. */
  get moduleJson(): string {
    return this.#shown.moduleJson;
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  /** Centre (degrees) and size (kilometres) of a layout on the map; null for other positions. */
  async placement(): Promise<Placement | null> {
    const shown = this.#shown;
    if (shown.placement === null && this.synthetic) {
      shown.placement = await this.#engine.placementOf(shown.moduleJson);
    }
    return shown.placement;
  }

  /**
   * Applies a geographic layer; `source` is its file name. Coordinates that are not geographic become the drawing.
   * Rejects with EngineError when the layer cannot be read or matches nothing, and then changes nothing.
   */
  applyLayer(bytes: Uint8Array, source: string, signal?: AbortSignal): Promise<GeoReport> {
    return this.#queue.run(async () => {
      const applied = await this.#engine.applyGeo(this.#shown.moduleJson, bytes, signal);
      const layer = applied.drawing === null ? null : drawingOfLayer(applied.drawing, this.graph, source);
      this.#take(applied.case, layer ?? this.#shown.drawing);
      return applied.report;
    });
  }

  /** The report of a layer as if it were applied to the present case; nothing changes. */
  async tryLayer(bytes: Uint8Array, signal?: AbortSignal): Promise<GeoReport> {
    return (await this.#engine.applyGeo(this.#shown.moduleJson, bytes, signal)).report;
  }

  /** Shows another drawing in the diagram. */
  setDrawing(drawing: Drawing): void {
    this.#remember();
    this.#shown = { ...this.#shown, drawing };
    this.#changed.emit("drawing");
  }

  /**
   * Places the layout on the map around `centre` (degrees), with its longer side `scaleKm` kilometres long; by default
   * its present size or one that suits the number of buses. Computes the layout on first use. Rejects with EngineError
   * when it would leave the map.
   */
  place(centre: Point, scaleKm?: number): Promise<void> {
    return this.#queue.run(async () => {
      const current = await this.placement();
      const { positions, default_scale_km } =
        current === null
          ? await this.layout.result()
          : { positions: Float64Array.from(current.positions.flat()), default_scale_km: current.scale_km };
      await this.#stamp(positions, centre, scaleKm ?? default_scale_km);
    });
  }

  /** Restores the engine's layout in its default size at the present location. */
  resetToAutomatic(): Promise<void> {
    return this.#queue.run(async () => {
      const centre = (await this.placement())?.centre_lon_lat;
      if (centre !== undefined) {
        const { positions, default_scale_km } = await this.layout.result();
        await this.#stamp(positions, centre, default_scale_km);
      }
    });
  }

  /** Undoes the last layer, drawing or placement. */
  undo(): Promise<void> {
    return this.#queue.run(() => {
      const before = this.#before.pop();
      if (before !== undefined) {
        const { map, drawing } = this.#shown;
        this.#shown = before;
        this.#tell(map, drawing);
      }
      return Promise.resolve();
    });
  }

  /** Text of a `.geo.json` layer with the map positions. Rejects with EngineError without positions. */
  geoJson(): Promise<string> {
    return this.#engine.geoJson(this.#shown.moduleJson);
  }

  /** `moduleJson` of the same case with the present positions in it. */
  async stampInto(moduleJson: string): Promise<string> {
    if (this.#shown.moduleJson === this.#original) {
      return moduleJson;
    }
    const layer = new TextEncoder().encode(await this.geoJson());
    return (await this.#engine.applyGeo(moduleJson, layer)).case.module_json;
  }

  dispose(): void {
    this.layout.cancel();
    Signal.clearData(this);
  }

  async #stamp(positions: Float64Array, centre: Point, scaleKm: number): Promise<void> {
    const [lon, lat] = centre;
    const where = { centre: [lon, lat] as [number, number], scale_km: scaleKm };
    this.#take(await this.#engine.applyLayout(this.#shown.moduleJson, positions, where), this.#shown.drawing);
  }

  #take(network: IngestedNetwork, drawing: Drawing | null): void {
    const before = this.#shown;
    this.#remember();
    this.#shown = {
      moduleJson: network.module_json,
      map: network.module_json === before.moduleJson ? before.map : mapPositions(network, this.graph),
      kind: network.coords_kind,
      drawing,
      placement: null,
    };
    this.#tell(before.map, before.drawing);
  }

  #tell(map: Positions | null, drawing: Drawing | null): void {
    if (map !== this.#shown.map) {
      this.#changed.emit("map");
    }
    if (drawing !== this.#shown.drawing) {
      this.#changed.emit("drawing");
    }
  }

  #remember(): void {
    this.#before.push(this.#shown);
    this.#before.splice(0, this.#before.length - UNDO_STEPS);
  }
}

/** The drawing contained in a case file. */
function drawingOfCase(network: IngestedNetwork): Drawing | null {
  const positions = ownDrawing(network);
  return positions === null
    ? null
    : {
        positions,
        source: trans.__("of the case file"),
        buses: positions.x.filter(Number.isFinite).length,
        branches: positions.routes.size,
      };
}
