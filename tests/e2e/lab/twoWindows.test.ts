// Two windows on one notebook and its kernel: both show the map, and each follows commits of the other.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { openNotebook, startLab } from "../lab.ts";
import { atRevision, runCode, runCommand, theMap } from "../notebook.ts";

const CASE = "three_bus.m";
const SOURCE = `import wattbook as wb\nstudy = wb.open_case("${CASE}").study()\nview = study.map(bus=2, height=260)\nview`;
const cell = { cell_type: "code", id: "map", execution_count: null, metadata: {}, outputs: [], source: SOURCE };
const kernelspec = { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" };
const notebook = { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };

t.test("two windows on one notebook", async (t) => {
  const lab = await startLab([`tests/fixtures/${CASE}`]);
  t.teardown(() => lab.stop());
  await writeFile(join(lab.folder, "two.ipynb"), JSON.stringify(notebook));
  const { page: one } = await openNotebook(lab, "two.ipynb");
  await runCommand(one, "notebook:run-all-cells");
  const first = await theMap(one);
  await runCommand(one, "docmanager:save");
  const { page: other } = await openNotebook(lab, "two.ipynb");
  const second = await theMap(other);

  const enter = async (map: typeof first, mw: string): Promise<void> => {
    await map.locator(".wb-Entry").first().fill(mw);
    await map.locator(".wb-Entry").first().press("Enter");
  };
  await first.locator(".wb-Band-exact:not([hidden])").waitFor();
  await enter(first, "10");
  await atRevision(first, 1);
  await atRevision(second, 1);
  await second.locator(".wb-Band-exact:not([hidden])").waitFor();
  await enter(second, "25");
  await atRevision(second, 2);
  await atRevision(first, 2);
  const entered = await second.locator(".wb-Entry").first().inputValue();
  await eventually.equal(t, () => first.locator(".wb-Entry").first().inputValue(), entered);
  t.equal(await runCode(one, "print(study.revision, study.edits.demand[2])"), "2 25.0");

  await other.close();
  await enter(first, "5");
  await atRevision(first, 3);
  t.equal(
    await runCode(one, "print(study.revision, study.edits.demand[2])"),
    "3 5.0",
    "a window that is closed takes nothing away",
  );
});
