// Substations from places: how many a place has, where they lie, what they are called and what they serve.
import { ln, Plane, PointIndex, round, spiral, spread, type LonLat, type Point } from "../numerics/geometry.ts";
import { inside, type Outline, type Place } from "./places.ts";
import type { GridSpec } from "../spec.ts";

/** A substation before it has any equipment. */
export interface Substation {
  name: string;
  /** Degrees, rounded to 4 decimals (some 10 m). */
  at: LonLat;
  /** Kilometres in the state's plane. */
  point: Point;
  /** MW and MVAr; zero where nothing is served. */
  demandMw: number;
  demandMvar: number;
  /** 1-based. */
  area: number;
}

/** A place's k-th point on its spiral, and the people who live around it. */
interface Site {
  place: Place;
  k: number;
  at: LonLat;
  point: Point;
  people: number;
}

/** The substations of a state, the most populous place first. */
export function substationsOf(spec: GridSpec, places: readonly Place[], outline: Outline): Substation[] {
  const plane = new Plane(spec.origin);
  const sites = sitesNear(spec, places, outline, plane);
  const areas = areaSeats(spec, places, plane);
  const names = namesOf(sites, plane);
  const megawatts = demands(spec, sites);
  return sites.map((site, i) => ({
    name: names[i] as string,
    at: site.at,
    point: site.point,
    demandMw: megawatts[i] as number,
    demandMvar: round((megawatts[i] as number) * MVAR_PER_MW, 2),
    area: nearest(areas, site.point) + 1,
  }));
}

/** Reactive to active demand: a power factor of 0.963. */
const MVAR_PER_MW = 0.28;

/** Sites for the number of people to a substation that comes nearest to the number of substations aimed at. */
function sitesNear(spec: GridSpec, places: readonly Place[], outline: Outline, plane: Plane): Site[] {
  let [few, many] = [200, 100_000];
  while (many - few > 20) {
    const people = Math.floor((few + many) / 2);
    if (sitesFor(people, spec, places, outline, plane).length > spec.substations) few = people;
    else many = people;
  }
  return sitesFor(many, spec, places, outline, plane);
}

/**
 * round(population / people) sites a place, at least one, on a golden-angle spiral inside the state. Within a place people to a
 * site are exponentially distributed, most in the middle. A site too near to another one adds its people to that.
 */
function sitesFor(people: number, spec: GridSpec, places: readonly Place[], outline: Outline, plane: Plane): Site[] {
  const sites: Site[] = [];
  const taken = new PointIndex(spec.mergeKm);
  for (const place of places) {
    const of = Math.max(1, Math.round(place.population / people));
    const weights = Array.from({ length: of }, (_, k) => Math.min(3.5, -ln((k + 0.5) / of)) + 0.25);
    const perWeight = place.population / weights.reduce((sum, w) => sum + w, 0);
    const [x, y] = plane.toPlane(place.at);
    let k = 0;
    let first = true;
    for (const even of spiral(spec.spiralKm)) {
      if (k === of) break;
      const [dx, dy] = shaped(even, place.id);
      const [lon, lat] = plane.toLonLat([x + dx, y + dy]);
      const at: LonLat = [round(lon, 4), round(lat, 4)];
      if (!first && !inside(outline, at)) continue;
      first = false;
      const point = plane.toPlane(at);
      const here = (weights[k] as number) * perWeight;
      const [near] = taken.within(point, spec.mergeKm);
      if (near === undefined) {
        taken.add(point);
        sites.push({ place, k, at, point, people: here });
      } else {
        (sites[near] as Site).people += here;
      }
      k += 1;
    }
  }
  return sites;
}

/** How far a place reaches beyond a circle in some directions, and falls short of it in others. */
const LOBES = [0.22, 0.17];

/**
 * Moves a point of a spiral along its direction, by a curve with two and three lobes that the place's number turns: no city is a
 * circle. cos 2t, sin 2t, cos 3t and sin 3t of the direction t are polynomials of its cosine and sine.
 */
function shaped([x, y]: Point, id: number): Point {
  const r = Math.sqrt(x * x + y * y);
  if (r === 0) return [x, y];
  const [c, s] = [x / r, y / r];
  const [two, three] = LOBES as [number, number];
  const turn = (k: number): number => 2 * spread(id + k) - 1;
  const lobes =
    two * (turn(1) * (c * c - s * s) + turn(2) * 2 * c * s) +
    three * (turn(3) * (4 * c * c * c - 3 * c) + turn(4) * (3 * s - 4 * s * s * s));
  return [x * (1 + lobes), y * (1 + lobes)];
}

/** Share of substations that only switch or collect. */
const NO_LOAD = 0.15;
/** People are served at most from this far, km. */
const REACH_KM = 60;

/** Demand of each substation, MW. What a substation without feeders does not serve, the nearest one with feeders does. */
function demands(spec: GridSpec, sites: readonly Site[]): number[] {
  const people = sites.map((site) => site.people);
  const mean = people.reduce((sum, n) => sum + n, 0) / people.length;
  const serves = sites.map((site, i) => spread(i) >= NO_LOAD || site.people > 1.5 * mean);
  const index = new PointIndex(
    spec.mergeKm * 2,
    sites.map((site) => site.point),
  );
  sites.forEach((site, i) => {
    if (serves[i]) return;
    const near = [8, REACH_KM].flatMap((km) => index.within(site.point, km)).find((j) => serves[j]);
    if (near === undefined) serves[i] = true;
    else [people[near], people[i]] = [(people[near] as number) + (people[i] as number), 0];
  });
  return people.map((n) => round((n * spec.kwPerPerson) / 1000, 2));
}

/** The sectors of the compass counter-clockwise from north-east by the signs and slopes of an offset. */
function sector([x, y]: Point): string {
  const vertical = y > 0 ? "N" : "S";
  const horizontal = x > 0 ? "E" : "W";
  if (Math.abs(x) > 2.4142 * Math.abs(y)) return horizontal;
  if (Math.abs(y) > 2.4142 * Math.abs(x)) return vertical;
  return vertical + horizontal;
}

/** Names: that of the place in its middle, and "Place NE 2" round it; counties' namesakes get a number. */
function namesOf(sites: readonly Site[], plane: Plane): string[] {
  const used = new Map<string, number>();
  return sites.map((site) => {
    const [x, y] = plane.toPlane(site.place.at);
    const offset: Point = [site.point[0] - x, site.point[1] - y];
    const base = site.k === 0 ? site.place.name : `${site.place.name} ${sector(offset)}`;
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    return count === 1 ? base : `${base} ${count}`;
  });
}

/** Seats of the areas: the most populous places that lie far apart. */
function areaSeats(spec: GridSpec, places: readonly Place[], plane: Plane): Point[] {
  const points = places.map((place) => plane.toPlane(place.at));
  for (let km = 800; ; km *= 0.9) {
    const index = new PointIndex(km);
    const seats: Point[] = [];
    for (const point of points) {
      if (index.within(point, km).length > 0) continue;
      index.add(point);
      seats.push(point);
      if (seats.length === spec.areas) return seats;
    }
  }
}

function nearest(points: readonly Point[], [x, y]: Point): number {
  let best = 0;
  let least = Infinity;
  points.forEach(([px, py], i) => {
    const square = (px - x) * (px - x) + (py - y) * (py - y);
    if (square < least) [best, least] = [i, square];
  });
  return best;
}
