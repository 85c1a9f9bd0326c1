// The map in a real Chromium with WebGL 2 in software: what is on the picture is checked pixel by pixel against prices that are
// known in closed form and colours that the published scale gives them.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import t, { type Test } from "tap";
import { rgb } from "d3-color";
import { priceScale, robustRange } from "@service/widgets/map";
import type { MapPage } from "./mapPage/main.ts";
import { startMapPage, type ThemeName } from "./mapPage/serve.ts";
import { BASE_PRICE, LINE_2_AT_40, PRICES_AT_40 } from "./session.ts";

declare const window: Window & { mapPage: MapPage; made: MadeContexts };

interface MadeContexts {
  contexts: WebGL2RenderingContext[];
  live(): number;
}

const built = ["engine/lib/engine.worker.js", "widgets/basemap/basemap.json"].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
);
if (!built.every((path) => existsSync(path))) {
  t.fail("run `npm run build` first: engine and basemap are not built");
  process.exit(1);
}

const PLACES = "bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n";
const server = await startMapPage({
  "three_bus.m": fileURLToPath(new URL("../fixtures/three_bus.m", import.meta.url)),
  "places.csv": new TextEncoder().encode(PLACES),
});
t.teardown(() => server.stop());

/** Lets WebGL in software pass for a graphics card. */
function pretendCard(): void {
  const { prototype } = WebGL2RenderingContext;
  const original = prototype.getParameter;
  prototype.getParameter = function (this: WebGL2RenderingContext, name: number): unknown {
    const unmasked = 0x9246;
    return name === this.RENDERER || name === unmasked ? "a graphics card" : original.call(this, name);
  };
}

/** A map of the three-bus network with line 2 held at 40 MW, drawn and still. */
async function openMap(
  theme: ThemeName = "light",
  before?: () => void,
): Promise<Awaited<ReturnType<typeof server.open>>> {
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

/** Waits until the basemap is there and the picture stands still. */
async function settled(page: Page): Promise<void> {
  await page.locator(".wb-Stage[data-placed] .wb-Attribution:not([hidden])").first().waitFor();
  await page.waitForTimeout(400);
}

interface Spot {
  count: number;
  x: number;
  y: number;
}

/** Where a colour is on the picture: how many pixels have it, and their middle. */
function spotOf(page: Page, colour: string): Promise<Spot> {
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

/** The colours that the published scale gives the closed-form prices. */
function expectedColours(dark: boolean): string[] {
  const range = robustRange(Float64Array.from(PRICES_AT_40)) ?? { low: 0, high: 1 };
  const scale = priceScale(range, dark);
  return PRICES_AT_40.map((price) => scale.palette[scale.place(price)] ?? "");
}

async function checkBuses(t: Test, page: Page, dark: boolean): Promise<Spot[]> {
  const spots = await Promise.all(expectedColours(dark).map((colour) => spotOf(page, colour)));
  const [one, two, three] = spots as [Spot, Spot, Spot];
  spots.forEach(({ count }, k) => t.ok(count > 40, `bus ${k + 1} has the colour of its price (${count} pixels)`));
  t.ok(one.x < three.x && three.x < two.x, "west to east: 1, 3, 2");
  t.ok(two.y < one.y && one.y < three.y, "north to south: 2, 1, 3");
  // Half a degree of latitude is longer on the screen than half a degree of longitude.
  const [east, south] = [three.x - one.x, three.y - one.y];
  t.ok(Math.abs(south / east - 1 / Math.cos((39.75 * Math.PI) / 180)) < 0.03, "the shape is Web Mercator's");
  return spots;
}

for (const [theme, renderer] of [
  ["light", "webgl2"],
  ["dark", "webgl2"],
  ["contrast", "webgl2"],
  ["light", "canvas"],
  ["dark", "canvas"],
  ["contrast", "canvas"],
] as const) {
  t.test(`the picture shows the closed-form prices, ${theme}, ${renderer}`, async (t) => {
    const { page, complaints, hosts } = await openMap(theme, renderer === "webgl2" ? pretendCard : undefined);
    t.equal(await page.locator(".wb-Stage").getAttribute("data-renderer"), renderer);
    const [, two, three] = await checkBuses(t, page, theme === "dark");
    const binding = await page
      .locator(".wb-Map")
      .evaluate((map) => getComputedStyle(map).getPropertyValue("--wb-binding"));
    const line = await spotOf(page, binding.trim());
    t.ok(line.count > 100, "the binding line stands out");
    t.ok(Math.abs(line.x - ((two?.x ?? 0) + (three?.x ?? 0)) / 2) < 12, "between buses 2 and 3");
    t.match(await page.locator(".wb-Legend").innerText(), /1 binding/);
    t.equal(hosts.size, 1, "nothing was asked of any other host");
    t.strictSame(complaints, []);
    await page.close();
  });
}

t.test("the element under the pointer is named, with what makes its price so", async (t) => {
  const { page } = await openMap();
  const [colour = ""] = expectedColours(false).slice(2);
  const { x, y } = await spotOf(page, colour);
  const box = await page.locator("canvas").boundingBox();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  const card = page.locator(".wb-Card");
  await card.filter({ hasText: "Energy" }).waitFor();
  t.match(await card.innerText(), /^Bus 3/);
  const cells = await card.locator("dt, dd").allInnerTexts();
  const value = (term: RegExp): string => cells[1 + cells.findIndex((cell, k) => k % 2 === 0 && term.test(cell))] ?? "";
  t.equal(value(/^Price$/), "6.30 $/MWh");
  const number = (text: string): number => Number(text.split(" ")[0]?.replace("\u2212", "-"));
  const parts = number(value(/^Energy$/)) + number(value(/^Line 2 /));
  // All demand is at bus 2, whose price is that of energy; the rest is what the one binding line does.
  t.equal(value(/^Energy$/), "30.10 $/MWh");
  t.ok(Math.abs(parts - 6.3) < 0.011, `energy and congestion are the price: ${cells.join(", ")}`);
  await page.close();
});

t.test("click, Ctrl-click, box, search and the right button", async (t) => {
  const { page, complaints } = await openMap();
  const selected = (): Promise<string[]> =>
    page.evaluate(() => (window.mapPage.workspace.sessions[0]?.selected ?? []).map(({ kind, id }) => `${kind} ${id}`));
  const box = await page.locator("canvas").boundingBox();
  const spots = await Promise.all(expectedColours(false).map((colour) => spotOf(page, colour)));
  const at = (k: number): [number, number] => [(box?.x ?? 0) + (spots[k]?.x ?? 0), (box?.y ?? 0) + (spots[k]?.y ?? 0)];
  await page.mouse.click(...at(0));
  t.strictSame(await selected(), ["bus 1"]);
  await page.locator(".wb-Strip:not([hidden])").waitFor();
  await page.keyboard.press("0");
  await settled(page);
  await page.keyboard.press("p");
  t.equal(await page.locator(".wb-Map").getAttribute("data-quantity"), "lmp");
  await page.keyboard.press("/");
  await page.keyboard.type("line 3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.mapPage.workspace.sessions[0]?.selection?.kind === "branch");
  t.strictSame(await selected(), ["branch 3"]);
  await page.keyboard.press("Escape");
  t.strictSame(await selected(), [], "the picture has the focus after a search");
  await page.keyboard.press("0");
  await settled(page);

  const inside = await page.locator("canvas").boundingBox();
  const [left, top] = [(inside?.x ?? 0) + 5, (inside?.y ?? 0) + 5];
  await page.keyboard.down("Shift");
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + (inside?.width ?? 0) - 10, top + (inside?.height ?? 0) - 10, { steps: 4 });
  t.equal(await page.locator(".wb-Box").isVisible(), true);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  t.strictSame((await selected()).toSorted(), ["bus 1", "bus 2", "bus 3"]);
  t.equal(await page.locator(".wb-StripRow").count(), 3, "a row for each");
  await page.keyboard.press("Escape");
  t.strictSame(await selected(), []);

  await settled(page);
  const [x, y] = at(1);
  await page.mouse.click(x, y, { button: "right" });
  const menu = page.getByRole("menu", { name: "What can be done here" });
  await menu.waitFor();
  t.match(await menu.innerText(), /Bus 2/);
  await menu.getByRole("menuitem", { name: "Select", exact: true }).click();
  t.strictSame(await selected(), ["bus 2"]);
  await page.locator("canvas").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys of the map" }).waitFor();
  await page.keyboard.press("Escape");
  t.equal(await page.getByRole("dialog", { name: "Keys of the map" }).count(), 0);
  t.strictSame(complaints, []);
  await page.close();
});

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

t.test("every quantity has a picture and a legend of its own", async (t) => {
  const { page, complaints } = await openMap();
  const shown = async (): Promise<string> => {
    await page.waitForTimeout(150);
    return page.locator(".wb-Legend").innerText();
  };
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "Colours" }).click();
    await page.getByRole("menuitemradio", { name, exact: true }).click();
  };
  await choose("Change in price");
  t.match(await shown(), /Change from the base case \$\/MWh[\s\S]*\b0\b/);
  const largest = Math.max(...PRICES_AT_40.map((price) => Math.abs(price - BASE_PRICE)));
  t.match(await shown(), new RegExp(`\\+${largest.toFixed(2)}`), "as far as the largest change");
  await choose("Voltage angle");
  t.match(await shown(), /Voltage angle degrees/);
  await choose("Demand");
  t.match(await shown(), /Demand MW/);
  await choose("Generation");
  t.match(await shown(), /Generation MW/);
  await choose("Flow and its direction");
  t.match(await shown(), /Lines: flow and its direction MW/);
  const arrow = await page.locator(".wb-Map").evaluate((map) => getComputedStyle(map).getPropertyValue("--wb-arrow"));
  t.ok((await spotOf(page, arrow.trim())).count > 30, "arrows on the lines");
  await choose("Shadow price");
  t.match(await shown(), /Lines: shadow price \$\/MWh/);
  await choose("Change of the rating");
  t.match(await shown(), /\u2212210\.0/);
  await page.getByRole("button", { name: "Colours" }).click();
  const voltage = page.getByRole("menuitemradio", { name: "Voltage magnitude" });
  t.equal(await voltage.getAttribute("aria-disabled"), "true");
  t.match((await voltage.getAttribute("title")) ?? "", "In the DC model every magnitude is one.");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("saved pictures: SVG with buses, lines and legend, PNG at twice the size", async (t) => {
  const { page } = await openMap();
  const save = async (name: RegExp): Promise<Buffer> => {
    await page.getByRole("button", { name: "Menu" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name }).click()]);
    return readFile(await download.path());
  };
  const svg = (await save(/SVG/)).toString();
  const parts = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const fills = [...parsed.querySelectorAll("#buses circle")].map((circle) => circle.getAttribute("fill"));
    return {
      root: parsed.documentElement.tagName,
      fills,
      binding: parsed.querySelectorAll("#lines .binding").length,
      land: parsed.querySelectorAll("#basemap path").length,
      text: parsed.documentElement.textContent,
    };
  }, svg);
  t.equal(parts.root, "svg");
  t.strictSame(parts.fills, expectedColours(false));
  t.equal(parts.binding, 1);
  t.ok(parts.land > 5);
  t.match(parts.text, /Price \$\/MWh[\s\S]*1 binding[\s\S]*Natural Earth/);
  t.notMatch(svg, /NaN|undefined/);
  const png = await save(/PNG/);
  t.equal(png.subarray(1, 4).toString(), "PNG");
  const box = await page.locator("canvas").boundingBox();
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * (box?.width ?? 0), 2 * (box?.height ?? 0)]);
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
