// The wheel is upgraded while JupyterLab is open: the extension's files get other names on disk, and new kernels are of
// the new release. Open maps continue, files that are gone ask for a reload, and nothing is lost.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import type { Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { openNotebook, startLab } from "../lab.ts";
import { atRevision, runCode, runCommand, theMap } from "../notebook.ts";

const CASE = "three_bus.m";
const BUILT = fileURLToPath(
  new URL("../../../widgets/python/wheel/data/share/jupyter/labextensions/@service/jupyterlab", import.meta.url),
);
/**
 * The version of a kernel of the new release. Its contract is the old one; versions.test.ts covers another contract.
 */
const NEW_KERNEL = `from wattbook.map import page_messages
page_messages.__version__ = "7.0.0"
`;
const CODE = `import wattbook as wb\nstudy = wb.open_case("${CASE}").study()\nstudy.map(bus=2, height=300)`;

let installed = "";
let startup = "";
const lab = await startLab([`tests/fixtures/${CASE}`], "lab", async (home) => {
  installed = join(home, "share/labextensions/@service/jupyterlab");
  startup = join(home, "ipython/profile_default/startup");
  await mkdir(startup, { recursive: true });
  await cp(BUILT, installed, { recursive: true });
  return { JUPYTER_PATH: join(home, "share") };
});
t.teardown(() => lab.stop());

/** Replaces the installed build by another one in which each hash in names and sources differs. */
async function upgrade(): Promise<void> {
  const next = `${installed}-next`;
  await cp(BUILT, next, { recursive: true });
  const names = await readdir(join(next, "static"));
  const hashes = names.flatMap((name) => /\.([0-9a-f]{8,})\./.exec(name)?.[1] ?? []);
  const renamed = (text: string): string =>
    hashes.reduce((found, hash) => found.replaceAll(hash, [...hash].reverse().join("")), text);
  for (const name of [...names.map((name) => `static/${name}`), "package.json"]) {
    const path = join(next, renamed(name));
    await rename(join(next, name), path);
    if (!/\.(js|json)$/.test(name)) continue;
    await writeFile(path, renamed(await readFile(path, "utf8")));
  }
  await writeFile(join(startup, "00-upgraded.py"), NEW_KERNEL);
  await rm(installed, { recursive: true });
  await rename(next, installed);
}

/** A notebook in a separate page and workspace. */
async function notebook(name: string): Promise<Page> {
  const cell = { cell_type: "code", id: "map", metadata: {}, source: CODE, outputs: [], execution_count: null };
  const kernelspec = { name: "python3", display_name: "Python 3 (ipykernel)", language: "python" };
  const content = { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  await writeFile(join(lab.folder, `${name}.ipynb`), JSON.stringify(content));
  return (await openNotebook(lab, `${name}.ipynb`, "lab", name)).page;
}

const RELOAD = /Wattbook's files have changed since this page was loaded.*reload the page/;
const page = await notebook("open");
await runCommand(page, "notebook:run-all-cells");
const map = await theMap(page);
const enter = async (mw: string): Promise<void> => {
  await map.locator(".wb-Entry").first().fill(mw);
  await map.locator(".wb-Entry").first().press("Enter");
};
await enter("10");
await atRevision(map, 1);
const other = await notebook("other");
await upgrade();

t.test("a map that is open goes on with its kernel", async (t) => {
  await enter("20");
  await atRevision(map, 2);
  await eventually.match(t, () => map.locator(".wb-Status").innerText(), /^Optimal/);
  t.equal(await runCode(page, "print(study.revision, dict(study.edits.demand))"), "2 {2: 20.0}");
});

t.test("a page without a map shows the saved output and asks for a reload", async (t) => {
  await runCommand(other, "notebook:run-all-cells");
  const output = other.locator(".jp-OutputArea").first();
  await output.getByText(RELOAD).waitFor();
  await eventually.match(t, () => output.innerText(), /Case map of three_bus as it was saved: revision 0/);
  t.equal(await runCode(other, "study.commit(demand={2: 30}); print(study.revision)"), "1", "its kernel works");
});

t.test("a kernel of the new release offers the old edits, and the notebook is unchanged", async (t) => {
  await page.evaluate(async () => {
    interface Shell {
      currentWidget: { sessionContext: { restartKernel(): Promise<void> } };
    }
    const { shell } = (window as unknown as { jupyterapp: { shell: Shell } }).jupyterapp;
    await shell.currentWidget.sessionContext.restartKernel();
  });
  await runCommand(page, "notebook:run-all-cells");
  const output = page.locator(".jp-OutputArea").first();
  await output.getByText("Before the kernel restarted this map had 1 change.").waitFor();
  await runCommand(page, "docmanager:save");
  await page.reload();
  await page.locator(".jp-Notebook .jp-CodeCell").nth(1).waitFor();
  t.equal(await runCode(page, "from wattbook.map import page_messages\nprint(page_messages.__version__)"), "7.0.0");
});
