// Measures of a drawing that do not depend on its scale.

/**
 * @param {Uint32Array} edges pairs of vertices
 * @param {Float64Array} points x and y by vertex
 */
export function quality(edges, points) {
  return {
    edge_spread: edgeSpread(edges, points),
    crossings_per_edge: crossings(edges, points) / Math.max(1, edges.length / 2),
    stress: stress(edges, points),
  };
}

const distance = (points, a, b) => Math.hypot(points[2 * a] - points[2 * b], points[2 * a + 1] - points[2 * b + 1]);

/** Standard deviation of the edge lengths over their mean; loops are ignored. */
export function edgeSpread(edges, points) {
  let [n, sum, squares] = [0, 0, 0];
  for (let e = 0; e < edges.length; e += 2) {
    if (edges[e] === edges[e + 1]) continue;
    const length = distance(points, edges[e], edges[e + 1]);
    n += 1;
    sum += length;
    squares += length * length;
  }
  const mean = sum / n;
  return Math.sqrt(Math.max(0, squares / n - mean * mean)) / mean;
}

/** Number of pairs of edges that cross properly; pairs with a common end do not. */
export function crossings(edges, points) {
  const n = points.length / 2;
  const cells = Math.max(1, Math.ceil(Math.sqrt(n)));
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let v = 0; v < n; v += 1) {
    [x0, x1] = [Math.min(x0, points[2 * v]), Math.max(x1, points[2 * v])];
    [y0, y1] = [Math.min(y0, points[2 * v + 1]), Math.max(y1, points[2 * v + 1])];
  }
  const side = Math.max(x1 - x0, y1 - y0) / cells || 1;
  const column = (x) => Math.min(cells - 1, Math.max(0, Math.floor((x - x0) / side)));
  const row = (y) => Math.min(cells - 1, Math.max(0, Math.floor((y - y0) / side)));
  const grid = new Map();
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [2 * edges[e], 2 * edges[e + 1]];
    const [left, right] = [points[a], points[b]].sort((p, q) => p - q);
    for (let i = column(left); i <= column(right); i += 1) {
      // The part of the edge inside this column of cells.
      const [ya, yb] = part(points, a, b, x0 + i * side, x0 + (i + 1) * side);
      for (let j = row(Math.min(ya, yb)); j <= row(Math.max(ya, yb)); j += 1) {
        const key = i * cells + j;
        const list = grid.get(key);
        if (list) list.push(e);
        else grid.set(key, [e]);
      }
    }
  }
  let count = 0;
  for (const [key, list] of grid) {
    for (let p = 0; p < list.length; p += 1) {
      for (let q = p + 1; q < list.length; q += 1) {
        const at = meeting(edges, points, list[p], list[q]);
        // A pair may share several cells; it counts in the cell of its crossing.
        if (at && column(at[0]) * cells + row(at[1]) === key) count += 1;
      }
    }
  }
  return count;
}

function part(points, a, b, left, right) {
  const [ax, ay, bx, by] = [points[a], points[a + 1], points[b], points[b + 1]];
  if (ax === bx) return [ay, by];
  const y = (x) => ay + ((by - ay) * (Math.min(Math.max(x, Math.min(ax, bx)), Math.max(ax, bx)) - ax)) / (bx - ax);
  return [y(left), y(right)];
}

function meeting(edges, points, e, f) {
  const [a, b, c, d] = [edges[e], edges[e + 1], edges[f], edges[f + 1]];
  if (a === c || a === d || b === c || b === d) return undefined;
  const [px, py] = [points[2 * a], points[2 * a + 1]];
  const [rx, ry] = [points[2 * b] - px, points[2 * b + 1] - py];
  const [qx, qy] = [points[2 * c], points[2 * c + 1]];
  const [sx, sy] = [points[2 * d] - qx, points[2 * d + 1] - qy];
  const cross = rx * sy - ry * sx;
  if (cross === 0) return undefined;
  const t = ((qx - px) * sy - (qy - py) * sx) / cross;
  const u = ((qx - px) * ry - (qy - py) * rx) / cross;
  return t > 0 && t < 1 && u > 0 && u < 1 ? [px + t * rx, py + t * ry] : undefined;
}

/** Mean squared relative error of distances against graph distances from `sources` vertices, at the best scale. */
export function stress(edges, points, sources = 40) {
  const n = points.length / 2;
  const neighbours = Array.from({ length: n }, () => []);
  for (let e = 0; e < edges.length; e += 2) {
    neighbours[edges[e]].push(edges[e + 1]);
    neighbours[edges[e + 1]].push(edges[e]);
  }
  const ratios = [];
  const count = Math.min(sources, n);
  for (let k = 0; k < count; k += 1) {
    const source = Math.floor((k * n) / count);
    const depth = new Int32Array(n).fill(-1);
    const queue = [source];
    depth[source] = 0;
    for (const v of queue) {
      for (const w of neighbours[v]) {
        if (depth[w] >= 0) continue;
        depth[w] = depth[v] + 1;
        queue.push(w);
        ratios.push(distance(points, source, w) / depth[w]);
      }
    }
  }
  // min over s of mean (s r - 1)^2 is 1 - mean(r)^2 / mean(r^2).
  const sum = ratios.reduce((total, r) => total + r, 0);
  const squares = ratios.reduce((total, r) => total + r * r, 0);
  return 1 - (sum * sum) / (squares * ratios.length);
}
