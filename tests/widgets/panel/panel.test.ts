// The Study panel in Chromium: sections, several elements at once, tables, charts, accessibility, cost of a drag.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import type { AxeResults } from "axe-core";
import type { Locator, Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { noChromium, type PanelPage, panelPages, showTheme, THEMES } from "./panelPage.ts";

t.setTimeout(300_000); // a dozen pages, on machines that may be busy

const california = new URL("../../../server/grids/california.json.gz", import.meta.url);

/** Opens a case in the panel of a page. */
async function openCase(page: Page, text: string): Promise<void> {
  await page.evaluate(async (text) => void (await globalThis.panel.open(text, "Three buses")), text);
  await page.locator('[data-section="edit"]').waitFor();
}

async function openSection(page: Page, id: string): Promise<void> {
  const head = page.locator(`[data-section="${id}"] .wb-Section-head`);
  if ((await head.getAttribute("aria-expanded")) === "false") {
    await head.click();
  }
}

/** A selected element in the section Edit, by kind and id. */
const element = (page: Page, which: string): Locator => page.locator(`.wb-EditRow[data-element="${which}"]`);

/** A state in the section History. */
const state = (page: Page, id: number): Locator => page.locator(`.wb-History [data-state="${id}"]`);

const sectionText = (page: Page, id: string): Promise<string> => page.locator(`[data-section="${id}"]`).innerText();

/** Line 2 held at 40 MW and bus 2 moved by 1 MW: prices 18.64, 31.15, 6.13 $/MWh. */
function editTwo(): Promise<void> | undefined {
  const session = globalThis.panel.workspace.active;
  return session?.edit([
    { element: { kind: "branch", id: 2 }, mw: -210 },
    { element: { kind: "bus", id: 2 }, mw: 1 },
  ]);
}

t.test("the panel in a page", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const text = new TextDecoder().decode(await fixture("three_bus.m"));

  await t.test("case, edits and result are told in numbers and words", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
    await eventually.match(t, () => sectionText(page, "case"), /3 buses, 3 lines, 2 generators/);
    await eventually.match(t, () => sectionText(page, "result"), /11\.49 \$\/MWh/);
    await page.evaluate(editTwo);
    await eventually.equal(t, () => page.locator(".wb-Panel-demand").innerText(), "91.0 MW (+1.0)");
    await eventually.match(t, () => sectionText(page, "case"), /Line 2 \(2 to 3\)[^\d]*250\.0\s*\u2212210\.0/);
    const prices = async (): Promise<(string | undefined)[]> =>
      (await page.locator(".wb-Panel-prices dd").allInnerTexts()).map((text) => /^[\d.]+/.exec(text)?.[0]);
    const [weighted, mean, lowest, highest, spread] = ["31.15", "18.64", "6.13", "31.15", "25.02"];
    await eventually.strictSame(t, prices, [weighted, mean, lowest, highest, spread, undefined]);
    await eventually.match(t, () => page.locator(".wb-Panel-binding").innerText(), /^Line 2 \(2 to 3\)[^\d]* 40\.0 MW/);
    await page.getByRole("button", { name: "Reset bus 2" }).click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    const said = "Revision 2: Bus 2 demand back to its base";
    await eventually.match(t, () => page.locator(".wb-Panel-head").innerText(), said);
    await eventually.equal(
      t,
      () => page.locator(".wb-Panel-head p").getAttribute("title"),
      said,
      "the whole of it, however narrow",
    );
    t.strictSame(complaints, []);
  });

  await t.test("every selected element has a row, and all are changed as one", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
    await page.evaluate(
      () =>
        void globalThis.panel.workspace.active?.selectMany([
          { kind: "branch", id: 2 },
          { kind: "bus", id: 1 },
          { kind: "bus", id: 2 },
        ]),
    );
    const rows = page.locator(".wb-EditRow");
    await rows.nth(2).waitFor();
    await eventually.equal(t, () => rows.count(), 3);
    await eventually.match(t, () => element(page, "bus 2").innerText(), /on the map/);
    const group = page.locator(".wb-GroupEdit");
    await group.locator("select").first().selectOption("add");
    await group.locator("select").last().selectOption("bus");
    await group.getByRole("textbox").fill("4");
    await group.locator('[type="submit"]').click();
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await group.locator('[type="submit"]').click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      1: 8,
      2: 8,
    });

    // The order of the rows stays while a hand makes another element the primary.
    const order = (): Promise<(string | null)[]> =>
      rows.evaluateAll((items) => items.map((item) => item.getAttribute("data-element")));
    const before = await order();
    const entry = element(page, "branch 2").getByRole("textbox");
    await entry.fill("\u2212210");
    await entry.press("Enter");
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.strictSame(t, order, before);
    await eventually.equal(t, () => element(page, "branch 2").getAttribute("data-primary"), "true");
    const moved = element(page, "branch 2");
    await eventually.match(t, () => moved.innerText(), /First order is exact up to/);
    t.notMatch(await moved.innerText(), "Preview", "the edit bar and the section Compare have that");
    await eventually.match(t, () => element(page, "bus 2").innerText(), /First order is exact up to .* MW, then/);

    // Totals instead of changes, and what is no number.
    await page.getByRole("button", { name: "Total", exact: true }).click();
    const total = element(page, "bus 2").getByRole("textbox");
    await eventually.equal(t, () => total.inputValue(), "98.0");
    await total.fill("many");
    await total.press("Enter");
    await eventually.equal(t, () => total.getAttribute("aria-invalid"), "true");
    await total.press("Escape");
    await total.fill("91");
    await total.press("Enter");
    await page.locator('.wb-Panel-head[data-revision="4"]').waitFor();
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas["2"]), 1);
    await element(page, "bus 1").locator(".wb-EditRow-drop").click();
    await eventually.equal(t, () => rows.count(), 2);
    t.strictSame(complaints, []);
  });

  await t.test("keys move a slider, and what they reach is one change", async (t) => {
    const { page } = await pages();
    await openCase(page, text);
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    const slider = page.getByRole("slider");
    await slider.focus();
    for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight"]) {
      await slider.press(key);
    }
    await eventually.equal(t, () => slider.getAttribute("aria-valuetext"), "+12.0 MW, 90.0 \u2192 102.0 MW");
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      2: 12,
    });
  });

  await t.test("preview against exact, and state against state", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
    await openSection(page, "compare");
    await eventually.match(t, () => sectionText(page, "compare"), /There is one state, the base case/);
    await page.evaluate(editTwo);
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      await session?.select({ kind: "branch", id: 1 });
      await session?.edit([{ element: { kind: "branch", id: 1 }, mw: 10 }]);
    });
    await eventually.match(
      t,
      () => sectionText(page, "compare"),
      /Relative error\s*not defined \(exact change is zero\)/,
    );
    const table = page.locator('[data-section="compare"] [role="grid"]');
    await table.waitFor({ state: "attached" });
    await table.focus();
    await eventually.match(
      t,
      () => table.innerText(),
      /2\s*\+19\.66\s*11\.49\s*31\.15/,
      "the largest change is read first",
    );
    await page.getByRole("button", { name: "Show the change on the map" }).click();
    await eventually.equal(
      t,
      () => page.evaluate(() => globalThis.panel.workspace.active?.wantedQuantity),
      "lmp_change",
    );
    await page.getByRole("button", { name: "Go to \u201cFrom\u201d" }).click();
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits), {
      deltas: {},
      rates: {},
    });
    t.strictSame(complaints, []);
  });

  await t.test("the state shown in each formulation, side by side", async (t) => {
    const { page, complaints } = await pages(340);
    await openCase(page, text);
    await openSection(page, "compare");
    await page.locator('[data-action="formulations"]').click();
    const table = page.locator(".wb-Compare-formulations");
    await table.waitFor();
    const heads = await table
      .locator("thead [data-formulation]")
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-formulation") ?? ""));
    t.strictSame(heads, await page.evaluate(() => globalThis.panel.workspace.active?.formulations));
    const cell = (figure: string, formulation: string): Promise<string> =>
      table.locator(`[data-figure="${figure}"] td`).nth(heads.indexOf(formulation)).innerText();
    const objective = await cell("objective", "dcopf");
    t.match(objective, /^[\d,]+\.\d\d$/);
    t.notMatch(await cell("objective", "dcpf"), /\d/, "a power flow has no cost");
    t.notMatch(await cell("objective", "acpf"), /\d/);
    // The reference serves 90 MW over the direct line (60 MW) and over bus 3 (30 MW), each line rated 250 MW.
    t.equal(await cell("loading", "dcpf"), "24 %");
    t.match(await cell("flow_difference", "dcpf"), /^\d+\.\d$/);
    t.equal(await cell("flow_difference", "dcopf"), "", "it is what the others are compared with");
    t.notMatch(await cell("lowest_voltage", "dcopf"), /\d/);
    t.match(await cell("lowest_voltage", "acpf"), /^[01]\.\d{4}$/);
    t.ok(Number(await cell("losses", "acpf")) > 0);
    t.equal(await page.evaluate(() => globalThis.panel.workspace.active?.state.revision), 0, "nothing is published");
    t.ok(((await table.boundingBox())?.width ?? Infinity) <= 340);

    await page.evaluate(editTwo);
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await eventually.not(t, () => cell("objective", "dcopf"), objective, "they follow the state shown");
    await table.locator('[data-figure="loading"] button').last().click();
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selection?.kind), "branch");
    t.strictSame(await seriousFindings(page), []);
    t.strictSame(complaints, []);
  });

  await t.test("tables: keys, filter, selection both ways, a large view", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
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
    await canvas.click({ position: { x: 30, y: 44 + 16 + 64 } });
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selected), [
      { kind: "bus", id: 3 },
    ]);
    await canvas.click({ position: { x: 30, y: 44 + 16 }, modifiers: ["Control"] });
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selected.length), 2);
    await canvas.click({ position: { x: 30, y: 12 } });
    await eventually.equal(
      t,
      () => page.locator('[data-section="tables"] .wb-Table-sort button').getAttribute("aria-label"),
      "Ascending",
      "sorted by number",
    );

    const section = page.locator('[data-section="tables"]');
    await section.getByLabel("Filter rows").fill("price > 18");
    await eventually.match(t, () => section.locator(".wb-Table-said").innerText(), /2 of 3 rows/);
    await section.getByRole("button", { name: "Lines" }).click();
    await eventually.match(t, () => grid.innerText(), /2\s*2\s*3\s*100\s*binds/);
    await section.getByRole("button", { name: "Generators" }).click();
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 3 }));
    await eventually.match(
      t,
      () => grid.locator('[role="row"][aria-selected="true"]').innerText(),
      /^2\s*3/,
      "the generator of the bus",
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await grid.press("Control+c");
    await eventually.match(t, () => section.locator(".wb-Table-said").innerText(), /1 row copied/);
    await eventually.match(
      t,
      () => page.evaluate(() => navigator.clipboard.readText()),
      /^generator\tbus\t.*\r?\n2\t3\t/,
    );
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      section.getByRole("button", { name: "CSV" }).click(),
    ]);
    t.equal(saved.suggestedFilename(), "Three buses_generators.csv");
    await section.getByRole("button", { name: "Lines" }).click();
    await section.getByRole("button", { name: "Open large" }).click();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.large), ["Tables of Three buses"]);
    await page.locator("#large .wb-Grid").waitFor();
    await eventually.match(
      t,
      () => page.locator('#large [role="grid"]').getAttribute("aria-label"),
      /^Lines of Three buses/,
    );
    t.strictSame(complaints, []);
  });

  await t.test("a table that was hidden or made narrower fills its place", async (t) => {
    const { page, complaints } = await pages(500);
    await openCase(page, text);
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

  await t.test("charts are loaded with the first of them, and have their numbers beside them", async (t) => {
    const { page, complaints, fetched } = await pages();
    await openCase(page, text);
    await page.evaluate(editTwo);
    t.notOk(fetched.some((path) => /plotly/.test(path)));
    await openSection(page, "charts");
    await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
    t.ok(fetched.some((path) => /plotly/.test(path)));
    await eventually.match(
      t,
      () => page.getByRole("img", { name: /^Price histogram/ }).getAttribute("aria-label"),
      /Prices from 6\.13 to 31\.15 \$\/MWh/,
    );
    await eventually.match(
      t,
      () => page.getByRole("img", { name: /^Loading/ }).getAttribute("aria-label"),
      /1 line from 80 % upwards, of which 1/,
    );
    await page.locator(".wb-Chart").first().locator("summary").click();
    await eventually.match(
      t,
      () => page.locator(".wb-Chart").first().locator("table").innerText(),
      /From, \$\/MWh\s*To, \$\/MWh\s*Buses/,
    );
    t.strictSame(complaints, [], "no inline style that a strict policy would refuse");
  });

  await t.test("a click in a chart, or in its numbers, selects what is under it", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
    await page.evaluate(editTwo);
    await openSection(page, "charts");
    const chart = page.locator(".wb-Chart").first();
    await chart.locator(".bars .point path").first().waitFor();
    const selected = (): Promise<unknown> =>
      page.evaluate(() => globalThis.panel.workspace.active?.selected.map(({ kind, id }) => `${kind} ${id}`));
    // The first bar that counts anything is that of the lowest price, at bus 3.
    const bars = chart.locator(".bars .point path");
    const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
    const box = await bars.nth(heights.findIndex((height) => height > 5)).boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await page.waitForFunction(() => globalThis.panel.workspace.active?.selected.length === 1);
    await eventually.strictSame(t, selected, ["bus 3"]);
    const loading = page.locator(".wb-Chart", { hasText: "Loading of the lines" });
    await loading.locator("summary").click();
    await loading.getByRole("button", { name: "Select 1 line" }).last().click();
    await page.waitForFunction(() => globalThis.panel.workspace.active?.selection?.kind === "branch");
    await eventually.strictSame(t, selected, ["branch 2"], "the line that binds");
    await loading.getByLabel("Powers of ten").check();
    await page.waitForTimeout(300);
    await eventually.match(t, () => loading.locator(".wb-Chart-plot").innerHTML(), /class="ytick"/);
    t.strictSame(complaints, []);
  });

  await t.test("history: names, undo and redo, and the way back to a state", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, text);
    await page.evaluate(editTwo);
    await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 1 }, mw: 5 }]));
    await openSection(page, "history");
    const section = page.locator('[data-section="history"]');
    const current = (): Promise<string | null> => section.locator('[aria-current="true"]').getAttribute("data-state");
    await eventually.equal(t, () => section.locator("li").count(), 3);
    await eventually.match(t, () => section.innerText(), /[\d.] \$\/h, [+\u2212][\d.,]+ from the base case/);
    await eventually.equal(t, current, "2");
    const first = state(page, 1);
    await first.getByRole("button").last().click();
    const entry = first.getByRole("textbox");
    await entry.fill("Congested");
    await entry.press("Escape");
    await entry.waitFor({ state: "detached" });
    await eventually.notMatch(t, () => section.innerText(), /Congested/, "Escape leaves the name as it was");
    await first.getByRole("button").last().click();
    await entry.fill("Congested");
    await entry.press("Enter");
    await first.getByRole("button").first().click();
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.equal(t, current, "1");
    await eventually.match(t, () => page.locator(".wb-Panel-head").innerText(), /Congested/);
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      2: 1,
    });
    await section.getByRole("button", { name: "Undo" }).click();
    await page.locator('.wb-Panel-head[data-revision="4"]').waitFor();
    await eventually.equal(t, current, "2");
    await section.getByRole("button", { name: "Redo" }).click();
    await page.locator('.wb-Panel-head[data-revision="5"]').waitFor();
    await eventually.equal(t, current, "1");
    await eventually.equal(t, () => section.locator("li").count(), 3, "no state is added");
    await openSection(page, "compare");
    await eventually.match(t, () => page.locator(".wb-Compare-states select").first().innerText(), /1: Congested/);
    t.strictSame(complaints, []);
  });

  await t.test("as narrow as a side bar of JupyterLab begins, nothing sticks out", async (t) => {
    const { page } = await pages(250);
    await openCase(page, text);
    await page.evaluate(editTwo);
    await page.evaluate(() => void globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    for (const id of ["compare", "history", "tables", "charts", "outages", "activity"]) {
      await openSection(page, id);
    }
    await page.getByRole("button", { name: "Screen outages" }).click();
    await page.locator(".wb-Outages-box").waitFor();
    await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
    const outside = await page.evaluate(() => {
      const scrolling = "svg, .wb-Grid, .wb-Outages-box table, .wb-Chart-numbers table, .wb-Table-reader";
      return [...document.querySelectorAll(".wb-Section-body")].flatMap((body) => {
        const right = body.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(body).paddingRight);
        return [...body.querySelectorAll("*")]
          .filter((node) => node.closest(scrolling) === null && node.getBoundingClientRect().right > right + 0.5)
          .map((node) => `${node.tagName}.${node.className}`);
      });
    });
    t.strictSame(outside, []);
    const changes = page.getByRole("table", { name: "Changes from the base case" });
    const [name, row] = await Promise.all(
      [changes.locator("tbody th").first(), changes.locator("tbody tr").first()].map((node) => node.boundingBox()),
    );
    const numbers = await changes.locator("tbody tr").first().locator("td").first().boundingBox();
    t.ok((name?.width ?? 0) > 0.95 * (row?.width ?? NaN), "a name has a row of its own");
    t.ok((numbers?.y ?? 0) >= (name?.y ?? NaN) + (name?.height ?? NaN), "its numbers are below");
    await eventually.equal(t, () => changes.getByRole("columnheader").count(), 3, "and it is a table still");
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
    /** The number of the bus in the row, counted from the first of the order, that a click on the grid selects. */
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

  await t.test(
    "edits without a solution: what would help is shown line by line, and done by a button apart",
    async (t) => {
      const { page, complaints } = await pages();
      await openCase(page, text);
      await page.evaluate(editTwo);
      await page.evaluate(() =>
        globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 140 }]).catch(() => undefined),
      );
      await page.getByRole("button", { name: "Apply the minimum relaxation\u2026" }).click();
      const list = page.getByRole("group", { name: "What would change" });
      await eventually.match(t, () => list.innerText(), /Line 2 \(2 to 3\): rating\s*40\.000\s*80\.000\s*\+40\.000/);
      const revision = await page.evaluate(() => globalThis.panel.workspace.active?.state.revision);
      t.equal(revision, 1, "nothing is done yet");
      t.strictSame(await seriousFindings(page), []);
      await list.getByRole("button", { name: "Commit these changes" }).click();
      await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
      await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits), {
        deltas: { 2: 140 },
        rates: { 2: -170 },
      });
      await openSection(page, "activity");
      await eventually.match(t, () => sectionText(page, "activity"), /Bus 2 demand \+140\.0 MW[\s\S]*cannot be met/);
      await eventually.equal(
        t,
        () => page.getByRole("button", { name: "Apply the minimum relaxation\u2026" }).count(),
        0,
      );
      const note = page.getByText("It also keeps the limits of the lines");
      await eventually.equal(t, () => note.count(), 0, "the lines were the reason");
      await page.evaluate(() =>
        globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 5000 }]).catch(() => undefined),
      );
      await page.getByRole("button", { name: "Apply the minimum relaxation\u2026" }).click(); // once it is found
      await eventually.match(t, () => sectionText(page, "result"), /the demand exceeds the generators' capacity/);
      await eventually.equal(t, () => note.count(), 1, "more may have to go than the generators lack");
      t.strictSame(complaints, []);
    },
  );

  await t.test("open sections are remembered; activity is listed", async (t) => {
    const { page } = await pages();
    await openCase(page, text);
    await page.evaluate(editTwo);
    await openSection(page, "activity");
    await eventually.match(
      t,
      () => sectionText(page, "activity"),
      /edit\s*Line 2|edit\s*Bus 2 demand \+1\.0 MW, line 2/,
    );
    await eventually.match(t, () => sectionText(page, "activity"), /solve\s*[\d.]+ ms[\s\S]*optimal, [\d,.]+ \$\/h/);
    await page.locator('[data-section="result"] .wb-Section-head').click();
    await page.reload();
    await openCase(page, text);
    const open = (id: string): Promise<string | null> =>
      page.locator(`[data-section="${id}"] .wb-Section-head`).getAttribute("aria-expanded");
    await eventually.equal(t, () => open("activity"), "true");
    await eventually.equal(t, () => open("result"), "false");
    await eventually.equal(t, () => open("edit"), "true");
  });

  for (const theme of THEMES) {
    await t.test(`axe-core finds nothing serious: ${theme}`, async (t) => {
      const { page } = await pages();
      await openCase(page, text);
      await showTheme(page, theme);
      await page.evaluate(editTwo);
      await page.evaluate(
        () =>
          void globalThis.panel.workspace.active?.selectMany([
            { kind: "branch", id: 2 },
            { kind: "bus", id: 2 },
          ]),
      );
      for (const id of ["compare", "history", "tables", "charts", "outages", "activity"]) {
        await openSection(page, id);
      }
      await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
      await page.getByRole("button", { name: "Screen outages" }).click();
      await page.locator(".wb-Outages-box").waitFor();
      t.strictSame(await seriousFindings(page), []);
    });
  }
});

t.test("the largest grid of the service, of 8,500 buses", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints }: PanelPage = await pages(420, 1200);
  await openCase(page, gunzipSync(await readFile(california)).toString());
  await openSection(page, "tables");
  await page.locator('[data-section="tables"] .wb-Grid').waitFor();
  await page.evaluate(
    () =>
      void globalThis.panel.workspace.active?.selectMany([
        { kind: "branch", id: 2 },
        { kind: "bus", id: 20 },
        { kind: "bus", id: 2 },
      ]),
  );
  await page.waitForFunction(() => globalThis.panel.workspace.active?.path !== null);

  await t.test("a step of a drag costs the panel little", async (t) => {
    const step = (): void => {
      const session = globalThis.panel.workspace.active;
      session?.preview(((session.previewMw ?? 0) + 0.01) % 1);
    };
    const all = await mainThreadMs(page, step);
    t.comment(`${all.toFixed(2)} ms of the main thread a step, a table open`);
    t.ok(all < 8, `${all.toFixed(2)} ms without a graphics card`);
    await page.locator('[data-section="tables"] .wb-Section-head').click();
    const rows = await mainThreadMs(page, step);
    t.comment(`${rows.toFixed(2)} ms without the table`);
    t.ok(rows < 4, `${rows.toFixed(2)} ms`);
    await page.evaluate(() => globalThis.panel.workspace.active?.cancelPreview());
    await openSection(page, "tables");
    await page.locator('[data-section="tables"] .wb-Grid').waitFor();
  });

  await t.test("the table scrolls and sorts without a long task", async (t) => {
    const cost = await mainThreadMs(page, () => {
      const grid = document.querySelector('[data-section="tables"] .wb-Grid');
      grid?.dispatchEvent(new WheelEvent("wheel", { deltaY: 96, bubbles: true, cancelable: true }));
    });
    t.comment(`${cost.toFixed(2)} ms of the main thread a turn of the wheel`);
    t.ok(cost < 32, `${cost.toFixed(2)} ms without a graphics card`);
    const sorted = await page.evaluate(() => {
      const key = document.querySelector<HTMLSelectElement>('[data-section="tables"] .wb-Table-sort select');
      const begun = performance.now();
      if (key !== null) {
        key.value = "demand_mw";
        key.dispatchEvent(new Event("change"));
      }
      return performance.now() - begun;
    });
    t.comment(`${sorted.toFixed(1)} ms to sort`);
    t.ok(sorted < 150, `${sorted.toFixed(1)} ms`);
  });

  await t.test("all buses may be selected, and are listed", async (t) => {
    const cost = await page.evaluate(() => {
      const session = globalThis.panel.workspace.active;
      const all = session?.opened.buses.map(({ id }) => ({ kind: "bus", id }) as const) ?? [];
      const begun = performance.now();
      void session?.selectMany(all);
      return performance.now() - begun;
    });
    t.comment(`${cost.toFixed(0)} ms to select 8,500 buses`);
    await page.locator('[data-section="edit"] .wb-Section-note', { hasText: "8,500 selected" }).waitFor();
    await eventually.equal(t, () => page.locator(".wb-EditRow").count(), 50);
    await page.getByRole("button", { name: "Show 50 more of 8,450" }).click();
    await eventually.equal(t, () => page.locator(".wb-EditRow").count(), 100);
    await page.getByRole("button", { name: "Deselect all" }).click();
    await eventually.match(t, () => page.locator('[data-section="edit"]').innerText(), /nothing selected/);
  });

  t.strictSame(complaints, []);
});

/** Frames over which a cost is averaged. */
const FRAMES = 60;

/**
 * What a step costs the main thread of the page, ms of its own time, on average over a row of frames and less what frames cost
 * without it: other work of the machine does not count.
 */
async function mainThreadMs(page: Page, step: () => void): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
  };
  const run = async (body: string): Promise<number> => {
    const before = await busy();
    await page.evaluate(`(async () => {
      for (let frame = 0; frame < ${FRAMES}; frame += 1) {
        (${body})();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    })()`);
    return ((await busy()) - before) / FRAMES;
  };
  const idle = await run("() => undefined");
  const cost = await run(step.toString());
  await session.detach();
  return cost - idle;
}

/** What axe-core finds that is serious or critical, as `rule: element`. */
async function seriousFindings(page: Page): Promise<string[]> {
  // By the protocol and not as a script element, which the page's policy forbids.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(node: Element): Promise<AxeResults> } };
    const { violations } = await axe.run(document.body);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
  return found;
}
