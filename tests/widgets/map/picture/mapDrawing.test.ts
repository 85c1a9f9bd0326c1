// How the map is drawn: with and without a graphics card, many maps on a page, lost contexts.
import t from "tap";
import { eventually } from "../../../eventually.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { checkBuses, type MadeContexts, openMap, pretendCard, still } from "../../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage; made: MadeContexts; widths: number[] };

t.test("without a graphics card the picture looks the same, and no WebGL context remains", async (t) => {
  const pixels = async (before?: () => void): Promise<Buffer> => {
    const { page, complaints } = await openMap("light", before);
    // As text: a million numbers one by one take a busy machine longer than the test may.
    const data = await page
      .locator("canvas")
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        const bytes = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      });
    await eventually.equal(t, () => page.evaluate(() => window.made.live()), before === undefined ? 0 : 1);
    t.strictSame(complaints, []);
    await page.close();
    return Buffer.from(data, "base64");
  };
  const [card, raster] = [await pixels(pretendCard), await pixels()];
  t.equal(card.length, raster.length);
  t.ok(card.length > 1e6, "all of the picture");
  const off = card.filter((value, k) => Math.abs(value - (raster[k] ?? 0)) > 24).length;
  t.ok(off < 40, `${off} of ${card.length} values differ by more than a tenth`);
});

t.test("without WebGL 2 the canvas draws the same picture", async (t) => {
  const { page, complaints } = await openMap("light", () => {
    const { prototype } = HTMLCanvasElement;
    const original = prototype.getContext as (kind: string, ...more: unknown[]) => RenderingContext | null;
    prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
      return kind === "webgl2" ? null : original.call(this, kind, ...more);
    } as typeof prototype.getContext;
  });
  await eventually.equal(t, () => page.locator(".wb-Stage").getAttribute("data-renderer"), "canvas");
  await checkBuses(t, page, false);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a lost context is replaced, and the picture is drawn again", async (t) => {
  const { page, complaints } = await openMap("light", pretendCard);
  await page.evaluate(() =>
    window.made.contexts.forEach((made) => made.getExtension("WEBGL_lose_context")?.loseContext()),
  );
  await eventually.equal(
    t,
    () => page.evaluate(() => [window.made.contexts.length, window.made.live()].join(" of ")),
    "2 of 1",
    "one was lost",
  );
  await still(page);
  await checkBuses(t, page, false);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("many maps share one context and have their own pictures, and closing frees everything", async (t) => {
  const { page, complaints } = await openMap("light", pretendCard);
  const client = await page.context().newCDPSession(page);
  const measure = async (): Promise<{ heap: number; nodes: number; listeners: number }> => {
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await client.send("Memory.getDOMCounters");
    return { heap: usedSize, nodes, listeners: jsEventListeners };
  };
  /**
   * Opens maps below each other, looks at each, and closes them: number of live contexts, and of maps with a picture.
   */
  const round = (count: number): Promise<{ live: number; drawn: number }> =>
    page.evaluate(async (wanted) => {
      const [session] = window.mapPage.workspace.sessions;
      if (session === undefined) {
        throw new Error("There is no session.");
      }
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const picture = (host: Element): boolean => {
        const canvas = host.querySelector("canvas");
        const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return new Set(data).size > 8;
      };
      const hosts = Array.from({ length: wanted }, () => document.createElement("div"));
      const maps = hosts.map((host) => window.mapPage.showMap(session, { quantity: "lmp", height: 220 }, host));
      for (const host of hosts) {
        host.scrollIntoView();
        // A busy machine draws some frames later.
        const end = performance.now() + 10_000;
        do {
          await frame();
        } while (!picture(host) && performance.now() < end);
      }
      const drawn = hosts.filter(picture).length;
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
  await eventually.equal(
    t,
    () => page.evaluate(() => window.made.contexts.length),
    1,
    "one context served all of them",
  );
  await page.evaluate(() => window.mapPage.workspace.sessions.forEach(() => undefined));
  t.strictSame(complaints, []);
  await page.close();
});
t.test("with slow frames the picture is coarse while it moves and sharp at rest", async (t) => {
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
  await still(page);
  const widths = await page.evaluate(() => window.widths);
  const [whole = 0, last] = [widths[0], widths.at(-1)];
  t.ok(
    widths.some((width) => width === Math.ceil(whole / 2)),
    `half the resolution while it moves: ${widths.join()}`,
  );
  t.equal(last, whole, "all of it at rest");
  await eventually.equal(t, pixels, before, "and nothing is lost");
  t.strictSame(complaints, []);
  await page.close();
});
