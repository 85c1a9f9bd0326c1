// The bearing of the map: keys, the right button, two fingers, and everything that turns with the picture.
import { readFile } from "node:fs/promises";
import t from "tap";
import { eventually } from "../../../eventually.ts";
import { pageText } from "../../catalogue.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { expectedColours, openMap, settled, type Spot, spotOf } from "../../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

t.test("keys and the right button turn the picture with all of its parts", async (t) => {
  const { page, complaints } = await openMap();
  const stage = page.locator(".wb-Stage");
  const colours = expectedColours(false);
  const spots = (): Promise<Spot[]> => Promise.all(colours.map((colour) => spotOf(page, colour)));
  const facing = (bearing: number): Promise<unknown> =>
    page.locator(`.wb-Stage[data-bearing="${bearing}"]`).waitFor({ timeout: 5000 });
  const before = await spots();
  await page.locator("canvas").focus();
  for (let k = 0; k < 6; k += 1) {
    await page.keyboard.press(".");
  }
  await facing(90);
  await page.keyboard.press("0");
  await settled(page);
  const turned = await spots();
  const [one, two, three] = turned as [Spot, Spot, Spot];
  t.ok(two.y < three.y && three.y < one.y, "east is up: 2, 3, 1 from above");
  t.ok(two.x < one.x && one.x < three.x, "north is at the left: 2, 1, 3");
  turned.forEach(({ count }) => t.ok(count > 40, "every bus is in the picture"));
  await eventually.equal(t, () => page.getByRole("button", { name: pageText("northUp") }).isVisible(), true);
  await eventually.match(
    t,
    () => page.locator(".wb-North-needle").evaluate((needle) => needle.style.transform),
    "rotate(-90deg)",
    "the needle points to the left",
  );

  const box = await page.locator("canvas").boundingBox();
  const [left, top] = [box?.x ?? 0, box?.y ?? 0];
  const selected = (): Promise<string[]> =>
    page.evaluate(() => (window.mapPage.workspace.sessions[0]?.selected ?? []).map(({ kind, id }) => `${kind} ${id}`));
  await page.mouse.click(left + three.x, top + three.y);
  await eventually.strictSame(t, selected, ["bus 3"], "a click hits what is seen there");
  await page.keyboard.press("Escape");
  await page.keyboard.down("Shift");
  await page.mouse.move(left + 3, top + 3);
  await page.mouse.down();
  await page.mouse.move(left + (box?.width ?? 0) - 3, top + (three.y + one.y) / 2, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await eventually.strictSame(
    t,
    async () => (await selected()).toSorted(),
    ["bus 2", "bus 3"],
    "the box is one of the screen",
  );
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
    t.ok(Math.hypot(Number(x) - sx - 0.5, Number(y) - sy - 0.5) < 1.5, `bus ${k + 1} is where it is seen, ${x} ${y}`);
  });
  t.match(svg, /id="north"[\s\S]*rotate\(-90\)/);

  // A quarter turn by drag, counter-clockwise around the centre; then a press without a move opens the menu.
  const [middleX, middleY] = [left + (box?.width ?? 0) / 2, top + (box?.height ?? 0) / 2];
  await page.mouse.move(middleX + 100, middleY);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(middleX + 70.7, middleY - 70.7, { steps: 5 });
  await page.mouse.move(middleX, middleY - 100, { steps: 5 });
  await page.mouse.up({ button: "right" });
  await facing(180);
  const menu = page.getByRole("menu", { name: pageText("whatCanBeDone") });
  await eventually.equal(t, () => menu.isVisible(), false, "no menu after a turn");
  await page.mouse.click(middleX, middleY + 60, { button: "right" });
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.down("Control");
  await page.mouse.move(middleX - 90, middleY);
  await page.mouse.down();
  await page.mouse.move(middleX, middleY - 90, { steps: 6 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  await facing(90);
  await eventually.strictSame(t, selected, [], "a turn selects nothing");

  await page.locator("canvas").focus();
  await page.keyboard.press("n");
  await facing(0);
  await page.keyboard.press("0");
  await settled(page);
  const after = await spots();
  before.forEach(({ x, y }, k) => {
    t.ok(Math.hypot(x - (after[k]?.x ?? NaN), y - (after[k]?.y ?? NaN)) < 0.6, "north up again, as before");
  });
  await eventually.equal(t, () => stage.getAttribute("data-bearing"), "0");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("two fingers turn the picture around the point between them", async (t) => {
  const { page, complaints } = await openMap();
  const [colour = ""] = expectedColours(false).slice(2);
  const before = await spotOf(page, colour);
  await page
    .locator("canvas")
    .first()
    .evaluate((canvas: HTMLCanvasElement, { x, y }) => {
      canvas.setPointerCapture = () => undefined; // synthetic touches cannot be captured
      const box = canvas.getBoundingClientRect();
      const finger = (type: string, pointerId: number, angle: number): void => {
        const [clientX, clientY] = [box.left + x + 60 * Math.cos(angle), box.top + y + 60 * Math.sin(angle)];
        const how = { bubbles: true, pointerType: "touch", isPrimary: pointerId === 1, button: 0 };
        canvas.dispatchEvent(new PointerEvent(type, { ...how, pointerId, clientX, clientY }));
      };
      finger("pointerdown", 1, 0);
      finger("pointerdown", 2, Math.PI);
      for (let k = 1; k <= 40; k += 1) {
        finger("pointermove", 1, (k * Math.PI) / 120);
        finger("pointermove", 2, Math.PI + (k * Math.PI) / 120);
      }
      finger("pointerup", 1, Math.PI / 3);
      finger("pointerup", 2, Math.PI + Math.PI / 3);
    }, before);
  await settled(page);
  const bearing = Number(await page.locator(".wb-Stage").getAttribute("data-bearing"));
  t.ok(bearing <= -50 && bearing >= -60, `clockwise by sixty degrees less what a pinch is allowed: ${bearing}`);
  const after = await spotOf(page, colour);
  t.ok(Math.hypot(after.x - before.x, after.y - before.y) < 12, "the bus between the fingers stays there");
  t.strictSame(complaints, []);
  await page.close();
});
