// The section Series in Chromium: a solved series is shown automatically, unless the user does something else
// meanwhile.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { openCase, openSection, sectionText, THREE_BUSES } from "./sectionPage.ts";

t.test("the section Series", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints } = await pages();
  await openCase(page, THREE_BUSES);
  const section = await openSection(page, "series");
  const solve = section.getByRole("button", { name: "Solve the series" });
  const show = section.getByRole("button", { name: "Show on the map" });
  const solved = (): Promise<void> =>
    eventually.match(t, () => sectionText(page, "series"), /steps solved in .* Each is exact and certified\./);
  const shownStep = (): Promise<number | null | undefined> =>
    page.evaluate(() => {
      const { shown } = globalThis.panel.workspace.active?.series ?? {};
      return shown && shown.step;
    });

  await t.test("the steps are shown once they are solved", async (t) => {
    await solve.click();
    await solved();
    await eventually.equal(t, shownStep, 0);
    await section.getByRole("button", { name: "Back to the live state" }).click();
    await eventually.equal(t, shownStep, null);
  });

  await t.test("a load under the pointer is not replaced by the series", async (t) => {
    await page.evaluate(() => globalThis.panel.workspace.active?.select({ kind: "bus", id: 2 }));
    await solve.evaluate((button: HTMLButtonElement) => {
      button.click();
      globalThis.panel.workspace.active?.preview(5);
    });
    await solve.and(page.locator(":enabled")).waitFor();
    await solved();
    await show.waitFor();
    t.equal(await shownStep(), null);
    t.equal(await page.evaluate(() => globalThis.panel.workspace.active?.previewMw), 5);
    await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "bus", id: 2 }, mw: 5 }]));
    await page.locator('.wb-Panel-head[data-revision="1"]').waitFor();
  });

  await t.test("an inspected state stays on display", async (t) => {
    await solve.evaluate(async (button: HTMLButtonElement) => {
      button.click();
      await globalThis.panel.workspace.active?.inspection.show(0);
    });
    await solve.and(page.locator(":enabled")).waitFor();
    await solved();
    t.equal(await shownStep(), null);
    t.equal(await page.evaluate(() => globalThis.panel.workspace.active?.inspection.state?.id), 0);
  });
  t.strictSame(complaints, []);
});
