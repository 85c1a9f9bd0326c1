// The sections Edit and Result in Chromium: several elements at once, keys, edits without a solution.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { inOrder, sentence, sentencePattern, pageText } from "../catalogue.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { editTwo, element, openCase, openSection, sectionText, seriousFindings, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the sections Edit and Result", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("case, edits and result are shown in numbers and words", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await eventually.match(t, () => sectionText(page, "case"), pageText("caseCounts", 3, 3, 2));
    await eventually.match(t, () => sectionText(page, "result"), /11\.49 \$\/MWh/);
    await page.evaluate(editTwo);
    await eventually.equal(t, () => page.locator(".wb-Panel-demand").innerText(), "91.0 MW (+1.0)");
    await eventually.match(t, () => sectionText(page, "case"), /Line 2 \(2 to 3\)[^\d]*250\.0\s*\u2212210\.0/);
    const prices = async (): Promise<(string | undefined)[]> =>
      (await page.locator(".wb-Panel-prices dd").allInnerTexts()).map((text) => /^[\d.]+/.exec(text)?.[0]);
    const [weighted, mean, lowest, highest, spread] = ["31.15", "18.64", "6.13", "31.15", "25.02"];
    await eventually.strictSame(t, prices, [weighted, mean, lowest, highest, spread, undefined]);
    await eventually.match(t, () => page.locator(".wb-Panel-binding").innerText(), /^Line 2 \(2 to 3\)[^\d]* 40\.0 MW/);
    await page.getByRole("button", { name: pageText("resetOne", "bus 2") }).click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    const head = pageText("revisionIs", 2, pageText("demandBack", "Bus 2"));
    await eventually.match(t, () => page.locator(".wb-Panel-head").innerText(), head);
    await eventually.equal(
      t,
      () => page.locator(".wb-Panel-head p").getAttribute("title"),
      head,
      "the whole of it, however narrow",
    );
    t.strictSame(complaints, []);
  });

  await t.test("every selected element has a row, and all are changed in one step", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
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
    await eventually.match(t, () => element(page, "bus 2").innerText(), pageText("onTheMap"));
    const group = page.locator(".wb-GroupEdit");
    await group.getByRole("combobox", { name: pageText("whatChanges") }).selectOption("demand");
    await group.getByRole("combobox", { name: pageText("howTheyChange") }).selectOption("add");
    await group.getByRole("textbox").fill("4");
    await group.locator('[type="submit"]').click();
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await group.locator('[type="submit"]').click();
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      1: 8,
      2: 8,
    });

    // The order of the rows is stable while a user makes another element the primary.
    const order = (): Promise<(string | null)[]> =>
      rows.evaluateAll((items) => items.map((item) => item.getAttribute("data-element")));
    const before = await order();
    await page.evaluate(() => void globalThis.panel.workspace.active?.commitElement({ kind: "branch", id: 2 }, -210));
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.strictSame(t, order, before);
    await eventually.match(t, () => element(page, "branch 2").innerText(), /250\.0 \u2192 40\.0 MW/);

    // Editing exists once: in the edit bar below the map.
    t.equal(await page.locator('[data-section="edit"]').getByRole("slider").count(), 0);
    t.equal(await rows.getByRole("textbox", { name: "Change" }).count(), 0);
    await element(page, "bus 2")
      .getByRole("button", { name: /^Reset/ })
      .click();
    await page.locator('.wb-Panel-head[data-revision="4"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits.deltas), {
      1: 8,
    });
    await element(page, "bus 1").locator(".wb-EditRow-drop").click();
    await eventually.equal(t, () => rows.count(), 2);
    t.strictSame(complaints, []);
  });

  await t.test("a value of all lines or generators of a selection is changed in one step", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(
      () =>
        void globalThis.panel.workspace.active?.selectMany([
          { kind: "bus", id: 1 },
          { kind: "bus", id: 2 },
          { kind: "bus", id: 3 },
        ]),
    );
    const group = page.locator(".wb-GroupEdit");
    const what = group.getByRole("combobox", { name: pageText("whatChanges") });
    await what.waitFor();
    t.strictSame(await what.locator("option").allInnerTexts(), [
      "Demand of 3 buses",
      "Rating of 3 lines between them",
      "Status of 3 lines between them",
      "Capacity of 2 generators there",
      "Pmin of 2 generators there",
      "Cost of 2 generators there",
      "Status of 2 generators there",
    ]);
    const edits = (): Promise<unknown> => page.evaluate(() => globalThis.panel.workspace.active?.state.edits);
    const change = async (column: string, mode: string, amount: string): Promise<void> => {
      await what.selectOption(column);
      await group.getByRole("combobox", { name: pageText("howTheyChange") }).selectOption(mode);
      await group.getByRole("textbox").fill(amount);
      await group.locator('[type="submit"]').click();
    };
    // At one cost the price is that cost; Pmin is 10 MW.
    await change("cost", "value", "15");
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await eventually.match(t, () => sectionText(page, "result"), /15\.00 \$\/MWh/);
    await change("rating", "factor", "0.4");
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    await eventually.strictSame(t, edits, {
      deltas: {},
      rates: { 1: -150, 2: -150, 3: -150 },
      generators: { 1: { cost: 15 }, 2: { cost: 15 } },
    });
    t.equal(await group.getByText(pageText("costCurves", 2, 2)).count(), 0, "the curves are replaced");
    await page.evaluate(() => globalThis.panel.workspace.active?.undo());
    await eventually.strictSame(t, edits, { deltas: {}, rates: {}, generators: { 1: { cost: 15 }, 2: { cost: 15 } } });
    await what.selectOption("branch_status");
    await group.getByRole("combobox", { name: pageText("newStatus") }).selectOption("out");
    await group.locator('[type="submit"]').click();
    const status = (): Promise<string> =>
      page.evaluate(() => JSON.stringify(globalThis.panel.workspace.active?.status));
    await eventually.match(t, status, "SOLVE.INFEASIBLE");
    await eventually.strictSame(t, edits, { deltas: {}, rates: {}, generators: { 1: { cost: 15 }, 2: { cost: 15 } } });
    await what.selectOption("cost");
    await group.getByRole("button", { name: pageText("resetThem") }).click();
    await eventually.strictSame(t, edits, { deltas: {}, rates: {} });
    await eventually.equal(t, () => group.getByText(pageText("costCurves", 2, 2)).count(), 1);
    t.strictSame(await seriousFindings(page), []);
    t.strictSame(complaints, []);
  });

  await t.test("the cost of a fuel is a slider, and one line among the changes", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.getByRole("button", { name: pageText("changeFuelPrices") }).click();
    const part = page.getByRole("group", { name: pageText("fuelPrices") });
    await eventually.match(t, () => part.innerText(), "2 generators, 29.13 $/MWh on average");
    await eventually.match(t, () => part.innerText(), pageText("fuelExact"));
    const edits = (): Promise<unknown> => page.evaluate(() => globalThis.panel.workspace.active?.state.edits);
    const slider = part.getByRole("slider");
    await slider.focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    await eventually.strictSame(t, edits, { deltas: {}, rates: {}, generators: { 1: { cost: 13.6 }, 2: { cost: 5 } } });
    await eventually.match(t, () => sectionText(page, "result"), /5\.00 \$\/MWh/);
    const changes = page.getByRole("table", { name: pageText("changesFromBase") });
    await eventually.strictSame(
      t,
      () =>
        changes
          .locator("tbody tr")
          .allInnerTexts()
          .then((rows) => rows.length),
      1,
    );
    await eventually.match(
      t,
      () => changes.innerText(),
      /2 generators without a stated fuel cost, \$\/MWh\s+29\.13 on average\s+\u221220\.00/,
    );
    await part.getByRole("combobox", { name: pageText("howFuelPricesChange") }).selectOption("factor");
    await part.getByRole("textbox").fill("0.5");
    await page.keyboard.press("Enter");
    await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
    await eventually.match(t, () => sectionText(page, "result"), /12\.50 \$\/MWh/);
    await eventually.match(t, () => changes.innerText(), "times 0.5");
    t.strictSame(await seriousFindings(page), []);
    await changes
      .getByRole("button")
      .filter({ hasText: /^Reset$/ })
      .click();
    await eventually.strictSame(t, edits, { deltas: {}, rates: {} });
    await page.evaluate(() => globalThis.panel.workspace.active?.setFormulation("socwr"));
    await eventually.match(t, () => part.innerText(), pageText("fuelEstimate"));
    await page.evaluate(() => globalThis.panel.workspace.active?.setFormulation("acpf"));
    await eventually.equal(t, () => part.count(), 0, "a power flow has no prices");
    t.strictSame(complaints, []);
  });

  await t.test("costs by fuel of a case without costs are an edit of its Study", async (t) => {
    const { page, complaints } = await pages();
    const fuels = "mpc.genfuel = {\n 'coal';\n 'ng';\n};\n";
    await openCase(page, `${THREE_BUSES.replace(/mpc\.gencost = \[[^\]]*\];/, "")}\n${fuels}`);
    await page.getByRole("button", { name: pageText("costsByFuel") }).click();
    const table = page.getByRole("table", { name: pageText("costsByFuelTable") });
    await table.getByRole("textbox", { name: pageText("costOf", "coal") }).fill("25");
    await page.getByRole("button", { name: pageText("setCosts") }).click();
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
    const edits = (): Promise<unknown> => page.evaluate(() => globalThis.panel.workspace.active?.state.edits);
    await eventually.strictSame(t, edits, { deltas: {}, rates: {}, generators: { 1: { cost: 25 } } });
    await eventually.match(t, () => sectionText(page, "case"), pageText("costsAreEdits", 1, 1));
    await eventually.equal(t, () => table.count(), 0, "the form closes");
    t.strictSame(await seriousFindings(page), []);
    t.strictSame(complaints, []);
  });

  await t.test("every kind of change is counted, and reset only while the live state is shown", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      const generators = { 1: { cost: 20 }, 2: { p_max: 300, p_min: 1 } };
      await session?.setFormulation("acpf");
      await session?.commit(
        { deltas: { 2: 1 }, rates: { 2: 5 }, reactive: { 2: 3 }, generators },
        session.state.revision,
      );
    });
    await eventually.match(t, () => sectionText(page, "case"), pageText("changedCount", 5, 5));
    const buttons = page.getByRole("table", { name: pageText("changesFromBase") }).getByRole("button");
    const resets = buttons.filter({ hasText: /^Reset$/ });
    const enabled = async (): Promise<boolean[]> => [
      ...new Set(await resets.evaluateAll((all) => all.map((one) => !(one as HTMLButtonElement).disabled))),
    ];
    await eventually.equal(t, () => resets.count(), 6, "demand, rating, three values of generators, reactive demand");
    t.strictSame(await enabled(), [true]);
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      await session?.seriesRun.run(await session.profiles.synthetic(2));
      const series = session?.seriesRun.series ?? null;
      session?.series.show(series as NonNullable<typeof series>, 0);
    });
    await eventually.strictSame(t, enabled, [false], "a step of a series is shown");
    await page.evaluate(() => globalThis.panel.workspace.active?.inspection.end());
    await eventually.strictSame(t, enabled, [true]);
    t.strictSame(complaints, []);
  });

  await t.test(
    "edits without a solution: what would help is shown line by line, and done by a button apart",
    async (t) => {
      const { page, complaints } = await pages();
      await openCase(page, THREE_BUSES);
      await page.evaluate(editTwo);
      await page.evaluate(() =>
        globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 140 }]).catch(() => undefined),
      );
      await page.getByRole("button", { name: pageText("applyRelaxation") }).click();
      const list = page.getByRole("group", { name: pageText("whatWouldChange") });
      await eventually.match(t, () => list.innerText(), /Line 2 \(2 to 3\): rating\s*40\.000\s*80\.000\s*\+40\.000/);
      const revision = await page.evaluate(() => globalThis.panel.workspace.active?.state.revision);
      t.equal(revision, 1, "nothing is done yet");
      t.strictSame(await seriousFindings(page), []);
      await list.getByRole("button", { name: pageText("commitChanges") }).click();
      await page.locator('.wb-Panel-head[data-revision="2"]').waitFor();
      await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits), {
        deltas: { 2: 140 },
        rates: { 2: -170 },
      });
      await openSection(page, "activity");
      await eventually.match(
        t,
        () => sectionText(page, "activity"),
        inOrder("Bus 2 demand +140.0 MW", sentencePattern("reason.line")),
      );
      await eventually.equal(t, () => page.getByRole("button", { name: pageText("applyRelaxation") }).count(), 0);
      const note = page.getByText(pageText("alsoLineLimits"));
      await eventually.equal(t, () => note.count(), 0, "the lines were the reason");
      await page.evaluate(() =>
        globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 5000 }]).catch(() => undefined),
      );
      await page.getByRole("button", { name: pageText("applyRelaxation") }).click(); // once it is found
      await eventually.match(t, () => sectionText(page, "result"), sentence("reason.capacity"));
      await eventually.equal(t, () => note.count(), 1, "more may have to go than the generators lack");
      t.strictSame(complaints, []);
    },
  );
});
