// The legend in Chromium: short on a small picture, toggled by a button and a key, and remembered.
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../../eventually.ts";
import { pageText } from "../../catalogue.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { server } from "../../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

t.setTimeout(120_000);

const NO_WARNING = pageText("aboveEighty", 0, 0);

/** A map at prices of 18.20, 30.10 and 6.30 $/MWh, with line 2 binding. */
async function show(page: Page, height: number): Promise<void> {
  await page.evaluate(async (height) => {
    const session = await window.mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
    window.mapPage.showMap(session, { quantity: "lmp", height });
    await session.commit({ deltas: {}, rates: { 2: -210 } }, 0);
  }, height);
  await page.locator(".wb-Stage[data-placed]").waitFor();
  await page.getByText(pageText("binding", 1, 1)).waitFor();
}

const words = async (page: Page): Promise<string[]> => (await page.locator(".wb-Legend").innerText()).split(/\s*\n\s*/);
const share = (page: Page): Promise<number> =>
  page.locator(".wb-Legend").evaluate((legend) => {
    const picture = legend.closest(".wb-Stage");
    const area = (node: Element | null): number => (node?.clientWidth ?? 0) * (node?.clientHeight ?? 0);
    return area(legend) / area(picture);
  });

t.test(
  "the legend is short on a small picture; a button and a key toggle it, and the choice is remembered",
  async (t) => {
    const { page, complaints } = await server.open("light", { width: 700, height: 500 });
    await show(page, 260);
    await eventually.strictSame(t, () => words(page), [
      `${pageText("price")} $/MWh`,
      "6",
      "32",
      pageText("binding", 1, 1),
    ]);
    t.ok((await share(page)) < 0.08, `${(100 * (await share(page))).toFixed(1)} % of the picture`);
    const button = page.getByRole("button", { name: pageText("legend") });
    await eventually.equal(t, () => button.getAttribute("aria-expanded"), "false");
    await button.focus();
    await page.keyboard.press("Enter");
    await eventually.equal(t, () => button.getAttribute("aria-expanded"), "true");
    await eventually.ok(
      t,
      () => button.evaluate((node) => node === document.activeElement),
      "the focus stays on the button",
    );
    await eventually.ok(t, async () => (await words(page)).includes(NO_WARNING));

    await page.reload();
    await page.waitForFunction(() => "mapPage" in window);
    await show(page, 260);
    await eventually.ok(t, async () => (await words(page)).includes(NO_WARNING), "remembered");
    await page.locator(".wb-Canvas").focus();
    await page.keyboard.press("l");
    await eventually.notOk(t, async () => (await words(page)).includes(NO_WARNING));
    t.strictSame(complaints, []);
    await page.close();
  },
);

t.test("a large picture has a separate choice", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 600 });
  await show(page, 480);
  await eventually.ok(t, async () => (await words(page)).includes(NO_WARNING), "it is whole there");
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("l");
  await eventually.notOk(t, async () => (await words(page)).includes(NO_WARNING));
  await page.setViewportSize({ width: 500, height: 600 });
  await page.waitForTimeout(200);
  await page.keyboard.press("l");
  await page.locator(".wb-Legend:not(.wb-mod-brief)").waitFor();
  await page.setViewportSize({ width: 900, height: 600 });
  await page.locator(".wb-Legend.wb-mod-brief").waitFor();
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the short legend includes the scale of coloured lines", async (t) => {
  const { page, complaints } = await server.open("light", { width: 900, height: 600 });
  await show(page, 260);
  await page.locator(".wb-Legend.wb-mod-brief").waitFor();
  const scales = page.locator(".wb-Legend .wb-Legend-scale");
  t.equal(await scales.count(), 1, "lines are coloured by their class");
  await page.getByRole("button", { name: pageText("colours") }).click();
  await page.getByRole("menuitemradio", { name: pageText("shadowPrice"), exact: true }).click();
  await eventually.ok(t, async () => (await words(page)).includes(`${pageText("linesShadowPrice")} $/MWh`));
  await eventually.equal(t, () => scales.count(), 2);
  t.ok((await words(page)).includes(pageText("binding", 1, 1)), "and so is what binds");
  t.strictSame(complaints, []);
  await page.close();
});
