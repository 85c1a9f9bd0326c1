// The charts of the panel in Chromium.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pattern, spaced, pageText } from "../catalogue.ts";
import { noChromium, panelPages } from "./panelPage.ts";
import { editTwo, openCase, openSection, THREE_BUSES } from "./sectionPage.ts";

t.setTimeout(180_000);

t.test("the section Charts", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);

  await t.test("charts are loaded on demand and have their numbers in a table", async (t) => {
    const { page, complaints, fetched } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    t.notOk(fetched.some((path) => /plotly/.test(path)));
    await openSection(page, "charts");
    await page.locator(".wb-Chart-plot .main-svg").first().waitFor();
    t.ok(fetched.some((path) => /plotly/.test(path)));
    await eventually.match(
      t,
      () => page.getByRole("img", { name: pageText("priceHistogram") }).getAttribute("aria-label"),
      pattern("pricesFromTo", "6.13", "31.15"),
    );
    await eventually.match(
      t,
      () => page.getByRole("img", { name: pageText("loadingOfLines") }).getAttribute("aria-label"),
      pageText("fromEighty", 1, 1, 1),
    );
    await page.locator(".wb-Chart").first().locator("summary").click();
    await eventually.match(
      t,
      () => page.locator(".wb-Chart").first().locator("table").innerText(),
      spaced(pageText("fromPrice"), pageText("toPrice"), pageText("buses")),
    );
    t.strictSame(complaints, [], "no inline style that a strict policy would refuse");
  });

  await t.test("a click in a chart or its table selects the elements", async (t) => {
    const { page, complaints } = await pages();
    await openCase(page, THREE_BUSES);
    await page.evaluate(editTwo);
    await openSection(page, "charts");
    const chart = page.locator(".wb-Chart").first();
    await chart.locator(".bars .point path").first().waitFor();
    const selected = (): Promise<unknown> =>
      page.evaluate(() => globalThis.panel.workspace.active?.selected.map(({ kind, id }) => `${kind} ${id}`));
    // The first bar with a count is that of the lowest price, at bus 3; a layer of the chart over it takes the click.
    const bars = chart.locator(".bars .point path");
    const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
    await bars.nth(heights.findIndex((height) => height > 5)).click({ force: true });
    await page.waitForFunction(() => globalThis.panel.workspace.active?.selected.length === 1);
    await eventually.strictSame(t, selected, ["bus 3"]);
    const loading = page.locator(".wb-Chart", { hasText: pageText("loadingOfLines") });
    await loading.locator("summary").click();
    await loading
      .getByRole("button", { name: pageText("selectLines", 1, 1) })
      .last()
      .click();
    await page.waitForFunction(() => globalThis.panel.workspace.active?.selection?.kind === "branch");
    await eventually.strictSame(t, selected, ["branch 2"], "the line that binds");
    await loading.getByLabel(pageText("powersOfTen")).check();
    await page.waitForTimeout(300);
    await eventually.match(t, () => loading.locator(".wb-Chart-plot").innerHTML(), /class="ytick"/);
    t.strictSame(complaints, []);
  });
});
