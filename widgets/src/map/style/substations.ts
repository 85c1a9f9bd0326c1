import type { OpenedCase } from "../../workspace/index.ts";
import { busRadius } from "../picture/busMarks.ts";
import type { Camera } from "../view/camera.ts";
import { type Geometry, unproject } from "../view/geometry.ts";

/** Kilometres per degree of longitude on the equator, which is one unit of the map's geometry. */
const DEGREE_KM = 111.32;
/** Diameter of the ring of buses at one position, km. */
const RING_KM = 0.8;
/** Marks of one ring are distinguishable where it is this many mark radii wide. */
const APART = 3;

/** The buses that represent their substation, and the buses they represent, by dense row. */
export class Substations {
  readonly #opened: OpenedCase;
  #geometry: Geometry | null = null;
  #others: readonly number[] = [];
  /** Diameter of a ring in units of the map's geometry, in the middle of the network. */
  #ring = 0;
  #made: { sizes: Float32Array; exempt: ReadonlySet<number>; merged: Float32Array } | null = null;

  constructor(opened: OpenedCase) {
    this.#opened = opened;
  }

  /**
   * The sizes with zero for represented buses: all of a substation but the one of the highest voltage, until the view
   * is near enough to distinguish them. Exempt buses stay. The same array while nothing has changed.
   */
  merged(sizes: Float32Array, geometry: Geometry, camera: Camera, exempt: ReadonlySet<number>): Float32Array {
    if (geometry !== this.#geometry) {
      this.#geometry = geometry;
      this.#group(geometry);
      this.#made = null;
    }
    const radius = busRadius({ camera, geometry });
    if (this.#others.length === 0 || this.#ring * camera.scale > APART * radius) {
      return sizes;
    }
    if (this.#made?.sizes !== sizes || this.#made.exempt !== exempt) {
      const merged = sizes.slice();
      for (const row of this.#others) {
        if (!exempt.has(row)) {
          merged[row] = 0;
        }
      }
      this.#made = { sizes, exempt, merged };
    }
    return this.#made.merged;
  }

  /** Joins the ends of branches within substations. */
  #group({ busX, bounds }: Geometry): void {
    const { geography, buses, fromRow, toRow } = this.#opened;
    this.#others = [];
    const { map } = geography;
    const onMap = map !== null && busX.some((x, row) => x === map.x[row]);
    if (!onMap) {
      return; // a drawing has a position for each bus
    }
    const first = Int32Array.from(buses.keys());
    const rootOf = (row: number): number => {
      let root = row;
      while (first[root] !== root) {
        root = first[root] as number;
      }
      return root;
    };
    const kv = (row: number): number => buses[row]?.base_kv ?? 0;
    fromRow.forEach((from, branch) => {
      if (geography.isWithinSubstation(branch)) {
        const [a, b] = [rootOf(from), rootOf(toRow[branch] ?? from)];
        const [stays, goes] = kv(a) > kv(b) || (kv(a) === kv(b) && a <= b) ? [a, b] : [b, a];
        first[goes] = stays;
      }
    });
    this.#others = [...buses.keys()].filter((row) => rootOf(row) !== row);
    const [, lat] = unproject(0, (bounds.y0 + bounds.y1) / 2);
    this.#ring = RING_KM / (DEGREE_KM * Math.cos((lat * Math.PI) / 180));
  }
}
