// A notebook with a map, saved and reopened without its kernel, in a real JupyterLab; and the same map in Notebook 7.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { seriousFindings } from "../axe.ts";
import { type FrontEnd, type Lab, openNotebook, startLab } from "../lab.ts";
import { runCommand, theMap } from "../notebook.ts";

const STUDY_MIME = "application/vnd.wattbook.study+json";
const CODE = [
  "import wattbook as wb",
  'case = wb.open_case("three_bus.m").with_geography("places.csv")',
  "study = case.study()",
  'study.commit(ratings={"2": -210})',
  "study.map(height=300)",
].join("\n");
const NOTEBOOK = {
  cells: [{ cell_type: "code", id: "map", execution_count: null, metadata: {}, outputs: [], source: CODE }],
  metadata: { kernelspec: { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" } },
  nbformat: 4,
  nbformat_minor: 5,
};

interface JupyterWindow {
  jupyterapp: { serviceManager: { sessions: { shutdownAll(): Promise<void> } } };
}

async function start(frontEnd: FrontEnd): Promise<Lab> {
  const lab = await startLab([], frontEnd);
  await writeFile(join(lab.folder, "saved.ipynb"), JSON.stringify(NOTEBOOK));
  await writeFile(join(lab.folder, "three_bus.m"), await fixture("three_bus.m"));
  await writeFile(join(lab.folder, "places.csv"), "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
  return lab;
}

t.test(
  "a notebook opened again without its kernel shows the picture, and the live map when the cell runs",
  async (t) => {
    const lab = await start("lab");
    t.teardown(() => lab.stop());
    const first = await openNotebook(lab, "saved.ipynb");
    await runCommand(first.page, "notebook:run-all-cells");
    await theMap(first.page);
    await runCommand(first.page, "docmanager:save");
    const path = join(lab.folder, "saved.ipynb");
    const saved = JSON.parse(await readFile(path, "utf8")) as typeof NOTEBOOK;
    const [output] = (saved.cells[0]?.outputs ?? []) as { data: Record<string, unknown> }[];
    t.match(output?.data[STUDY_MIME], { case: { id: "three_bus" }, rates: { 2: -210 }, revision: 1 });
    const picture = [output?.data["image/svg+xml"]].flat().join("");
    t.match(picture, /^<svg[\s\S]*808\.50[\s\S]*<\/svg>$/, "the picture is in the file");
    await first.page.evaluate(async () => {
      const { serviceManager } = (window as unknown as JupyterWindow).jupyterapp;
      await serviceManager.sessions.shutdownAll();
    });
    await first.page.close();
    t.strictSame(first.complaints, []);

    const second = await openNotebook(lab, "saved.ipynb");
    const image = second.page.locator(".wb-SavedMap-picture img");
    await image.waitFor();
    await eventually.ok(
      t,
      () => image.evaluate((node: HTMLImageElement) => node.complete && node.naturalWidth > 0),
      "it is drawn",
    );
    await eventually.match(t, () => image.getAttribute("alt"), /Prices of .* when the notebook was saved/);
    const caption = second.page.locator(".wb-SavedMap-picture figcaption");
    await eventually.match(t, () => caption.innerText(), /revision 1, with 1 change.*Run the cell for the live map/);
    await eventually.notMatch(t, () => second.page.locator(".jp-OutputArea").first().innerText(), /not found/i);
    t.strictSame(await seriousFindings(second.page, ".wb-SavedMap"), [], "axe-core has no serious finding");
    await runCommand(second.page, "notebook:run-all-cells");
    const map = await theMap(second.page);
    await eventually.equal(t, () => map.getAttribute("data-revision"), "1");
    await eventually.equal(t, () => image.count(), 0, "the picture has gone");
    t.strictSame(second.complaints, []);
  },
);

t.test("a saved notebook has the present state, palette and layers", async (t) => {
  const lab = await start("lab");
  t.teardown(() => lab.stop());
  const path = join(lab.folder, "saved.ipynb");
  const later = [
    "study.commit({2: 5})",
    'view.view = {**view.view, "style": {"cmap": "viridis"}}',
    'view.add_layer({"type": "Point", "coordinates": [-104.5, 40]}, "Station", color="#336699");',
  ].join("\n");
  const [cell] = NOTEBOOK.cells;
  const cells = [
    { ...cell, source: CODE.replace("study.map(height=300)", "view = study.map(height=300)\nview") },
    { ...cell, id: "later", source: later },
  ];
  await writeFile(path, JSON.stringify({ ...NOTEBOOK, cells }));
  const { page, complaints } = await openNotebook(lab, "saved.ipynb");
  await runCommand(page, "notebook:run-all-cells");
  const map = await theMap(page);
  await eventually.equal(t, () => map.getAttribute("data-revision"), "2");
  const output = async (): Promise<Record<string, unknown>> => {
    await runCommand(page, "docmanager:save");
    const saved = JSON.parse(await readFile(path, "utf8")) as typeof NOTEBOOK;
    return (saved.cells[0]?.outputs as unknown as { data: Record<string, unknown> }[])[0]?.data ?? {};
  };
  const state = async (): Promise<Record<string, unknown>> => ((await output())[STUDY_MIME] ?? {}) as never;
  await eventually.equal(t, async () => (await state()).revision, 2);
  const data = await output();
  t.match(data[STUDY_MIME], { deltas: { 2: 5 }, rates: { 2: -210 } });
  const picture = [data["image/svg+xml"]].flat().join("");
  t.match(picture, /Layers: Station/, "the layer is in the picture");
  t.match(picture, /#440154/, "and the palette");
  t.match([data["text/html"]].flat().join(""), /Demand at bus 2/);
  t.equal(await page.locator(".wb-Map").count(), 1, "the map is the one that was there");
  t.strictSame(complaints, []);
});

t.test("an output that is no saved map is reported", async (t) => {
  const lab = await start("lab");
  t.teardown(() => lab.stop());
  const [cell] = NOTEBOOK.cells;
  const hebrew = "\u05d0\u05d1";
  const good = {
    case: { id: "a", name: `${hebrew} \u202e3` },
    deltas: {},
    rates: {},
    revision: 3,
    result_sha256: "ab",
  };
  const states = [
    null,
    5,
    "text",
    [],
    {},
    { case: null },
    { ...good, result_sha256: 7 },
    { ...good, deltas: null },
    good,
  ];
  const cells = states.map((state, k) => ({
    ...cell,
    id: `cell${k}`,
    source: "1",
    outputs: [{ output_type: "display_data", metadata: {}, data: { [STUDY_MIME]: state } }],
  }));
  await writeFile(join(lab.folder, "saved.ipynb"), JSON.stringify({ ...NOTEBOOK, cells }));
  const { page, complaints } = await openNotebook(lab, "saved.ipynb");
  const alerts = page.locator(".wb-SavedMap figcaption[role=alert]");
  await eventually.equal(t, () => alerts.count(), states.length - 1);
  t.equal(await alerts.first().innerText(), "The saved state of this map cannot be read. Run the cell again.");
  const name = page.locator(".wb-SavedMap figcaption bdi");
  t.equal(await name.innerText(), `${hebrew} 3`);
  t.equal(await page.getByText(/javascript error/i).count(), 0);
  t.strictSame(complaints, []);
});

t.test("a reloaded page and a code console show the live map of a running kernel", async (t) => {
  const lab = await start("lab");
  t.teardown(() => lab.stop());
  const first = await openNotebook(lab, "saved.ipynb");
  await runCommand(first.page, "notebook:run-all-cells");
  await theMap(first.page);
  await runCommand(first.page, "docmanager:save");
  await first.page.close();

  const { page, complaints } = await openNotebook(lab, "saved.ipynb");
  const map = await theMap(page);
  await eventually.equal(t, () => map.getAttribute("data-revision"), "1", "the kernel's map, without running a cell");
  await page.evaluate(async (code) => {
    interface Panel {
      id: string;
      sessionContext: { ready: Promise<void> };
      console: { inject(code: string): Promise<unknown> };
    }
    const { commands, shell } = (window as unknown as { jupyterapp: { commands: Commands; shell: Shell } }).jupyterapp;
    interface Shell {
      activateById(id: string): void;
    }
    interface Commands {
      execute(id: string, args: object): Promise<Panel>;
    }
    const panel = await commands.execute("console:create", { kernelPreference: { name: "python3" } });
    await panel.sessionContext.ready;
    await panel.console.inject(code);
    shell.activateById(panel.id); // the layout that is restored may have put the notebook in front
  }, CODE);
  const shown = page.locator(".jp-CodeConsole .wb-Map");
  await shown.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  await eventually.equal(t, () => shown.getAttribute("data-revision"), "1");
  t.strictSame(complaints, []);
});

t.test("Notebook 7 shows the live map and edits it", async (t) => {
  const lab = await start("notebook");
  t.teardown(() => lab.stop());
  const { page, complaints } = await openNotebook(lab, "saved.ipynb", "notebook");
  await runCommand(page, "notebook:run-all-cells");
  const map = page.locator(".wb-Map").first();
  await map.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  await runCommand(page, "wattbook:select-element", { kind: "bus", id: 2 });
  await map.and(page.locator('[data-quantity="sensitivity"]')).waitFor();
  await eventually.match(t, () => map.locator(".wb-EditBar").innerText(), /MW/);
  // Notebook itself fails on settings that arrive late, with or without extensions.
  const ours = complaints.filter((complaint) => !complaint.includes("(reading 'schema')"));
  t.strictSame(ours, []);
});
