// Elements added in the page: a parallel circuit, a generator and a line by the menu of the map. The cost is the engine's for the same edits.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type AddedElements, createNodeEngine } from "@service/engine/node";
import type { Locator, Page } from "playwright-core";
import t from "tap";
import { formatMoney } from "@service/widgets/text";
import { eventually } from "../../eventually.ts";
import { atRevision } from "../notebook.ts";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const engine = createNodeEngine();
const packed = await readFile(new URL("../../../server/grids/carolina.json.gz", import.meta.url));
const module = gunzipSync(packed).toString();

async function costWith(added: AddedElements): Promise<string> {
  return formatMoney((await engine.solveModule(module, { edits: { added } })).objective ?? NaN);
}

const panelText = (map: Locator): Promise<string> => map.page().locator(".wb-Panel").innerText();

/** Selects an element by the search and opens its menu with the keyboard. */
async function menuOf(page: Page, map: Locator, name: string): Promise<void> {
  await map.locator("canvas.wb-Canvas").focus();
  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await map.locator(".wb-EditBarRow").first().waitFor();
  await page.keyboard.press("Shift+F10");
}

t.test("a parallel circuit, a generator and a line are added, listed and removed", async (t) => {
  const { page, complaints } = await openPage(browser, `${server.url}/?case=carolina`);
  const map = await mapInFront(page);
  const base = formatMoney((await engine.solveModule(module)).objective ?? NaN);
  await eventually.ok(t, async () => (await panelText(map)).includes(base));

  await menuOf(page, map, "line 250");
  await page.getByRole("menuitem", { name: "Add a parallel circuit" }).click();
  await atRevision(map, 1);
  const circuit = { copy_of: 250 };
  const one = await costWith({ branches: [circuit] });
  await eventually.ok(t, async () => (await panelText(map)).includes(one), "the engine's cost with the circuit");

  await menuOf(page, map, "bus 10");
  await page.getByRole("menuitem", { name: "Add a generator here" }).click();
  const form = page.getByRole("dialog", { name: "Add a generator" });
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await eventually.match(t, () => form.innerText(), /Marginal cost, \$\/MWh: enter a number/);
  await form.getByLabel("Capacity, MW").fill("250");
  await form.getByLabel("Marginal cost").fill("1.5");
  await form.getByLabel("Name").fill("wind park");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await atRevision(map, 2);
  const unit = { name: "wind park", bus: 10, p_max: 250, cost: 1.5 };
  const two = await costWith({ branches: [circuit], generators: [unit] });
  await eventually.ok(t, async () => (await panelText(map)).includes(two), "the engine's cost with the generator");

  await menuOf(page, map, "bus 10");
  await page.getByRole("menuitem", { name: "Add a line from here" }).click();
  const line = page.getByRole("dialog", { name: "Add a line" });
  await line.getByLabel("Reactance").fill("0.02");
  await line.getByLabel("Rating").fill("150");
  await line.getByRole("button", { name: "Add", exact: true }).click();
  await eventually.match(t, () => line.innerText(), /Click the second bus/);
  await page.evaluate(() => globalThis.document.querySelector<HTMLElement>("canvas.wb-Canvas")?.focus());
  await page.keyboard.press("/");
  await page.keyboard.type("bus 40");
  await page.keyboard.press("Enter");
  await eventually.match(t, () => line.innerText(), /Bus 40/);
  await line.getByRole("button", { name: "Add", exact: true }).click();
  await atRevision(map, 3);
  const tie = { from: 10, to: 40, x: 0.02, rating: 150 };
  const three = await costWith({ branches: [circuit, tie], generators: [unit] });
  await eventually.ok(t, async () => (await panelText(map)).includes(three), "the engine's cost with the line");

  for (const name of [/^Remove Parallel circuit/, /^Remove Generator/, /^Remove Line/]) {
    await page.getByRole("button", { name }).click();
  }
  await eventually.ok(t, async () => (await panelText(map)).includes(base), "the base case again");
  t.strictSame(complaints, []);
});
