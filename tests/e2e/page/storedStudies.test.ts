// Studies that the stand-alone page stores in the browser: stored after every change, reopened after a reload, listed,
// renamed, downloaded, deleted; two windows on one Study; a full and a blocked storage, which lose nothing.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { engine } from "../../widgets/session.ts";
import { dropFiles } from "../files.ts";
import { atRevision } from "../notebook.ts";
import { openPage, startBrowser, startServer } from "../page.ts";

const server = await startServer(t);
const browser = await startBrowser(t);
const CASE = await readFile(new URL("../../fixtures/three_bus.m", import.meta.url));

/** Sets the demand of the selected bus. */
async function demand(map: Locator, value: string, revision: number): Promise<void> {
  await map.locator(".wb-Entry").first().fill(value);
  await map.locator(".wb-Entry").first().press("Enter");
  await atRevision(map, revision);
}

const mapOf = (page: Page): Locator => page.locator(".wb-Page-document:not([hidden]) .wb-Map");
const mark = (page: Page): Promise<string> => page.locator(".wb-Page-stored").innerText();
const titles = (page: Page): Promise<string[]> => page.locator(".wb-Page-studies li a").allInnerTexts();

/** Opens the case in a page, selects a bus and changes its demand. */
async function changed(page: Page): Promise<Locator> {
  await page.locator(".wb-Page-list").waitFor();
  const places = Buffer.from("bus,lat,lon\n1,36,-98\n2,36.5,-97\n3,35.5,-97\n");
  await dropFiles(page.locator(".wb-Page-list"), [
    { name: "harbour.m", bytes: CASE },
    { name: "places.csv", bytes: places },
  ]);
  const map = mapOf(page);
  await map.and(page.locator('[data-status="ready"]')).waitFor();
  await map.locator(".wb-Stage[data-placed]").waitFor();
  await map.locator(".wb-Canvas").press("ArrowRight");
  await demand(map, "2", 1);
  return map;
}

t.test("a change is stored and restored by a reload", async (t) => {
  const { page, complaints, uploads } = await openPage(browser, `${server.url}/`);
  const map = await changed(page);
  await eventually.equal(t, () => mark(page), "Stored in this browser");
  t.match(page.url(), /#study=[0-9a-f]{32}&name=/, "the address is that of the Study");
  const result = await page.locator("#study-panel").innerText();
  const revision = await map.getAttribute("data-revision");
  await page.reload();
  await mapOf(page).and(page.locator('[data-status="ready"]')).waitFor();
  await mapOf(page).locator(".wb-Stage[data-placed]").waitFor();
  await eventually.equal(t, () => mapOf(page).getAttribute("data-revision"), revision);
  const objective = /[\d,.]+ \$\/h/.exec(result)?.[0] ?? "no objective";
  await eventually.match(t, () => page.locator("#study-panel").innerText(), objective);

  await mapOf(page).locator(".wb-Canvas").press("ArrowRight");
  await demand(mapOf(page), "3", Number(revision) + 1);
  await eventually.equal(t, () => mark(page), "Stored in this browser");
  await page.locator(".wb-Page-brand").click();
  t.equal((await titles(page)).length, 1, "it is the same Study");
  await eventually.match(t, () => page.locator(".wb-Page-studies li").innerText(), /3 states/);
  t.strictSame([complaints, uploads], [[], []]);
});

t.test("stored Studies are renamed, downloaded, dropped again and deleted", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  await changed(page);
  await eventually.equal(t, () => mark(page), "Stored in this browser");
  await page.locator(".wb-Page-brand").click();
  await page.getByRole("button", { name: /^Rename / }).click();
  await page.getByLabel("Title of the Study").fill("Harbour\u202e at peak");
  await page.keyboard.press("Enter");
  await eventually.strictSame(t, () => titles(page), ["Harbour at peak"]);
  await eventually.match(t, () => page.locator(".wb-Page-open").innerText(), "Harbour at peak", "so is its tab");

  const [open] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download Harbour at peak" }).click(),
  ]);
  t.equal(open.suggestedFilename(), "Harbour_at_peak.study.json.gz");
  const whole = await engine.readStudyBundle(new Uint8Array(await readFile(await open.path())));
  t.equal(whole.document.title, "Harbour at peak");
  t.ok(
    Object.values(whole.document.states).every(({ solution }) => solution !== undefined),
    "with its results",
  );

  await page.getByRole("button", { name: "Close Harbour at peak" }).click();
  const [closed] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download Harbour at peak" }).click(),
  ]);
  const bytes = new Uint8Array(await readFile(await closed.path()));
  const { document } = await engine.readStudyBundle(bytes);
  t.equal(document.id, whole.document.id);
  t.strictSame(Object.keys(document.states), Object.keys(whole.document.states));

  await page.getByRole("button", { name: "Delete Harbour at peak" }).click();
  const question = page.getByRole("dialog", { name: "Delete Harbour at peak?" });
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  t.strictSame(await titles(page), ["Harbour at peak"], "Escape keeps it");
  await page.getByRole("button", { name: "Delete Harbour at peak" }).click();
  await question.getByRole("button", { name: "Delete it" }).click();
  await eventually.equal(t, () => page.locator(".wb-Page-studies").count(), 0);

  const url = `${server.url}/#study=${document.id}&name=Harbour`;
  await page.goto(url);
  await eventually.match(t, () => page.getByRole("alert").innerText(), /Harbour is not in this browser/);
  await dropFiles(page.locator(".wb-Page-header"), [{ name: "again.study.json", bytes }]);
  await eventually.match(t, () => page.locator("#study-panel").innerText(), /Study Harbour at peak with 2 states/);
  t.strictSame(complaints, []);
});

t.test("two windows on one Study are detected, and neither overwrites the other", async (t) => {
  const { page: one, complaints } = await openPage(browser, `${server.url}/`);
  const first = await changed(one);
  await eventually.equal(t, () => mark(one), "Stored in this browser");
  const other = await one.context().newPage();
  await other.goto(one.url());
  const second = mapOf(other);
  await second.and(other.locator('[data-status="ready"]')).waitFor();
  const note = (page: Page): Promise<string> => page.locator(".wb-Page-note").innerText();
  await eventually.match(t, () => note(one), /is open in another window too/);
  await eventually.match(t, () => note(other), /is open in another window too/);

  await demand(first, "4", 2);
  await eventually.match(t, () => note(other), /Another window has changed .* kept as a copy/);
  await second.locator(".wb-Canvas").press("ArrowRight");
  await demand(second, "5", 2);
  await eventually.match(t, () => note(other), /What you changed here is kept as .* \(copy\)/);
  await other.locator(".wb-Page-brand").click();
  await eventually.equal(t, async () => (await titles(other)).length, 2);
  const names = await titles(other);
  t.equal(names.filter((name) => name.endsWith("(copy)")).length, 1, names.join());
  await one.locator(".wb-Page-brand").click();
  await eventually.strictSame(t, () => titles(one), names, "the first window's list follows");
  t.strictSame(complaints, []);
});

t.test("a full storage is reported, and nothing is lost", async (t) => {
  const { page } = await openPage(browser, `${server.url}/`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: 1 });
  const map = await changed(page);
  const note = page.locator(".wb-Page-note");
  await eventually.match(t, () => note.innerText(), /is not stored: the storage of this browser is full/);
  t.equal(await map.getAttribute("data-revision"), "1", "the change is as it was");
  const close = page.locator(".wb-Page-open li button");
  await close.click();
  const question = page.getByRole("dialog");
  await eventually.match(t, () => question.innerText(), /Its changes will be lost/);
  await page.keyboard.press("Escape");
  const [made] = await Promise.all([
    page.waitForEvent("download"),
    note.getByRole("button", { name: "Download Study" }).click(),
  ]);
  const { document } = await engine.readStudyBundle(new Uint8Array(await readFile(await made.path())));
  t.equal(Object.keys(document.states).length, 2);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: server.url });
  await note.getByRole("button", { name: "Try again" }).click();
  await eventually.equal(t, () => mark(page), "Stored in this browser");
  await close.click();
  await eventually.equal(t, async () => (await titles(page)).length, 1, "closed without a question, and stored");
});

t.test("a blocked storage is reported, and the page works", async (t) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  // Simulates browsers that block the data of a site.
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The user denied permission to access the database.", "SecurityError");
    };
  });
  await page.goto(`${server.url}/`);
  await eventually.match(
    t,
    () => page.locator(".wb-Page-studies").innerText(),
    /Studies cannot be stored here: this browser does not let the page store anything/,
  );
  const map = await changed(page);
  await eventually.match(
    t,
    () => page.locator(".wb-Page-note").innerText(),
    /is not stored: this browser does not let/,
  );
  t.equal(await map.getAttribute("data-revision"), "1");
});
