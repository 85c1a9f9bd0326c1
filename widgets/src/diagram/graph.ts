/* eslint-disable @typescript-eslint/no-non-null-assertion -- every index lies within its typed array by construction */
/** An undirected graph in compressed form: the neighbours of node k are `targets[starts[k] .. starts[k + 1]]`. */
export interface Graph {
  nodes: number;
  starts: Int32Array;
  targets: Int32Array;
}

/** Builds a graph from edge ends; loops and ends outside 0..nodes-1 are left out, parallel edges stay. */
export function graphOf(nodes: number, from: Int32Array, to: Int32Array): Graph {
  const starts = new Int32Array(nodes + 1);
  const valid = (k: number): boolean => {
    const [a, b] = [from[k] ?? -1, to[k] ?? -1];
    return a !== b && a >= 0 && b >= 0 && a < nodes && b < nodes;
  };
  for (let k = 0; k < from.length; k += 1) {
    if (valid(k)) {
      starts[from[k]! + 1]! += 1;
      starts[to[k]! + 1]! += 1;
    }
  }
  for (let k = 0; k < nodes; k += 1) {
    starts[k + 1]! += starts[k]!;
  }
  const targets = new Int32Array(starts[nodes]!);
  const next = starts.slice();
  for (let k = 0; k < from.length; k += 1) {
    if (valid(k)) {
      targets[next[from[k]!]!++] = to[k]!;
      targets[next[to[k]!]!++] = from[k]!;
    }
  }
  return { nodes, starts, targets };
}

/** Number of edges on a shortest path from `source` to every node; -1 where there is none. */
export function hopsFrom(graph: Graph, source: number): Int32Array {
  const hops = new Int32Array(graph.nodes).fill(-1);
  const queue = new Int32Array(graph.nodes);
  hops[source] = 0;
  queue[0] = source;
  for (let head = 0, tail = 1; head < tail; head += 1) {
    const node = queue[head]!;
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e += 1) {
      const other = graph.targets[e]!;
      if (hops[other] === -1) {
        hops[other] = hops[node]! + 1;
        queue[tail++] = other;
      }
    }
  }
  return hops;
}

/** The connected parts, largest first, each by ascending node. */
export function components(graph: Graph): Int32Array[] {
  const seen = new Uint8Array(graph.nodes);
  const parts: Int32Array[] = [];
  for (let start = 0; start < graph.nodes; start += 1) {
    if (seen[start] === 0) {
      const part = [start];
      seen[start] = 1;
      for (let head = 0; head < part.length; head += 1) {
        const node = part[head]!;
        for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e += 1) {
          const other = graph.targets[e]!;
          if (seen[other] === 0) {
            seen[other] = 1;
            part.push(other);
          }
        }
      }
      parts.push(Int32Array.from(part).sort());
    }
  }
  return parts.sort((a, b) => b.length - a.length || a[0]! - b[0]!);
}
