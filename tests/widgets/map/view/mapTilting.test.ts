// The tilted map and the globe in Chromium: keys, mouse and touch, the element under a click, and both renderers.
import { readFile } from "node:fs/promises";
import t from "tap";
import { eventually } from "../../../eventually.ts";
import { pageText } from "../../catalogue.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { expectedColours, openMap, pretendCard, settled, type Spot, spotOf } from "../../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

t.test("keys and pointer tilt the map, a click hits the visible element, and n looks from above", async (t) => {
  const { page, complaints } = await openMap();
  const stage = page.locator(".wb-Stage");
  const colours = expectedColours(false);
  const spots = (): Promise<Spot[]> => Promise.all(colours.map((colour) => spotOf(page, colour)));
  const leaning = (pitch: number): Promise<unknown> =>
    page.locator(`.wb-Stage[data-pitch="${pitch}"]`).waitFor({ timeout: 10_000 });
  const [one, two, three] = (await spots()) as [Spot, Spot, Spot];
  await page.locator("canvas").focus();
  await page.keyboard.press("PageUp");
  await leaning(15);
  const box = await page.locator("canvas").boundingBox();
  const [left, top] = [box?.x ?? 0, box?.y ?? 0];
  await page.keyboard.down("Shift");
  await page.mouse.move(left + 300, top + 200);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(left + 300, top + 130, { steps: 7 });
  await page.mouse.up({ button: "right" });
  await page.keyboard.up("Shift");
  await leaning(50);
  await settled(page);
  const leant = (await spots()) as [Spot, Spot, Spot];
  t.ok(leant[2].y - leant[1].y < 0.8 * (three.y - two.y), "lower than it was high");
  leant.forEach(({ count }, k) => t.ok(count > 30, `bus ${k + 1} keeps its colour`));
  const selected = (): Promise<string[]> =>
    page.evaluate(() => (window.mapPage.workspace.sessions[0]?.selected ?? []).map(({ kind, id }) => `${kind} ${id}`));
  await page.mouse.click(left + leant[1].x, top + leant[1].y);
  await eventually.strictSame(t, selected, ["bus 2"]);
  await page.keyboard.press("Escape");
  await page.mouse.click(left + (leant[0].x + leant[2].x) / 2, top + (leant[0].y + leant[2].y) / 2);
  await eventually.match(t, async () => (await selected()).join(), /^branch /, "a line between two of them");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: pageText("menu") }).click();
  await page.getByRole("menuitem", { name: pageText("savePictures") }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: pageText("savePicture", "SVG") }).click(),
  ]);
  const svg = (await readFile(await download.path())).toString();
  await settled(page);
  const drawn = await spots();
  const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="([^"]+)"/g)];
  colours.forEach((colour, k) => {
    const [, x = NaN, y = NaN] = circles.find(([, , , fill]) => fill === colour) ?? [];
    const { x: sx, y: sy } = drawn[k] as Spot;
    t.ok(Math.hypot(Number(x) - sx - 0.5, Number(y) - sy - 0.5) < 1.5, `bus ${k + 1} is saved where it is seen`);
  });
  await page.locator("canvas").focus();
  await page.keyboard.press("g");
  await eventually.equal(t, () => stage.getAttribute("data-globe"), "true");
  const remembered = await page.evaluate(() => window.mapPage.workspace.sessions[0]?.view.view.camera);
  t.match(remembered, { pitch: 50, globe: true }, "a Study file keeps it");
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await leaning(0);
  await page.keyboard.press("0");
  await settled(page);
  const after = (await spots()) as [Spot, Spot, Spot];
  [one, two, three].forEach(({ x, y }, k) => {
    t.ok(Math.hypot(x - (after[k]?.x ?? NaN), y - (after[k]?.y ?? NaN)) < 0.6, "from above again, as before");
  });
  t.strictSame(complaints, []);
  await page.close();
});

t.test("two fingers side by side tilt the map when both move up", async (t) => {
  const { page, complaints } = await openMap();
  await page
    .locator("canvas")
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      canvas.setPointerCapture = () => undefined; // synthetic touches cannot be captured
      const box = canvas.getBoundingClientRect();
      const finger = (type: string, pointerId: number, up: number): void => {
        const [clientX, clientY] = [box.left + 200 + 90 * pointerId, box.top + 300 - up];
        const how = { bubbles: true, pointerType: "touch", isPrimary: pointerId === 1, button: 0 };
        canvas.dispatchEvent(new PointerEvent(type, { ...how, pointerId, clientX, clientY }));
      };
      finger("pointerdown", 1, 0);
      finger("pointerdown", 2, 0);
      for (let up = 2; up <= 80; up += 2) {
        finger("pointermove", 1, up);
        finger("pointermove", 2, up);
      }
      finger("pointerup", 1, 80);
      finger("pointerup", 2, 80);
    });
  await settled(page);
  const pitch = Number(await page.locator(".wb-Stage").getAttribute("data-pitch"));
  t.ok(pitch >= 30 && pitch <= 40, `half a degree a pixel, less what it takes to decide: ${pitch}`);
  t.equal(await page.locator(".wb-Stage").getAttribute("data-bearing"), "0");
  t.strictSame(complaints, []);
  await page.close();
});

for (const keys of [
  ["PageUp", "PageUp", "PageUp", "."],
  ["g", "PageUp", "-", "-"],
]) {
  t.test(`both renderers draw the same: ${keys.join(" ")}`, async (t) => {
    const pixels = async (before?: () => void): Promise<Buffer> => {
      const { page, complaints } = await openMap("light", before);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.locator("canvas").focus();
      for (const key of keys) {
        await page.keyboard.press(key);
      }
      await settled(page);
      const renderer = await page.locator(".wb-Stage").getAttribute("data-renderer");
      t.equal(renderer, before === undefined ? "canvas" : "webgl2");
      t.strictSame(complaints, []);
      const data = await page
        .locator("canvas")
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const { width, height } = canvas;
          const { data: bytes = [] } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
        });
      await page.close();
      return Buffer.from(data, "base64");
    };
    const [card, raster] = [await pixels(pretendCard), await pixels()];
    t.equal(card.length, raster.length);
    const off = [...card].filter((value, k) => Math.abs(value - (raster[k] ?? 0)) > 24).length;
    t.ok(off < 60, `${off} of ${card.length} values differ by more than a tenth`);
  });
}
