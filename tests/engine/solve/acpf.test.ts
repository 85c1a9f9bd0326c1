// AC power flow in wasm: the answers of the facade, and the same bits as in the native engine of the Python module.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import { ACPF_COLUMNS } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { DATA } from "../../fixtures/cases.ts";

const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

/**
 * Reads {path, edits, target}; prints the hashes of results, of the columns of the last one, of a preview and a
 * sensitivity, and a margin.
 */
const SCRIPT = `
import hashlib, json, sys
from wattbook import _engine
job = json.load(sys.stdin)
with open(job["path"], "rb") as file:
    case = json.loads(_engine.ingest_case(file.read(), "matpower")[0])
study = _engine.Study(_engine.Case(case["sha256"], case["module_json"]), "acpf", "{}")
def hashes(arrays):
    return {name: hashlib.sha256(values).hexdigest() for name, (_, _, values) in arrays.items()}
results, columns = [], {}
for deltas, rates in job["edits"]:
    head, arrays = study.commit("c", json.dumps({"deltas": deltas, "rates": rates}))
    results.append(json.loads(head)["solution"]["result_sha256"])
    columns = hashes(arrays)
deltas, rates = job["edits"][1]
preview = hashes(study.preview(json.dumps({"deltas": deltas, "rates": rates}))[1])
head, arrays = study.sensitivity("c", json.dumps({"deltas": deltas, "rates": rates}), json.dumps(job["target"]))
growing = _engine.Job.loadability(study, json.dumps(job["target"]))
while not json.loads(growing.step(3))["done"]:
    pass
print(json.dumps({
    "results": results,
    "columns": columns,
    "preview": preview,
    "slopes": hashes(arrays),
    "valid_mw": json.loads(head)["warrant"]["valid_mw"],
    "loadability": json.loads(growing.finish()[0]),
}))
`;

interface Found {
  results: string[];
  columns: Record<string, string>;
  preview: Record<string, string>;
  slopes: Record<string, string>;
  valid_mw: unknown;
  loadability: unknown;
}

async function native(job: object): Promise<Found> {
  const running = promisify(execFile)(python, ["-c", SCRIPT]);
  running.child.stdin?.end(JSON.stringify(job));
  return JSON.parse((await running).stdout) as Found;
}

const hashes = (columns: { [name: string]: Float64Array | undefined }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, values]) => {
      if (!values) return [];
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      return [[name, createHash("sha256").update(bytes).digest("hex")]];
    }),
  );

const three = fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url));

t.test("equal bits", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  const cases: [path: string, bus: number][] = [[three, 2]];
  if (DATA !== undefined) cases.push([`${DATA}/matpower/case118.m`, 60], [`${DATA}/matpower/case1354pegase.m`, 601]);
  const engine = createNodeEngine();
  for (const [path, bus] of cases) {
    const { module_json } = await engine.ingestCase(await readFile(path), "matpower");
    const target = { bus };
    const edits = [
      [{}, {}],
      [{ [bus]: 3.5 }, {}],
      [{ [bus]: 7.25 }, { "1": 10 }],
    ] as const;
    const study = await engine.createStudy(module_json, "acpf");
    const results: string[] = [];
    for (const [deltas, rates] of edits) results.push((await study.commit("c", deltas, rates)).solution.result_sha256);
    const table = await study.table();
    t.strictSame(new Set(table.map(({ name }) => name)), new Set(ACPF_COLUMNS));
    const [deltas, rates] = edits[1];
    const column = await study.sensitivity("c", deltas, rates, target);
    const here: Found = {
      results,
      columns: hashes(Object.fromEntries(table.map(({ name, values }) => [name, values]))),
      preview: hashes((await study.preview(deltas, rates)).columns),
      slopes: hashes(column.dense.columns),
      valid_mw: column.warrant.valid_mw,
      loadability: await study.loadability(target),
    };
    t.strictSame(here, await native({ path, edits, target }), path);
    await study.free();
  }
});

t.test("the facade's shapes", async (t) => {
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(await readFile(three), "matpower");
  const study = await engine.createStudy(module_json, "acpf");
  const before = await study.currentSolution();
  t.notOk("objective" in before || "prices" in before || "lmp" in before);
  t.equal(before.vm.length, 3);
  t.equal(before.power_flow.reactive_limits, "ignored");
  t.ok(before.certificate.mismatch_mw < 1e-4);
  const preview = await study.preview({ "2": 6 });
  t.ok(preview.exact && preview.prices === undefined);
  const { solution, sensitivity } = await study.commit("three", { "2": 6 }, {}, { bus: 2 });
  preview.vm?.forEach(({ bus, value }, k) => {
    t.equal(value, (solution.vm[k]?.value ?? NaN) - (before.vm[k]?.value ?? NaN), `voltage change at bus ${bus}`);
  });
  t.equal(sensitivity?.operand, "vm");
  t.equal(sensitivity?.warrant.kind, "estimate");
  t.equal(sensitivity?.values.length, 3);
  t.equal(sensitivity?.flows?.length, 3);
  const lost = solution.flows.reduce((sum, flow) => sum + flow.mw + flow.mw_to, 0);
  t.ok(Math.abs(lost - solution.power_flow.losses_mw) < 1e-9);
  const lacking: (() => Promise<unknown>)[] = [
    () => study.lmpComponents(2),
    () => study.track({ bus: 2 }, 0, 1),
    () => study.explain({}),
  ];
  for (const ask of lacking) await t.rejects(ask(), { code: "FORMULATION.UNAVAILABLE" });
  await t.rejects(study.sensitivity("three", {}, {}, { branch: 1 }), { code: "SENS.UNSUPPORTED" });
  const heard: number[] = [];
  const grown = await study.loadability({ bus: 2 }, { onProgress: ({ fraction }) => heard.push(fraction) });
  t.ok(grown.margin_mw > 0 && grown.no_solution_mw !== null && grown.no_solution_mw > grown.margin_mw);
  t.equal(heard.at(-1), 1);
  const controller = new AbortController();
  controller.abort();
  await t.rejects(study.loadability({ system: true }, { signal: controller.signal }), { code: "ABORTED" });
  t.equal((await study.currentSolution()).result_sha256, solution.result_sha256);
});

t.test("an independent change of reactive demand is an edit", async (t) => {
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(await readFile(three), "matpower");
  const study = await engine.createStudy(module_json, "acpf");
  const before = await study.currentSolution();
  const preview = await study.preview({ "2": 6 }, {}, { reactive: { "2": 20 } });
  const { solution } = await study.commit("three", { "2": 6 }, {}, null, { reactive: { "2": 20 } });
  preview.vm?.forEach(({ value }, k) => {
    t.equal(value, (solution.vm[k]?.value ?? NaN) - (before.vm[k]?.value ?? NaN));
  });
  t.equal(Math.round(solution.injections?.[1]?.q ?? NaN), -50, "30 MVAr in the base case");
  const request = { formulation: "acpf", edits: { deltas: { "2": 6 }, reactive: { "2": 20 } } } as const;
  t.equal((await engine.solveModule(module_json, request)).result_sha256, solution.result_sha256);
  const saved = await engine.createStudy(await study.saveModule(), "acpf");
  const again = await saved.currentSolution();
  t.ok(Math.abs((again.vm[1]?.value ?? NaN) - (solution.vm[1]?.value ?? NaN)) < 1e-6, "the saved module has it");
  await t.rejects(study.commit("three", {}, {}, null, { reactive: { "9": 1 } }), { code: "DELTA.UNKNOWN_BUS" });
  await t.rejects(study.commit("three", {}, {}, null, { reactive: { "2": NaN } }), { code: "DELTA.MALFORMED" });
  const dc = await engine.createStudy(module_json, "dcopf");
  const stored = await dc.commit("three", {}, {}, null, { reactive: { "2": 1 } });
  t.match(stored.solution.diagnostics, [{ code: "DEMAND.REACTIVE_UNREAD" }]);
  await Promise.all([study.free(), saved.free(), dc.free()]);
});
