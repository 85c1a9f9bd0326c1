// The section Compare in Chromium: preview beside exact, states, formulations.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { spaced, pageText } from "../catalogue.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { editTwo, openCase, openSection, sectionText, seriousFindings, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the section Compare", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("previews are compared with exact results, and states with states", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await openSection(page, "compare");
    await eventually.match(t, () => sectionText(page, "compare"), pageText("onlyState"));
    await page.evaluate(editTwo);
    await page.evaluate(async () => {
      const session = globalThis.panel.workspace.active;
      await session?.select({ kind: "branch", id: 1 });
      await session?.edit([{ element: { kind: "branch", id: 1 }, mw: 10 }]);
    });
    await eventually.match(
      t,
      () => sectionText(page, "compare"),
      spaced(pageText("relativeError"), pageText("exactZero")),
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
    await page.getByRole("button", { name: pageText("showChange") }).click();
    await eventually.equal(
      t,
      () => page.evaluate(() => globalThis.panel.workspace.active?.wantedQuantity),
      "lmp_change",
    );
    await page.getByRole("button", { name: pageText("goToFrom") }).click();
    await page.locator('.wb-Panel-head[data-revision="3"]').waitFor();
    await eventually.strictSame(t, () => page.evaluate(() => globalThis.panel.workspace.active?.state.edits), {
      deltas: {},
      rates: {},
    });
    t.strictSame(complaints, []);
  });

  await t.test("the displayed state is compared in all formulations", async (t) => {
    const { page, complaints } = await pages(340);
    await openCase(page, THREE_BUSES);
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
    const again = page.getByRole("button", { name: pageText("compareAgain") });
    await again.waitFor();
    t.match(await sectionText(page, "compare"), pageText("resultsBefore"));
    t.equal(await cell("objective", "dcopf"), objective, "an edit solves nothing by itself");
    await again.click();
    await eventually.not(t, () => cell("objective", "dcopf"), objective);
    t.equal(await again.count(), 0);
    t.notMatch(await sectionText(page, "compare"), pageText("resultsBefore"));
    await table.locator('[data-figure="loading"] button').last().click();
    await eventually.equal(t, () => page.evaluate(() => globalThis.panel.workspace.active?.selection?.kind), "branch");
    t.strictSame(await seriousFindings(page), []);
    t.strictSame(complaints, []);
  });
});
