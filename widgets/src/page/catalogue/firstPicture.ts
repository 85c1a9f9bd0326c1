/** Where a case is drawn and its base prices: the first picture, before the engine has solved anything. In degrees and $/MWh. */
export interface FirstPicture {
  /** Longitude and latitude of the buses in turn. */
  places: Float64Array;
  /** By bus; NaN where there is none. */
  prices: Float64Array;
  /** Longitude and latitude of the corners of the lines in turn, one line after the other. */
  corners: Float64Array;
  /** Where each line ends in the corners. */
  ends: Uint32Array;
}

/** The network view of a case, as far as the first picture needs it. */
export interface ViewedBody {
  buses: { id: number; lon: number; lat: number }[];
  branches: { from: number; to: number; status: 0 | 1; path?: [number, number][] }[];
}

/** Its base solution, likewise. */
export interface PricedBody {
  prices: { bus: number; value: number }[];
}

/** The picture of what the server has of a case. */
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
