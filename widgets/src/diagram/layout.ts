/* eslint-disable @typescript-eslint/no-non-null-assertion -- every index lies within its typed array by construction */
import { components, type Graph, graphOf, hopsFrom } from "./graph.ts";

/** Positions by dense bus row, in units of about one branch length, x to the right and y upwards. */
export interface Positions {
  x: Float64Array;
  y: Float64Array;
}

/** Above this many nodes, distances are kept to a few pivots instead of between all pairs. */
const ALL_PAIRS_NODES = 1200;
const PIVOTS = 60;
const ROUNDS = 30;
const GAP = 2;

/**
 * A deterministic drawing of a network without coordinates: distances on paper follow the number of branches between two
 * buses (stress by stochastic gradient descent, Zheng, Pawar and Goodman 2019, with a fixed order of the pairs), each part
 * turned so that its longer side lies flat, smaller parts to the right. `pause` is awaited between rounds, so that the
 * caller's page stays alive.
 */
export async function layoutNetwork(
  nodes: number,
  from: Int32Array,
  to: Int32Array,
  pause: () => Promise<void>,
): Promise<Positions> {
  const graph = graphOf(nodes, from, to);
  const positions: Positions = { x: new Float64Array(nodes), y: new Float64Array(nodes) };
  let right = 0;
  for (const part of components(graph)) {
    const local = await layoutPart(subgraph(graph, part), pause);
    turnFlat(local);
    const [left, end] = range(local.x);
    part.forEach((node, k) => {
      positions.x[node] = right + local.x[k]! - left;
      positions.y[node] = local.y[k]!;
    });
    right += end - left + GAP;
  }
  return positions;
}

interface Pairs {
  a: Int32Array;
  b: Int32Array;
  hops: Float32Array;
}

async function layoutPart(graph: Graph, pause: () => Promise<void>): Promise<Positions> {
  const { x, y } = spiral(graph.nodes);
  if (graph.nodes < 2) {
    return { x, y };
  }
  const pairs = graph.nodes <= ALL_PAIRS_NODES ? allPairs(graph) : pivotPairs(graph);
  const order = fixedShuffle(pairs.a.length);
  const longest = pairs.hops.reduce((most, d) => Math.max(most, d), 1);
  const cooling = Math.log(0.1 / (longest * longest)) / (ROUNDS - 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = longest * longest * Math.exp(cooling * round);
    for (const k of order) {
      const [a, b, d] = [pairs.a[k]!, pairs.b[k]!, pairs.hops[k]!];
      const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!];
      const length = Math.hypot(dx, dy) || 1e-9;
      const pull = (Math.min(1, rate / (d * d)) * (length - d)) / (2 * length);
      x[a]! -= pull * dx;
      y[a]! -= pull * dy;
      x[b]! += pull * dx;
      y[b]! += pull * dy;
    }
    await pause();
  }
  return { x, y };
}

/** A golden-angle spiral: distinct starting points without chance. */
function spiral(nodes: number): Positions {
  const angle = Math.PI * (3 - Math.sqrt(5));
  const x = Float64Array.from({ length: nodes }, (_, k) => Math.sqrt(k) * Math.cos(k * angle));
  const y = Float64Array.from({ length: nodes }, (_, k) => Math.sqrt(k) * Math.sin(k * angle));
  return { x, y };
}

function allPairs(graph: Graph): Pairs {
  const count = (graph.nodes * (graph.nodes - 1)) / 2;
  const pairs = { a: new Int32Array(count), b: new Int32Array(count), hops: new Float32Array(count) };
  let k = 0;
  for (let a = 0; a < graph.nodes; a += 1) {
    const hops = hopsFrom(graph, a);
    for (let b = a + 1; b < graph.nodes; b += 1, k += 1) {
      pairs.a[k] = a;
      pairs.b[k] = b;
      pairs.hops[k] = hops[b]!;
    }
  }
  return pairs;
}

/** Every branch, and every node with pivots spread by always taking the node furthest from those before. */
function pivotPairs(graph: Graph): Pairs {
  const list: [number, number, number][] = [];
  for (let a = 0; a < graph.nodes; a += 1) {
    for (let e = graph.starts[a]!; e < graph.starts[a + 1]!; e += 1) {
      if (graph.targets[e]! > a) {
        list.push([a, graph.targets[e]!, 1]);
      }
    }
  }
  const nearest = new Int32Array(graph.nodes).fill(graph.nodes);
  let pivot = 0;
  for (let p = 0; p < PIVOTS; p += 1) {
    const hops = hopsFrom(graph, pivot);
    let furthest = pivot;
    for (let b = 0; b < graph.nodes; b += 1) {
      if (hops[b]! > 1) {
        list.push([pivot, b, hops[b]!]);
      }
      nearest[b] = Math.min(nearest[b]!, hops[b]!);
      furthest = nearest[b]! > nearest[furthest]! ? b : furthest;
    }
    pivot = furthest;
  }
  return {
    a: Int32Array.from(list, (pair) => pair[0]),
    b: Int32Array.from(list, (pair) => pair[1]),
    hops: Float32Array.from(list, (pair) => pair[2]),
  };
}

/** A permutation of 0..count-1 that is the same everywhere (Fisher-Yates with the 32-bit xorshift generator). */
function fixedShuffle(count: number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, k) => k);
  let state = 0x9e3779b9;
  for (let k = count - 1; k > 0; k -= 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const other = (state >>> 0) % (k + 1);
    const held = order[k]!;
    order[k] = order[other]!;
    order[other] = held;
  }
  return order;
}

/** Turns a part around its centre so that its principal axis is horizontal. */
function turnFlat({ x, y }: Positions): void {
  const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let k = 0; k < x.length; k += 1) {
    const [dx, dy] = [x[k]! - mx, y[k]! - my];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = -Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let k = 0; k < x.length; k += 1) {
    const [dx, dy] = [x[k]! - mx, y[k]! - my];
    x[k] = dx * cos - dy * sin;
    y[k] = dx * sin + dy * cos;
  }
}

function subgraph(graph: Graph, part: Int32Array): Graph {
  const local = new Int32Array(graph.nodes).fill(-1);
  part.forEach((node, k) => {
    local[node] = k;
  });
  const from: number[] = [];
  const to: number[] = [];
  part.forEach((node, k) => {
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e += 1) {
      const other = local[graph.targets[e]!]!;
      if (other > k) {
        from.push(k);
        to.push(other);
      }
    }
  });
  return graphOf(part.length, Int32Array.from(from), Int32Array.from(to));
}

function range(values: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
