// Case files of JupyterLab's file browser: opened by their type or with "Open With", several as one batch, restored
// after a reload; they are read from the server, and nothing is sent to it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { positionsInFront, watchUploads } from "../files.ts";
import { openLab, startLab } from "../lab.ts";
import { runCommand } from "../notebook.ts";

const lab = await startLab(["tests/fixtures/three_bus.m"]);
t.teardown(() => lab.stop());
const engine = createNodeEngine();
const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
await writeFile(join(lab.folder, "three.raw"), (await engine.exportModule(module_json, "psse")).bytes);
await writeFile(join(lab.folder, "places.csv"), "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n77,39.5,-104.5\n");
await writeFile(join(lab.folder, "minutes.json"), '{"present": 4}');

const { page, complaints } = await openLab(lab);
const network = watchUploads(page);
const panel = page.locator(".wb-Panel-root");
const map = (tab: string): Locator => page.locator(`.wb-CaseDocument:visible .wb-Map`, { hasText: tab });
const tabs = (): Promise<string[]> => page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel").allInnerTexts();

t.test("a file type of ours opens as a map; another program's opens as one on request", async (t) => {
  await runCommand(page, "docmanager:open", { path: "three.raw" });
  await map("").locator(".wb-Stage[data-placed]").waitFor();
  await eventually.ok(t, async () => (await tabs()).includes("three.raw"), "the tab has the name of the file");
  await runCommand(page, "docmanager:open", { path: "three_bus.m" });
  await page.locator(".jp-FileEditor:visible").waitFor();
  t.pass("a .m file is text by default");
  await runCommand(page, "docmanager:open", { path: "three_bus.m", factory: "Case map" });
  await page.locator(".wb-CaseDocument:visible .wb-Map", { hasText: /three_bus/i }).waitFor();
  await eventually.equal(t, () => page.locator(".wb-CaseDocument").count(), 2);
});

t.test("Open With has the case map for each extension", async (t) => {
  const offered = await page.evaluate(() => {
    interface Registry {
      getFileTypesForPath(path: string): { name: string }[];
      preferredWidgetFactories(path: string): { name: string }[];
      defaultWidgetFactory(path: string): { name: string };
    }
    const { docRegistry } = (window as unknown as { jupyterapp: { docRegistry: Registry } }).jupyterapp;
    const endings = [
      "m",
      "raw",
      "rawx",
      "aux",
      "pwb",
      "epc",
      "cdf",
      "uct",
      "xiidm",
      "iidm",
      "zip",
      "xml",
      "dss",
      "pwd",
      "csv",
      "json",
      "geojson",
      "geo.json",
    ];
    return endings.map((ending) => {
      const path = `grids/Case.${ending}`;
      const names = docRegistry.preferredWidgetFactories(path).map(({ name }) => name);
      return [ending, names.includes("Case map"), docRegistry.defaultWidgetFactory(path).name === "Case map"];
    });
  });
  const ours = ["raw", "rawx", "aux", "pwb", "epc", "cdf", "uct", "xiidm", "iidm", "pwd"];
  t.strictSame(
    offered,
    offered.map(([ending]) => [ending, true, ours.includes(String(ending))]),
  );
  t.equal(offered.length, 18);
});

t.test("the context menu and the launcher have our entries", async (t) => {
  await runCommand(page, "filebrowser:activate");
  const item = (name: string): Locator => page.locator(".jp-DirListing-item", { hasText: name }).first();
  await item("places.csv").click();
  await item("three_bus.m").click({ modifiers: ["ControlOrMeta"] });
  await item("three_bus.m").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Open as Case Map" }).click();
  const report = panel.locator(".wb-Files");
  await report.locator(".wb-Files-list:not([hidden]) > li:nth-child(2)").waitFor();
  await page.locator(".wb-CaseTab:visible .wb-Stage[data-placed]").waitFor();
  const { lon } = await positionsInFront(page);
  t.strictSame(lon.slice(0, 2), [-105, -104], "case and places were one batch");
  await eventually.match(t, () => report.innerText(), /2 of 3 (buses|records)/);
  await eventually.match(t, () => report.innerText(), /77|Record 3|1 record/, "unmatched records are reported");
  await runCommand(page, "launcher:create");
  await eventually.equal(t, () => page.locator(".jp-LauncherCard:visible", { hasText: "Open Case Files" }).count(), 1);
});

t.test("several files are one batch, and a file that is no case is refused with a message", async (t) => {
  await runCommand(page, "wattbook:open-paths", { paths: ["minutes.json", "three_bus.m"] });
  const lines = panel.locator(".wb-Files [data-outcome]");
  await eventually.strictSame(
    t,
    () => lines.evaluateAll((nodes) => nodes.map((node) => node.getAttribute("data-outcome"))),
    ["refused", "case"],
  );
  await t.rejects(runCommand(page, "wattbook:open-paths", { paths: ["none.m"] }), /none\.m cannot be read/);
  await runCommand(page, "docmanager:open", { path: "minutes.json", factory: "Case map" });
  const message = page.locator(".wb-CaseDocument:visible .wb-Message");
  await message.waitFor();
  await eventually.match(t, () => message.innerText(), /^minutes\.json: /);
});

t.test("documents are restored after a reload", async (t) => {
  await runCommand(page, "docmanager:open", { path: "three.raw" });
  await page.waitForResponse(
    (answer) => answer.request().method() === "PUT" && /\/lab\/api\/workspaces/.test(answer.url()),
  );
  await page.waitForTimeout(1500); // the layout is saved after a while without changes
  await page.reload();
  await page.waitForFunction(() => "jupyterapp" in window);
  await page.evaluate(() => (window as unknown as { jupyterapp: { restored: Promise<void> } }).jupyterapp.restored);
  await page.locator(".wb-CaseDocument:visible .wb-Stage[data-placed]").waitFor();
  const names = await tabs();
  t.ok(names.includes("three.raw"), names.join());
  await runCommand(page, "docmanager:open", { path: "three_bus.m", factory: "Case map" });
  await page.locator(".wb-CaseDocument:visible .wb-Stage[data-placed]").waitFor();
  await eventually.equal(
    t,
    async () => (await tabs()).filter((name) => name === "three_bus.m").length,
    2,
    "text and map, each once",
  );
});

t.test("no content of a file left the page, and no errors occurred", async (t) => {
  t.strictSame(network.uploads, []);
  t.notOk(network.bodies().some((body) => body.includes("THREE_BUS") || body.includes("mpc.bus")));
  t.ok(network.bodies().length > 0, "the watch sees JupyterLab's own messages");
  const unexpected = complaints.filter((complaint) => !complaint.includes("/api/contents/none.m"));
  t.strictSame(unexpected, [], "but for the browser's note of the file that does not exist");
});
