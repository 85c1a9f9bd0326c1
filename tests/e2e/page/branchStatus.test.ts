// A line out of service in the page: by its menu, its switch and the outage view. The prices are those of the engine for the same edit.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { createNodeEngine } from "@service/engine/node";
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

/** The cost of the case without the line, $/h. */
async function withoutLine(): Promise<number> {
  const packed = await readFile(new URL("../../../server/grids/carolina.json.gz", import.meta.url));
  const request = { edits: { branches: { [LINE]: { status: false } } } };
  const { objective } = await createNodeEngine().solveModule(gunzipSync(packed).toString(), request);
  return objective ?? NaN;
}

const panelText = (map: Locator): Promise<string> => map.page().locator(".wb-Panel").innerText();

t.test("a line is taken out of service by its menu and put back by its switch", async (t) => {
  const expected = formatMoney(await withoutLine());
  const { page, complaints } = await openPage(browser, `${server.url}/?case=carolina`);
  const map = await mapInFront(page);
  const before = await panelText(map);
  t.notMatch(before, expected, "the outage changes the cost");
  await page.keyboard.press("/");
  await page.keyboard.type(`line ${LINE}`);
  await page.keyboard.press("Enter");
  await map.locator(".wb-EditBarRow").first().waitFor();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Take out of service" }).click();
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
