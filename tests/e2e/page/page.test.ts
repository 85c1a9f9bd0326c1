// The stand-alone page in Chromium over the real server: the case list, each served case from its card to a committed
// result that equals the server's own, addresses and the back button, several cases side by side, files, and no request
// to other hosts.
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import t from "tap";
import { formatCount, formatMoney, formatPrice } from "@service/widgets/text";
import type { Optimum } from "@service/engine";
import type { CaseSummary } from "@service/server";
import { eventually } from "../../eventually.ts";
import { all } from "../../server/events.ts";
import { dropFiles } from "../files.ts";
import { atRevision, dragSlider } from "../notebook.ts";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

/** A typed number, which may have a typographic minus sign. */
const number = (text: string): number => Number(text.replaceAll(",", "").replace("\u2212", "-"));

const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const summaries = (await (await fetch(`${server.url}/api/cases`)).json()) as (CaseSummary & { sha256?: string })[];

/** The server's own result of a case with one bus changed. */
async function solved(id: string, bus: number, deltaMw: number): Promise<Optimum> {
  const stream = await all(await fetch(`${server.url}/api/cases/${id}/solve?d=${bus}:${deltaMw}`));
  return stream.find(({ event }) => event === "solution")?.data as unknown as Optimum;
}

/** Selects the bus nearest to the centre of the picture by keyboard and returns its number. */
async function selectBus(map: Locator): Promise<number> {
  await map.locator(".wb-Canvas").press("ArrowRight");
  const name = await map.locator(".wb-EditBar-name").first().innerText();
  await map.locator(".wb-Slider").first().waitFor();
  return Number(/^Bus (\d+)/.exec(name)?.[1]);
}

t.ok(summaries.length >= 2, "there are cases to open");

t.test("the list has the server's data of each case", async (t) => {
  const { page, complaints, foreign } = await openPage(browser, `${server.url}/`);
  await page.locator(".wb-Page-case").first().waitFor();
  const cards = await page.locator(".wb-Page-case").all();
  t.equal(cards.length, summaries.length);
  for (const [k, { id, name, n_bus, n_branch, description }] of summaries.entries()) {
    const card = page.locator(`[data-case="${id}"]`);
    t.equal(await cards[k]?.getAttribute("data-case"), id, "in the server's order");
    const text = await card.innerText();
    t.ok(text.includes(name) && text.includes(description) && text.includes("DC OPF"), name);
    t.ok(text.includes(`${formatCount(n_bus)} buses, ${formatCount(n_branch)} lines`), "its sizes");
    await card.locator('[data-drawn="true"]').waitFor();
  }
  await eventually.equal(t, () => page.title(), "Wattbook");
  t.strictSame([complaints, foreign()], [[], []]);
});

t.test("the licences of the page open beside it", async (t) => {
  const { page, complaints, foreign } = await openPage(browser, `${server.url}/`);
  const [notices] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Third-party licences" }).click(),
  ]);
  await notices.waitForLoadState();
  t.equal(notices.url(), `${server.url}/THIRD-PARTY-NOTICES.txt`);
  const text = await notices.locator("body").innerText();
  t.match(text, /^react-dom \d+\.\d+\.\d+: MIT$/m);
  t.match(text, "Bart\u0142omiej Kami\u0144ski", "in UTF-8");
  await eventually.equal(t, () => page.title(), "Wattbook");
  t.strictSame([complaints, foreign()], [[], []]);
});

for (const { id, name } of summaries) {
  t.test(`${name}: from its card to a committed change, with the server's numbers`, async (t) => {
    const { page, complaints, foreign, uploads } = await openPage(browser, `${server.url}/`);
    await page.locator(`[data-case="${id}"] a`).click();
    const map = await mapInFront(page);
    t.equal(page.url(), `${server.url}/?case=${id}`);
    await eventually.equal(t, () => page.title(), `${name} \u2013 Wattbook`);
    await eventually.match(t, () => map.innerText(), "DC OPF", "the formulation is shown");
    await eventually.equal(t, () => page.locator("#study-panel").isVisible(), true, "the panel is beside it");

    const bus = await selectBus(map);
    const hand = await dragSlider(map, 0.62);
    await map.page().locator('.wb-Map[data-status="previewing"]').waitFor();
    await hand.release();
    const changed = page.locator(".wb-Page-document:not([hidden]) .wb-Map");
    await atRevision(changed, 1);
    const deltaMw = number(await changed.locator(".wb-Entry").first().inputValue());
    t.not(deltaMw, 0, "the hand moved it");

    const exact = await solved(id, bus, deltaMw);
    const price = exact.prices.find((row) => row.bus === bus)?.value ?? NaN;
    await changed.locator(".wb-Pill").click();
    const certificate = (): Promise<string> => changed.getByRole("dialog", { name: "Certificate" }).innerText();
    const sha256 = exact.result_sha256.slice(0, 12);
    await eventually.match(t, certificate, `Result ${sha256}`, "page and server have one result");
    await eventually.match(t, certificate, formatMoney(exact.objective));
    await eventually.match(
      t,
      () => changed.innerText(),
      `${formatPrice(price)} $/MWh`,
      "the price of the bus is the server's",
    );
    await eventually.match(
      t,
      () => page.locator("#study-panel").innerText(),
      formatMoney(exact.objective),
      "so is the panel's objective",
    );
    t.strictSame([complaints, foreign(), uploads], [[], [], []]);
  });
}

t.test("addresses, the back button and several open cases work", async (t) => {
  const [one, two] = summaries as [CaseSummary, CaseSummary];
  const { page, complaints } = await openPage(browser, `${server.url}/?case=${two.id}`);
  const inFront = (): Promise<string | null> =>
    page.locator(".wb-Page-document:not([hidden])").getAttribute("data-document");
  await mapInFront(page);
  await eventually.equal(t, inFront, `case:${two.id}`, "an address opens its case");
  await page.locator(".wb-Page-brand").click();
  t.equal(page.url(), `${server.url}/`);
  await page.locator(`[data-case="${one.id}"] a`).click();
  await mapInFront(page);
  await eventually.equal(t, () => page.locator(".wb-Page-open li").count(), 2);
  await eventually.match(t, () => page.locator("#study-panel").innerText(), one.name, "the panel follows");

  await page.goBack();
  await page.locator(".wb-Page-list").waitFor();
  await page.goBack();
  await mapInFront(page);
  await eventually.equal(t, inFront, `case:${two.id}`);
  await eventually.match(t, () => page.locator("#study-panel").innerText(), two.name);
  await page.goForward();
  await page.goForward();
  await eventually.equal(t, inFront, `case:${one.id}`);

  await page.getByRole("button", { name: `Close ${one.name}` }).click();
  await eventually.equal(t, inFront, `case:${two.id}`, "the other comes to the front");
  t.equal(page.url(), `${server.url}/?case=${two.id}`);
  await page.goBack();
  await mapInFront(page);
  await eventually.equal(t, inFront, `case:${one.id}`, "back to one that was closed opens it again");

  const elsewhere = await openPage(browser, `${server.url}/#case=${one.id}`);
  await mapInFront(elsewhere.page);
  const unknown = await openPage(browser, `${server.url}/?case=atlantis`);
  await unknown.page.getByRole("alert").waitFor();
  await eventually.match(t, () => unknown.page.getByRole("alert").innerText(), 'This server has no case "atlantis"');
  t.strictSame([complaints, elsewhere.complaints, unknown.complaints], [[], [], []]);
});

t.test("changes of closed cases are in the list of stored Studies", async (t) => {
  const [{ id, name }] = summaries as [CaseSummary];
  const { page, complaints } = await openPage(browser, `${server.url}/?case=${id}`);
  const map = await mapInFront(page);
  await selectBus(map);
  await map.locator(".wb-Entry").first().fill("2");
  await map.locator(".wb-Entry").first().press("Enter");
  await atRevision(map, 1);
  await page.getByRole("button", { name: `Close ${name}` }).click();
  await page.locator(".wb-Page-list").waitFor();
  await eventually.equal(t, () => page.locator(".wb-Page-open li").count(), 0);
  await page.locator(".wb-Page-studies a").click();
  await mapInFront(page);
  await eventually.equal(t, () => map.getAttribute("data-revision"), "1");
  t.match(page.url(), /#study=/);
  t.strictSame(complaints, []);
});

t.test("files of the computer open beside served cases and stay in the page", async (t) => {
  const { page, complaints, requests, uploads } = await openPage(browser, `${server.url}/`);
  await page.locator(".wb-Page-case").first().waitFor();
  await page.waitForLoadState("networkidle");
  await dropFiles(page.locator(".wb-Page-list"), [{ name: "notes.log", bytes: Buffer.from("not a case") }]);
  await page.locator('.wb-Page-report [data-outcome="refused"]').waitFor();
  await eventually.match(
    t,
    () => page.locator(".wb-Page-report").innerText(),
    /Files of this type are not supported\. Supported are \.m/,
  );
  const known = requests.length;
  const bytes = await readFile(new URL("../../fixtures/three_bus.m", import.meta.url));
  await dropFiles(page.locator(".wb-Page-list"), [{ name: "harbour.m", bytes }]);
  const map = page.locator('.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]');
  await map.waitFor();
  t.match(page.url(), /#file=local-1&name=/);
  await eventually.match(
    t,
    () => page.locator("#study-panel").innerText(),
    /1 file: used/,
    "the panel reports what became of it",
  );
  // Addresses that begin with blob: are in the page's memory.
  const own = [`GET ${server.url}/assets/`, `GET blob:${server.url}/`];
  const sent = requests.slice(known).filter((line) => !own.some((start) => line.startsWith(start)));
  t.strictSame([sent, uploads], [[], []], "nothing left the page but requests for its own code");

  await dropFiles(page.locator("#study-panel .wb-Panel-root"), [
    { name: "places.csv", bytes: Buffer.from("bus,lat,lon\n1,36,-98\n2,36.5,-97\n3,35.5,-97\n") },
  ]);
  await page.locator(".wb-Page-document:not([hidden]) .wb-Stage[data-placed]").waitFor();
  await dropFiles(page.locator(".wb-Page-header"), [{ name: "notes.txt", bytes: Buffer.from("not a case") }]);
  await page.locator('#study-panel [data-outcome="refused"]').waitFor();
  t.strictSame(uploads, []);

  await page.reload();
  await page.getByRole("alert").waitFor();
  await eventually.match(
    t,
    () => page.getByRole("alert").innerText(),
    /was opened from this computer and is not stored/,
  );
  t.strictSame(complaints, []);
});
