// Where reactive power is missing before a power flow exists: one step of the fast decoupled method (Stott and Alsac 1974, XB
// scheme) from even voltages, which has an answer whatever is missing.
import { BASE_MVA } from "../network/classes.ts";
import { Factor, type Edge } from "../numerics/flow.ts";
import { cos, sin } from "../numerics/geometry.ts";
import type { Grid } from "../network/network.ts";

/** A pi-equivalent between two nodes, per unit; `tap` and `shift` at its `a` side. */
interface Circuit {
  a: number;
  b: number;
  g: number;
  s: number;
  charging: number;
  x: number;
  tap: number;
  shift: number;
}

const RAD = Math.PI / 180;

function circuitsOf(grid: Grid): Circuit[] {
  const circuit = (
    a: number,
    b: number,
    r: number,
    x: number,
    charging: number,
    tap: number,
    shift: number,
  ): Circuit => {
    const z = r * r + x * x;
    return { a, b, g: r / z, s: -x / z, charging, x, tap, shift };
  };
  const rows = grid.branches.map((row) =>
    circuit(row.from, row.to, row.r, row.x, row.b, row.tap === 0 ? 1 : row.tap, row.shiftDeg * RAD),
  );
  // Pairwise impedances to the legs of the star: z1 = (z12 + z31 - z23) / 2 and so on.
  const legs = grid.threeWinding.flatMap(({ buses, r, x }, k) => {
    const leg = ([p, q, s]: readonly [number, number, number], i: number): number =>
      i === 0 ? (p + s - q) / 2 : i === 1 ? (p + q - s) / 2 : (q + s - p) / 2;
    return buses.map((bus, i) => circuit(bus, grid.buses.length + k, leg(r, i), leg(x, i), 0, 1, 0));
  });
  return [...rows, ...legs];
}

/** Powers into a circuit at both ends, per unit: active and reactive at `a`, then at `b`. */
function flows(
  { a, b, g, s, charging, tap, shift }: Circuit,
  vm: Float64Array,
  va: Float64Array,
): [number, number, number, number] {
  const [va_, vb] = [(vm[a] as number) / tap, vm[b] as number];
  const angle = (va[a] as number) - (va[b] as number) - shift;
  if (!(Math.abs(angle) < Math.PI / 2)) throw new Error("The sketch of the voltages has angles beyond 90 degrees.");
  const [c, d] = [cos(angle), sin(angle)];
  const shunt = s + charging / 2;
  return [
    va_ * va_ * g - va_ * vb * (g * c + s * d),
    -va_ * va_ * shunt - va_ * vb * (g * d - s * c),
    vb * vb * g - va_ * vb * (g * c - s * d),
    -vb * vb * shunt + va_ * vb * (g * d + s * c),
  ];
}

/**
 * Voltages of the buses after one step from the set points, per unit. Units hold the voltage of their bus, whatever reactive
 * power that takes.
 */
export function voltageSketch(grid: Grid): Float64Array {
  const n = grid.buses.length + grid.threeWinding.length;
  const circuits = circuitsOf(grid);
  const vm = new Float64Array(n).fill(1);
  const va = new Float64Array(n);
  const p = new Float64Array(n);
  const q = new Float64Array(n);
  const holds = new Uint8Array(n);
  grid.buses.forEach((bus, i) => {
    p[i] = -bus.demandMw / BASE_MVA;
    q[i] = -bus.demandMvar / BASE_MVA;
  });
  grid.units.forEach((unit) => {
    p[unit.bus] = (p[unit.bus] as number) + unit.pMw / BASE_MVA;
    vm[unit.bus] = unit.vm;
    holds[unit.bus] = 1;
  });
  const reference = new Uint8Array(n);
  reference[grid.reference] = 1;
  const angleFactor = new Factor(
    n,
    circuits.map(({ a, b, x }) => ({ a, b, weight: 1 / x })),
    reference,
  );
  const own = new Float64Array(n);
  grid.buses.forEach((bus, i) => (own[i] = -bus.shuntMvar / BASE_MVA));
  const voltageEdges: Edge[] = circuits.map(({ a, b, s, charging, tap }) => {
    const weight = -s / tap;
    own[a] = (own[a] as number) - s / (tap * tap) - weight - charging / 2;
    own[b] = (own[b] as number) - s - weight - charging / 2;
    return { a, b, weight };
  });
  const mismatch = (given: Float64Array, found: Float64Array, held: Uint8Array): Float64Array =>
    given.map((value, i) => (held[i] ? 0 : (value - (found[i] as number)) / (vm[i] as number)));
  const dp = mismatch(p, injections(grid, circuits, vm, va).p, reference);
  angleFactor.solve(dp).forEach((d, i) => (va[i] = (va[i] as number) + d));
  const dq = mismatch(q, injections(grid, circuits, vm, va).q, holds);
  const voltageFactor = new Factor(n, voltageEdges, holds, own);
  voltageFactor.solve(dq).forEach((d, i) => (vm[i] = (vm[i] as number) + d));
  return vm.subarray(0, grid.buses.length);
}

/** Power into the network at each node, per unit. */
function injections(
  grid: Grid,
  circuits: readonly Circuit[],
  vm: Float64Array,
  va: Float64Array,
): { p: Float64Array; q: Float64Array } {
  const p = new Float64Array(vm.length);
  const q = new Float64Array(vm.length);
  grid.buses.forEach((bus, i) => (q[i] = (-bus.shuntMvar / BASE_MVA) * (vm[i] as number) * (vm[i] as number)));
  for (const circuit of circuits) {
    const [pa, qa, pb, qb] = flows(circuit, vm, va);
    p[circuit.a] = (p[circuit.a] as number) + pa;
    q[circuit.a] = (q[circuit.a] as number) + qa;
    p[circuit.b] = (p[circuit.b] as number) + pb;
    q[circuit.b] = (q[circuit.b] as number) + qb;
  }
  return { p, q };
}
