// Texts of files are shown as text in every view of the stand-alone page and in its saved files.
import { readFile } from "node:fs/promises";
import t from "tap";
import type { Download, Page } from "playwright-core";
import { StudyWriter } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { engine, LINE_2_AT_40, openThreeBus } from "../../widgets/session.ts";
import { dropFiles } from "../files.ts";
import { mapInFront, openPage, startBrowser, startServer } from "../page.ts";
import { harm, HOSTILE, hostileCase, SEEN } from "../untrusted.ts";

const server = await startServer(t);
const browser = await startBrowser(t, ["--enable-features=WebMCP"]);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const front = (page: Page) => page.locator(".wb-Page-document:not([hidden])");

/** Opens every section of the panel. */
async function openSections(page: Page): Promise<void> {
  const closed = page.locator('.wb-Section-head[aria-expanded="false"]');
  for (let left = 40; left > 0 && (await closed.count()) > 0; left -= 1) {
    await closed.first().click();
  }
}

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), "utf8");

/** The picture saved by an entry of the menu. */
async function savedPicture(page: Page, item: string): Promise<Download> {
  await front(page).getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Save picture\u2026" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return download;
}

t.test("texts of a case are text in all views and saved files", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  const bytes = bytesOf(hostileCase(new TextDecoder().decode(await fixture("three_bus.m"))));
  await page.locator("#main").waitFor();
  await dropFiles(page.locator("#main"), [{ name: `${HOSTILE}.m`, bytes }]);
  const map = await mapInFront(page);
  await eventually.match(t, () => front(page).innerText(), /three_bus/i);
  await openSections(page);
  await eventually.ok(t, async () => (await page.locator("body").innerText()).includes(SEEN), "shown as it is");
  t.strictSame(await harm(page), [], "panel");

  // The card of the element under the pointer.
  const box = await map.locator(".wb-Stage").boundingBox();
  const card = page.locator(".wb-Card:visible");
  for (let k = 0; box !== null && k < 1500 && (await card.count()) === 0; k += 1) {
    const [across, down] = [(k % 150) + 0.5, Math.floor(k / 150) + 0.5];
    await page.mouse.move(box.x + across * (box.width / 150), box.y + down * (box.height / 10));
  }
  t.ok((await card.count()) > 0, "a card is shown");
  t.strictSame(await harm(page), [], "card");

  await front(page).getByRole("button", { name: "Search" }).click();
  await page.keyboard.type("wb-evil");
  await page.locator(".wb-Search-found").first().waitFor();
  t.match(await page.locator(".wb-Search-list").innerText(), SEEN);
  t.strictSame(await harm(page), [], "search");
  await page.keyboard.press("Enter");
  await eventually.ok(t, async () =>
    (await front(page).locator(".wb-EditBar-name").first().innerText()).includes(SEEN),
  );
  t.strictSame(await harm(page), [], "edit bar");
  await front(page).getByRole("button", { name: "Table of buses" }).click();
  t.strictSame(await harm(page), [], "table of buses");

  const svg = await textOf(await savedPicture(page, "Save picture as SVG"));
  const drawn = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "image/svg+xml");
    return { names: [...document.querySelectorAll("*")].map(({ localName }) => localName), text: document.textContent };
  }, svg);
  t.notOk(
    drawn.names.some((name) => /evil|script|parsererror|foreignObject/.test(name)),
    "the picture is a picture",
  );
  // eslint-disable-next-line no-control-regex -- these characters must be absent
  t.notMatch(svg, /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/u);
  const [table] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).first().click(),
  ]);
  const csv = await textOf(table);
  t.match(csv, `'=${SEEN} 1`, "a spreadsheet runs no name");
  t.strictSame(complaints, []);
});

t.test("texts of a Study file are text in title, states, notes, goals and activity", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  session.history.rename(1, "state");
  const study = JSON.parse(
    new TextDecoder().decode(
      await engine.writeStudyBundle(await new StudyWriter(session).bundle({ id: "s", title: "title" })),
    ),
  );
  study.document.title = HOSTILE;
  for (const state of Object.values<{ name?: string; note?: string; label?: string }>(study.document.states)) {
    Object.assign(state, { name: HOSTILE, note: `${HOSTILE}\n${HOSTILE}` });
  }
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  await page.locator("#main").waitFor();
  await dropFiles(page.locator("#main"), [{ name: `${HOSTILE}.study.json`, bytes: bytesOf(JSON.stringify(study)) }]);
  await mapInFront(page);
  await openSections(page);
  await eventually.ok(
    t,
    async () => (await page.locator(".wb-Panel-root").innerText()).includes(SEEN),
    "shown as it is",
  );
  t.strictSame(await harm(page), []);
  t.strictSame(complaints, []);
});

t.test("names of a feeder are text in diagram, tables and panel", async (t) => {
  const village = await readFile(new URL("../../../examples/village.dss", import.meta.url), "utf8");
  const coordinates = await readFile(new URL("../../../examples/village_coordinates.csv", import.meta.url));
  const name = "<wb-evil/onload>\u202e\u0007";
  const text = village.replaceAll("church1a", name).replace("Circuit.village", `Circuit.${name}`);
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  await page.locator("#main").waitFor();
  await dropFiles(page.locator("#main"), [
    { name: `${HOSTILE}.dss`, bytes: bytesOf(text) },
    { name: "village_coordinates.csv", bytes: new Uint8Array(coordinates) },
  ]);
  await eventually.ok(t, async () => (await page.locator("body").innerText()).includes("<wb-evil/onload>"));
  await openSections(page);
  t.strictSame(await harm(page), []);
  t.strictSame(complaints, []);
});

t.test("names of refused files and texts of agents are text", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  await page.locator("#main").waitFor();
  await dropFiles(page.locator("#main"), [
    { name: `${HOSTILE}.xyz`, bytes: bytesOf("?") },
    { name: `${HOSTILE}.m`, bytes: bytesOf(`function mpc = x\n${HOSTILE}`) },
    { name: `${HOSTILE}.json`, bytes: bytesOf(JSON.stringify({ [HOSTILE]: HOSTILE })) },
  ]);
  await eventually.ok(t, async () => (await page.locator("body").innerText()).includes(SEEN));
  t.strictSame(await harm(page), [], "refusals");
  await dropFiles(page.locator("#main"), [{ name: "three_bus.m", bytes: await fixture("three_bus.m") }]);
  await mapInFront(page);
  await eventually.ok(t, async () => (await page.webmcp.tools()).length > 0);
  await page.webmcp.callTool("select_case", { case_id: HOSTILE });
  await page.webmcp.callTool("select_case", { [HOSTILE]: HOSTILE } as never);
  await openSections(page);
  await eventually.match(t, () => page.locator('[data-section="agents"]').innerText(), /INPUT\.INVALID/);
  t.strictSame(await harm(page), []);
  t.strictSame(complaints, []);
});
