// Arithmetic that every Node version does alike: sums, products, quotients and square roots are exact to the last bit by IEEE
// 754, `Math.sin` and its kind are not. What the generator needs of those is written out here.

/** A point on the globe: longitude and latitude in degrees. */
export type LonLat = readonly [lon: number, lat: number];

/** A point of a state's plane in kilometres east and north of its origin. */
export type Point = readonly [x: number, y: number];

/** Mean radius of the earth, km. */
const EARTH_KM = 6371.0088;
const RAD = Math.PI / 180;

/** Rounds to a number of decimals. */
export function round(value: number, decimals: number): number {
  const scale = Number(`1e${decimals}`);
  const rounded = Math.round(value * scale) / scale;
  return rounded === 0 ? 0 : rounded;
}

/** Sine of an angle in radians within -pi..pi, by its Taylor series. */
export function sin(angle: number): number {
  const x = angle > Math.PI / 2 ? Math.PI - angle : angle < -Math.PI / 2 ? -Math.PI - angle : angle;
  let term = x;
  let sum = x;
  for (let k = 2; k <= 20; k += 2) {
    term *= (-x * x) / (k * (k + 1));
    sum += term;
  }
  return sum;
}

/** Cosine of an angle in radians within -pi..pi. */
export function cos(angle: number): number {
  return sin(Math.PI / 2 - Math.abs(angle));
}

/** Natural logarithm of a positive number: halved or doubled into 0.7..1.5, then the series of the area tangent. */
export function ln(value: number): number {
  let x = value;
  let halvings = 0;
  for (; x > 1.5; x /= 2) halvings += 1;
  for (; x < 0.75; x *= 2) halvings -= 1;
  const q = (x - 1) / (x + 1);
  let power = q;
  let sum = 0;
  for (let k = 1; k <= 27; k += 2) {
    sum += power / k;
    power *= q * q;
  }
  return 2 * sum + halvings * Math.LN2;
}

/** Great-circle distance in km (haversine formula); the arc sine by its series, for distances up to a continent's. */
export function distanceKm(a: LonLat, b: LonLat): number {
  const north = sin(((b[1] - a[1]) * RAD) / 2);
  const east = sin(((b[0] - a[0]) * RAD) / 2);
  const h = north * north + cos(a[1] * RAD) * cos(b[1] * RAD) * east * east;
  const s = Math.sqrt(h);
  const arcSine = s * (1 + h * (1 / 6 + h * (3 / 40 + h * (15 / 336 + (h * 105) / 3456))));
  return 2 * EARTH_KM * arcSine;
}

/** A state's plane: equidistant along the meridians and along the parallel of its origin. */
export class Plane {
  readonly #origin: LonLat;
  readonly #kmPerLon: number;
  readonly #kmPerLat = EARTH_KM * RAD;

  constructor(origin: LonLat) {
    this.#origin = origin;
    this.#kmPerLon = this.#kmPerLat * cos(origin[1] * RAD);
  }

  toPlane([lon, lat]: LonLat): Point {
    return [(lon - this.#origin[0]) * this.#kmPerLon, (lat - this.#origin[1]) * this.#kmPerLat];
  }

  toLonLat([x, y]: Point): LonLat {
    return [this.#origin[0] + x / this.#kmPerLon, this.#origin[1] + y / this.#kmPerLat];
  }
}

/** Distance of two points of a plane, km. */
export function planeKm(a: Point, b: Point): number {
  return Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

/** Cosine and sine of the golden angle, 180 (3 - sqrt 5) degrees. */
const GOLDEN_COS = -0.7373688780783197;
const GOLDEN_SIN = 0.6754902942615238;

/** The points of a golden-angle spiral (Vogel 1979): the k-th lies at radius `spacing * sqrt(k)`, endlessly. */
export function* spiral(spacing: number): Generator<Point> {
  let direction: Point = [1, 0];
  for (let k = 0; ; k += 1) {
    const radius = spacing * Math.sqrt(k);
    yield [radius * direction[0], radius * direction[1]];
    const [c, s] = direction;
    direction = [c * GOLDEN_COS - s * GOLDEN_SIN, c * GOLDEN_SIN + s * GOLDEN_COS];
  }
}

/** The additive recurrence of the golden ratio: `index` to a number in 0..1, evenly spread over any run of indices. */
export function spread(index: number): number {
  const value = (index + 0.5) * 0.6180339887498949;
  return value - Math.floor(value);
}

/** Evenly spread numbers for pairs, by the two-dimensional recurrence of the plastic number. */
export function spreadPair(a: number, b: number): number {
  const value = (a + 0.5) * 0.7548776662466927 + (b + 0.5) * 0.5698402909980532;
  return value - Math.floor(value);
}

/** Points in square cells, to find neighbours without looking at all of them. */
export class PointIndex {
  readonly #cells = new Map<string, number[]>();
  readonly #cellKm: number;
  readonly #points: Point[] = [];

  constructor(cellKm: number, points: readonly Point[] = []) {
    this.#cellKm = cellKm;
    for (const point of points) this.add(point);
  }

  add(point: Point): void {
    const key = this.#key(Math.floor(point[0] / this.#cellKm), Math.floor(point[1] / this.#cellKm));
    const cell = this.#cells.get(key);
    if (cell) cell.push(this.#points.length);
    else this.#cells.set(key, [this.#points.length]);
    this.#points.push(point);
  }

  /** Indices of the points within a distance, ascending by distance, then by index. */
  within(point: Point, km: number): number[] {
    const reach = Math.ceil(km / this.#cellKm);
    const [cx, cy] = [Math.floor(point[0] / this.#cellKm), Math.floor(point[1] / this.#cellKm)];
    const found: [number, number][] = [];
    for (let ix = cx - reach; ix <= cx + reach; ix += 1) {
      for (let iy = cy - reach; iy <= cy + reach; iy += 1) {
        for (const index of this.#cells.get(this.#key(ix, iy)) ?? []) {
          const distance = planeKm(point, this.#points[index] as Point);
          if (distance <= km) found.push([distance, index]);
        }
      }
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, index]) => index);
  }

  /** Distance to the k-th nearest point other than itself, at most `limit` km. */
  kthDistance(point: Point, k: number, limit: number): number {
    for (let km = this.#cellKm; ; km *= 2) {
      const found = this.within(point, Math.min(km, limit));
      if (found.length > k) return planeKm(point, this.#points[found[k] as number] as Point);
      if (km >= limit) return limit;
    }
  }

  #key(ix: number, iy: number): string {
    return `${ix},${iy}`;
  }
}
