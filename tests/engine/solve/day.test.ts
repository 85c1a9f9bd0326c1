// Days through the facade on the real wasm: a closed form on one bus, progress and cancelling, and the bits of the kernel.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import t from "tap";
import type { DayResult } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";

/** A cheap unit of 100 MW and a peaker; a storage unit with the efficiencies 0.9 and 0.8. */
const BATTERY = `function mpc = battery
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 80 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 80 0 99 -99 1 100 1 100 0; 1 0 0 99 -99 1 100 1 200 0];
mpc.branch = [];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 50 0];
mpc.storage = [1 0 0 0 1000 50 50 0.9 0.8 0 -9 9 0 0 0 0 1];
`;
const CAROLINA = fileURLToPath(new URL("../../../server/grids/carolina.json.gz", import.meta.url));
const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

const engine = createNodeEngine();

function column({ columns }: DayResult, name: string): number[] {
  return [...(columns.find((column) => column.name === name)?.values ?? [])];
}

t.test("the battery replaces the peaker", async (t) => {
  const { module_json } = await engine.ingestCase(new TextEncoder().encode(BATTERY), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  t.teardown(() => study.free());
  const fractions: number[] = [];
  const day = await study.day(
    { buses: [1], steps: 2, values: Float64Array.of(0, 30) },
    { onProgress: ({ fraction }) => fractions.push(fraction) },
  );
  t.ok(Math.abs(day.objective_usd - 20 * (180 + 10 / 0.72)) < 1e-6, `${day.objective_usd}`);
  const near = (name: string, wanted: number[]): void => {
    const found = column(day, name);
    t.equal(found.length, wanted.length, name);
    found.forEach((value, k) => t.ok(Math.abs(value - (wanted[k] ?? NaN)) < 1e-6, `${name}: ${found.join(", ")}`));
  };
  near("lmp", [20, 20 / 0.72]);
  near("storage_mw", [-10 / 0.72, 10]);
  near("stored_mwh", [12.5, 0]);
  near("stored_value", [20 / 0.9, 20 / 0.9]);
  t.equal(fractions.at(-1), 1);
  await t.rejects(study.day({ buses: [1], steps: 3, values: Float64Array.of(0, 30) }), { code: "INPUT.REQUEST" });
  await t.rejects(study.day({ buses: [1], steps: 1, values: Float64Array.of(900) }), { code: "SOLVE.INFEASIBLE" });
  await t.rejects(study.day({ steps: 1, values: [] as never }), { code: "INPUT.REQUEST" });
  await t.rejects(
    study.day({ buses: [1], steps: 2, values: Float64Array.of(0, 30) }, { signal: AbortSignal.abort() }),
    { code: "ABORTED" },
  );
});

const SCRIPT = `
import json, sys, wattbook as wb
study = wb.open_case(sys.argv[1]).study()
study.commit(add=[wb.Storage(bus=30, p_charge_max=60, p_discharge_max=60, energy_max=200, energy=80)])
print(json.dumps(study.day(study.case.synthetic_demand(6), ramps={1: {"up": 20.0}}, progress=False).sha256))
`;

t.test("page and kernel have the same bits", { skip: !existsSync(python) && "no .venv" }, async (t) => {
  const { stdout } = await promisify(execFile)(python, ["-c", SCRIPT, "carolina"], { maxBuffer: 1e8 });
  const grid = await engine.inspectModule(gunzipSync(await readFile(CAROLINA)).toString());
  const study = await engine.createStudy(grid.module_json, "dcopf");
  t.teardown(() => study.free());
  await study.commit("carolina", {}, {}, undefined, {
    added: { storage: [{ bus: 30, p_charge_max: 60, p_discharge_max: 60, energy_max: 200, energy: 80 }] },
  });
  const demand = await study.syntheticDemand(new Date(Date.UTC(2026, 6, 6)), 6);
  const base = new Map(grid.topology.buses.map(({ id, demand_mw }) => [id, demand_mw]));
  const values = demand.demand_mw.map((mw, k) => mw - (base.get(demand.buses[k % demand.buses.length] ?? 0) ?? NaN));
  const ramps = [{ generator: 1, up_mw_per_h: 20 }];
  const day = await study.day({ buses: demand.buses, steps: 6, values, ramps });
  t.equal(day.result_sha256, JSON.parse(stdout));
});
