// The same bits in wasm and in the native engine of the Python module: equal hashes of results, tracks, screenings, layouts and
// saved modules.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { DATA } from "../../fixtures/cases.ts";

const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

/**
 * Reads {path, edits: [[deltas, rates], ...]}; prints the hashes of the module, of the results, of the layout (its
 * bits), and of the texts of the module with that layout and with the last edits; of a track of bus 2 and prices on it,
 * of one of the capacity of a generator, of a screening, of the columns (their bits), of the solution module and of the
 * values read from it, all at the last edits.
 */
const SCRIPT = `
import hashlib, json, struct, sys
from wattbook import _engine
job = json.load(sys.stdin)
with open(job["path"], "rb") as file:
    head, _, module = _engine.ingest_case(file.read(), "matpower")
case = json.loads(head)
study = _engine.Study(_engine.Case(case["sha256"], module), "dcopf", "{}")
columns = {}
def commit(deltas, rates):
    head, numbers = study.commit("c", json.dumps({"deltas": deltas, "rates": rates}))
    columns.update({name: sha256(values) for name, (_, _, values) in numbers.items()})
    return json.loads(head)["solution"]["result_sha256"]
def secured():
    study = _engine.Study(_engine.Case(case["sha256"], module), "dcopf", json.dumps(job["secure"]))
    heads = [json.loads(study.commit("c", json.dumps({"deltas": deltas, "rates": rates}))[0])["solution"] for deltas, rates in job["edits"]]
    reports = [[head["result_sha256"], head["security"]] for head in heads]
    path = numbers(finished(_engine.Job.track(study, '{"bus":2}', -20.0, 60.0), 1, study)[0])
    return numbers(json.dumps(reports)) + path
def sha256(data):
    return hashlib.sha256(data).hexdigest()
def numbers(text):
    """The bits of every number of a JSON text in order, and its strings."""
    found, words = [], []
    def walk(value):
        if isinstance(value, bool) or value is None:
            words.append(json.dumps(value))
        elif isinstance(value, (int, float)):
            found.append(float(value))
        elif isinstance(value, str):
            words.append(value)
        elif isinstance(value, list):
            for item in value:
                walk(item)
        else:
            for key, item in value.items():
                words.append(key)
                walk(item)
    walk(json.loads(text))
    return sha256(struct.pack("<%dd" % len(found), *found) + "\\n".join(words).encode())
def finished(job, budget, study=None):
    while not json.loads(job.step(budget))["done"]:
        pass
    return job.finish(study)
_, drawn = finished(_engine.Job.layout(module), 7)
x, y = (struct.unpack("<%dd" % (len(drawn[name][2]) // 8), drawn[name][2]) for name in ("layout_x", "layout_y"))
positions = [part for place in zip(x, y) for part in place]
placed, _, placed_module = _engine.apply_layout(module, positions, -100.0, 31.0, None)
print(json.dumps({
    "sha256": case["sha256"],
    "results": [commit(*edit) for edit in job["edits"]],
    "layout": sha256(struct.pack("<%dd" % len(positions), *positions)),
    "placed": json.loads(placed)["sha256"],
    "layer": sha256(_engine.geo_json(placed_module).encode()),
    "saved": sha256(_engine.materialize_module(module, json.dumps(dict(zip(("deltas", "rates"), job["edits"][-1])))).encode()),
    "track": numbers(finished(_engine.Job.track(study, '{"bus":2}', -20.0, 60.0), 1, study)[0]),
    "prices": sha256(study.track_prices(17.25)),
    "capacity": numbers(finished(_engine.Job.track(study, job["unit"], *job["limits"]), 1, study)[0]),
    "outages": numbers(json.dumps(json.loads(_engine.Job.screening(study).step(10**6))["rows"])),
    "solution": sha256(study.save_solution_module(module).encode()),
    "secured": secured(),
    "columns": columns,
    "read": json.loads(_engine.read_solution_module(study.save_solution_module(module))[0])["solution"]["result_sha256"],
}))
`;

type Edit = readonly [deltas: Record<string, number>, rates: Record<string, number>];

interface Hashes {
  sha256: string;
  results: string[];
  layout: string;
  placed: string;
  layer: string;
  saved: string;
  track: string;
  prices: string;
  capacity: string;
  outages: string;
  solution: string;
  secured: string;
  columns: Record<string, string>;
  read: string;
}

async function native(path: string, edits: readonly Edit[], unit: number, limits: number[]): Promise<Hashes> {
  const running = promisify(execFile)(python, ["-c", SCRIPT]);
  const job = { path, edits, limits, secure: SECURE, unit: JSON.stringify({ generator: unit }) };
  running.child.stdin?.end(JSON.stringify(job));
  return JSON.parse((await running).stdout) as Hashes;
}

const hashOf = (data: string | Float64Array) =>
  createHash("sha256")
    .update(typeof data === "string" ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex");

/** The bits of every number of a value in order, and its strings, as SCRIPT hashes them. */
function numbersOf(value: unknown): string {
  const found: number[] = [];
  const words: string[] = [];
  const walk = (item: unknown): void => {
    if (typeof item === "number") found.push(item);
    else if (typeof item === "string") words.push(item);
    else if (Array.isArray(item)) item.forEach(walk);
    else if (typeof item === "object" && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        words.push(key);
        walk(inner);
      }
    } else words.push(JSON.stringify(item));
  };
  walk(value);
  const bits = new Uint8Array(Float64Array.from(found).buffer);
  return createHash("sha256").update(bits).update(words.join("\n")).digest("hex");
}

/** Limits after outages, and ratings, that are exceeded at a price. */
const SECURE = { security: { emergency: 1.2 }, soft: { outages: 1000, base: 3000 } };

const EDITS: readonly Edit[] = [
  [{}, {}],
  [{ "2": 6 }, {}],
  [{ "2": 13.7, "3": 2 }, { "2": -1.5 }],
];

t.test("equal hashes", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  const paths = [fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url))];
  if (DATA !== undefined) paths.push(`${DATA}/pglib/pglib_opf_case118_ieee.m`, `${DATA}/pglib/pglib_opf_case500_goc.m`);
  const engine = createNodeEngine();
  for (const path of paths) {
    const case_ = await engine.ingestCase(await readFile(path), "matpower");
    const study = await engine.createStudy(case_.module_json, "dcopf");
    const results: string[] = [];
    for (const [deltas, rates] of EDITS) results.push((await study.commit("c", deltas, rates)).solution.result_sha256);
    // The largest capacity, reduced as far as there is a solution.
    const { generators } = case_.topology;
    const [largest] = generators
      .filter(({ status }) => status === 1)
      .sort((a, b) => (b.p_max_mw ?? 0) - (a.p_max_mw ?? 0));
    const [unit, high, low] = [largest?.id ?? 1, largest?.p_max_mw ?? 0, 0];
    const { positions } = await engine.layoutModule(case_.module_json);
    const placed = await engine.applyLayout(case_.module_json, positions, { centre: [-100, 31] });
    const secured = await engine.createStudy(case_.module_json, "dcopf", SECURE);
    const reports: unknown[] = [];
    for (const [deltas, rates] of EDITS) {
      const { solution } = await secured.commit("c", deltas, rates);
      reports.push([solution.result_sha256, solution.security]);
    }
    const here: Hashes = {
      ...{ sha256: case_.sha256, results, layout: hashOf(positions), placed: placed.sha256 },
      layer: hashOf(await engine.geoJson(placed.module_json)),
      saved: hashOf(await study.saveModule()),
      track: numbersOf(await study.track({ bus: 2 }, -20, 60)),
      prices: hashOf(await study.trackPrices(17.25)),
      capacity: numbersOf(await study.track({ generator: unit }, high, low)),
      outages: numbersOf(await study.contingencies()),
      solution: hashOf(await study.saveSolutionModule()),
      secured: numbersOf(reports) + numbersOf(await secured.track({ bus: 2 }, -20, 60)),
      columns: Object.fromEntries(
        Object.entries(await study.columns()).map(([name, values]) => [name, hashOf(values)]),
      ),
      read: (await engine.readSolutionModule(await study.saveSolutionModule())).solution.result_sha256,
    };
    t.strictSame(here, await native(path, EDITS, unit, [high, low]), case_.name);
    await study.free();
    await secured.free();
  }
});
