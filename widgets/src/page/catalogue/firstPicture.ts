/**
 * Geometry of a case with its base prices: the first picture, before the engine has solved anything. Degrees and $/MWh.
 */
export interface FirstPicture {
  /** Longitude and latitude of each bus. */
  places: Float64Array;
  /** Price of each bus; NaN outside the problem. */
  prices: Float64Array;
  /** Longitude and latitude of the corners of all lines, one line after the other. */
  corners: Float64Array;
  /** Index in the corners at which each line ends. */
  ends: Uint32Array;
}

/** The part of a case's network view that the first picture uses. */
export interface ViewedBody {
  buses: { id: number; lon: number; lat: number }[];
  branches: { from: number; to: number; status: 0 | 1; path?: [number, number][] }[];
}

/** The part of a case's base solution that the first picture uses. */
export interface PricedBody {
  prices: { bus: number; value: number }[];
}

/** The picture from the server's network view and base solution. */
export function pictureOf({ buses, branches }: ViewedBody, solution: PricedBody): FirstPicture {
  const rows = new Map<number, number>();
  const places = new Float64Array(2 * buses.length);
  buses.forEach(({ id, lon, lat }, row) => {
    rows.set(id, row);
    places[2 * row] = lon;
    places[2 * row + 1] = lat;
  });
  const prices = new Float64Array(buses.length).fill(NaN);
  for (const { bus, value } of solution.prices) {
    prices[rows.get(bus) ?? -1] = value;
  }
  const corners: number[] = [];
  const ends: number[] = [];
  for (const { from, to, status, path } of branches) {
    const [a, b] = [rows.get(from), rows.get(to)];
    if (status !== 1) {
      continue;
    }
    if (path !== undefined) {
      for (const [lon, lat] of path) {
        corners.push(lon, lat);
      }
    } else if (a !== undefined && b !== undefined) {
      corners.push(places[2 * a] ?? NaN, places[2 * a + 1] ?? NaN, places[2 * b] ?? NaN, places[2 * b + 1] ?? NaN);
    }
    ends.push(corners.length);
  }
  return { places, prices, corners: Float64Array.from(corners), ends: Uint32Array.from(ends) };
}
