import type { TopologyGenerator } from "@service/engine";

type Cost = Pick<TopologyGenerator, "cost_c2" | "cost_c1" | "cost_points">;

/**
 * Marginal cost at an output, $/MWh, for piecewise linear costs that of the next MW. Without an output it is that at
 * Pmin; NaN without costs.
 */
export function marginalCost(unit: Cost & Pick<TopologyGenerator, "p_min_mw">, mw: number): number {
  const at = Number.isFinite(mw) ? mw : (unit.p_min_mw ?? 0);
  const { cost_points: points, cost_c2: c2, cost_c1: c1 } = unit;
  if (points === undefined) {
    return c2 === null || c1 === null ? NaN : 2 * c2 * at + c1;
  }
  const slopes = points.slice(1).map(([mw, cost], k) => {
    const [before, paid] = points[k] ?? [0, 0];
    return { to: mw, slope: (cost - paid) / (mw - before) };
  });
  return (slopes.find(({ to }) => at < to - 1e-6) ?? slopes.at(-1))?.slope ?? NaN;
}
