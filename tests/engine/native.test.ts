// The same bits in wasm and in the native engine of the Python module: equal result hashes for equal edits.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { DATA } from "../fixtures/cases.ts";

const python = fileURLToPath(new URL("../../.venv/bin/python", import.meta.url));

/** Reads {path, format, edits: [[deltas, rates], ...]}, prints the module's hash and the result hashes. */
const SCRIPT = `
import json, sys
from wattbook import _engine
job = json.load(sys.stdin)
with open(job["path"], "rb") as file:
    case = json.loads(_engine.ingest_case(file.read(), "matpower"))
study = _engine.Study(case["module_json"], "dcopf", "{}")
def commit(deltas, rates):
    return json.loads(study.commit("c", json.dumps(deltas), json.dumps(rates), "null"))["solution"]["result_sha256"]
print(json.dumps({"sha256": case["sha256"], "results": [commit(*edit) for edit in job["edits"]]}))
`;

type Edit = readonly [deltas: Record<string, number>, rates: Record<string, number>];

async function native(path: string, edits: readonly Edit[]): Promise<{ sha256: string; results: string[] }> {
  const running = promisify(execFile)(python, ["-c", SCRIPT]);
  running.child.stdin?.end(JSON.stringify({ path, edits }));
  return JSON.parse((await running).stdout) as { sha256: string; results: string[] };
}

const EDITS: readonly Edit[] = [
  [{}, {}],
  [{ "2": 6 }, {}],
  [{ "2": 13.7, "3": 2 }, { "2": -1.5 }],
];

t.test("equal hashes", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  const paths = [fileURLToPath(new URL("../fixtures/three_bus.m", import.meta.url))];
  if (DATA !== undefined) paths.push(`${DATA}/pglib/pglib_opf_case118_ieee.m`, `${DATA}/pglib/pglib_opf_case500_goc.m`);
  const engine = createNodeEngine();
  for (const path of paths) {
    const case_ = await engine.ingestCase(await readFile(path), "matpower");
    const study = await engine.createStudy(case_.module_json, "dcopf");
    const results: string[] = [];
    for (const [deltas, rates] of EDITS) results.push((await study.commit("c", deltas, rates)).solution.result_sha256);
    t.strictSame({ sha256: case_.sha256, results }, await native(path, EDITS), case_.name);
    await study.free();
  }
});
