// Study files in a real JupyterLab like every document: Save As, rename, autosave, gzip, no permission, two windows on
// one file, a feeder; and a Study in the output of a notebook without a kernel.
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page } from "playwright-core";
import t from "tap";
import { saveFeederResult, StudyWriter, viewDistribution } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { engine, LINE_2_AT_40, openThreeBus } from "../../widgets/session.ts";
import { ENVIRONMENT, openLab, startLab } from "../lab.ts";
import { openSection, runCommand } from "../notebook.ts";

const lab = await startLab(["tests/fixtures/three_bus.m"]);
t.teardown(() => lab.stop());
const { session } = await openThreeBus();
await session.commit(LINE_2_AT_40, 0);
session.history.rename(1, "Held at 40 MW");
const bundle = await new StudyWriter(session).bundle({ id: "study-1", title: "Three <b>buses</b>" });
const path = (name: string): string => join(lab.folder, name);
await writeFile(path("three.study.json"), await engine.writeStudyBundle(bundle));
await writeFile(path("packed.study.json.gz"), await engine.writeStudyBundle(bundle, { gzip: true }));

const { page } = await openLab(lab);
const map = page.locator(".wb-StudyDocument:visible .wb-Stage");
const dialog = page.locator(".jp-Dialog");
const dirty = page.locator("#jp-main-dock-panel .lm-TabBar-tab.jp-mod-dirty");
const tabs = (): Promise<string[]> => page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel").allInnerTexts();

/** Names of the states in a Study file; empty while the server is about to write it. */
async function names(file: string): Promise<(string | undefined)[]> {
  const bytes = await readFile(path(file));
  if (bytes.length === 0) return [];
  const { document } = await engine.readStudyBundle(new Uint8Array(bytes));
  return Object.values(document.states).map(({ name }) => name);
}

/** The document that commands apply to. */
const inUse = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    interface Lab {
      jupyterapp: { shell: { currentWidget?: { title: { label: string } } } };
    }
    return (window as unknown as Lab).jupyterapp.shell.currentWidget?.title.label;
  });

/** The text of the section with the states. */
async function shownStates(page: Page): Promise<string> {
  await runCommand(page, "wattbook:show-study-panel");
  await openSection(page, "history");
  return page.locator('.wb-Section[data-section="history"]').innerText();
}

t.test("Save As writes another file and continues with it", async (t) => {
  await runCommand(page, "docmanager:open", { path: "three.study.json" });
  await map.waitFor();
  await runCommand(page, "wattbook:name-state", { name: "First", state: 0 });
  await eventually.equal(t, () => dirty.count(), 1);
  const saving = runCommand(page, "docmanager:save-as");
  await dialog.locator("input").fill("other.study.json");
  await dialog.getByRole("button", { name: "Save" }).click();
  await saving;
  await eventually.strictSame(t, async () => (await tabs()).filter((tab) => tab.endsWith(".json")), [
    "other.study.json",
  ]);
  await map.waitFor();
  await eventually.match(t, () => shownStates(page), /First/);
  await eventually.strictSame(t, () => names("other.study.json").catch(() => []), ["First", "Held at 40 MW"]);
  t.strictSame(await names("three.study.json"), [undefined, "Held at 40 MW"], "the first file is as it was");
  await eventually.equal(t, () => dirty.count(), 0);
  t.equal(await dialog.count(), 0, "no question appears");
  await eventually.equal(t, () => inUse(page), "other.study.json", "what was written is the document in use");
  await runCommand(page, "wattbook:name-state", { name: "Second", state: 0 });
  await eventually.equal(t, () => dirty.count(), 1);
  await page.keyboard.press("Control+s");
  await eventually.strictSame(t, () => names("other.study.json"), ["Second", "Held at 40 MW"], "Ctrl and S save it");
});

t.test("a renamed file stays open, and later changes go into it", async (t) => {
  await page.evaluate(async () => {
    interface Lab {
      jupyterapp: { serviceManager: { contents: { rename(from: string, to: string): Promise<unknown> } } };
    }
    const { contents } = (window as unknown as Lab).jupyterapp.serviceManager;
    await contents.rename("other.study.json", "renamed.study.json");
  });
  await eventually.ok(t, async () => (await tabs()).includes("renamed.study.json"));
  await map.waitFor();
  await runCommand(page, "wattbook:name-state", { name: "Renamed", state: 0 });
  await runCommand(page, "docmanager:save");
  await eventually.strictSame(t, () => names("renamed.study.json"), ["Renamed", "Held at 40 MW"]);
  await t.rejects(readFile(path("other.study.json")), { code: "ENOENT" });
});

t.test("autosave writes changes", async (t) => {
  const settings = `${lab.url}lab/api/settings/@jupyterlab/docmanager-extension:plugin`;
  await page.evaluate(async (url) => {
    const token = /_xsrf=([^;]+)/.exec(document.cookie)?.[1] ?? "";
    const raw = JSON.stringify({ autosave: true, autosaveInterval: 2 });
    const headers = { "Content-Type": "application/json", "X-XSRFToken": token };
    await fetch(url, { method: "PUT", headers, body: JSON.stringify({ raw }) });
  }, settings);
  // JupyterLab reads its save interval at the start and stores its layout some time after a change, so it starts
  // without a layout.
  await page.goto(`${lab.url}lab?reset`);
  await page.waitForFunction(() => "jupyterapp" in window && !location.search.includes("reset"));
  await page.evaluate(() => (window as unknown as { jupyterapp: { restored: Promise<void> } }).jupyterapp.restored);
  await runCommand(page, "docmanager:open", { path: "renamed.study.json" });
  await map.waitFor();
  await runCommand(page, "wattbook:name-state", { name: "By itself", state: 0 });
  await eventually.strictSame(t, () => names("renamed.study.json"), ["By itself", "Held at 40 MW"]);
  await eventually.equal(t, () => dirty.count(), 0);
});

t.test("of two windows on one file the later save asks", async (t) => {
  const other = await openLab(lab, "lab/workspaces/second");
  await runCommand(other.page, "docmanager:open", { path: "renamed.study.json" });
  await other.page.locator(".wb-StudyDocument:visible .wb-Stage").waitFor();
  await page.waitForTimeout(1500); // file systems and JupyterLab distinguish times half a second apart
  await runCommand(page, "wattbook:name-state", { name: "Window one", state: 0 });
  await eventually.strictSame(t, () => names("renamed.study.json"), ["Window one", "Held at 40 MW"]);
  await runCommand(other.page, "wattbook:name-state", { name: "Window two", state: 0 });
  const question = other.page.locator(".jp-Dialog");
  await eventually.match(t, () => question.innerText(), /has changed on disk/);
  t.strictSame(await names("renamed.study.json"), ["Window one", "Held at 40 MW"], "nothing was overwritten");
  await question.getByRole("button", { name: "Revert" }).click();
  await eventually.match(t, () => shownStates(other.page), /Window one/);
  await other.page.close();
});

t.test("a gzip file opens, is saved packed, and is read by Python", async (t) => {
  await runCommand(page, "docmanager:open", { path: "packed.study.json.gz" });
  await map.waitFor();
  await runCommand(page, "wattbook:name-state", { name: "Packed", state: 0 });
  await runCommand(page, "docmanager:save");
  await eventually.strictSame(t, () => names("packed.study.json.gz"), ["Packed", "Held at 40 MW"]);
  t.strictSame([...(await readFile(path("packed.study.json.gz"))).subarray(0, 2)], [0x1f, 0x8b]);
  const output = execFileSync(join(ENVIRONMENT, "bin", "wattbook"), ["verify", path("packed.study.json.gz")]);
  t.match(output.toString(), /2 states reproduced/);
});

t.test("a folder without write permission is reported, and nothing is lost", async (t) => {
  const url = "**/api/contents/packed.study.json.gz**";
  await page.route(url, async (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 403, json: { message: "Permission denied: packed.study.json.gz" } })
      : route.continue(),
  );
  await runCommand(page, "wattbook:name-state", { name: "Not allowed", state: 0 });
  await eventually.match(t, () => dialog.innerText(), /Permission denied/, "autosave tells it");
  await dialog.getByRole("button").last().click();
  await page.unroute(url);
  t.strictSame(await names("packed.study.json.gz"), ["Packed", "Held at 40 MW"], "the file is as it was");
  await eventually.strictSame(t, () => names("packed.study.json.gz"), ["Not allowed", "Held at 40 MW"]);
});

t.test("the power flow of a feeder opens as a document without a solve", async (t) => {
  const example = (name: string): Promise<Buffer> => readFile(new URL(`../../../examples/${name}`, import.meta.url));
  const companions = { "village_coordinates.csv": await example("village_coordinates.csv") };
  const read = await engine.ingestDistribution(await example("village.dss"), "dss", companions);
  const network = viewDistribution(read, engine, "village");
  t.teardown(() => network.feeder?.dispose());
  await network.feeder?.solve({ source_impedance: "branch" });
  await writeFile(path("village.study.json"), (await saveFeederResult(network, engine)).bytes);
  await runCommand(page, "docmanager:open", { path: "village.study.json" });
  const document = page.locator(".wb-StudyDocument:visible");
  await document.locator(".wb-Stage").waitFor();
  await eventually.match(t, () => document.innerText(), /V|kV/);
  t.equal(await dirty.count(), 0);
});

t.test("a Study in an output is shown without a kernel, and opens", async (t) => {
  const light = await new StudyWriter(session).bundle(
    { id: "study-1", title: "Three <b>buses</b>" },
    { solutions: false },
  );
  const content = JSON.parse(new TextDecoder().decode(await engine.writeStudyBundle(light))) as object;
  const output = (data: object): object => ({
    ...{ cell_type: "code", id: "study", execution_count: 1, metadata: {}, source: "study" },
    outputs: [{ output_type: "execute_result", execution_count: 1, metadata: {}, data }],
  });
  const mime = "application/vnd.wattbook.study-bundle+json";
  const damaged = JSON.parse(JSON.stringify(content).replace('"applied_state":"s1"', '"applied_state":"s7"')) as object;
  const cells = [
    output({ [mime]: content, "text/html": "<p>What the kernel wrote</p>" }),
    { ...output({ [mime]: damaged }), id: "damaged" },
  ];
  const kernelspec = { display_name: "none", language: "python", name: "no-such-kernel" };
  const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  await writeFile(path("saved.ipynb"), JSON.stringify(notebook));
  await runCommand(page, "docmanager:open", { path: "saved.ipynb", kernelPreference: { shouldStart: false } });
  const shown = page.locator(".wb-SavedStudy").first();
  await eventually.match(t, () => shown.innerText(), /Held at 40 MW\s+DC OPF/);
  const text = await shown.innerText();
  t.match(text, /What the kernel wrote/);
  t.match(text, /States of Three <b>buses<\/b>/, "text of a file is text");
  t.match(text, /applied/);
  await eventually.match(t, () => page.locator(".wb-SavedStudy").last().innerText(), /refused: .*applied_state.*s7/);
  await shown.getByRole("button", { name: "Open the Study" }).click();
  await page.locator(".wb-CaseTab:visible .wb-Stage").waitFor();
  await eventually.match(t, () => shownStates(page), /Held at 40 MW/);
});
