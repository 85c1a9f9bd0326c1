// Which substations a voltage level joins: a spanning tree that is not quite the shortest, then chords.
import { PointIndex, spreadPair, type Point } from "../numerics/geometry.ts";
import { delaunayNeighbours, pairKey, pairsByHops, spanningTree, type Pair } from "../numerics/graph.ts";

/** A pair that a line of one level may join. */
export interface Candidate extends Pair {
  /** Distance in the Delaunay triangulation, 1 to 3. */
  hops: number;
  /** A number in 0..1 that decides between like pairs. */
  chance: number;
  /** Whether the minimum spanning tree has it. */
  shortest: boolean;
}

/** Lines of one level: candidates and which of them the tree takes. */
export interface LevelTree {
  candidates: readonly Candidate[];
  tree: readonly number[];
}

/** Shares that real grids have (Birchfield et al. 2017, table III). */
const SHORTEST_SHARE = 0.51;
const TWO_HOP_SHARE = 0.2;
const THREE_HOP_SHARE = 0.045;

/** Of the pairs at two and three hops so many are looked at. */
const SIEVE = [1, 0.3, 0.12];

function candidatesOf(points: readonly Point[], longestKm: number): Candidate[] {
  const found = pairsByHops(points, delaunayNeighbours(points), 3);
  const near = found[0] as Pair[];
  const shortest = new Set(spanningTree(points.length, near, (i) => (near[i] as Pair).km));
  return found.flatMap((pairs, hop) =>
    pairs.flatMap((pair, i) => {
      const chance = spreadPair(pair.a, pair.b);
      const share = SIEVE[hop] as number;
      const isShortest = hop === 0 && shortest.has(i);
      if (chance >= share || (pair.km > longestKm && !isShortest)) return [];
      return [{ ...pair, hops: hop + 1, chance: chance / share, shortest: isShortest }];
    }),
  );
}

/**
 * A spanning tree of the least total length after every pair was lengthened by up to `a` times its chance and by a factor for
 * its hops. The three numbers are found by bisection, so that of `lines` lines to a point 51 % lie on the minimum spanning tree
 * and, of the tree, 20 % span two and 4.5 % three hops. Real grids are no minimum spanning trees either.
 *
 * @param longestKm of a line that is not on the minimum spanning tree.
 */
export function levelTree(points: readonly Point[], lines: number, longestKm: number): LevelTree {
  const candidates = candidatesOf(points, longestKm);
  const factors = { chance: 2, two: 1.5, three: 2 };
  const treeWith = (): number[] => {
    const hopFactor = [1, factors.two, factors.three];
    const weight = (c: Candidate): number => c.km * (1 + factors.chance * c.chance) * (hopFactor[c.hops - 1] as number);
    return spanningTree(points.length, candidates, (i) => weight(candidates[i] as Candidate));
  };
  const share = (is: (c: Candidate) => boolean): number =>
    treeWith().filter((i) => is(candidates[i] as Candidate)).length / points.length;
  /** Finds the factor at which a share that falls as it grows reaches its target. */
  const fit = (
    name: keyof typeof factors,
    low: number,
    high: number,
    target: number,
    is: (c: Candidate) => boolean,
  ): void => {
    let [a, b] = [low, high];
    for (let step = 0; step < 9; step += 1) {
      factors[name] = (a + b) / 2;
      if (share(is) > target) a = factors[name];
      else b = factors[name];
    }
  };
  for (let pass = 0; pass < 3; pass += 1) {
    fit("chance", 0, 20, SHORTEST_SHARE * lines, (c) => c.shortest);
    fit("two", 0.4, 8, TWO_HOP_SHARE, (c) => c.hops === 2);
    fit("three", 0.4, 12, THREE_HOP_SHARE, (c) => c.hops === 3);
  }
  return { candidates, tree: treeWith() };
}

/**
 * Sites of the next higher voltage: the substations of largest demand such that no two lie nearer than a multiple of the
 * distance to the sixth neighbour, so that sites are dense where substations are. The multiple is found by bisection.
 *
 * @returns `count` indices, or as near to it as the rule comes, ascending.
 */
export function spacedSites(points: readonly Point[], demand: readonly number[], count: number): number[] {
  const index = new PointIndex(10, points);
  const reach = points.map((point) => Math.max(1, index.kthDistance(point, 6, 80)));
  const order = points.map((_, i) => i).sort((i, j) => (demand[j] as number) - (demand[i] as number) || i - j);
  const sitesAt = (multiple: number): number[] => {
    const chosen = new PointIndex(10);
    const sites: number[] = [];
    for (const i of order) {
      if (chosen.within(points[i] as Point, multiple * (reach[i] as number)).length > 0) continue;
      chosen.add(points[i] as Point);
      sites.push(i);
    }
    return sites;
  };
  let [low, high] = [0, 6];
  for (let step = 0; step < 14; step += 1) {
    const middle = (low + high) / 2;
    if (sitesAt(middle).length > count) low = middle;
    else high = middle;
  }
  return sitesAt(high).sort((i, j) => i - j);
}

/** Rules for the chords of one round. */
export interface ChordRule {
  /** How many to add. */
  count: number;
  /** How good a chord is; none is taken at zero or below. */
  score(candidate: Candidate): number;
}

/** Largest number of lines of one voltage at a substation. */
const MOST_LINES = 7;
/** Share of chords that close a triangle of substations: without them the clustering is far below that of real grids. */
const TRIANGLES = 0.4;

/**
 * Adds the best chords, at most one to a substation in a round, with the shares of hops of the tree.
 *
 * @param neighbours of each point over all levels (indices of `all`); the chords are added to it.
 * @returns indices of the candidates taken.
 */
export function addChords(
  level: LevelTree,
  taken: ReadonlySet<number>,
  ids: readonly number[],
  neighbours: readonly Set<number>[],
  rule: ChordRule,
): number[] {
  const size = ids.length;
  const degree = new Int32Array(size);
  const joined = new Set<number>();
  for (const i of taken) {
    const { a, b } = level.candidates[i] as Candidate;
    degree[a] = (degree[a] as number) + 1;
    degree[b] = (degree[b] as number) + 1;
    joined.add(pairKey(a, b, size));
  }
  const scored = level.candidates
    .map((candidate, i) => ({ candidate, i, score: taken.has(i) || candidate.shortest ? 0 : rule.score(candidate) }))
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score || x.i - y.i);
  const left = [1 - TWO_HOP_SHARE - THREE_HOP_SHARE, TWO_HOP_SHARE, THREE_HOP_SHARE].map((s) =>
    Math.round(s * rule.count),
  );
  const busy = new Set<number>();
  const chords: number[] = [];
  const closing = Math.round(TRIANGLES * rule.count);
  const wanted = { closing, open: rule.count - closing };
  for (const { candidate, i } of scored) {
    const { a, b, hops } = candidate;
    if (busy.has(a) || busy.has(b) || (left[hops - 1] as number) < 1) continue;
    if ((degree[a] as number) >= MOST_LINES || (degree[b] as number) >= MOST_LINES) continue;
    const [own, other] = [neighbours[ids[a] as number] as Set<number>, neighbours[ids[b] as number] as Set<number>];
    const kind = [...own].some((n) => other.has(n)) ? "closing" : "open";
    if (wanted[kind] < 1) continue;
    wanted[kind] -= 1;
    left[hops - 1] = (left[hops - 1] as number) - 1;
    busy.add(a).add(b);
    chords.push(i);
    own.add(ids[b] as number);
    other.add(ids[a] as number);
    if (chords.length === rule.count) break;
  }
  return chords;
}
