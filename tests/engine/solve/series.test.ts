// Series through the facade: every step has the bits and the hash of a commit, and those of the native engine; profiles; cancelling.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { FormulationId, SeriesProgress } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const CAROLINA = new URL("../../../server/grids/carolina.json.gz", import.meta.url);
/** Line 2, from bus 2 to bus 3, binds at 40 MW. */
const text = new TextDecoder().decode(await fixture("three_bus.m"));
const { module_json: module } = await engine.ingestCase(
  new TextEncoder().encode(text.replace("2\t3\t0.01\t0.1\t0\t250", "2\t3\t0.01\t0.1\t0\t40")),
  "matpower",
);

async function opened(t: Test, formulation: FormulationId = "dcopf") {
  const study = await engine.createStudy(module, formulation);
  t.teardown(() => study.free());
  return study;
}

/** Demand of bus 2 and rating of line 2, MW from the base case. */
const STEPS = [
  [0, 0],
  [4, 0],
  [-30, 5],
  [3, -1],
] as const;

t.test("every step is the commit of its edits, bit for bit", async (t) => {
  for (const formulation of ["dcopf", "acpf", "socwr"] as const) {
    const study = await opened(t, formulation);
    const before = await study.currentSolution();
    const names = formulation === "acpf" ? (["vm_pu", "flow_mw"] as const) : (["lmp", "flow_mw"] as const);
    const { steps, columns } = await study.series({
      buses: [2],
      branches: [2],
      changesMw: Float64Array.from(STEPS.flat()),
      columns: names,
    });
    t.equal((await study.currentSolution()).result_sha256, before.result_sha256, "the study stays as it is");
    t.strictSame(
      columns.map(({ name, values }) => [name, values.length]),
      names.map((name) => [name, 3 * STEPS.length]),
    );
    for (const [k, [demand, rating]] of STEPS.entries()) {
      const commit = await study.commit("three", { 2: demand }, { 2: rating });
      t.equal(steps[k]?.result_sha256, commit.solution.result_sha256, `${formulation} step ${k}`);
      t.equal(steps[k]?.objective, commit.solution.objective);
      t.strictSame(steps[k]?.certificate, commit.solution.certificate);
      for (const { name, values } of columns) {
        t.strictSame(values.subarray(3 * k, 3 * k + 3), commit.table.find((one) => one.name === name)?.values, name);
      }
    }
  }
});

t.test("a step without a solution is recorded and stops no other", async (t) => {
  const study = await opened(t);
  const changesMw = Float64Array.of(0, 5000, NaN, 1);
  const reports: SeriesProgress[] = [];
  const { steps, columns } = await study.series(
    { buses: [2], changesMw, columns: ["lmp"] },
    { onProgress: (progress) => reports.push(progress) },
  );
  t.strictSame(
    steps.map(({ error }) => error?.code),
    [undefined, "SOLVE.INFEASIBLE", "DELTA.MALFORMED", undefined],
  );
  t.ok(columns[0]?.values.subarray(3, 9).every(Number.isNaN));
  t.ok(columns[0]?.values.subarray(9).every(Number.isFinite));
  t.strictSame(reports.at(-1), { solved: 4, total: 4 });
});

t.test("a series ended early has its steps so far, a cancelled one none", async (t) => {
  const study = await opened(t);
  const request = { buses: [2], changesMw: new Float64Array(100_000), columns: ["lmp"] as const };
  const enough = new AbortController();
  const ended = await study.series(request, {
    enough: enough.signal,
    onProgress: ({ solved }) => void (solved > 3 && enough.abort()),
  });
  t.ok(ended.steps.length > 3 && ended.steps.length < 100_000, `${ended.steps.length} steps`);
  t.ok(Number.isNaN(ended.columns[0]?.values.at(-1)), "steps that are not solved have no numbers");
  const stop = new AbortController();
  const stopped = study.series(request, { signal: stop.signal, onProgress: () => stop.abort() });
  await t.rejects(stopped, { code: "ABORTED" });
  t.equal((await study.currentSolution()).status, "optimal", "the study goes on");
});

t.test("other calls run between steps, and later edits do not change the series", async (t) => {
  const study = await opened(t);
  const base = (await study.currentSolution()).result_sha256;
  const running = study.series({ buses: [2], changesMw: new Float64Array(400), columns: ["lmp"] });
  await study.commit("three", { 2: 6 });
  const { steps } = await running;
  t.ok(steps.every(({ result_sha256 }) => result_sha256 === base));
});

t.test("profiles come from tables and the synthetic shape, and errors are named", async (t) => {
  const study = await opened(t);
  const bytes = (table: string) => new TextEncoder().encode(table);
  t.match(await study.readProfile(bytes("time,bus 2\n09:00,80\n10:00,90.5\n")), {
    steps: ["09:00", "10:00"],
    buses: [2],
    demand_mw: Float64Array.of(80, 90.5),
  });
  await t.rejects(study.readProfile(bytes("time,bus 7\n09:00,80\n")), {
    code: "BUS.UNKNOWN",
    message: /Column 2, bus 7/,
  });
  await t.rejects(study.readProfile(bytes("time,2\n09:00,x\n")), {
    code: "PROFILE.MALFORMED",
    message: /Row 1 \(09:00\)/,
  });
  const week = await study.syntheticDemand(new Date(Date.UTC(2026, 6, 6)), 168);
  t.equal(week.steps[57], "2026-07-08T09:00");
  t.ok(Math.abs(Math.max(...week.demand_mw) - 90) < 1e-9, "the peak is the base case");
  await t.rejects(study.syntheticDemand(new Date(NaN), 24), { code: "PROFILE.MALFORMED" });
});

/** Hashes of the steps and the bits of the demand of a synthetic day, from Python. */
const SCRIPT = `
import json, struct, sys, wattbook as wb
case = wb.open_case(sys.argv[1])
day = case.synthetic_demand(24)
print(json.dumps({
  "demand": [struct.pack(">d", x).hex() for x in day.to_numpy().ravel().tolist()],
  "sha256": case.study().series(day, tables=["prices"], progress=False).sha256.tolist(),
}))
`;

/** The bits of a number, as hexadecimal digits. */
function bits(x: number): string {
  return Buffer.from(Float64Array.of(x).buffer).reverse().toString("hex");
}

t.test("page and kernel have the same bits", { skip: !existsSync(python) && "no .venv" }, async (t) => {
  const { stdout } = await promisify(execFile)(python, ["-c", SCRIPT, "carolina"], { maxBuffer: 1e8 });
  const native = JSON.parse(stdout) as { demand: string[]; sha256: string[] };
  const grid = await engine.inspectModule(gunzipSync(await readFile(CAROLINA)).toString());
  const study = await engine.createStudy(grid.module_json, "dcopf");
  t.teardown(() => study.free());
  const day = await study.syntheticDemand(new Date(Date.UTC(2026, 6, 6)), 24);
  t.strictSame([...day.demand_mw].map(bits), native.demand);
  const base = new Map(grid.topology.buses.map(({ id, demand_mw }) => [id, demand_mw]));
  const changesMw = day.demand_mw.map((mw, k) => mw - (base.get(day.buses[k % day.buses.length] ?? 0) ?? NaN));
  const { steps } = await study.series({ buses: day.buses, changesMw, columns: ["lmp"] });
  t.strictSame(
    steps.map(({ result_sha256 }) => result_sha256),
    native.sha256,
  );
});
