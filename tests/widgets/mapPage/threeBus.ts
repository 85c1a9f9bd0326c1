// The three-bus network on a map in a separate Chromium, for tests of the picture.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import t, { type Test } from "tap";
import { rgb } from "d3-color";
import { priceScale, robustRange } from "@service/widgets/map";
import { LINE_2_AT_40, PRICES_AT_40 } from "../session.ts";
import type { MapPage } from "./main.ts";
import { type MapPageOf, startMapPage, type ThemeName } from "./serve.ts";

declare const window: Window & { mapPage: MapPage; made: MadeContexts };

/** The WebGL contexts that a page has made. */
export interface MadeContexts {
  contexts: WebGL2RenderingContext[];
  live(): number;
}

const built = ["engine/lib/engine.worker.js", "widgets/basemap/basemap.json"].map((path) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url)),
);
if (!built.every((path) => existsSync(path))) {
  t.fail("run `npm run build` first: engine and basemap are not built");
  process.exit(1);
}

const PLACES = "bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n";
/** Serves the page with `/files/three_bus.m` and `/files/places.csv`, for as long as the test file runs. */
export const server = await startMapPage({
  "three_bus.m": fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url)),
  "places.csv": new TextEncoder().encode(PLACES),
});
t.teardown(() => server.stop());

/** Treats WebGL in software as a graphics card. */
export const pretendCard = (): void => window.mapPage.pretendCard();

/** A map of the three-bus network with line 2 held at 40 MW, completely drawn. */
export async function openMap(theme: ThemeName = "light", before?: () => void): Promise<MapPageOf> {
  const opened = await server.open(theme);
  await opened.page.evaluate(() => {
    const contexts: WebGL2RenderingContext[] = [];
    const { prototype } = HTMLCanvasElement;
    const original = prototype.getContext as (kind: string, ...more: unknown[]) => RenderingContext | null;
    prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
      const made = original.call(this, kind, ...more);
      if (made instanceof WebGL2RenderingContext && !contexts.includes(made)) {
        contexts.push(made);
      }
      return made;
    } as typeof prototype.getContext;
    window.made = { contexts, live: () => contexts.filter((made) => !made.isContextLost()).length };
  });
  if (before !== undefined) {
    await opened.page.evaluate(before);
  }
  await opened.page.evaluate(async (edits) => {
    const { mapPage } = window;
    const session = await mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
    await session.commit(edits, 0);
    mapPage.showMap(session, { quantity: "lmp", height: 400 });
  }, LINE_2_AT_40);
  await settled(opened.page);
  return opened;
}

/** Waits until the basemap and the picture are completely drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator(".wb-Stage[data-placed] .wb-Attribution:not([hidden])").first().waitFor();
  await still(page);
}

/** Waits until the first picture has been the same for a while, however long a busy machine takes to draw it. */
export async function still(page: Page): Promise<void> {
  const picture = (): Promise<string> =>
    page
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  for (let [before, now] = ["", await picture()]; before !== now; [before, now] = [now, await picture()]) {
    await page.waitForTimeout(STILL_MS);
  }
}

const STILL_MS = 400;

export interface Spot {
  count: number;
  x: number;
  y: number;
}

/** Number of pixels of a colour on the picture, and their centroid. */
export function spotOf(page: Page, colour: string): Promise<Spot> {
  const { r, g, b } = rgb(colour);
  return page
    .locator("canvas")
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, [wantedR, wantedG, wantedB]) => {
        const { width, height } = canvas;
        const { data = new Uint8ClampedArray() } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
        const spot = { count: 0, x: 0, y: 0 };
        for (let k = 0; k < data.length; k += 4) {
          const off = [wantedR, wantedG, wantedB].some((part, c) => Math.abs((data[k + c] ?? 0) - part) > 1);
          if (!off) {
            spot.count += 1;
            spot.x += (k / 4) % width;
            spot.y += Math.floor(k / 4 / width);
          }
        }
        return { count: spot.count, x: spot.x / spot.count, y: spot.y / spot.count };
      },
      [r, g, b] as const,
    );
}

/** The colours of the published scale for the closed-form prices. */
export function expectedColours(dark: boolean): string[] {
  const range = robustRange(Float64Array.from(PRICES_AT_40)) ?? { low: 0, high: 1 };
  const scale = priceScale(range, dark);
  return PRICES_AT_40.map((price) => scale.palette[scale.place(price)] ?? "");
}

export async function checkBuses(t: Test, page: Page, dark: boolean): Promise<Spot[]> {
  const spots = await Promise.all(expectedColours(dark).map((colour) => spotOf(page, colour)));
  const [one, two, three] = spots as [Spot, Spot, Spot];
  spots.forEach(({ count }, k) => t.ok(count > 40, `bus ${k + 1} has the colour of its price (${count} pixels)`));
  t.ok(one.x < three.x && three.x < two.x, "west to east: 1, 3, 2");
  t.ok(two.y < one.y && one.y < three.y, "north to south: 2, 1, 3");
  // Half a degree of latitude is longer on screen than half a degree of longitude.
  const [east, south] = [three.x - one.x, three.y - one.y];
  t.ok(Math.abs(south / east - 1 / Math.cos((39.75 * Math.PI) / 180)) < 0.03, "the shape is Web Mercator's");
  return spots;
}
