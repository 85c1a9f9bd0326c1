// The closed forms of the three-bus network, solved in Chromium by the engine that the extension ships.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Workspace } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { openNotebook, startLab } from "../lab.ts";
import { notebookOf, runCommand, theMap } from "../notebook.ts";

const CASE = "three_bus.m";
/** Rating of every line of the case, MW; line 1 joins buses 1 and 2, line 2 buses 2 and 3. */
const RATING = 250;
const lab = await startLab([`tests/fixtures/${CASE}`]);
t.teardown(() => lab.stop());
const code = `import wattbook as wb\nwb.open_case("${CASE}").study().map()`;
await writeFile(join(lab.folder, "three.ipynb"), notebookOf(code));
const { page, complaints } = await openNotebook(lab, "three.ipynb");
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);

interface Solved {
  lmp: number[];
  dispatch: number[];
  shadow: number[];
  objective: number;
}

/** Prices, dispatch and objective of the map's session after rating changes in MW by branch. */
function solve(rates: Record<string, number>): Promise<Solved> {
  return page.evaluate(async (wanted) => {
    interface Module {
      IWorkspace: unknown;
    }
    const page = window as unknown as {
      _JUPYTERLAB: Record<string, { get(name: string): Promise<() => Module> }>;
      jupyterapp: { resolveRequiredService(token: unknown): Promise<Workspace> };
    };
    const extension = await page._JUPYTERLAB["@service/jupyterlab"]?.get("./index");
    const workspace = await page.jupyterapp.resolveRequiredService(extension?.().IWorkspace);
    const session = workspace.active;
    if (session === null) {
      throw new Error("No map is in front.");
    }
    await session.commit({ deltas: {}, rates: wanted }, session.state.revision);
    const { columns } = session.store;
    return {
      lmp: [...(columns.values("lmp") ?? [])],
      dispatch: [...(columns.values("dispatch_mw") ?? [])],
      shadow: [...(columns.values("shadow") ?? [])],
      objective: session.state.solution.objective ?? NaN,
    };
  }, rates);
}

function near(test: Test, found: readonly number[], wanted: readonly number[], what: string): void {
  test.equal(found.length, wanted.length);
  found.forEach((value, k) => {
    const target = wanted[k] ?? NaN;
    test.ok(
      Math.abs(value - target) <= 1e-6 * Math.max(1, Math.abs(target)),
      `${what} ${k + 1}: ${value}, not ${target}`,
    );
  });
}

t.test("the engine runs in a worker of its own", async (t) => {
  const names = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.name)));
  t.equal(names.filter((name) => name === "wattbook").length, 2, "one for files, one for the Study");
  await eventually.match(t, () => map.locator(".wb-Legend").innerText(), "One price everywhere, 11.49 $/MWh");
});

t.test("uncongested", async (t) => {
  const solved = await solve({});
  near(t, solved.lmp, [11.487179487179487, 11.487179487179487, 11.487179487179487], "price");
  near(t, solved.dispatch, [29.487179487179485, 60.51282051282051], "generator");
  near(t, [solved.objective], [626.948717948718], "objective");
});

t.test("line 2-3 held at 40 MW", async (t) => {
  const solved = await solve({ 2: 40 - RATING });
  near(t, solved.lmp, [18.2, 30.1, 6.3], "price");
  near(t, solved.dispatch, [60, 30], "generator");
  near(t, [solved.objective, Math.max(...solved.shadow)], [808.5, 35.7], "objective and multiplier");
});

t.test("line 1-2 held at 36 MW", async (t) => {
  const solved = await solve({ 1: 36 - RATING });
  near(t, solved.lmp, [8.96, 17.92, 13.44], "price");
  near(t, solved.dispatch, [18, 72], "generator");
  near(t, [solved.objective, Math.max(...solved.shadow)], [652.68, 13.44], "objective and multiplier");
});

t.test("no errors occurred", async (t) => {
  t.strictSame(complaints, []);
});
