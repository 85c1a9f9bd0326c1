// Interfaces in the Study panel, in Chromium: over selected lines, with closed-form optima on three buses.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText, pattern } from "../catalogue.ts";
import { fixture } from "../../fixtures/cases.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { openSection } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the flow over selected lines is limited", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const text = new TextDecoder().decode(await fixture("three_bus.m"));
  const { page, complaints } = await pages(340);
  const solution = () =>
    page.evaluate(() => {
      const { state, store } = globalThis.panel.workspace.active ?? {};
      return { prices: [...(store?.columns.values("lmp") ?? [])], security: state?.solution.security };
    });
  await page.evaluate(async (text) => {
    // As the page does: a case that opens comes to the front.
    globalThis.panel.workspace.opening.connect((_, opening) => {
      if (opening.kind === "case") globalThis.panel.workspace.activate(opening.session);
    });
    const session = await globalThis.panel.open(text, "Three buses");
    // The two lines at bus 3 carry the output of its unit away.
    await session.selectMany([
      { kind: "branch", id: 2 },
      { kind: "branch", id: 3 },
    ]);
  }, text);
  const section = page.locator('[data-section="result"]');
  const button = (name: Parameters<typeof pageText>[0]) => section.getByRole("button", { name: pageText(name) });
  await section.getByText(pageText("limitSeveralLines")).click();
  // Both units have the marginal cost at which 5 + 0.22 p1 = 1.2 + 0.17 p3 with p1 + p3 = 90.
  const p1 = (0.17 * 90 + 1.2 - 5) / 0.39;
  await section.getByText(pattern("interfaceFlow", (90 - p1).toFixed(1))).waitFor();
  // Line 2 carries (2 p3 + p1) / 3 and line 3 (p3 - p1) / 3.
  await section
    .getByRole("button", { name: pageText("reverse") })
    .first()
    .click();
  await section.getByText(pattern("interfaceFlow", `\u2212${((90 + p1) / 3).toFixed(1)}`)).waitFor();
  await section
    .getByRole("button", { name: pageText("reverse") })
    .first()
    .click();
  await section.getByRole("textbox", { name: pageText("atMost") }).fill("much");
  await button("solveWithLimit").click();
  await section.getByText(pageText("limitIsNumber")).waitFor();
  await section.getByRole("textbox", { name: pageText("atMost") }).fill("45");
  await button("solveWithLimit").click();
  // Unit 3 gives 45 MW at 8.85 $/MWh, and unit 1 the others at 14.90 $/MWh.
  const near = (values: readonly number[], wanted: readonly number[]): boolean =>
    values.length === wanted.length && values.every((value, k) => Math.abs(value - (wanted[k] ?? NaN)) < 1e-6);
  await eventually.ok(t, async () => near((await solution()).prices, [14.9, 14.9, 8.85]));
  await section.getByText("A: 45.0 MW, at most 45.0 MW; shadow price 6.05 $/MWh.").waitFor();
  // Another limit by the slider, whose moves show exact prices.
  const shown = () => page.evaluate(() => [...(globalThis.panel.workspace.active?.store.shown("lmp") ?? [])]);
  const limit = { name: pattern("upperLimitOf", "A") };
  await section.getByRole("slider", limit).press("ArrowRight");
  await eventually.ok(t, async () => near(await shown(), [14.68, 14.68, 9.02]));
  await eventually.ok(t, async () => near((await solution()).prices, [14.68, 14.68, 9.02]));
  // By its entry, in the list of changes, and back.
  await section.getByRole("textbox", limit).fill("50");
  await section.getByRole("textbox", limit).press("Enter");
  await eventually.ok(t, async () => near((await solution()).prices, [13.8, 13.8, 9.7]));
  await openSection(page, "case");
  await page.getByRole("row", { name: "Interface A upper limit, MW 45.0 50.0" }).waitFor();
  await section.getByRole("button", { name: pattern("resetUpperLimit", "A") }).click();
  await eventually.ok(t, async () => near((await solution()).prices, [14.9, 14.9, 8.85]));
  // A lower limit beside it is another option.
  await section.getByRole("textbox", { name: pageText("atLeast") }).fill("20");
  await section
    .getByRole("form", { name: pattern("limitsOf", "A") })
    .getByRole("button", { name: "Solve" })
    .click();
  await section.getByText("A: 45.0 MW, at least 20.0 MW, at most 45.0 MW; shadow price 6.05 $/MWh.").waitFor();
  // Without the upper limit unit 3 gives what it gave at first.
  await section.getByRole("textbox", limit).fill("");
  await section.getByRole("textbox", limit).press("Enter");
  await section.getByText(`A: ${(90 - p1).toFixed(1)} MW, at least 20.0 MW.`).waitFor();
  await section
    .getByRole("form", { name: pattern("limitsOf", "A") })
    .getByRole("button", { name: "Remove" })
    .click();
  await eventually.equal(t, async () => (await solution()).security, undefined);
  t.strictSame(complaints, []);
});

t.test("a switch secures prices against outages, and back", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const text = new TextDecoder().decode(await fixture("three_bus.m"));
  const { page, complaints } = await pages(340);
  await page.evaluate(async (text) => {
    globalThis.panel.workspace.opening.connect((_, opening) => {
      if (opening.kind === "case") globalThis.panel.workspace.activate(opening.session);
    });
    await globalThis.panel.open(text, "Three buses");
  }, text);
  const section = await openSection(page, "case");
  const secure = section.getByRole("switch", { name: pageText("secure") });
  const state = () =>
    page.evaluate(() => {
      const { sessions, active } = globalThis.panel.workspace;
      return { open: sessions.length, outages: active?.state.solution.security?.outages, edits: active?.live.edits };
    });
  t.equal(await secure.isChecked(), false);
  await secure.press("Space");
  await section.getByText(pattern("securedOutages", "3", "3")).waitFor();
  t.match(await state(), { open: 2, outages: 3 });
  t.equal(await secure.isChecked(), true);
  await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 5 }]));
  await secure.press("Space");
  await eventually.equal(t, () => secure.isChecked(), false);
  await eventually.equal(t, async () => (await state()).edits?.deltas["2"], 5);
  t.match(await state(), { open: 2, outages: undefined });
  t.strictSame(complaints, []);
});
