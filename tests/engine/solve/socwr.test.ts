// The conic relaxation in wasm: the same bits as in the native engine of the Python module.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import { SOCWR_COLUMNS, type SolveProgress } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { DATA } from "../../fixtures/cases.ts";
import { meshedCase } from "../cases/meshes.ts";

const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

/** Reads {path, edits, targets, tenfold}; prints the hashes of each state, its columns, its preview of the next one and its
 * sensitivities, the numbers of iterations, and the explanation of edits without a solution. */
const SCRIPT = `
import hashlib, json, sys
from wattbook import _engine
job = json.load(sys.stdin)
with open(job["path"], "rb") as file:
    case = json.loads(_engine.ingest_case(file.read(), "matpower")[0])
study = _engine.Study(_engine.Case(case["sha256"], case["module_json"]), "socwr", "{}")
def hashes(arrays):
    return {name: hashlib.sha256(values).hexdigest() for name, (_, _, values) in arrays.items()}
def derived(edits, target):
    head, arrays = study.sensitivity("c", edits, json.dumps(target))
    return [hashes(arrays), json.loads(head)["warrant"]]
texts = [json.dumps({"deltas": deltas, "rates": rates}) for deltas, rates in job["edits"]]
states = []
for k, edits in enumerate(texts):
    previews = [study.preview(after) for after in texts[k + 1 : k + 2]]
    head, arrays = study.commit("c", edits)
    head = json.loads(head)
    states.append({
        "result": head["solution"]["result_sha256"],
        "iterations": len(head["iterations"]),
        "columns": hashes(arrays),
        "previews": [[hashes(arrays), json.loads(head)["valid_mw"]] for head, arrays in previews],
        "slopes": [derived(edits, target) for target in job["targets"]],
    })
searching = _engine.Job.explanation(study, json.dumps({"deltas": job["tenfold"]}))
while not json.loads(searching.step(3))["done"]:
    pass
print(json.dumps({"states": states, "explanation": json.loads(searching.finish()[0])}))
`;

interface Found {
  states: unknown[];
  explanation: unknown;
}

async function native(job: object): Promise<Found> {
  const running = promisify(execFile)(python, ["-c", SCRIPT], { maxBuffer: 1e8 });
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

/** A case file, a bus whose demand and a branch whose rating are edited. */
const CASES: [path: string, bus: number, branch: number][] = [[three, 2, 1]];
if (DATA !== undefined) {
  CASES.push(
    [`${DATA}/pglib/pglib_opf_case118_ieee.m`, 60, 8],
    [`${DATA}/pglib/sad/pglib_opf_case240_pserc__sad.m`, 1002, 3],
  );
  CASES.push([`${DATA}/pglib/pglib_opf_case1354_pegase.m`, 601, 12]);
}

t.test("equal bits", { skip: !existsSync(python) && "no Python environment", timeout: 240_000 }, async (t) => {
  const engine = createNodeEngine();
  for (const [path, bus, branch] of CASES) {
    const { module_json, load_mw } = await engine.ingestCase(await readFile(path), "matpower");
    const targets = [{ bus }, { branch }];
    const tenfold = { [bus]: 10 * load_mw };
    const edits = [
      [{}, {}],
      [{ [bus]: 1.5 }, {}],
      [{ [bus]: 12.5 }, { [branch]: 20 }],
    ] as const;
    const study = await engine.createStudy(module_json, "socwr");
    const states: unknown[] = [];
    for (const [k, [deltas, rates]] of edits.entries()) {
      const previews = [];
      for (const [d, r] of edits.slice(k + 1, k + 2)) previews.push(await study.preview(d, r));
      const { solution, iterations } = await study.commit("c", deltas, rates);
      const table = await study.table();
      t.strictSame(new Set(table.map(({ name }) => name)), new Set(SOCWR_COLUMNS));
      const slopes = [];
      for (const target of targets) slopes.push(await study.sensitivity("c", deltas, rates, target));
      states.push({
        result: solution.result_sha256,
        iterations: iterations.length,
        columns: hashes(Object.fromEntries(table.map(({ name, values }) => [name, values]))),
        previews: previews.map((preview) => [hashes(preview.columns), preview.valid_mw]),
        slopes: slopes.map(({ dense, warrant }) => [hashes(dense.columns), warrant]),
      });
    }
    const explanation = await study.explain(tenfold);
    t.ok(explanation, `${path}: ten times the demand at bus ${bus} has no solution`);
    t.strictSame({ states, explanation }, await native({ path, edits, targets, tenfold }), path);
    await study.free();
  }
});

/** Turns of other calls, progress, and the state after a cancelled solve. */
t.test("solves in steps", async (t) => {
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(meshedCase(200), "matpower");
  const reports: SolveProgress[] = [];
  const order: string[] = [];
  const other = await readFile(three);
  const creating = engine.createStudy(module_json, "socwr", {}, undefined, (progress) => reports.push(progress));
  const between = engine.ingestCase(other, "matpower").then(() => order.push("read"));
  const study = await creating;
  order.push("solved");
  await between;
  t.strictSame(order, ["read", "solved"]);
  const base = (await study.currentSolution()).result_sha256;
  const { iteration = 0, gap = 1, fraction } = reports.at(-1) ?? {};
  t.ok(iteration > 5 && gap < 1e-8 && fraction === 1, `${iteration} iterations, gap ${gap}`);
  const fractions = reports.map((one) => one.fraction);
  t.strictSame(
    fractions,
    fractions.toSorted((a, b) => a - b),
  );

  // Cancelled between two iterations: nothing has changed, and nothing is rebuilt.
  const deltas = { 2: 1.5, 40: -0.5 };
  const ways = [(_: AbortController) => study.interrupt(), (controller: AbortController) => controller.abort()];
  for (const stop of ways) {
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => stop(controller) };
    await t.rejects(study.commit("mesh", deltas, {}, null, options), { code: "ABORTED" });
    t.equal((await study.currentSolution()).result_sha256, base);
  }
  const early = new AbortController();
  const giveUp = () => early.abort();
  await t.rejects(engine.createStudy(module_json, "socwr", {}, early.signal, giveUp), { code: "ABORTED" });

  // The last of two commits without a caller is the state; reads meanwhile are of the previous one.
  const first = study.commit("mesh", { 2: 1 });
  const reading = study.currentSolution();
  const second = study.commit("mesh", deltas, {}, { bus: 2 });
  t.equal((await reading).result_sha256, base);
  t.not((await first).solution.result_sha256, base);
  const { solution, sensitivity, iterations } = await second;
  t.equal(sensitivity?.bus, 2);
  t.ok(iterations.length > 0);
  t.equal((await study.currentSolution()).result_sha256, solution.result_sha256);
  await t.rejects(study.commit("mesh", { 2: 1e6 }), { code: "SOLVE.INFEASIBLE" });
  t.equal((await study.currentSolution()).result_sha256, solution.result_sha256);
  t.equal((await study.reset("mesh")).solution.result_sha256, base);
  await study.free();
  await t.rejects(study.commit("mesh", deltas), { code: "STUDY.FREED" });
});
