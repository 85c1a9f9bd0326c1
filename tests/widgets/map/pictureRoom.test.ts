// Controls on the picture do not cover each other: sources below panels, the focus ring, whole words in the panel.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText } from "../catalogue.ts";
import { openMap } from "../mapPage/threeBus.ts";

t.test("the style panel ends above the notices and shows its numbers and choices in full", async (t) => {
  const { page, complaints } = await openMap();
  for (const width of [400, 1000]) {
    await page.setViewportSize({ width, height: 480 });
    await page.getByRole("button", { name: pageText("colours") }).click();
    await page.getByRole("menuitem", { name: pageText("layersAndStyle") }).click();
    const panel = page.getByRole("dialog", { name: pageText("layersAndStyle") });
    await eventually.ok(
      t,
      async () => {
        const [above, notice] = [await panel.boundingBox(), await page.locator(".wb-Notice").boundingBox()];
        return (above?.y ?? NaN) + (above?.height ?? NaN) <= (notice?.y ?? NaN);
      },
      `${width} px: the sources are seen`,
    );
    const cut = await panel.locator("select").evaluateAll((all) =>
      (all as HTMLSelectElement[])
        .filter((select) => {
          const alone = document.createElement("select");
          alone.style.font = getComputedStyle(select).font;
          alone.append(new Option(select.selectedOptions[0]?.text));
          document.body.append(alone);
          const wanted = alone.offsetWidth;
          alone.remove();
          return select.offsetWidth < wanted;
        })
        .map((select) => select.getAttribute("aria-label")),
    );
    t.strictSame(cut, [], `${width} px: choices are whole`);
    await panel.press("Escape");
  }
  await page.getByRole("button", { name: pageText("colours") }).click();
  await page.getByRole("menuitem", { name: pageText("layersAndStyle") }).click();
  const slider = page.getByRole("slider", { name: pageText("buses"), exact: true });
  const factor = slider.locator("xpath=following-sibling::output");
  t.equal(await factor.innerText(), "\u00d71.0");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await eventually.equal(t, () => factor.innerText(), "\u00d71.4");
  t.equal(await slider.getAttribute("aria-valuetext"), "\u00d71.4");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the focus ring is drawn above legend and notices", async (t) => {
  const { page } = await openMap();
  const ring = (): Promise<string[]> =>
    page.locator(".wb-Stage").evaluate((stage) => {
      const { outlineStyle, outlineWidth, zIndex } = getComputedStyle(stage, "::after");
      return [outlineStyle, outlineWidth, zIndex];
    });
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("Shift");
  const footer = await page.locator(".wb-Footer").evaluate((node) => getComputedStyle(node).zIndex);
  await eventually.strictSame(t, ring, ["solid", "2px", footer], "last in the stage, so above the footer");
  await page.close();
});
