// The Python package and the extension in the page are installed in different places: where their versions differ, the
// output says so with the fix, and nothing is shown that might not match.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { openNotebook, startLab } from "../lab.ts";
import { runCommand } from "../notebook.ts";

const CASE = "three_bus.m";
const FIX = "install one version in both environments, restart the kernel and reload the page.";
// A kernel whose package is newer than the page: another version, another contract.
const NEWER = `import wattbook as wb
from wattbook import native
from wattbook.map import case_map, page_messages
case_map.__version__ = page_messages.__version__ = "7.0.0"
native.engine().CONTRACT_SOURCE_SHA256 = "0" * 64
study = wb.open_case("${CASE}").study()
study.map(height=300)`;
const cell = { cell_type: "code", id: "map", execution_count: null, metadata: {}, outputs: [], source: NEWER };
const kernelspec = { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" };
const notebook = { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };

t.test("a page older than the kernel reports that with the remedy", async (t) => {
  const lab = await startLab([`tests/fixtures/${CASE}`]);
  t.teardown(() => lab.stop());
  await writeFile(join(lab.folder, "versions.ipynb"), JSON.stringify(notebook));
  const { page } = await openNotebook(lab, "versions.ipynb");
  await runCommand(page, "notebook:run-all-cells");
  const output = page.locator(".jp-OutputArea").first();
  await output.getByText(FIX).waitFor({ timeout: 60_000 });
  await eventually.match(
    t,
    () => output.innerText(),
    /This page runs Wattbook [\d.]+, the kernel 7\.0\.0: install one version/,
  );
  await eventually.notMatch(
    t,
    () => output.innerText(),
    /not registered|not found|Traceback/,
    "our words, not Jupyter's",
  );
  await eventually.equal(t, () => page.locator(".wb-Map").count(), 0, "no picture of numbers that cannot be compared");
});
