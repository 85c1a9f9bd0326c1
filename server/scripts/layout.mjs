// Synthetic placement of a network without coordinates: a golden-angle spiral in breadth-first order, then force refinement
// (Fruchterman and Reingold 1991: repulsion k^2/d, attraction d^2/k, displacement capped by a falling temperature). No random
// numbers: the same topology gives the same places.

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const STEPS = 300;
/** Half the north-south extent of the drawing, degrees. */
const HALF_HEIGHT_DEG = 1.3;

/** Places of all buses around a centre: `[bus, lon, lat]` in topology order. */
export function layout(topology, [lon, lat]) {
  const ids = topology.buses.map((bus) => bus.id);
  const row = new Map(ids.map((id, k) => [id, k]));
  const edges = topology.branches.map(({ from, to }) => [row.get(from), row.get(to)]);
  const { x, y } = refined(spiral(ids.length, edges), edges);
  const reach = Math.max(...x.map(Math.abs), ...y.map(Math.abs));
  const north = HALF_HEIGHT_DEG / reach;
  const east = north / Math.cos((lat * Math.PI) / 180);
  return ids.map((id, k) => [id, rounded(lon + x[k] * east), rounded(lat + y[k] * north)]);
}

const rounded = (degrees) => Math.round(degrees * 1e5) / 1e5;

/** Neighbours start near each other: the spiral follows a breadth-first order from the best connected bus. */
function spiral(n, edges) {
  const neighbours = Array.from({ length: n }, () => []);
  for (const [a, b] of edges) {
    neighbours[a].push(b);
    neighbours[b].push(a);
  }
  const byDegree = neighbours.map((_, k) => k).sort((a, b) => neighbours[b].length - neighbours[a].length || a - b);
  const order = [];
  const seen = new Set();
  for (const start of byDegree) {
    if (seen.has(start)) continue;
    seen.add(start);
    const queue = [start];
    for (const bus of queue) {
      order.push(bus);
      for (const next of neighbours[bus]) {
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
  }
  const x = new Array(n);
  const y = new Array(n);
  order.forEach((bus, k) => {
    const radius = Math.sqrt((k + 0.5) / n);
    x[bus] = radius * Math.cos(k * GOLDEN_ANGLE);
    y[bus] = radius * Math.sin(k * GOLDEN_ANGLE);
  });
  return { x, y };
}

function refined({ x, y }, edges) {
  const n = x.length;
  const k = Math.sqrt(1 / n);
  for (let step = 0; step < STEPS; step++) {
    const dx = new Float64Array(n);
    const dy = new Float64Array(n);
    const pull = (a, b, force) => {
      const [ex, ey] = [x[a] - x[b], y[a] - y[b]];
      const distance = Math.max(Math.hypot(ex, ey), 1e-9);
      const [fx, fy] = [(ex / distance) * force(distance), (ey / distance) * force(distance)];
      dx[a] += fx;
      dy[a] += fy;
      dx[b] -= fx;
      dy[b] -= fy;
    };
    for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) pull(a, b, (d) => (k * k) / d);
    for (const [a, b] of edges) if (a !== b) pull(a, b, (d) => (-d * d) / k);
    const temperature = 0.1 * (1 - step / STEPS);
    for (let a = 0; a < n; a++) {
      // A little gravity keeps unconnected parts in sight.
      dx[a] -= 0.05 * x[a];
      dy[a] -= 0.05 * y[a];
      const length = Math.hypot(dx[a], dy[a]);
      const scale = length > temperature ? temperature / length : 1;
      x[a] += dx[a] * scale;
      y[a] += dy[a] * scale;
    }
  }
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / n;
  const [mx, my] = [mean(x), mean(y)];
  return { x: x.map((value) => value - mx), y: y.map((value) => value - my) };
}
