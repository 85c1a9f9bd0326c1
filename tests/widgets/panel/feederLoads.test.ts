// The loads of a feeder as sliders in Chromium: a drag that ends where it began, or that the system ends, leaves no
// change.
import { readFile } from "node:fs/promises";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { eventually } from "../../eventually.ts";
import { startMapPage } from "../mapPage/serve.ts";
import type { FeederPage } from "./feederPage.ts";

declare const window: Window & { mapPage: FeederPage };

const village = await readFile(new URL("../../../examples/village.dss", import.meta.url));
const { module_json } = await createNodeEngine().ingestDistribution(village, "dss", {});

t.test("a drag of a load ends at its release", async (t) => {
  const server = await startMapPage({}, [], "tests/widgets/panel/feederPage.ts");
  t.teardown(() => server.stop());
  const { page, complaints } = await server.open("light", { width: 1100, height: 900 });
  await page.evaluate((module) => window.mapPage.open(module), module_json);
  await page.locator(".wb-Feeder-tabs").getByRole("button", { name: "Loads", exact: true }).click();
  const sliders = page.locator(".wb-FeederLoads-list").getByRole("slider");
  const search = page.getByRole("searchbox", { name: "Find a load" });
  const slider = page.getByRole("slider", { name: "Load sawmill, kW" });
  const all = await sliders.count();
  const loads = (): Promise<unknown> => page.evaluate(() => window.mapPage.feeder?.solution?.result.loads);
  await slider.scrollIntoViewIfNeeded();
  const box = (await slider.boundingBox()) ?? t.fail("no slider");
  if (typeof box === "boolean") return;
  // The thumb is at a third: a slider reaches three times the load of the case.
  const y = box.y + box.height / 2;
  const at = (share: number): number => box.x + 8 + share * (box.width - 16);
  const before = await slider.inputValue();

  await page.mouse.move(at(1 / 3), y);
  await page.mouse.down();
  await page.mouse.move(at(0.6), y, { steps: 4 });
  t.not(await slider.inputValue(), before, "it is dragged");
  for (let x = at(0.6); (await slider.inputValue()) !== before && x > at(0.3); x -= 0.25) {
    await page.mouse.move(x, y);
  }
  t.equal(await slider.inputValue(), before);
  await page.mouse.up();
  await search.fill("sawmill");
  await eventually.equal(t, () => sliders.count(), 1, "the search goes on");
  t.strictSame(await loads(), {}, "nothing was changed");
  t.strictSame(await page.evaluate(() => window.mapPage.feeder?.loads), {});
  await search.fill("");
  await eventually.equal(t, () => sliders.count(), all);

  // Like a touch that the system takes over: no `change` follows.
  await slider.evaluate((input: HTMLInputElement) => {
    input.value = String(Number(input.max) / 2);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
  });
  const half = Number(await slider.inputValue());
  await eventually.strictSame(t, loads, { "load.sawmill": { p_kw: half } });
  await search.fill("sawmill");
  await eventually.equal(t, () => sliders.count(), 1);
  t.strictSame(complaints, []);
});
