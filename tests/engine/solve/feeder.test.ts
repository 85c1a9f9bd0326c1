// Multiconductor power flow through the facade: results and refusals, edits, saved results, and the bits of the native
// engine.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import type { McOptions, McSolution } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";

const engine = createNodeEngine();
const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url));
const { module_json: module } = await engine.ingestDistribution(await example("village.dss"), "dss", {
  "village_coordinates.csv": await example("village_coordinates.csv"),
});
const BRANCH: McOptions = { source_impedance: "branch" };

/** A wye source of 230 V, a line of 0.1 + j0.1 ohm, and 2.3 kW at one phase. */
const PMD = JSON.stringify({
  data_model: "ENGINEERING",
  settings: { base_frequency: 50, voltage_scale_factor: 1000, power_scale_factor: 1000 },
  bus: {
    a: { terminals: [1, 4], grounded: [4], rg: [0], xg: [0] },
    b: { terminals: [1, 4], grounded: [4], rg: [0], xg: [0] },
  },
  voltage_source: {
    s: { bus: "a", connections: [1, 4], vm: [0.23, 0], va: [0, 0], status: "ENABLED", configuration: "WYE" },
  },
  linecode: {
    c: { rs: [[0.1]], xs: [[0.1]], g_fr: [[0]], b_fr: [[0]], g_to: [[0]], b_to: [[0]] },
  },
  line: {
    l: { f_bus: "a", t_bus: "b", f_connections: [1], t_connections: [1], length: 1, linecode: "c", status: "ENABLED" },
  },
  load: {
    d: {
      bus: "b",
      connections: [1, 4],
      configuration: "WYE",
      model: "POWER",
      pd_nom: [2.3],
      qd_nom: [0],
      vm_nom: 0.23,
      status: "ENABLED",
      dispatchable: "NO",
    },
  },
});

const sum = (values: Float64Array | undefined) => Array.from(values ?? []).reduce((a, b) => a + b, 0);
const sha = (values: Float64Array) =>
  createHash("sha256")
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest("hex");

/** Row of a terminal. */
function terminal({ rows, columns }: McSolution, bus: string, name: string): number {
  return rows.terminals.findIndex((one, row) => one === name && rows.buses[columns.terminal_bus?.[row] ?? -1] === bus);
}

async function opened(t: Test) {
  const feeder = await engine.createMcStudy(module, BRANCH);
  t.teardown(() => feeder.free());
  return feeder;
}

t.test("a feeder is solved with voltages, currents, powers and certificate", async (t) => {
  const solved = await engine.solveMcModule(module, BRANCH);
  const { result, columns, rows } = solved;
  t.equal(rows.terminals.length, columns.voltage_v?.length);
  t.ok(result.certificate.kcl_residual_a < 1e-4 && result.iterations < 20);
  const left = result.totals.source_w - result.totals.load_w - sum(columns.loss_w);
  t.ok(Math.abs(left) < 1e-2, `${left} W`);
  const low = terminal(solved, result.lowest?.bus ?? "", result.lowest?.terminal ?? "");
  t.equal(columns.voltage_pu?.[low], result.lowest?.voltage_pu);
  t.ok((result.lowest?.voltage_pu ?? 0) > 0.85 && (result.highest?.voltage_pu ?? 2) < 1.05);
  // Four wires: the neutral has its own voltage and is not a phase.
  const neutral = terminal(solved, "mill8", "4");
  t.ok((columns.voltage_v?.[neutral] ?? 0) > 0.5);
  t.equal(columns.is_phase?.[neutral], 0);
  t.strictSame(Object.keys(result).includes("prices"), false);
  const depot = rows.loads.indexOf("load.depot");
  t.strictSame(result.not_supplied, ["load.depot"], "behind the open switch");
  t.equal(columns.drawn_w?.[depot], 0);
});

t.test("the source is refused by name with its option", async (t) => {
  const refused = { option: 'source_impedance: "branch"', element: "vsource.source" };
  await t.rejects(engine.solveMcModule(module), { code: "PHYSICS.UNSUPPORTED", details: { refused: [refused] } });
  await t.rejects(engine.solveMcModule(module, { ...BRANCH, tolerance_pu: 1 }), { code: "INPUT.REQUEST" });
});

t.test("distribution JSON has the closed-form voltage", async (t) => {
  const solved = await engine.solveMcBmopf(PMD);
  const { columns } = solved;
  // |U|^2 with U = 230 - (r + jx) I, S = P: U^4 + (2 P r - E^2) U^2 + (P z)^2 = 0.
  const [r, x, p, e] = [0.1, 0.1, 2300, 230];
  const b = e * e - 2 * p * r;
  const square = (b + Math.sqrt(b * b - 4 * p * p * (r * r + x * x))) / 2;
  t.ok(Math.abs((columns.voltage_v?.[terminal(solved, "b", "1")] ?? 0) - Math.sqrt(square)) < 1e-8);
});

t.test("a preview of loads equals the commit, and a failure leaves the result", async (t) => {
  const feeder = await opened(t);
  const before = feeder.current;
  const loads = { sawmill: { p_kw: 40 } };
  const preview = await feeder.preview(loads);
  t.equal(feeder.current, before);
  const after = await feeder.commit(loads);
  const row = terminal(after, "mill8", "1");
  const [shown, exact] = [preview.voltage_pu[row] ?? NaN, after.columns.voltage_pu?.[row] ?? NaN];
  t.ok(Math.abs(shown - exact) < 1e-7 && exact < (before.columns.voltage_pu?.[row] ?? 0) - 0.005);
  t.strictSame(after.result.loads, { "load.sawmill": { p_kw: 40 } });
  await t.rejects(feeder.commit({ nobody: { p_kw: 1 } }), { code: "EDIT.UNKNOWN_LOAD" });
  await t.rejects(feeder.commit({ sawmill: { p_kw: NaN } }), { code: "EDIT.LOAD_POWER" });
  const stopped = new AbortController();
  stopped.abort();
  await t.rejects(feeder.commit({}, stopped.signal), { code: "ABORTED" });
  t.equal(feeder.current, after);
  const base = await feeder.commit({});
  t.equal(base.result.result_sha256, before.result.result_sha256, "a state does not depend on the way to it");
});

t.test("a stored result opens without solving, takes positions and detects changes", async (t) => {
  const text = await engine.solveMcStudy(module, BRANCH, undefined, { sawmill: { p_kw: 30, q_kvar: 5 } });
  const replay = await engine.replayMcStudy(text);
  const feeder = await opened(t);
  const fresh = await feeder.commit({ sawmill: { p_kw: 30, q_kvar: 5 } });
  t.strictSame(replay.result, fresh.result);
  t.strictSame(replay.columns, fresh.columns);
  t.equal(await feeder.save(), text);
  const layer = new TextEncoder().encode("bus,longitude,latitude\nstation,8.5,47.3\nmill8,8.52,47.32\n");
  const placed = await engine.applyMcStudyGeo(text, layer);
  const again = await engine.replayMcStudy(placed);
  t.equal(again.result.result_sha256, fresh.result.result_sha256);
  t.not(again.input.sha256, replay.input.sha256);
  const wrong = text.replace('"p_kw":30.0', '"p_kw":31.0');
  t.not(wrong, text);
  await t.rejects(engine.replayMcStudy(wrong), { code: "MODULE.TAMPERED" });
});

/** Solves the module on standard input with an edit; prints the hash of every column. */
const SCRIPT = `
import hashlib, json, sys
from wattbook import _engine
job = json.load(sys.stdin)
feeder = _engine.Feeder(job["module"], json.dumps(job["options"]))
_, rows = feeder.rows()
_, columns = feeder.commit(json.dumps(job["loads"]))
print(json.dumps({name: hashlib.sha256(data).hexdigest() for name, (_, _, data) in {**rows, **columns}.items()}))
`;

t.test("wasm and native have the same bits", { skip: !existsSync(python) && "no Python" }, async (t) => {
  const loads = { sawmill: { p_kw: 31.7, q_kvar: 8 }, church2a: { p_kw: 0.1 } };
  const feeder = await opened(t);
  const { table } = await feeder.commit(loads);
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(python, ["-c", SCRIPT], (error, out) => (error ? reject(error as Error) : resolve(out)));
    child.stdin?.end(JSON.stringify({ module, options: BRANCH, loads }));
  });
  t.strictSame(Object.fromEntries(table.map(({ name, values }) => [name, sha(values)])), JSON.parse(output));
});
