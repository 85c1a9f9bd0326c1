import type { Frame } from "../picture/frame.ts";
import type { Target } from "../picture/targets.ts";
import type { ThemeWatcher } from "../../ui/theme.ts";
import type { Camera } from "./camera.ts";
import { type Geometry, NOWHERE } from "./geometry.ts";
import type { BusColours, SceneModel } from "./sceneModel.ts";

const NO_PLACES = new Int16Array();

/** The parts of a frame that depend on the camera and pointer. */
export interface StageView {
  readonly geometry: Geometry | null;
  readonly camera: Camera;
  readonly hovered: Target | null;
  /** Whether a click places the network. */
  readonly places: boolean;
}

/** Assembles the frames of a stage. */
export class StageFrames {
  readonly #model: SceneModel;
  readonly #colours: BusColours;
  readonly #theme: ThemeWatcher;
  #faded: { from: Int16Array | null; exempt: ReadonlySet<number> | undefined; places: Int16Array } = {
    from: null,
    exempt: undefined,
    places: NO_PLACES,
  };
  #noSides = new Int8Array();

  constructor(model: SceneModel, colours: BusColours, theme: ThemeWatcher) {
    this.#model = model;
    this.#colours = colours;
    this.#theme = theme;
  }

  /** The frame at a time, ms as of `performance.now()`. */
  at(now: number, { geometry, camera, hovered, places }: StageView): Frame {
    const { look, sizes } = this.#model;
    const { theme } = this.#theme;
    const field = geometry === null ? null : (look?.field(geometry) ?? null);
    const marks = field === null ? this.#colours : this.#faint();
    return {
      geometry: geometry ?? NOWHERE,
      camera,
      theme,
      palette: this.#colours.palette,
      sizes: geometry === null ? sizes : (look?.sizes(sizes, geometry, camera) ?? sizes),
      places: geometry === null ? NO_PLACES : marks.places,
      sides: marks.sides,
      field,
      generators: geometry === null ? [] : (look?.generators(theme.dark) ?? []),
      branches: this.#model.branches,
      links: geometry === null ? [] : (this.#model.links ?? []),
      switches: geometry === null ? [] : (this.#model.switches ?? []),
      hovered,
      selection: geometry === null ? [] : this.#model.selection,
      proposed: geometry === null ? [] : (this.#model.proposed ?? []),
      events: geometry === null ? [] : (this.#model.events?.(now) ?? []),
      graticule: places,
    };
  }

  /** Marks above a field: the lowest and highest values keep their colours, all others have the idle colour. */
  #faint(): Pick<BusColours, "places" | "sides"> {
    const { places, sides } = this.#colours;
    const exempt = this.#model.look?.extremes;
    if (this.#faded.from !== places || this.#faded.exempt !== exempt) {
      this.#faded = {
        from: places,
        exempt,
        places: places.map((place, row) => (exempt?.has(row) === true ? place : -1)),
      };
    }
    return { places: this.#faded.places, sides: sides.length === places.length ? this.#plain(sides.length) : sides };
  }

  #plain(count: number): Int8Array {
    this.#noSides = this.#noSides.length === count ? this.#noSides : new Int8Array(count);
    return this.#noSides;
  }
}
