// The AC power flow of the finished network, by the engine. It sizes the shunts and gives the set points; `npm run grids -- --check`
// confirms it with other tools.
import type { Engine } from "@service/engine/node";
import { moduleText } from "../files/module.ts";
import type { Grid } from "../network/network.ts";

/** A power flow of a grid. */
export interface PowerFlow {
  /** By bus, then by star point of the three-winding transformers: per unit and radians. */
  vm: Float64Array;
  va: Float64Array;
  /** By unit, MW and MVAr. */
  pMw: Float64Array;
  qMvar: Float64Array;
  lossesMw: number;
}

/**
 * The power flow of the grid's dispatch and set points; the unit at the reference bus balances active power.
 *
 * @param withinLimits units hold the voltage of their bus only up to their reactive limits, else whatever that takes.
 * @throws when there is none.
 */
export async function powerFlow(grid: Grid, engine: Engine, withinLimits: boolean): Promise<PowerFlow> {
  const options = { dispatch: "file", slack: "single", q_limits: withinLimits } as const;
  const study = await engine.createStudy(moduleText(grid), "acpf", options);
  try {
    const table = await study.table();
    const column = (name: string): Float64Array => {
      const found = table.find((one) => one.name === name);
      if (!found) throw new Error(`The AC power flow has no column ${name}.`);
      return Float64Array.from(found.values);
    };
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    return {
      ...{ vm: column("vm_pu"), va: column("va_rad") },
      ...{ pMw: column("dispatch_mw"), qMvar: column("dispatch_mvar") },
      lossesMw: sum(column("flow_mw")) + sum(column("flow_to_mw")),
    };
  } finally {
    await study.free();
  }
}
