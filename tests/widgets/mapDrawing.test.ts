// How the map is drawn and turned: with and without a graphics card, many maps on a page, lost contexts.
import { readFile } from "node:fs/promises";
import t from "tap";
import type { MapPage } from "./mapPage/main.ts";
import {
  type MadeContexts,
  checkBuses,
  expectedColours,
  openMap,
  pretendCard,
  settled,
  spotOf,
  type Spot,
} from "./mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage; made: MadeContexts; widths: number[] };

t.test("the picture turns: by keys, by the right button, and everything with it", async (t) => {
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
  t.equal(await page.getByRole("button", { name: "Bring north up (n)" }).isVisible(), true);
  t.match(
    await page.locator(".wb-North-needle").evaluate((needle) => needle.style.transform),
    "rotate(-90deg)",
    "the needle points to the left",
  );

  const box = await page.locator("canvas").boundingBox();
  const [left, top] = [box?.x ?? 0, box?.y ?? 0];
  const selected = (): Promise<string[]> =>
    page.evaluate(() => (window.mapPage.workspace.sessions[0]?.selected ?? []).map(({ kind, id }) => `${kind} ${id}`));
  await page.mouse.click(left + three.x, top + three.y);
  t.strictSame(await selected(), ["bus 3"], "a click hits what is seen there");
  await page.keyboard.press("Escape");
  await page.keyboard.down("Shift");
  await page.mouse.move(left + 3, top + 3);
  await page.mouse.down();
  await page.mouse.move(left + (box?.width ?? 0) - 3, top + (three.y + one.y) / 2, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  t.strictSame((await selected()).toSorted(), ["bus 2", "bus 3"], "the box is one of the screen");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Menu" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /SVG/ }).click(),
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

  // A quarter turn by hand, counter-clockwise around the middle; then a press that does not move opens the menu.
  const [middleX, middleY] = [left + (box?.width ?? 0) / 2, top + (box?.height ?? 0) / 2];
  await page.mouse.move(middleX + 100, middleY);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(middleX + 70.7, middleY - 70.7, { steps: 5 });
  await page.mouse.move(middleX, middleY - 100, { steps: 5 });
  await page.mouse.up({ button: "right" });
  await facing(180);
  const menu = page.getByRole("menu", { name: "What can be done here" });
  t.equal(await menu.isVisible(), false, "no menu after a turn");
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
  t.strictSame(await selected(), [], "a turn selects nothing");

  await page.locator("canvas").focus();
  await page.keyboard.press("n");
  await facing(0);
  await page.keyboard.press("0");
  await settled(page);
  const after = await spots();
  before.forEach(({ x, y }, k) => {
    t.ok(Math.hypot(x - (after[k]?.x ?? NaN), y - (after[k]?.y ?? NaN)) < 0.6, "north up again, as before");
  });
  t.equal(await stage.getAttribute("data-bearing"), "0");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("without a graphics card the picture is the same to the eye, and no WebGL context stays", async (t) => {
  const pixels = async (before?: () => void): Promise<number[]> => {
    const { page, complaints } = await openMap("light", before);
    const data = await page
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        return [...(canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [])];
      });
    t.equal(await page.evaluate(() => window.made.live()), before === undefined ? 0 : 1);
    t.strictSame(complaints, []);
    await page.close();
    return data;
  };
  const [card, raster] = [await pixels(pretendCard), await pixels()];
  t.equal(card.length, raster.length);
  const off = card.filter((value, k) => Math.abs(value - (raster[k] ?? 0)) > 24).length;
  t.ok(off < 40, `${off} of ${card.length} values differ by more than a tenth`);
});

t.test("without WebGL 2 the canvas draws the same", async (t) => {
  const { page, complaints } = await openMap("light", () => {
    const { prototype } = HTMLCanvasElement;
    const original = prototype.getContext as (kind: string, ...more: unknown[]) => RenderingContext | null;
    prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
      return kind === "webgl2" ? null : original.call(this, kind, ...more);
    } as typeof prototype.getContext;
  });
  t.equal(await page.locator(".wb-Stage").getAttribute("data-renderer"), "canvas");
  await checkBuses(t, page, false);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a context that is lost is replaced, and the picture comes back", async (t) => {
  const { page, complaints } = await openMap("light", pretendCard);
  await page.evaluate(() =>
    window.made.contexts.forEach((made) => made.getExtension("WEBGL_lose_context")?.loseContext()),
  );
  await page.waitForTimeout(400);
  t.equal(await page.evaluate(() => window.made.live()), 1);
  await checkBuses(t, page, false);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("many maps: one context, each keeps its picture, and nothing is left after closing", async (t) => {
  const { page, complaints } = await openMap("light", pretendCard);
  const client = await page.context().newCDPSession(page);
  const measure = async (): Promise<{ heap: number; nodes: number; listeners: number }> => {
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await client.send("Memory.getDOMCounters");
    return { heap: usedSize, nodes, listeners: jsEventListeners };
  };
  /** Opens maps below each other, looks at each, and closes them: how many contexts lived, and how many had a picture. */
  const round = (count: number): Promise<{ live: number; drawn: number }> =>
    page.evaluate(async (wanted) => {
      const [session] = window.mapPage.workspace.sessions;
      if (session === undefined) {
        throw new Error("There is no session.");
      }
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const hosts = Array.from({ length: wanted }, () => document.createElement("div"));
      const maps = hosts.map((host) => window.mapPage.showMap(session, { quantity: "lmp", height: 220 }, host));
      for (const host of hosts) {
        host.scrollIntoView();
        await frame();
        await frame();
        await frame();
      }
      const drawn = hosts.filter((host) => {
        const canvas = host.querySelector("canvas");
        const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return new Set(data).size > 8;
      }).length;
      const live = window.made.live();
      maps.forEach((map) => map.dispose());
      hosts.forEach((host) => host.remove());
      await frame();
      return { live, drawn };
    }, count);
  t.strictSame(await round(20), { live: 1, drawn: 20 });
  const before = await measure();
  for (let k = 0; k < 3; k += 1) {
    t.strictSame(await round(10), { live: 1, drawn: 10 });
  }
  const after = await measure();
  t.ok(
    after.heap - before.heap < 2e6,
    `30 maps later the heap is ${((after.heap - before.heap) / 1e3).toFixed(0)} kB larger`,
  );
  t.ok(after.nodes - before.nodes < 60, `and ${after.nodes - before.nodes} nodes`);
  t.ok(after.listeners - before.listeners < 20, `and ${after.listeners - before.listeners} listeners`);
  t.equal(await page.evaluate(() => window.made.contexts.length), 1, "one context served all of them");
  await page.evaluate(() => window.mapPage.workspace.sessions.forEach(() => undefined));
  t.strictSame(complaints, []);
  await page.close();
});
t.test("where frames are slow the picture is coarser while it moves, and sharp when it rests", async (t) => {
  const { page, complaints } = await openMap();
  const pixels = (): Promise<string> =>
    page
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await pixels();
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { putImageData } = prototype;
    window.widths = [];
    prototype.putImageData = function (this: CanvasRenderingContext2D, ...args: unknown[]) {
      window.widths.push(this.canvas.width);
      // As slow as a large picture on a small machine.
      const until = performance.now() + 40;
      while (performance.now() < until);
      (putImageData as (...all: unknown[]) => void).apply(this, args);
    };
  });
  await page.mouse.move(300, 200);
  await page.mouse.down();
  await page.mouse.move(330, 220, { steps: 8 });
  await page.mouse.move(300, 200, { steps: 8 });
  await page.mouse.up();
  await page.mouse.move(790, 470);
  await page.waitForTimeout(900);
  const widths = await page.evaluate(() => window.widths);
  const [whole = 0, last] = [widths[0], widths.at(-1)];
  t.ok(
    widths.some((width) => width === Math.ceil(whole / 2)),
    `half the resolution while it moves: ${widths.join()}`,
  );
  t.equal(last, whole, "all of it at rest");
  t.equal(await pixels(), before, "and nothing is lost");
  t.strictSame(complaints, []);
  await page.close();
});
