// A line out of service in the page: by its menu, its switch and the outage view. The prices are those of the engine for the same edit.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { createNodeEngine, type EngineError } from "@service/engine/node";
import type { Locator } from "playwright-core";
import t from "tap";
import { formatMoney } from "@service/widgets/text";
import { eventually } from "../../eventually.ts";
import { atRevision } from "../notebook.ts";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

/** A line of `carolina` whose outage changes the prices. */
const LINE = 250;
const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const engine = createNodeEngine();

/** The cost of the case without a line, $/h; NaN where it has no solution. */
async function costWithout(line: number): Promise<number> {
  const packed = await readFile(new URL("../../../server/grids/carolina.json.gz", import.meta.url));
  const request = { edits: { branches: { [line]: { status: false } } } };
  try {
    return (await engine.solveModule(gunzipSync(packed).toString(), request)).objective ?? NaN;
  } catch (error) {
    if ((error as EngineError).code === "SOLVE.INFEASIBLE") return NaN;
    throw error;
  }
}

const panelText = (map: Locator): Promise<string> => map.page().locator(".wb-Panel").innerText();

t.test("a line is taken out of service by its menu and put back by its switch", async (t) => {
  const expected = formatMoney(await costWithout(LINE));
  const { page, complaints } = await openPage(browser, `${server.url}/?case=carolina`);
  const map = await mapInFront(page);
  const before = await panelText(map);
  t.notMatch(before, expected, "the outage changes the cost");
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press("/");
    await page.keyboard.type(`line ${LINE}`);
    await page.keyboard.press("Enter");
    await map.locator(".wb-EditBarRow").first().waitFor();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name }).click();
  };
  await command("Flows after its outage");
  const mark = page.locator(".wb-OutageMark:not(.wb-SeriesMark)");
  await eventually.match(t, () => mark.innerText(), /Line 250.*Prices are those before the outage\./s);
  t.notMatch(await panelText(map), expected, "nothing is solved");
  await mark.getByRole("button", { name: "Back to the state" }).click();
  await map.locator("canvas").first().focus();
  await command("Take out of service");
  await atRevision(map, 1);
  await eventually.ok(t, async () => (await panelText(map)).includes(expected), "the engine's cost for the same edit");
  await eventually.match(t, () => map.locator(".wb-EditBar-value").innerText(), /Out of service/);
  const status = map.getByRole("switch", { name: /^line 250.* in service$/i });
  t.equal(await status.isChecked(), false);
  await status.press("Space");
  await atRevision(map, 2);
  await eventually.equal(t, () => status.isChecked(), true);
  await eventually.equal(
    t,
    async () => (await panelText(map)).includes(expected),
    false,
    "the prices are those before",
  );
  t.strictSame(complaints, []);
});

t.test("a screened outage is solved from the view of its flows", async (t) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, complaints } = await openPage(browser, `${server.url}/?case=carolina`, { colorScheme });
    const map = await mapInFront(page);
    const section = page.locator('.wb-Panel [data-section="outages"]');
    await section.getByRole("button", { name: "N-1 outages" }).click();
    await section.getByRole("button", { name: "Run N-1" }).click();
    const outages = section.locator('tr[data-kind="loading"]');
    await outages.first().waitFor();
    const costs = await Promise.all((await outages.all()).map(async (row) => costWithout(await branchOf(row))));
    const [unsolved, solved] = [costs.findIndex(Number.isNaN), costs.findIndex(Number.isFinite)];
    for (const row of [unsolved, solved]) {
      await outages.nth(row).locator(".wb-Outages-after button").click();
      await page.getByRole("button", { name: "Solve with this outage" }).click();
      if (row === unsolved) {
        await eventually.match(t, () => page.locator(".wb-Map .wb-Status").innerText(), /No solution/);
      } else {
        await atRevision(map, 1);
        const expected = formatMoney(costs[solved] ?? NaN);
        await eventually.ok(t, async () => (await panelText(map)).includes(expected), "the engine's cost");
      }
    }
    t.strictSame(complaints, []);
  }
});

const branchOf = async (row: Locator): Promise<number> => Number(await row.getAttribute("data-branch"));
