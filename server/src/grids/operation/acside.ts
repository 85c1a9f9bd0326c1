// The AC side: set points, reference bus and shunts such that the module's power flow converges with good voltages.
import type { Engine } from "@service/engine/node";
import { BASE_MVA } from "../network/classes.ts";
import { PointIndex, round, type Point } from "../numerics/geometry.ts";
import { moduleText } from "../files/module.ts";
import { settled, type StoredFlow } from "../files/stored.ts";
import type { Grid, GridBus, GridUnit } from "../network/network.ts";
import { powerFlow, type PowerFlow } from "./powerflow.ts";
import { voltageSketch } from "./voltageSketch.ts";

/** Voltage set points of units at high and at low voltage, per unit. */
const HIGH_SETPOINT = 1.03;
const LOW_SETPOINT = 1.02;
/** Substations get a capacitor until no network bus lies below this voltage, per unit, or the share of substations is used up. */
const GOOD_VOLTAGE = 0.998;
const SHUNT_SHARE = 0.11;
const SHUNT_ROUNDS = 8;
/** So many of the rounds look at a sketch of the voltages only, which exists whatever is missing. */
const SKETCHES = 5;
/** Above this voltage a capacitor is made smaller, and an unloaded line gets a reactor, per unit. */
const HIGH_VOLTAGE = 1.055;
const TRIMS = 6;
/** Capacitors come in steps, MVAr, up to the largest. */
const SHUNT_STEP = 5;
const LARGEST_SHUNT = 80;

/**
 * Dispatch of the DC optimum plus losses, voltages and shunts.
 *
 * @param stored the power flow of the committed grid, whose rounded numbers stay where they agree with this one.
 * @returns the power flow that the module's set points give.
 */
export async function settle(grid: Grid, engine: Engine, stored?: StoredFlow): Promise<PowerFlow> {
  await dispatch(grid, engine);
  grid.reference = referenceBus(grid);
  for (const unit of grid.units) unit.vm = setpoint(grid, unit);
  const most = Math.floor(SHUNT_SHARE * grid.plan.substations.length);
  for (let k = 0; k < SHUNT_ROUNDS; k += 1) {
    const vm = k < SKETCHES ? voltageSketch(grid) : (await powerFlow(grid, engine, false)).vm;
    if (!addShunts(grid, vm, most, Math.ceil(most / SHUNT_ROUNDS))) break;
  }
  for (let k = 0; k < TRIMS; k += 1) if (!trim(grid, (await powerFlow(grid, engine, false)).vm)) break;
  let flow = await powerFlow(grid, engine, true);
  for (let k = 0; k < 3; k += 1) {
    shareLosses(grid, flow);
    flow = await powerFlow(grid, engine, true);
  }
  grid.units.forEach((unit, k) => {
    if (unit.bus === grid.reference) unit.pMw = settled(flow.pMw[k] as number, stored?.pMw[k], 2);
    unit.qMvar = settled(flow.qMvar[k] as number, stored?.qMvar[k], 2);
  });
  grid.buses.forEach((bus, i) => {
    bus.vm = settled(flow.vm[i] as number, stored?.vm[i], 5);
    bus.va = settled(((flow.va[i] as number) * 180) / Math.PI, stored?.va[i], 4);
  });
  // A unit at a reactive limit holds the voltage that it reaches.
  for (const unit of grid.units) unit.vm = (grid.buses[unit.bus] as GridBus).vm;
  return flow;
}

/** The dispatch of the DC optimum. */
async function dispatch(grid: Grid, engine: Engine): Promise<void> {
  const study = await engine.createStudy(moduleText(grid), "dcopf");
  try {
    const { dispatch } = await study.currentSolution();
    for (const { gen, mw } of dispatch) (grid.units[gen - 1] as GridUnit).pMw = round(mw, 2);
  } finally {
    await study.free();
  }
}

/** Bus of the thermal unit with the most room on both sides of its output. */
function referenceBus(grid: Grid): number {
  const room = ({ pMw, pMaxMw, pMinMw }: GridUnit): number => Math.min(pMaxMw - pMw, pMw - pMinMw);
  const thermal = grid.units.filter(({ technology }) => technology === "gas" || technology === "coal");
  return thermal.reduce((best, unit) => (room(unit) > room(best) ? unit : best)).bus;
}

function setpoint(grid: Grid, unit: GridUnit): number {
  const { substation } = grid.buses[unit.bus] as GridBus;
  const high = grid.branches.find(({ kind, to }) => kind === "step_up" && to === unit.bus);
  const kv = high ? (grid.buses[high.from] as GridBus).kv : 0;
  const lowest = grid.plan.levels[0]?.kv ?? 0;
  return kv > lowest && substation >= 0 ? HIGH_SETPOINT : LOW_SETPOINT;
}

/** Places capacitors at the substations of lowest voltage, not two near each other; false when none is wanted or left. */
function addShunts(grid: Grid, vm: Float64Array, most: number, atOnce: number): boolean {
  const { substations, levels } = grid.plan;
  const have = new Set(grid.buses.filter((bus) => bus.shuntMvar !== 0).map((bus) => bus.substation));
  const rows = (levels[0] as { sites: readonly number[] }).sites
    .map((substation, row) => ({ substation, row, vm: vm[row] as number }))
    .filter(({ substation, vm }) => vm < GOOD_VOLTAGE && !have.has(substation))
    .sort((a, b) => a.vm - b.vm || a.row - b.row);
  const spacing = 12;
  const near = new PointIndex(spacing);
  const points = new PointIndex(
    spacing,
    substations.map(({ point }) => point),
  );
  let added = 0;
  for (const { substation, row, vm } of rows) {
    if (added === atOnce || have.size >= most) break;
    const point = substations[substation]?.point as Point;
    // In a city of many substations more of them may have one.
    const reach = Math.min(spacing, 2 * points.kthDistance(point, 4, spacing));
    if (near.within(point, reach).length > 0) continue;
    near.add(point);
    have.add(substation);
    added += 1;
    const around = points.within(point, reach * 1.5).reduce((sum, i) => sum + (substations[i]?.demandMvar ?? 0), 0);
    const wanted = around * Math.min(1, 12 * (1.01 - vm));
    const steps = Math.max(2, Math.round(wanted / SHUNT_STEP));
    (grid.buses[row] as GridBus).shuntMvar = Math.min(LARGEST_SHUNT, steps * SHUNT_STEP);
  }
  return added > 0;
}

/** Takes reactive power away where the voltage is high; false when nothing was changed. */
function trim(grid: Grid, voltages: Float64Array): boolean {
  let changed = false;
  const high = new Map<number, { bus: GridBus; row: number }>();
  grid.buses.forEach((bus, row) => {
    const vm = voltages[row] as number;
    if (bus.role !== "network" || vm <= HIGH_VOLTAGE) return;
    if (bus.shuntMvar > 0) {
      const steps = Math.floor((0.6 * bus.shuntMvar) / SHUNT_STEP);
      bus.shuntMvar = steps < 2 ? 0 : steps * SHUNT_STEP;
      changed = true;
    }
    const before = high.get(bus.area);
    if (bus.shuntMvar <= 0 && (!before || vm > (voltages[before.row] as number))) high.set(bus.area, { bus, row });
  });
  if (changed) return true;
  // No capacitor is to blame: a reactor at the highest voltage of each area takes half of the charging of the lines there.
  for (const { bus, row } of high.values()) {
    const own = grid.branches.filter(({ from, to }) => from === row || to === row);
    const charging = own.reduce((sum, { b }) => sum + b, 0) * BASE_MVA;
    bus.shuntMvar -= Math.max(2, Math.round(charging / 2 / SHUNT_STEP)) * SHUNT_STEP;
  }
  return high.size > 0;
}

/** Raises the thermal units that have room by what the reference unit gives beyond the DC optimum. */
function shareLosses(grid: Grid, flow: PowerFlow): void {
  const reference = grid.units.findIndex(({ bus }) => bus === grid.reference);
  const own = grid.units[reference] as GridUnit;
  const missing = (flow.pMw[reference] as number) - own.pMw;
  const room = (unit: GridUnit): number =>
    unit === own ? 0 : missing > 0 ? unit.pMaxMw - unit.pMw : unit.technology === "gas" ? unit.pMw - unit.pMinMw : 0;
  const isFuel = ({ technology }: GridUnit): boolean => technology === "gas" || technology === "coal";
  const total = grid.units.filter(isFuel).reduce((sum, unit) => sum + room(unit), 0);
  const part = Math.max(-1, Math.min(1, missing / total));
  for (const unit of grid.units) {
    if (isFuel(unit)) unit.pMw = round(unit.pMw + part * (missing > 0 ? room(unit) : Math.abs(room(unit))), 2);
  }
}
