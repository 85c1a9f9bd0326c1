// Texts of files are shown as text in JupyterLab: maps, panel, documents, outputs and saved files. The tab of a
// document has the name of its file, which JupyterLab shows.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { StudyWriter } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { engine, LINE_2_AT_40, openThreeBus } from "../../widgets/session.ts";
import { openLab, startLab } from "../lab.ts";
import { openSection, runCommand } from "../notebook.ts";
import { harm, HOSTILE, hostileCase, SEEN } from "../untrusted.ts";

const lab = await startLab([]);
t.teardown(() => lab.stop());
const path = (name: string): string => join(lab.folder, name);
const { session } = await openThreeBus();
await session.commit(LINE_2_AT_40, 0);
session.history.rename(1, "state");
const bytes = await engine.writeStudyBundle(await new StudyWriter(session).bundle({ id: "s", title: "title" }));
const study = JSON.parse(new TextDecoder().decode(bytes)) as {
  document: { title: string; states: Record<string, object> };
};
study.document.title = HOSTILE;
Object.values(study.document.states).forEach((state) => Object.assign(state, { name: HOSTILE, note: HOSTILE }));
await writeFile(path(`${HOSTILE}.study.json`), JSON.stringify(study));
await writeFile(path(`${HOSTILE}.m`), hostileCase(new TextDecoder().decode(await fixture("three_bus.m"))));
await writeFile(path(`${HOSTILE}.raw`), `0, 100.0 / ${HOSTILE}`);

const { page } = await openLab(lab);

/** Problems in our parts of the page, and markup that became an element anywhere. */
async function ours(): Promise<string[]> {
  const elements = await page.locator("wb-evil").count();
  const parts = await harm(page, ".wb-CaseDocument, .wb-StudyDocument, .wb-CaseTab, .wb-Panel-root, .wb-SavedStudy");
  return elements === 0 ? parts : [...parts, `${elements} elements`];
}

t.test("names of a case are text on map, panel and search", async (t) => {
  await runCommand(page, "docmanager:open", { path: `${HOSTILE}.m`, factory: "Case map" });
  const map = page.locator(".wb-CaseDocument:visible .wb-Map");
  await map.locator(".wb-Stage").waitFor();
  await runCommand(page, "wattbook:show-study-panel");
  for (const section of ["case", "history", "plan", "activity"]) {
    await openSection(page, section);
  }
  await map.getByRole("button", { name: "Search" }).click();
  await page.keyboard.type("wb-evil");
  await eventually.ok(t, async () => (await map.locator(".wb-Search-list").innerText()).includes(SEEN));
  await page.keyboard.press("Enter");
  await eventually.ok(t, async () => (await map.locator(".wb-EditBar-name").first().innerText()).includes(SEEN));
  t.strictSame(await ours(), []);
});

t.test("a refused file is reported with its name", async (t) => {
  await runCommand(page, "docmanager:open", { path: `${HOSTILE}.raw` });
  const message = page.locator(".wb-CaseDocument:visible .wb-Message");
  await eventually.ok(t, async () => (await message.innerText()).startsWith(`${SEEN}.raw: `));
  t.strictSame(await ours(), []);
});

t.test("texts of a Study are text in states, names and saved files", async (t) => {
  await runCommand(page, "docmanager:open", { path: `${HOSTILE}.study.json` });
  await page.locator(".wb-StudyDocument:visible .wb-Stage").waitFor();
  await openSection(page, "history");
  const states = page.locator('.wb-Section[data-section="history"]');
  await eventually.ok(t, async () => (await states.innerText()).includes(SEEN));
  t.strictSame(await ours(), []);
  await runCommand(page, "wattbook:name-state", { name: HOSTILE, state: 0 });
  await runCommand(page, "wattbook:name-state", { name: `${HOSTILE} again`, state: 1 });
  await runCommand(page, "docmanager:save");
  await eventually.equal(t, () => page.locator("#jp-main-dock-panel .jp-mod-dirty").count(), 0);
  const names = async (): Promise<unknown> => {
    const bytes = await readFile(path(`${HOSTILE}.study.json`)).catch(() => null); // while the server writes it
    const saved = bytes === null ? null : await engine.readStudyBundle(new Uint8Array(bytes)).catch(() => null);
    return saved === null ? null : Object.values(saved.document.states).map(({ name }) => name);
  };
  await eventually.strictSame(t, names, [SEEN, `${SEEN} again`], "what is saved can be seen");
  t.strictSame(await ours(), []);
});

t.test("texts of a Study are text in an output", async (t) => {
  const mime = "application/vnd.wattbook.study-bundle+json";
  const output = { output_type: "execute_result", execution_count: 1, metadata: {}, data: { [mime]: study } };
  const cell = { cell_type: "code", id: "study", execution_count: 1, metadata: {}, source: "", outputs: [output] };
  const metadata = { kernelspec: { display_name: "none", language: "python", name: "no-such-kernel" } };
  await writeFile(path("saved.ipynb"), JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 }));
  await runCommand(page, "docmanager:open", { path: "saved.ipynb", kernelPreference: { shouldStart: false } });
  const shown = page.locator(".wb-SavedStudy").first();
  await eventually.ok(t, async () => (await shown.innerText()).includes(SEEN));
  t.strictSame(await harm(page, ".wb-SavedStudy"), []);
  await shown.getByRole("button", { name: "Open the Study" }).click();
  await page.locator(".wb-CaseTab:visible .wb-Stage").waitFor();
  t.strictSame(await ours(), []);
});
