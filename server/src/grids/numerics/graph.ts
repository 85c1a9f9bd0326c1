// Graphs over points: Delaunay triangulation, minimum spanning tree, hops and bridges.
import { Delaunay } from "d3-delaunay";
import { planeKm, type Point } from "./geometry.ts";

/** Two points that a line may or does join, by index, `a < b`. */
export interface Pair {
  a: number;
  b: number;
  km: number;
}

/** One number for an unordered pair. */
export function pairKey(a: number, b: number, size: number): number {
  return a < b ? a * size + b : b * size + a;
}

/** Disjoint sets with path halving. */
export class Groups {
  readonly #parent: Int32Array;

  constructor(size: number) {
    this.#parent = Int32Array.from({ length: size }, (_, i) => i);
  }

  find(i: number): number {
    const parent = this.#parent;
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  }

  /** Joins two sets; false when they were one. */
  join(a: number, b: number): boolean {
    const [ra, rb] = [this.find(a), this.find(b)];
    if (ra === rb) return false;
    this.#parent[Math.max(ra, rb)] = Math.min(ra, rb);
    return true;
  }
}

/** Neighbours of each point in the Delaunay triangulation, ascending. */
export function delaunayNeighbours(points: readonly Point[]): number[][] {
  if (points.length < 3) return points.map((_, i) => points.flatMap((__, j) => (i === j ? [] : [j])));
  const delaunay = Delaunay.from(points as [number, number][]);
  return points.map((_, i) => [...delaunay.neighbors(i)].sort((x, y) => x - y));
}

/** Pairs at exactly each distance 1, 2, ... `hops` in the triangulation. */
export function pairsByHops(points: readonly Point[], neighbours: readonly number[][], hops: number): Pair[][] {
  const found: Pair[][] = Array.from({ length: hops }, () => []);
  points.forEach((point, a) => {
    const seen = new Set([a]);
    let front = [a];
    for (let hop = 0; hop < hops; hop += 1) {
      const next: number[] = [];
      for (const at of front) {
        for (const b of neighbours[at] as number[]) {
          if (seen.has(b)) continue;
          seen.add(b);
          next.push(b);
          if (b > a) found[hop]?.push({ a, b, km: planeKm(point, points[b] as Point) });
        }
      }
      front = next;
    }
  });
  return found;
}

/** Indices of the pairs of a minimum spanning forest by the given weights (Kruskal); ties by index. */
export function spanningTree(size: number, pairs: readonly Pair[], weight: (index: number) => number): number[] {
  const weights = Float64Array.from(pairs, (_, i) => weight(i));
  const order = Array.from(pairs, (_, i) => i).sort((i, j) => (weights[i] as number) - (weights[j] as number) || i - j);
  const groups = new Groups(size);
  return order.filter((i) => groups.join((pairs[i] as Pair).a, (pairs[i] as Pair).b));
}

/** Whether the removal of each edge splits the graph (Tarjan 1974); parallel edges are no bridges. */
export function bridges(size: number, edges: readonly { a: number; b: number }[]): boolean[] {
  const incident: number[][] = Array.from({ length: size }, () => []);
  edges.forEach(({ a, b }, e) => {
    incident[a]?.push(e);
    incident[b]?.push(e);
  });
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const isBridge = new Array<boolean>(edges.length).fill(false);
  let count = 0;
  for (let root = 0; root < size; root += 1) {
    if (order[root] !== -1) continue;
    const stack = [{ at: root, by: -1 }];
    order[root] = low[root] = count++;
    while (stack.length > 0) {
      const { at, by } = stack[stack.length - 1] as { at: number; by: number };
      const turn = next[at] as number;
      next[at] = turn + 1;
      const e = incident[at]?.[turn];
      if (e === undefined) {
        stack.pop();
        const parent = stack[stack.length - 1];
        if (!parent) continue;
        low[parent.at] = Math.min(low[parent.at] as number, low[at] as number);
        if ((low[at] as number) > (order[parent.at] as number)) isBridge[by] = true;
        continue;
      }
      if (e === by) continue;
      const edge = edges[e] as { a: number; b: number };
      const to = edge.a === at ? edge.b : edge.a;
      if (order[to] === -1) {
        order[to] = low[to] = count++;
        stack.push({ at: to, by: e });
      } else {
        low[at] = Math.min(low[at] as number, order[to] as number);
      }
    }
  }
  return isBridge;
}

/** Mean local clustering coefficient (Watts and Strogatz 1998) and mean degree of a graph without parallel edges. */
export function graphShape(neighbours: readonly ReadonlySet<number>[]): { degree: number; clustering: number } {
  let links = 0;
  let clustering = 0;
  for (const own of neighbours) {
    links += own.size;
    if (own.size < 2) continue;
    const list = [...own];
    let closed = 0;
    list.forEach((i, k) => {
      for (const j of list.slice(k + 1)) if (neighbours[i]?.has(j)) closed += 1;
    });
    clustering += closed / ((list.length * (list.length - 1)) / 2);
  }
  return { degree: links / neighbours.length, clustering: clustering / neighbours.length };
}
