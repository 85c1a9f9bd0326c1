// The tables of the panel in Chromium: keys, filter, selection, size.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText } from "../catalogue.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { editTwo, openCase, openSection, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the section Tables", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("tables have keys, a filter, a synchronised selection and a large view", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    await openSection(page, "tables");
    const grid = page.locator('[data-section="tables"] [role="grid"]');
    await grid.waitFor({ state: "attached" });
    await grid.focus();
    await eventually.match(t, () => grid.innerText(), /2\s*31\.15\s*\+19\.66/, "the highest price first");
    await grid.press("ArrowDown");
    await grid.press("Enter");
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selection), {
      kind: "bus",
      id: 1,
    });
    await grid.press("ArrowDown");
    await grid.press("Space");
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selected.length), 2);
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    await eventually.match(
      t,
      () => grid.locator('[role="row"][aria-selected="true"]').innerText(),
      /^2\s*31\.15/,
      "from the map",
    );

    const canvas = page.locator('[data-section="tables"] .wb-Grid');
    // The grid may still draw the selection that came from the map.
    const third = async (): Promise<unknown> => {
      await canvas.click({ position: { x: 30, y: 44 + 16 + 64 } });
      return page.evaluate(() => globalThis.panel.workspace.active?.selected);
    };
    await eventually.strictSame(t, third, [{ kind: "bus", id: 3 }]);
    await canvas.click({ position: { x: 30, y: 44 + 16 }, modifiers: ["Control"] });
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selected.length), 2);
    await canvas.click({ position: { x: 30, y: 12 } });
    await eventually.equal(
      t,
      () => page.locator('[data-section="tables"] .wb-Table-sort button').getAttribute("aria-label"),
      pageText("ascending"),
      "sorted by number",
    );

    const section = page.locator('[data-section="tables"]');
    await section.getByLabel(pageText("filterRows")).fill("price > 18");
    await eventually.match(t, () => section.locator(".wb-Table-status").innerText(), pageText("rowsOf", 2, 3));
    await grid.press("Control+a");
    const chosen = (): Promise<number[]> =>
      page.evaluate(() => (globalThis.panel.workspace.active?.selected ?? []).map(({ id }) => id).sort());
    await eventually.strictSame(t, chosen, [1, 2], "the rows that are listed, and not the text of the page");
    await section.getByRole("button", { name: pageText("lines") }).click();
    await eventually.match(t, () => grid.innerText(), /2\s*2\s*3\s*100\s*binds/);
    await section.getByRole("button", { name: pageText("generators") }).click();
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 3 }));
    await eventually.match(
      t,
      () => grid.locator('[role="row"][aria-selected="true"]').innerText(),
      /^2\s*3/,
      "the generator of the bus",
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await grid.press("Control+c");
    await eventually.match(t, () => section.locator(".wb-Table-status").innerText(), pageText("rowsCopied", 1, 1));
    await eventually.match(
      t,
      () => page.evaluate(() => navigator.clipboard.readText()),
      /^generator\tbus\t.*\r?\n2\t3\t/,
    );
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      section.getByRole("button", { name: pageText("csv") }).click(),
    ]);
    t.equal(saved.suggestedFilename(), "Three_buses_generators.csv");
    await section.getByRole("button", { name: pageText("lines") }).click();
    await section.getByLabel(pageText("filterRows")).fill("loading > 10");
    await section.getByRole("button", { name: pageText("openLarge") }).click();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.large), ["Tables of Three buses"]);
    await page.locator("#large .wb-Grid").waitFor();
    t.equal(await page.locator("#large .wb-Table-filter").inputValue(), "loading > 10", "with its filter");
    await eventually.match(
      t,
      () => page.locator('#large [role="grid"]').getAttribute("aria-label"),
      /^Lines of Three buses/,
    );
    t.strictSame(complaints, []);
  });

  await t.test("a table fills its container after it was hidden or narrowed", async (t) => {
    const { page, complaints } = await pages(500);
    await openCase(page, THREE_BUSES);
    const display = (value: string): Promise<void> =>
      page.evaluate((value) => void document.getElementById("panel")?.style.setProperty("display", value), value);
    await page.evaluate(() => {
      document.getElementById("panel")?.style.setProperty("display", "none");
      document.querySelector<HTMLElement>('[data-section="tables"] .wb-Section-head')?.click();
    });
    await page.locator('[data-section="tables"] .wb-Grid').waitFor({ state: "attached" });
    await display("");
    const place = page.locator('[data-section="tables"] .wb-Table-grid');
    const widths = async (): Promise<number[]> =>
      Promise.all(
        [place, place.locator(".wb-Grid"), place.locator("canvas").first()].map(
          async (node) => (await node.boundingBox())?.width ?? 0,
        ),
      );
    for (const width of [500, 320]) {
      await page.setViewportSize({ width, height: 1400 });
      await page.waitForTimeout(200);
      const [outer = 0, grid = 0, canvas = 0] = await widths();
      t.ok(outer > 0.8 * width && outer - grid <= 2, `${grid} of ${outer} px`);
      t.ok(canvas > outer - 24, `a canvas of ${canvas} px`);
    }
    t.strictSame(complaints, []);
  });

  await t.test("a table opens at the top, or at the selected element", async (t) => {
    const { page } = await pages();
    const carolina = new URL("../../../server/grids/carolina.json.gz", import.meta.url);
    const grid = gunzipSync(await readFile(carolina)).toString();
    await page.evaluate(async (grid) => void (await globalThis.panel.open(grid, "Carolina")), grid);
    await openSection(page, "tables");
    const section = page.locator('[data-section="tables"]');
    const painted = async (): Promise<Buffer> => {
      await section.locator(".wb-Grid").waitFor();
      await page.waitForTimeout(300);
      return section.locator(".wb-Grid").screenshot();
    };
    /** The number of the bus in the row, in the initial order, that a click on the grid selects. */
    const clicked = async (y: number): Promise<number | undefined> => {
      await section.locator(".wb-Grid").click({ position: { x: 20, y } });
      return page.evaluate(() => globalThis.panel.workspace.active?.selection?.id);
    };
    await painted();
    const price = (id: number): Promise<number> =>
      page.evaluate((id) => {
        const session = globalThis.panel.workspace.active;
        return session?.store.columns.at("lmp", session.opened.busRow(id)) ?? NaN;
      }, id);
    const dearest = await page.evaluate(() =>
      Math.max(...(globalThis.panel.workspace.active?.store.columns.values("lmp") ?? [])),
    );
    t.equal(await price((await clicked(60)) ?? -1), dearest, "at the top without a selection");
    await section.locator(".wb-Section-head").click();
    const middle = await page.evaluate(() => {
      const session = globalThis.panel.workspace.active;
      const lmp = session?.store.columns.values("lmp") ?? [];
      const rows = [...lmp.keys()];
      rows.sort((a, b) => (lmp[b] ?? 0) - (lmp[a] ?? 0) || a - b);
      const id = session?.opened.busId(rows[250] ?? 0) ?? -1;
      void session?.select({ kind: "bus", id });
      return id;
    });
    await section.locator(".wb-Section-head").click();
    await painted();
    const height = (await section.locator(".wb-Grid").boundingBox())?.height ?? 0;
    t.equal(await clicked(height - 40), middle, "the last whole row above the scroll bar");
  });
});
