// The layout of a feeder in windows of any width: nothing covers the panel of the power flow, and the scale of the
// voltages is correct.
import { readFile } from "node:fs/promises";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { startMapPage } from "../mapPage/serve.ts";
import type { FeederPage } from "./feederPage.ts";

declare const window: Window & { mapPage: FeederPage };

const village = await readFile(new URL("../../../examples/village.dss", import.meta.url));
const { module_json } = await createNodeEngine().ingestDistribution(village, "dss", {});
const server = await startMapPage({}, [], "tests/widgets/panel/feederPage.ts");
t.teardown(() => server.stop());

for (const [width, height] of [
  [400, 760],
  [560, 500],
  [700, 500],
  [700, 800],
  [1200, 800],
] as const) {
  t.test(`the panel is beside or below the picture, ${width} x ${height}`, async (t) => {
    const { page, complaints } = await server.open("light", { width, height });
    await page.evaluate((module) => window.mapPage.open(module), module_json);
    await page.locator(".wb-FeederLegend").waitFor();
    const covered = await page.evaluate(() => {
      const boxOf = (selector: string): DOMRect =>
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      const panel = boxOf(".wb-Feeder");
      return [".wb-Stage", ".wb-Legend", ".wb-Notice", ".wb-Facts"].filter((selector) => {
        const { left, right, top, bottom } = boxOf(selector);
        return left < panel.right && right > panel.left && top < panel.bottom && bottom > panel.top;
      });
    });
    t.strictSame(covered, [], "nothing lies over it");
    const [stage, panel] = [page.locator(".wb-Stage"), page.locator(".wb-Feeder")];
    t.ok(((await stage.boundingBox())?.height ?? 0) >= 160, "the picture keeps its room");
    t.ok(((await panel.boundingBox())?.height ?? 0) >= 160, "and so does the panel");
    for (const button of await panel.getByRole("button").all()) {
      if (await button.isVisible()) {
        await button.click({ trial: true, timeout: 5000 });
      }
    }
    t.strictSame(complaints, []);
    await page.close();
  });
}

for (const theme of ["light", "dark"] as const) {
  t.test(`ticks of the voltages are at their values, ${theme}`, async (t) => {
    const { page } = await server.open(theme, { width: 1100, height: 800 });
    await page.evaluate((module) => window.mapPage.open(module), module_json);
    await page.locator(".wb-FeederLegend").waitFor();
    const ticks = await page.locator(".wb-FeederLegend .wb-Legend-ticks").evaluate((row) => {
      const { left, width } = row.getBoundingClientRect();
      return [...row.children].map((tick) => {
        const mark = getComputedStyle(tick, "::before");
        const box = tick.getBoundingClientRect();
        const at = mark.right === "14px" ? box.right - 14 : box.left + parseFloat(mark.left);
        return { value: Number(tick.textContent), share: (at - left) / width };
      });
    });
    const values = ticks.map(({ value }) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    t.ok(low < 1 && high > 1 && values.includes(1), `1 pu is one of ${values.join(", ")}`);
    for (const { value, share } of ticks) {
      const place = (value - low) / (high - low);
      t.ok(Math.abs(share - place) < 0.02, `${value} at ${share.toFixed(3)}, its place is ${place.toFixed(3)}`);
    }
    await page.close();
  });
}
