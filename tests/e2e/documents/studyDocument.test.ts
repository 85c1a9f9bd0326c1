// Study files as documents of JupyterLab: opened, changed, saved, reverted, created; a change on disk is noticed, a
// failed save loses nothing, and Python reads what the page wrote.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { StudyWriter } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { engine, LINE_2_AT_40, openThreeBus } from "../../widgets/session.ts";
import { ENVIRONMENT, openLab, startLab } from "../lab.ts";
import { runCommand } from "../notebook.ts";

const lab = await startLab(["tests/fixtures/three_bus.m"]);
t.teardown(() => lab.stop());
const FILE = join(lab.folder, "three.study.json");
const { session } = await openThreeBus();
await session.commit(LINE_2_AT_40, 0);
session.history.rename(1, "Held at 40 MW");
const about = { id: "study-1", title: "Three buses" };
await writeFile(FILE, await engine.writeStudyBundle(await new StudyWriter(session).bundle(about)));

const { page, complaints } = await openLab(lab);
// JupyterLab saves by itself after two minutes, which a busy machine needs for the tests below; they count on their own saves.
await runCommand(page, "docmanager:toggle-autosave");
const map = page.locator(".wb-StudyDocument:visible .wb-Stage");
const dialog = page.locator(".jp-Dialog");
const dirty = page.locator("#jp-main-dock-panel .lm-TabBar-tab.jp-mod-dirty");

/** Names of the states in a Study file. */
async function names(file = FILE): Promise<(string | undefined)[]> {
  const { document } = await engine.readStudyBundle(new Uint8Array(await readFile(file)));
  return Object.values(document.states).map(({ name }) => name);
}

t.test("a file opens as its Study, and a change makes it dirty until it is saved", async (t) => {
  await runCommand(page, "docmanager:open", { path: "three.study.json" });
  await map.waitFor();
  await eventually.match(t, () => page.locator(".wb-Panel-root").innerText(), /Held at 40 MW/);
  await eventually.equal(t, () => dirty.count(), 0, "to open it changes nothing");
  await runCommand(page, "wattbook:name-state", { name: "First", state: 0 });
  await eventually.equal(t, () => dirty.count(), 1);
  await runCommand(page, "docmanager:save");
  await eventually.equal(t, () => dirty.count(), 0);
  t.strictSame(await names(), ["First", "Held at 40 MW"]);
});

t.test("two views of a file show one Study, which outlives the first view", async (t) => {
  await runCommand(page, "docmanager:clone");
  const maps = page.locator(".wb-StudyDocument .wb-Stage");
  await eventually.equal(t, () => maps.count(), 2);
  await runCommand(page, "wattbook:name-state", { name: "Seen twice", state: 0 });
  await eventually.equal(t, () => dirty.count(), 2, "both views are dirty");
  await runCommand(page, "docmanager:save");
  await eventually.equal(t, () => dirty.count(), 0);
  t.strictSame(await names(), ["Seen twice", "Held at 40 MW"]);
  await runCommand(page, "application:close");
  await eventually.equal(t, () => maps.count(), 1);
  await map.waitFor();
  await runCommand(page, "wattbook:name-state", { name: "First", state: 0 });
  await eventually.equal(t, () => dirty.count(), 1);
  await runCommand(page, "docmanager:save");
  await eventually.strictSame(t, () => names(), ["First", "Held at 40 MW"]);
});

t.test("Python opens what the page saved and reproduces every number", (t) => {
  const wattbook = join(ENVIRONMENT, "bin", "wattbook");
  const output = execFileSync(wattbook, ["verify", FILE], { encoding: "utf8" });
  t.match(output, /Three buses: 2 states reproduced/);
  t.end();
});

t.test("a failed save is reported and loses nothing", async (t) => {
  await runCommand(page, "wattbook:name-state", { name: "Not saved yet", state: 0 });
  await page.route("**/api/contents/three.study.json**", async (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 507, json: { message: "No space left on device" } })
      : route.continue(),
  );
  await runCommand(page, "docmanager:save").catch(() => undefined);
  await eventually.match(t, () => dialog.innerText(), /No space left on device/);
  await dialog.getByRole("button").last().click();
  await page.unroute("**/api/contents/three.study.json**");
  t.strictSame(await names(), ["First", "Held at 40 MW"], "the file is as it was");
  await eventually.equal(t, () => dirty.count(), 1);
  await runCommand(page, "docmanager:save");
  t.strictSame(await names(), ["Not saved yet", "Held at 40 MW"]);
});

t.test("a change during a save is still to be saved", async (t) => {
  await runCommand(page, "wattbook:name-state", { name: "Before the save", state: 0 });
  let sent = 0;
  await page.route("**/api/contents/three.study.json**", async (route) => {
    if (route.request().method() === "PUT" && (sent += 1) === 1) {
      await runCommand(page, "wattbook:name-state", { name: "While it is saved", state: 0 });
    }
    await route.continue();
  });
  await runCommand(page, "docmanager:save");
  await page.unroute("**/api/contents/three.study.json**");
  t.strictSame(await names(), ["Before the save", "Held at 40 MW"]);
  await eventually.equal(t, () => dirty.count(), 1, "the file does not have the later change");
  await runCommand(page, "docmanager:save");
  t.strictSame(await names(), ["While it is saved", "Held at 40 MW"]);
  await eventually.equal(t, () => dirty.count(), 0);
});

t.test("a change on disk is detected, and Revert loads it", async (t) => {
  session.history.rename(1, "Another window");
  await page.waitForTimeout(1500); // file systems and JupyterLab distinguish times half a second apart
  await writeFile(FILE, await engine.writeStudyBundle(await new StudyWriter(session).bundle(about)));
  await runCommand(page, "wattbook:name-state", { name: "Mine", state: 0 });
  const saving = runCommand(page, "docmanager:save").catch(() => undefined);
  await eventually.match(t, () => dialog.innerText(), /has changed on disk/);
  await dialog.getByRole("button", { name: "Revert" }).click();
  await saving;
  await map.waitFor();
  await eventually.match(t, () => page.locator(".wb-Panel-root").innerText(), /Another window/);
  t.strictSame(await names(), [undefined, "Another window"]);
  await eventually.equal(t, () => dirty.count(), 0);
});

t.test("a new Study begins with a case", async (t) => {
  await page.locator(".lm-MenuBar-item", { hasText: "File" }).first().click();
  await page.locator('.lm-Menu-item[data-type="submenu"]', { hasText: "New" }).first().click();
  await page.locator('.lm-Menu-item[data-command="wattbook:new-study"]', { hasText: "Study" }).click();
  const begin = page.getByRole("button", { name: "Choose a Case…" });
  await begin.waitFor();
  const chooser = page.waitForEvent("filechooser");
  await begin.click();
  await (await chooser).setFiles(join(lab.folder, "three_bus.m"));
  await map.waitFor();
  await eventually.equal(t, () => dirty.count(), 1, "it is solved, and not saved");
  await runCommand(page, "docmanager:save");
  await eventually.equal(t, () => dirty.count(), 0);
  t.strictSame(await names(join(lab.folder, "untitled.study.json")), [undefined]);
});

t.test("documents are restored after a reload", async (t) => {
  const documents = ["three.study.json", "untitled.study.json"];
  // The layout is saved when nothing has changed for a while.
  const workspaces = join(lab.folder, "..", "workspaces");
  const saved = async (): Promise<string> => {
    const files = existsSync(workspaces) ? await readdir(workspaces) : [];
    return (await Promise.all(files.map((file) => readFile(join(workspaces, file), "utf8")))).join();
  };
  await eventually.match(t, saved, documents[1] ?? "");
  await page.reload();
  await page.waitForFunction(() => "jupyterapp" in window);
  await page.locator(".wb-StudyDocument:visible .wb-Stage").waitFor();
  const tabs = page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel");
  const shown = async (): Promise<string[]> => (await tabs.allInnerTexts()).filter((name) => documents.includes(name));
  await eventually.strictSame(t, async () => (await shown()).sort(), documents);
});

t.test("a damaged file is refused with the reason", async (t) => {
  const text = (await readFile(FILE, "utf8")).replace('"applied_state":"s1"', '"applied_state":"s7"');
  t.match(text, /"s7"/);
  await writeFile(join(lab.folder, "damaged.study.json"), text);
  await runCommand(page, "docmanager:open", { path: "damaged.study.json" });
  const message = page.locator(".wb-StudyDocument:visible .wb-Message");
  await eventually.match(t, () => message.innerText(), /applied_state.*s7/);
  t.strictSame(
    complaints.filter((complaint) => !/507|No space left|File Save Error/.test(complaint)),
    [],
  );
});
