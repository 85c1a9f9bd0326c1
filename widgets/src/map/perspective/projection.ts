import type { Geometry } from "../view/geometry.ts";

/** The pose of a tilted map or a globe. Lengths are pixels of the screen. */
export interface Pose {
  /** The point in the middle of the screen, in the coordinates of the picture. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit of the picture at its middle. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  /** Cosine and sine of the bearing. */
  readonly cos: number;
  readonly sin: number;
  /** Tilt from straight down, degrees. */
  readonly pitch: number;
  /** Whether the earth is a sphere. */
  readonly round: boolean;
}

/** A point on the screen, or of the picture. */
export type Spot = [x: number, y: number];

/** Distance of the eye in heights of the picture, as in MapLibre: a field of view of 36.87 degrees. */
export const EYE = 1.5;
/** A line ends where it comes nearer to the eye than this fraction of the distance of the middle. */
export const NEAREST = 0.08;

const RADIANS = Math.PI / 180;
/** Number of vertices of a globe's outline. */
const EDGE_STEPS = 180;

/**
 * The projection of a tilted map or a globe in closed form: the plane of Mercator, or the sphere that touches it in the
 * middle of the view, in perspective. It equals MapLibre's "mercator" and "vertical-perspective", so that a ground
 * drawn by MapLibre fits below it.
 */
export class Projection {
  /** Cosine and sine of the pitch, and the distance of the eye. */
  readonly cosPitch: number;
  readonly sinPitch: number;
  readonly eye: number;
  /** For a sphere: pixels per radian at the equator, and the middle in radians of Mercator, y downwards. */
  readonly radian: number;
  readonly middle: number;
  /** Radius of the sphere. */
  readonly radius: number;
  readonly #pose: Pose;

  constructor(pose: Pose) {
    this.#pose = pose;
    this.cosPitch = Math.cos(pose.pitch * RADIANS);
    this.sinPitch = Math.sin(pose.pitch * RADIANS);
    this.eye = EYE * pose.height;
    this.radian = pose.scale / RADIANS;
    this.middle = pose.y * RADIANS;
    this.radius = this.radian * Math.cosh(this.middle);
  }

  /** Screen position of a point of the picture; NaN for one behind the eye or the globe. */
  toScreen(x: number, y: number): Spot {
    const place = this.#place(x, y);
    return this.#above(place) && this.#ahead(place) >= 0 ? this.#seen(place) : [NaN, NaN];
  }

  /** The point of the picture at a screen position; NaN outside the globe. */
  toWorld(sx: number, sy: number): Spot {
    const { x, y, width, height, cos, sin, scale, round } = this.#pose;
    const { cosPitch, sinPitch, eye } = this;
    const [ex, ey] = [sx - width / 2, sy - height / 2];
    if (!round) {
      const down = ey / (cosPitch + (ey * sinPitch) / eye);
      const right = ex * (1 - (down * sinPitch) / eye);
      return [x + (cos * right - sin * down) / scale, y + (sin * right + cos * down) / scale];
    }
    // The nearer of the two intersections of the ray with the sphere; `away` is the squared distance of the eye minus
    // the squared radius.
    const radius = this.radius;
    const [square, away] = [ex * ex + ey * ey + eye * eye, eye * eye + 2 * eye * radius * cosPitch];
    const along = -(ey * radius * sinPitch) - eye * (eye + radius * cosPitch);
    const root = along * along - square * away;
    if (root < 0) {
      return [NaN, NaN];
    }
    const t = away / (Math.sqrt(root) - along);
    const [right, low, near] = [ex * t, ey * t, eye * (1 - t)];
    const [down, up] = [low * cosPitch + near * sinPitch, near * cosPitch - low * sinPitch];
    const [east, south] = [(cos * right - sin * down) / radius, (sin * right + cos * down) / radius];
    // From the plane that touches the sphere in the middle of the view to latitude and longitude.
    const [secant, tangent] = [1 / Math.cosh(this.middle), -Math.tanh(this.middle)];
    const outward = 1 + up / radius;
    const sine = -south * secant + outward * tangent;
    const turned = Math.atan2(east, outward * secant + south * tangent);
    return [x + turned / RADIANS, -Math.atanh(Math.max(-1, Math.min(1, sine))) / RADIANS];
  }

  /**
   * A polyline as visible on the screen, in parts where some of it is hidden. The hidden part of an area follows the
   * globe's outline, so that the area stays closed.
   */
  way(points: ArrayLike<number>, closed: boolean): number[][] {
    const parts: number[][] = [[]];
    const count = points.length / 2;
    let before: Place | null = null;
    let any = false;
    for (let k = 0; k < count + (closed ? 1 : 0); k += 1) {
      const at = 2 * (k % count);
      let place: Place | null = this.#place(points[at] ?? NaN, points[at + 1] ?? NaN);
      if (this.#above(place)) {
        any = true;
      } else {
        place = closed && this.#pose.round ? this.#edgeNear(place) : null;
      }
      if (place !== null) {
        this.#goOn(parts, before, place, closed);
      } else if (!closed) {
        parts.push([]);
      }
      before = place;
    }
    return any ? parts.filter(({ length }) => length > 2) : [];
  }

  /** Continues to the next point, as far as it lies in front of the eye. */
  #goOn(parts: number[][], before: Place | null, place: Place, closed: boolean): void {
    const [last, now] = [before === null ? NaN : this.#ahead(before), this.#ahead(place)];
    if (before !== null && last < 0 !== now < 0) {
      parts.at(-1)?.push(...this.#seen(between(before, place, last / (last - now))));
    }
    if (now >= 0) {
      parts.at(-1)?.push(...this.#seen(place));
    } else if (!closed) {
      parts.push([]);
    }
  }

  /**
   * Writes the screen positions of a segment's ends to `out` from `at`: clipped where it passes the eye; NaN where it
   * is hidden.
   */
  segment(ends: ArrayLike<number>, out: Float64Array, at: number): void {
    let [a, b] = [this.#place(ends[0] ?? NaN, ends[1] ?? NaN), this.#place(ends[2] ?? NaN, ends[3] ?? NaN)];
    const [aheadA, aheadB] = [this.#ahead(a), this.#ahead(b)];
    if (!this.#above(a) || !this.#above(b) || (aheadA < 0 && aheadB < 0)) {
      out.fill(NaN, at, at + 4);
      return;
    }
    if (aheadA < 0 !== aheadB < 0) {
      const crossing = between(a, b, aheadA / (aheadA - aheadB));
      [a, b] = aheadA < 0 ? [crossing, b] : [a, crossing];
    }
    [out[at], out[at + 1]] = this.#seen(a);
    [out[at + 2], out[at + 3]] = this.#seen(b);
  }

  /** The globe's outline in front of the eye, x and y alternating. */
  edge(): number[] {
    const parts: number[][] = [[]];
    let before: Place | null = null;
    for (let k = 0; k <= EDGE_STEPS; k += 1) {
      const angle = (2 * k * Math.PI) / EDGE_STEPS;
      const place = this.#onEdge(Math.cos(angle), Math.sin(angle));
      this.#goOn(parts, before, place, true);
      before = place;
    }
    return parts[0] ?? [];
  }

  /** Bounding box of the content of a screen box. */
  boxOf(x0: number, y0: number, x1: number, y1: number): Geometry["bounds"] {
    const steps = this.#pose.round ? 12 : 1;
    const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    let hidden = false;
    for (let i = 0; i <= steps; i += 1) {
      for (let j = 0; j <= steps; j += 1) {
        const [x, y] = this.toWorld(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * j) / steps);
        hidden ||= !Number.isFinite(x + y);
        if (Number.isFinite(x + y)) {
          box.x0 = Math.min(box.x0, x);
          box.x1 = Math.max(box.x1, x);
          box.y0 = Math.min(box.y0, y);
          box.y1 = Math.max(box.y1, y);
        }
      }
    }
    // Where the globe's outline is visible, any point of the hemisphere may be.
    return hidden ? { x0: -360, x1: 360, y0: -180, y1: 180 } : box;
  }

  /** A point of the ground relative to the middle of the view, along the screen's axes before the tilt. */
  #place(x: number, y: number): Place {
    const { x: cx, y: cy, cos, sin, scale, round } = this.#pose;
    if (!round) {
      const [dx, dy] = [(x - cx) * scale, (y - cy) * scale];
      return { right: cos * dx + sin * dy, down: cos * dy - sin * dx, deep: 0 };
    }
    // Differences from the middle, which do not lose precision for near points.
    const [turned, apart] = [(x - cx) * RADIANS, (y - cy) * RADIANS];
    const share = this.radian / Math.cosh(y * RADIANS);
    const half = Math.sin(turned / 2) ** 2;
    const dx = Math.cosh(this.middle) * Math.sin(turned) * share;
    const rise = Math.cosh((y * RADIANS + this.middle) / 2) * Math.sinh(apart / 2);
    const dy = 2 * (rise + Math.sinh(this.middle) * half) * share;
    const deep = 2 * (Math.sinh(apart / 2) ** 2 + half) * share;
    return { right: cos * dx + sin * dy, down: cos * dy - sin * dx, deep };
  }

  /** Whether a point has a position and is not behind the globe. */
  #above({ right, down, deep }: Place): boolean {
    if (!this.#pose.round) {
      return !Number.isNaN(right + down);
    }
    const { radius } = this;
    return (down * this.sinPitch) / radius + this.cosPitch >= deep * (this.cosPitch / radius + 1 / this.eye);
  }

  /** Positive for points in front of the eye; below zero the picture has no position for them. */
  #ahead({ down, deep }: Place): number {
    return 1 - (down * this.sinPitch - deep * this.cosPitch) / this.eye - NEAREST;
  }

  #seen({ right, down, deep }: Place): Spot {
    const { width, height } = this.#pose;
    const low = down * this.cosPitch + deep * this.sinPitch;
    const near = down * this.sinPitch - deep * this.cosPitch;
    const share = 1 / (1 - near / this.eye);
    return [right * share + width / 2, low * share + height / 2];
  }

  /** The point of the globe's outline nearest to one behind it; null for one without a position. */
  #edgeNear({ right, down, deep }: Place): Place | null {
    const { side } = this.#horizon;
    const [a, b] = [right, down * side.down + (this.radius - deep) * side.up];
    const size = Math.hypot(a, b);
    return size > 0 ? this.#onEdge(a / size, b / size) : null;
  }

  /**
   * The direction of the eye from the middle of the sphere, a perpendicular, both in the plane of down and up, and the
   * distance.
   */
  get #horizon(): { out: { down: number; up: number }; side: { down: number; up: number }; distance: number } {
    const [down, up] = [this.eye * this.sinPitch, this.eye * this.cosPitch + this.radius];
    const distance = Math.hypot(down, up);
    const out = { down: down / distance, up: up / distance };
    return { out, side: { down: out.up, up: -out.down }, distance };
  }

  #onEdge(a: number, b: number): Place {
    const { out, side, distance } = this.#horizon;
    const { radius } = this;
    const along = (radius * radius) / distance;
    const across = radius * Math.sqrt(Math.max(0, 1 - (radius / distance) ** 2));
    const down = along * out.down + across * b * side.down;
    const up = along * out.up + across * b * side.up;
    return { right: across * a, down, deep: radius - up };
  }
}

/** A point of the ground: right and down on the screen from its middle, and the depth below the plane of the middle. */
interface Place {
  readonly right: number;
  readonly down: number;
  readonly deep: number;
}

function between(a: Place, b: Place, share: number): Place {
  const mix = (from: number, to: number): number => from + share * (to - from);
  return { right: mix(a.right, b.right), down: mix(a.down, b.down), deep: mix(a.deep, b.deep) };
}
