// Layers of a user: above the ground and below the network, with and without a graphics card, in the legend and in
// saved files.
import t from "tap";
import type { Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import type { MapPage } from "../mapPage/main.ts";
import { openMap, pretendCard, spotOf } from "../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

const LOOK = { width: 4, size: 20, opacity: 1 };
/** Buses are at (-105, 40), (-104, 40.5) and (-104.5, 39.5). */
const LAYERS = [
  {
    name: "Road <1>",
    color: "#00ff00",
    ...LOOK,
    points: [],
    lines: [
      [
        [-105, 39.6],
        [-104, 39.6],
      ],
    ],
    polygons: [],
  },
  {
    name: "Masts",
    color: "rgb(255 0 255)",
    ...LOOK,
    points: [
      [-105, 40],
      [-104.9, 39.8],
    ],
    lines: [],
    polygons: [],
  },
];

for (const card of [false, true]) {
  t.test(`layers ${card ? "with" : "without"} a graphics card`, async (t) => {
    const { page, complaints } = await openMap("light", card ? pretendCard : undefined);
    await page.locator(`.wb-Stage[data-renderer=${card ? "webgl2" : "canvas"}]`).waitFor();
    await setLayers(page, LAYERS);
    await eventually.ok(t, async () => (await spotOf(page, "#00ff00")).count > 300, "the line");
    await eventually.ok(t, async () => (await spotOf(page, "#ff00ff")).count > 150, "the points");
    const [line, masts] = [await spotOf(page, "#00ff00"), await spotOf(page, "#ff00ff")];
    const [one, three] = await page.evaluate(() => {
      const stage = document.querySelector(".wb-Stage") as HTMLElement;
      return [stage.clientWidth, stage.clientHeight];
    });
    t.ok(line.x > 0 && line.x < (one ?? 0) && line.y > (three ?? 0) / 2, "the line lies in the south");
    t.ok(masts.x < line.x, "the points lie in the west");
    // A point of 20 px has some 280 pixels of its exact colour; of that below bus 1 at most a ring is visible.
    t.ok(masts.count < 400, `the network lies above: ${masts.count}`);
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), "Road <1>");
    await setLayers(page, []);
    await eventually.equal(t, async () => (await spotOf(page, "#00ff00")).count, 0);
    await eventually.notMatch(t, () => page.locator(".wb-Legend").innerText(), "Road");
    t.strictSame(complaints, []);
    await page.close();
  });
}

t.test("a layer is hidden and removed in the panel, and the notebook is notified", async (t) => {
  const { page } = await openMap("light");
  await setLayers(page, LAYERS);
  await page.getByRole("button", { name: "Colours" }).click();
  await page.getByRole("menuitem", { name: /Layers and style/ }).click();
  const panel = page.getByRole("dialog", { name: "Layers and style" });
  const box = panel.getByRole("checkbox", { name: "Masts" });
  await box.uncheck();
  await eventually.equal(t, async () => (await spotOf(page, "#ff00ff")).count, 0, "hidden");
  await box.check();
  await eventually.ok(t, async () => (await spotOf(page, "#ff00ff")).count > 150, "shown again");
  await panel.getByRole("button", { name: "Remove the layer Masts" }).click();
  await eventually.equal(t, () => panel.getByRole("checkbox", { name: "Masts" }).count(), 0);
  await eventually.strictSame(t, () => page.evaluate(() => window.removed), ["Masts"]);
  await page.close();
});

t.test("invalid layers are left out", async (t) => {
  const { page, complaints } = await openMap("light");
  const wrong = [null, "x", { name: "a" }, { name: "b", color: "url(x)", ...LOOK }, { ...LAYERS[0], width: "wide" }];
  const read = await page.evaluate(
    (given) => window.mapPage.overlaysOf(given).map(({ name }) => name),
    [...wrong, LAYERS[1]],
  );
  t.strictSame(read, ["Masts"]);
  t.strictSame(complaints, []);
  await page.close();
});

declare global {
  interface Window {
    /** The layers whose removal was announced. */
    removed: string[];
  }
}

async function setLayers(page: Page, layers: readonly object[]): Promise<void> {
  await page.evaluate((given) => {
    const { mapPage } = window;
    window.removed = [];
    mapPage.latest()?.ground.setLayers(mapPage.overlaysOf(given), (name) => window.removed.push(name));
  }, layers);
}
