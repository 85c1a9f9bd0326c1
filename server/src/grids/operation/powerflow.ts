// AC power flow of the finished network by the fast decoupled method (Stott and Alsac 1974, XB scheme), each matrix factored
// once. It sizes the shunts and gives the set points; `npm run grids -- --check` confirms it with other tools.
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

export interface PowerFlow {
  /** By node: buses, then star points of three-winding transformers. Per unit and radians. */
  vm: Float64Array;
  va: Float64Array;
  /** By unit, MW and MVAr. */
  pMw: Float64Array;
  qMvar: Float64Array;
  /** By branch row, the larger of both ends, MVA. */
  branchMva: Float64Array;
  lossesMw: number;
  /** Largest mismatch, MW or MVAr. */
  mismatch: number;
  /** Number of units at a reactive limit. */
  atLimit: number;
  iterations: number;
}

const RAD = Math.PI / 180;
/** Largest mismatch of a solution, per unit, and steps until it counts as not converged. */
const TOLERANCE = 1e-6;
const MOST_STEPS = 60;

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

/** Angles in radians within -pi..pi for the series of sine and cosine. */
function flows(
  { a, b, g, s, charging, tap, shift }: Circuit,
  vm: Float64Array,
  va: Float64Array,
): [number, number, number, number] {
  const [va_, vb] = [(vm[a] as number) / tap, vm[b] as number];
  const angle = (va[a] as number) - (va[b] as number) - shift;
  if (!(Math.abs(angle) < Math.PI / 2)) throw new Error("The AC power flow diverges.");
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
 * Solves from the grid's set points; the reference unit balances active power.
 *
 * @param mode `limited`: units hold the voltage of their bus only up to their reactive limits; `free`: whatever it takes;
 * `sketch`: the first step from even voltages and no more, which shows where reactive power is missing.
 * @throws when it does not converge.
 */
export function powerFlow(grid: Grid, mode: "sketch" | "free" | "limited"): PowerFlow {
  const sketch = mode === "sketch";
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

  const calculated = { p: new Float64Array(n), q: new Float64Array(n) };
  const inject = (): void => {
    calculated.p.fill(0);
    grid.buses.forEach(
      (bus, i) => (calculated.q[i] = (-bus.shuntMvar / BASE_MVA) * (vm[i] as number) * (vm[i] as number)),
    );
    calculated.q.fill(0, grid.buses.length);
    for (const circuit of circuits) {
      const [pa, qa, pb, qb] = flows(circuit, vm, va);
      calculated.p[circuit.a] = (calculated.p[circuit.a] as number) + pa;
      calculated.q[circuit.a] = (calculated.q[circuit.a] as number) + qa;
      calculated.p[circuit.b] = (calculated.p[circuit.b] as number) + pb;
      calculated.q[circuit.b] = (calculated.q[circuit.b] as number) + qb;
    }
  };
  const mismatch = (given: Float64Array, found: Float64Array, held: Uint8Array): [Float64Array, number] => {
    let largest = 0;
    const out = given.map((value, i) => {
      if (held[i]) return 0;
      const d = value - (found[i] as number);
      largest = Math.max(largest, Math.abs(d));
      return d / (vm[i] as number);
    });
    return [out, largest];
  };
  const limited = new Set<number>();
  let steps = 0;
  let worst: number;
  for (;;) {
    const voltageFactor = new Factor(n, voltageEdges, holds, own);
    const end = steps + (sketch ? 1 : MOST_STEPS);
    for (worst = Infinity; worst > TOLERANCE && steps < end; steps += 1) {
      inject();
      const [dp, worstP] = mismatch(p, calculated.p, reference);
      angleFactor.solve(dp).forEach((d, i) => (va[i] = (va[i] as number) + d));
      inject();
      const [dq, worstQ] = mismatch(q, calculated.q, holds);
      voltageFactor.solve(dq).forEach((d, i) => (vm[i] = (vm[i] as number) + d));
      worst = Math.max(worstP, worstQ);
    }
    if (sketch) break;
    if (worst > TOLERANCE) throw new Error("The AC power flow does not converge.");
    inject();
    // Units beyond a reactive limit stay there and give up their voltage.
    let changed = 0;
    grid.units.forEach((unit, k) => {
      if (mode === "free" || limited.has(k) || unit.bus === grid.reference) return;
      const given = (calculated.q[unit.bus] as number) * BASE_MVA;
      if (given <= unit.qMaxMvar + 0.01 && given >= unit.qMinMvar - 0.01) return;
      q[unit.bus] = Math.min(unit.qMaxMvar, Math.max(unit.qMinMvar, given)) / BASE_MVA;
      holds[unit.bus] = 0;
      limited.add(k);
      changed += 1;
    });
    if (changed === 0) break;
  }
  const ofUnits = (values: Float64Array): Float64Array =>
    Float64Array.from(grid.units, ({ bus }) => (values[bus] as number) * BASE_MVA);
  return {
    ...{ vm, va, pMw: ofUnits(calculated.p), qMvar: ofUnits(calculated.q), mismatch: worst * BASE_MVA },
    branchMva: Float64Array.from(circuits.slice(0, grid.branches.length), (circuit) => {
      const [pa, qa, pb, qb] = flows(circuit, vm, va);
      return Math.sqrt(Math.max(pa * pa + qa * qa, pb * pb + qb * qb)) * BASE_MVA;
    }),
    lossesMw: calculated.p.reduce((sum, value) => sum + value, 0) * BASE_MVA,
    atLimit: limited.size,
    iterations: steps,
  };
}
