// Layers and style in a real Chromium.
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText } from "../catalogue.ts";
import { openMap } from "../mapPage/threeBus.ts";

t.test(
  "the panel: contours, generators, palette and range are shown at once; Escape gives the focus back",
  async (t) => {
    const { page, complaints } = await openMap();
    const data = (name: string): Promise<string | null> => page.locator(".wb-Map").getAttribute(`data-${name}`);
    t.equal(await data("surface"), "dots");
    await page.getByRole("button", { name: pageText("colours") }).click();
    await page.getByRole("menuitem", { name: pageText("layersAndStyle") }).click();
    const panel = page.getByRole("dialog", { name: pageText("layersAndStyle") });
    await panel.getByLabel(pageText("values")).selectOption("contour");
    await eventually.equal(t, () => data("surface"), "contour");
    const coloured = (): Promise<number> =>
      page
        .locator("canvas")
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const { width, height } = canvas;
          const { data = new Uint8ClampedArray() } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
          let count = 0;
          for (let k = 0; k < data.length; k += 4) {
            const [r, g, b] = [data[k] ?? 0, data[k + 1] ?? 0, data[k + 2] ?? 0];
            count += Math.max(r, g, b) - Math.min(r, g, b) > 60 ? 1 : 0;
          }
          return count;
        });
    await eventually.ok(t, async () => (await coloured()) > 10_000, "a field lies between the buses");
    await panel.getByLabel(pageText("generators")).selectOption("cost");
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), pageText("generatorsByCost"));
    await panel.getByLabel(pageText("range"), { exact: true }).selectOption("fixed");
    await panel.getByLabel(pageText("upperEnd")).fill("99");
    await panel.getByLabel(pageText("upperEnd")).press("Enter");
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), /^99$/m);
    await panel.getByLabel(pageText("upperEnd")).fill("high");
    await panel.getByLabel(pageText("upperEnd")).press("Enter");
    await eventually.equal(t, () => panel.getByLabel(pageText("upperEnd")).getAttribute("aria-invalid"), "true");
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), /^99$/m, "what is no number is not taken");
    await panel.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await eventually.ok(t, () =>
      page
        .locator("canvas")
        .first()
        .evaluate((canvas) => canvas === document.activeElement),
    );
    t.strictSame(complaints, []);
    await page.close();
  },
);
