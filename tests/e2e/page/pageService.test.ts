// The stand-alone page in unusual surroundings: below a prefix, over a server that alters, lacks or loses its cases;
// and for people with a keyboard alone, a small screen, or another theme.
import { appendFile, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import t, { type Test } from "tap";
import { eventually } from "../../eventually.ts";
import { stagedFolder } from "../../server/served.ts";
import { dropFiles } from "../files.ts";
import { mapInFront, openPage, startBrowser, startGate, startServer } from "../page.ts";

const CASE = "case200_activ";
const server = await startServer(t);
const browser = await startBrowser(t);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings of axe-core on the visible page, with their elements. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe); // evaluated by the debugger: the page's policy would block it as a script
  return page.evaluate(async () => {
    interface Finding {
      id: string;
      impact: string | null;
      nodes: { html: string }[];
    }
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

t.test("a strict policy, and files that may be cached for good", async (t) => {
  const page = await fetch(`${server.url}/`);
  const policy = page.headers.get("content-security-policy") ?? "";
  t.match(policy, "'wasm-unsafe-eval'");
  t.notMatch(policy, /'unsafe-(inline|eval)'/);
  t.match(page.headers.get("cache-control"), "no-cache");
  const html = await page.text();
  t.notMatch(html, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/, "nothing inline");
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  t.ok(addresses.length >= 4);
  for (const address of addresses) {
    t.match(address, /^\.\/assets\/[\w.]+-[0-9A-Za-z]{8}\.\w+$/, "relative, with the hash of its content");
    const file = await fetch(new URL(address, `${server.url}/`));
    t.equal(file.status, 200);
    t.match(file.headers.get("cache-control"), "immutable", address);
  }
});

t.test("below a prefix, as behind Jupyter's proxies", async (t) => {
  const gate = await startGate(t, server.url, "/user/ada/wattbook/");
  const { page, complaints, requests, foreign } = await openPage(browser, gate);
  await page.locator(`[data-case="${CASE}"] a`).click();
  await mapInFront(page);
  t.equal(page.url(), `${gate}?case=${CASE}`);
  await page.locator(".wb-Page-brand").click();
  t.equal(page.url(), gate);
  t.ok(
    requests.every((sent) => [gate, "blob:"].some((start) => sent.split(" ")[1]?.startsWith(start))),
    "every address is below the prefix",
  );
  t.strictSame([complaints, foreign()], [[], []]);
});

t.test("a case with another hash is not opened", async (t) => {
  const other = Buffer.from(await (await fetch(`${server.url}/api/cases/case500_goc/case`)).arrayBuffer());
  let swap = true;
  const gate = await startGate(t, server.url, "/", (path, body) =>
    swap && path === `/api/cases/${CASE}/case` ? other : body,
  );
  const { page } = await openPage(browser, `${gate}?case=${CASE}`);
  const alert = page.locator(".wb-Page-failed");
  await alert.waitFor();
  await eventually.match(t, () => alert.innerText(), /could not be opened.*SHA-256 differs/s);
  t.strictSame(await findings(page), []);
  swap = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await mapInFront(page);
});

t.test("a case that cannot be opened has the reason", async (t) => {
  const folder = await stagedFolder(t);
  await appendFile(join(folder, "named.module.json"), " ");
  const damaged = await startServer(t, { SERVICE_DATA: folder });
  const { page, complaints } = await openPage(browser, `${damaged.url}/?case=named`);
  await page.getByRole("alert").waitFor();
  await eventually.match(
    t,
    () => page.getByRole("alert").innerText(),
    /Case named cannot be opened: .*named\.module\.json/,
  );
  const card = page.locator('[data-case="named"]');
  await eventually.match(t, () => card.innerText(), /Cannot be opened: /);
  await eventually.equal(t, () => card.locator("a").count(), 0);
  t.strictSame(await findings(page), []);
  await page.locator('[data-case="three"] a').click();
  await mapInFront(page);
  t.strictSame(complaints, []);
});

t.test("without its server the page continues and states what to do", async (t) => {
  const mortal = await startServer(t);
  const port = new URL(mortal.url).port;
  const { page } = await openPage(browser, `${mortal.url}/?case=${CASE}`);
  await mapInFront(page);
  await mortal.stop();
  await page.locator(".wb-Canvas").press("ArrowRight");
  await page.locator(".wb-Entry").first().fill("3");
  await page.locator(".wb-Entry").first().press("Enter");
  await page.locator('.wb-Map[data-revision="1"][data-status="ready"]').waitFor();
  t.pass("an open case is solved without the server");

  await page.locator(".wb-Page-brand").click();
  await page.locator('[data-case="case500_goc"] a').click();
  const failed = page.locator(".wb-Page-document:not([hidden]) .wb-Page-failed");
  await failed.waitFor();
  await eventually.match(t, () => failed.innerText(), "The server does not answer.");
  await dropFiles(page.locator(".wb-Page-header"), [
    { name: "own.m", bytes: await readFile(new URL("../../fixtures/three_bus.m", import.meta.url)) },
  ]);
  await page.locator('.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]').waitFor();

  await startServer(t, { SERVICE_PORT: port });
  await page.locator(".wb-Page-open a", { hasText: "PGLib 500" }).click();
  await failed.getByRole("button", { name: "Try again" }).click();
  await mapInFront(page);
});

t.test("a list that does not arrive can be requested again", async (t) => {
  let broken = true;
  const gate = await startGate(t, server.url, "/", (path, body) =>
    broken && path === "/api/cases" ? Buffer.from("<html>a login page</html>") : body,
  );
  const { page } = await openPage(browser, gate);
  await page.getByRole("alert").waitFor();
  await eventually.match(
    t,
    () => page.getByRole("alert").innerText(),
    /Not a Wattbook server.*You can still open your own files/s,
  );
  t.strictSame(await findings(page), []);
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".wb-Page-case").first().waitFor();
});

const THEMES = ["light", "dark", "light-contrast", "dark-contrast"];

t.test("no serious finding of axe-core on list, map and panel in any theme", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/`);
  for (const theme of THEMES) {
    await page.getByLabel("Theme").selectOption(theme);
    await page.locator(".wb-Page-brand").click();
    await page.locator(`[data-case="${CASE}"] [data-drawn="true"]`).waitFor();
    t.strictSame(await findings(page), [], `${theme}: the list`);
    await page.locator(`[data-case="${CASE}"] a`).click();
    const map = await mapInFront(page);
    await map.locator(".wb-Canvas").press("ArrowRight");
    await map.locator(".wb-Slider").first().waitFor();
    t.strictSame(await findings(page), [], `${theme}: map and panel`);
  }
  t.strictSame(complaints, []);
});

t.test("the theme follows the system until one is chosen, and the choice stays", async (t) => {
  const { page } = await openPage(browser, `${server.url}/`, { colorScheme: "dark" });
  const shown = (theme: string): Promise<void> => page.locator(`:root[data-theme="${theme}"]`).waitFor();
  await shown("dark");
  await page.emulateMedia({ colorScheme: "light", contrast: "more" });
  await shown("light-contrast");
  await page.getByLabel("Theme").selectOption("dark");
  await shown("dark");
  await page.reload();
  await shown("dark");
  await eventually.equal(
    t,
    () => page.evaluate(() => document.body.dataset["jpThemeLight"]),
    "false",
    "as JupyterLab says it",
  );
});

t.test("the keyboard alone reaches skip link, case, map and panel", async (t) => {
  const { page } = await openPage(browser, `${server.url}/`);
  await page.locator(".wb-Page-case").first().waitFor();
  const focused = (): Promise<string> =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
  await page.keyboard.press("Tab");
  await eventually.equal(t, focused, "Skip to the content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await eventually.match(t, focused, /PGLib 200/, "the first case comes after the skip link");
  await page.keyboard.press("Enter");
  const map = await mapInFront(page);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("ArrowRight");
  await eventually.match(
    t,
    () => map.locator(".wb-EditBar-name").first().innerText(),
    /^Bus \d+/,
    "keys reach the map without a click",
  );
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("/");
  await page.keyboard.type("17");
  await eventually.equal(
    t,
    () => page.evaluate(() => (document.activeElement as HTMLInputElement).value),
    "17",
    "so does the search",
  );
  await page.keyboard.press("Escape");
  const edge = page.getByRole("separator");
  const before = Number(await edge.getAttribute("aria-valuenow"));
  await edge.press("ArrowLeft");
  await eventually.ok(t, async () => Number(await edge.getAttribute("aria-valuenow")) > before, "the panel gets wider");
  await page.getByRole("button", { name: "Study panel" }).press("Enter");
  await eventually.equal(t, () => page.locator("#study-panel").isVisible(), false);
  await page.reload();
  await mapInFront(page);
  await eventually.equal(t, () => page.locator("#study-panel").isVisible(), false, "closed panels stay closed");
});

t.test("a table of the panel opens large, beside its case, and closes with it", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/?case=${CASE}`);
  await mapInFront(page);
  const panel = page.locator("#study-panel");
  await panel.getByRole("button", { name: "Tables" }).click();
  await panel.getByRole("button", { name: "Open large" }).click();
  const large = page.locator(".wb-Page-document:not([hidden])");
  await large.locator(".wb-Tables").waitFor();
  t.match(page.url(), /#view=/);
  const [box, place] = [await large.locator(".wb-Tables").boundingBox(), await large.boundingBox()];
  t.ok(box !== null && place !== null && box.height > 0.9 * place.height, "it fills its place");
  t.strictSame(await findings(page), []);
  await page.goBack();
  await mapInFront(page);
  await page.getByRole("button", { name: "Close PGLib 200-bus ACTIV" }).click();
  await page.locator(".wb-Page-list").waitFor();
  await eventually.equal(t, () => page.locator(".wb-Page-open li").count(), 0);
  t.strictSame(complaints, []);
});

t.test("on a phone nothing overflows, and the panel is a drawer", async (t: Test) => {
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const { page, complaints } = await openPage(browser, `${server.url}/`, phone);
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.locator(".wb-Page-case").first().waitFor();
  await eventually.equal(t, overflow, 0);
  await page.locator(`[data-case="${CASE}"] a`).tap();
  await mapInFront(page);
  await eventually.equal(t, overflow, 0);
  await eventually.equal(t, () => page.locator("#study-panel").isVisible(), false, "the map has the screen");
  await page.getByRole("button", { name: "Study panel" }).tap();
  await page.locator("#study-panel").waitFor();
  await eventually.equal(t, async () => (await page.locator("#study-panel").boundingBox())?.width, 390);
  t.strictSame(await findings(page), []);
  await page.keyboard.press("Escape");
  await page.locator("#study-panel").waitFor({ state: "hidden" });
  await eventually.equal(
    t,
    () => page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
    "Study panel",
    "focus is back",
  );
  // Opened files come to the front without being covered; the picture shows their outcome.
  const opening = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open files" }).tap();
  await (await opening).setFiles(fileURLToPath(new URL("../../../examples/village.dss", import.meta.url)));
  const opened = page.locator(".wb-Map:visible").filter({ has: page.locator(".wb-Feeder") });
  await opened.waitFor({ timeout: 60_000 });
  await eventually.match(t, () => opened.locator(".wb-Files:visible").innerText(), /Distribution network/);
  await eventually.equal(
    t,
    () => page.locator("#study-panel").isVisible(),
    false,
    "the panel is hidden until it is requested",
  );
  await eventually.equal(t, overflow, 0);
  t.strictSame(complaints, []);
});
