// Rows made from columns equal those that Python makes, for a case with and without routes and positions and for a
// stateless solve; those of a saved solution equal those of the Study.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { createNodeEngine, type Engine, type IngestedCase } from "@service/engine/node";

const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const CAROLINA = new URL("../../../server/grids/carolina.json.gz", import.meta.url);
const THREE_BUS = new URL("../../fixtures/three_bus.m", import.meta.url);

const SCRIPT = `
import json, sys
from wattbook import _engine
from wattbook.tables import rows
job = json.load(sys.stdin)
module = job["module"]
read = rows.inspected(module)
case = rows.CaseRows.of(read)
def table(of, *columns):
    return [list(row) for row in zip(of.ids.tolist(), of.uids, of.names, *(of.numbers(name).tolist() for name in columns))]
print(json.dumps({
    "head": {**read[0], "topology": None, "view": None},
    "buses": table(case.buses, "base_kv", "demand_mw", "gen_mw", "bus_in_service", "bus_editable"),
    "branches": table(case.branches, "from_bus", "to_bus", "rating_mw", "rating_is_fallback", "branch_in_service", "branch_editable"),
    "generators": table(case.generators, "generator_bus", "p_min_mw", "p_max_mw", "generator_in_service"),
    "routes": None if read[0]["view"] is None else [None if route is None else route.tolist() for route in case.routes()],
    "solved": rows.solve_response(rows.parted(_engine.solve_module(module))),
}))
`;

interface Described {
  head: unknown;
  buses: unknown;
  branches: unknown;
  generators: unknown;
  routes: unknown;
  solved: unknown;
}

async function inPython(module: string): Promise<Described> {
  const running = promisify(execFile)(python, ["-c", SCRIPT], { maxBuffer: 2 ** 26 });
  running.child.stdin?.end(JSON.stringify({ module }));
  return JSON.parse((await running).stdout) as Described;
}

/** The rows of a case in the form of the script. */
function tablesOf({ topology, view, ...head }: IngestedCase): Omit<Described, "solved"> {
  const { buses, branches, generators } = topology;
  return {
    head: { ...head, topology: null, view: null },
    buses: buses.map((b) => [b.id, b.uid, b.name, b.base_kv, b.demand_mw, b.gen_mw, +b.in_service, +b.editable]),
    branches: branches.map((b) => [
      ...[b.id, b.uid, null, b.from, b.to],
      ...[b.rate_mw, +b.rate_is_fallback, b.status, +b.editable],
    ]),
    generators: generators.map((g) => [g.id, g.uid, null, g.bus, g.p_min_mw, g.p_max_mw, g.status]),
    routes: view && view.branches.map(({ path = null }) => path),
  };
}

/** A value after a round trip through JSON. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const MODULES: readonly [name: string, module: (engine: Engine) => Promise<string>][] = [
  ["carolina, with routes", async () => gunzipSync(await readFile(CAROLINA)).toString()],
  [
    "three_bus, without positions",
    async (engine) => (await engine.ingestCase(await readFile(THREE_BUS), "matpower")).module_json,
  ],
];

t.test("rows of columns", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  const engine = createNodeEngine();
  for (const [name, moduleOf] of MODULES) {
    const module = await moduleOf(engine);
    const { solved: expected, ...described } = await inPython(module);
    t.strictSame(plain(tablesOf(await engine.inspectModule(module))), described, `${name}: case`);
    t.strictSame(plain(await engine.solveModule(module)), expected, `${name}: stateless solve`);

    const study = await engine.createStudy(module, "dcopf");
    const { solution } = await engine.readSolutionModule(await study.saveSolutionModule());
    const { solve_ms: _ms, case: _id, ...current } = plain(await study.currentSolution()) as Record<string, unknown>;
    const { case: _saved, ...read } = plain(solution) as Record<string, unknown>;
    t.strictSame(read, current, `${name}: saved solution`);

    const { sensitivities } = await engine.solveModule(module, {
      sensitivities: [{ operand: { Price: "Active" }, parameter: { Demand: "Active" }, indices: [1] }],
    });
    const { values } = await study.sensitivity("x", {}, {}, { bus: solution.prices?.[1]?.bus as number });
    const cells = sensitivities?.[0]?.values ?? [];
    t.equal(cells.length, values.length, `${name}: rows of a matrix`);
    values.forEach(({ bus, value }, row) => {
      const [cell = NaN, ...others] = cells[row] ?? [];
      t.ok(others.length === 0 && Math.abs(cell - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${name}: bus ${bus}`);
    });
    await study.free();
  }
});
