// The map in a real Chromium: the picture is checked pixel by pixel against closed-form prices and the colours of the
// published scale.
import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { inOrder, pageText, type TextKey } from "../catalogue.ts";
import type { MapPage } from "../mapPage/main.ts";
import { checkBuses, expectedColours, openMap, pretendCard, settled, spotOf } from "../mapPage/threeBus.ts";
import { BASE_PRICE, PRICES_AT_40 } from "../session.ts";

declare const window: Window & { mapPage: MapPage };

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
    await eventually.equal(t, () => page.locator(".wb-Stage").getAttribute("data-renderer"), renderer);
    const [, two, three] = await checkBuses(t, page, theme === "dark");
    const binding = await page
      .locator(".wb-Map")
      .evaluate((map) => getComputedStyle(map).getPropertyValue("--wb-binding"));
    const line = await spotOf(page, binding.trim());
    t.ok(line.count > 100, "the binding line stands out");
    t.ok(Math.abs(line.x - ((two?.x ?? 0) + (three?.x ?? 0)) / 2) < 12, "between buses 2 and 3");
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), pageText("binding", 1, 1));
    t.equal(hosts.size, 1, "no other host received a request");
    t.strictSame(complaints, []);
    await page.close();
  });
}

t.test("the legend keeps its colours where the system's replace those of pages", async (t) => {
  const { page } = await openMap();
  await page.locator(".wb-Legend-bar").first().waitFor();
  const colours = (): Promise<string[]> =>
    page.locator(".wb-Legend").evaluate((legend) =>
      [...legend.querySelectorAll(".wb-Legend-bar, .wb-Legend-line i")].map((mark) => {
        const { backgroundImage, backgroundColor } = getComputedStyle(mark);
        return `${backgroundImage} ${backgroundColor}`;
      }),
    );
  const own = await colours();
  t.match(own[0], /linear-gradient/);
  await page.emulateMedia({ forcedColors: "active" });
  t.strictSame(await colours(), own);
  await page.close();
});

t.test("the card of the element under the pointer has its name and the parts of its price", async (t) => {
  const { page } = await openMap();
  const [colour = ""] = expectedColours(false).slice(2);
  const { x, y } = await spotOf(page, colour);
  const box = await page.locator("canvas").boundingBox();
  await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  const card = page.locator(".wb-Card");
  await card.filter({ hasText: pageText("energy") }).waitFor();
  await eventually.match(t, () => card.innerText(), /^Bus 3/);
  const cells = await card.locator("dt, dd").allInnerTexts();
  const value = (term: string): string =>
    cells[1 + cells.findIndex((cell, k) => k % 2 === 0 && cell.startsWith(term))] ?? "";
  t.equal(value(pageText("price")), "6.30 $/MWh");
  const number = (text: string): number => Number(text.split(" ")[0]?.replace("\u2212", "-"));
  const parts = number(value(pageText("energy"))) + number(value("Line 2 "));
  // All demand is at bus 2, whose price is that of energy; the binding line causes the rest.
  t.equal(value(pageText("energy")), "30.10 $/MWh");
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
  await eventually.strictSame(t, selected, ["bus 1"]);
  await page.locator(".wb-EditBar:not([hidden])").waitFor();
  await page.keyboard.press("0");
  await settled(page);
  await page.keyboard.press("p");
  await eventually.equal(t, () => page.locator(".wb-Map").getAttribute("data-quantity"), "lmp");
  await page.keyboard.press("/");
  await page.keyboard.type("line 3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.mapPage.workspace.sessions[0]?.selection?.kind === "branch");
  await eventually.strictSame(t, selected, ["branch 3"]);
  await page.keyboard.press("Escape");
  await eventually.strictSame(t, selected, [], "the picture has the focus after a search");
  await page.keyboard.press("0");
  await settled(page);

  const inside = await page.locator("canvas").boundingBox();
  const [left, top] = [(inside?.x ?? 0) + 5, (inside?.y ?? 0) + 5];
  await page.keyboard.down("Shift");
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + (inside?.width ?? 0) - 10, top + (inside?.height ?? 0) - 10, { steps: 4 });
  await eventually.equal(t, () => page.locator(".wb-Box").isVisible(), true);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await eventually.strictSame(t, async () => (await selected()).toSorted(), ["bus 1", "bus 2", "bus 3"]);
  await eventually.equal(t, () => page.locator(".wb-EditBarRow").count(), 3, "a row for each");
  await page.keyboard.press("Escape");
  await eventually.strictSame(t, selected, []);

  await settled(page);
  const [x, y] = at(1);
  await page.mouse.click(x, y, { button: "right" });
  const menu = page.getByRole("menu", { name: pageText("whatCanBeDone") });
  await menu.waitFor();
  await eventually.match(t, () => menu.innerText(), /Bus 2/);
  await menu.getByRole("menuitem", { name: pageText("select"), exact: true }).click();
  await eventually.strictSame(t, selected, ["bus 2"]);
  await page.locator("canvas").focus();
  await page.mouse.move(...at(0)); // a key acts on the selection, wherever the pointer is
  for (const key of ["Shift+F10", "ContextMenu"]) {
    await page.keyboard.press(key);
    await eventually.match(t, () => menu.innerText(), /Bus 2/, key);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: pageText("keysHelp") }).waitFor();
  await page.keyboard.press("Escape");
  await eventually.equal(t, () => page.getByRole("dialog", { name: pageText("keysHelp") }).count(), 0);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("every quantity has its own picture and legend", async (t) => {
  const { page, complaints } = await openMap();
  const shown = async (): Promise<string> => {
    await page.waitForTimeout(150);
    return page.locator(".wb-Legend").innerText();
  };
  const choose = async (key: TextKey): Promise<void> => {
    await page.getByRole("button", { name: pageText("colours") }).click();
    await page.getByRole("menuitemradio", { name: pageText(key), exact: true }).click();
  };
  await choose("changeInPrice");
  await eventually.match(t, shown, inOrder(`${pageText("changeFrom", "the base case")} $/MWh`, /\b0\b/));
  const largest = Math.max(...PRICES_AT_40.map((price) => Math.abs(price - BASE_PRICE)));
  await eventually.match(t, shown, new RegExp(`\\+${largest.toFixed(2)}`), "as far as the largest change");
  await choose("angle");
  await eventually.match(t, shown, `${pageText("angle")} degrees`);
  await choose("demand");
  await eventually.match(t, shown, `${pageText("demand")} MW`);
  await choose("generation");
  await eventually.match(t, shown, `${pageText("generation")} MW`);
  await choose("flowDirection");
  await eventually.match(t, shown, `${pageText("linesFlow")} MW`);
  const arrow = await page.locator(".wb-Map").evaluate((map) => getComputedStyle(map).getPropertyValue("--wb-arrow"));
  await eventually.ok(t, async () => (await spotOf(page, arrow.trim())).count > 30, "arrows on the lines");
  await choose("shadowPrice");
  await eventually.match(t, shown, `${pageText("linesShadowPrice")} $/MWh`);
  await choose("ratingChange");
  await eventually.match(t, shown, /\u2212210/);
  await page.getByRole("button", { name: pageText("colours") }).click();
  const voltage = page.getByRole("menuitemradio", { name: pageText("voltageMagnitude") });
  await eventually.equal(t, () => voltage.getAttribute("aria-disabled"), "true");
  await eventually.match(t, async () => (await voltage.getAttribute("title")) ?? "", pageText("unitMagnitudes"));
  t.strictSame(complaints, []);
  await page.close();
});

/** The operators of the page of a PDF: the stream that begins with the scale of the picture. */
function pageContent(pdf: Buffer): string {
  const streams = [...pdf.toString("latin1").matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)];
  const inflated = streams.map(([, bytes = ""]) => {
    try {
      return inflateSync(Buffer.from(bytes, "latin1")).toString("latin1");
    } catch {
      return ""; // not compressed
    }
  });
  return inflated.find((text) => /^(q\n)?[\d.]+ 0 0 -[\d.]+ /.test(text)) ?? "";
}

/** Sizes of the letters of a page, points: those of its fonts times the scales of the transformations around them. */
function letterSizes(content: string): number[] {
  const sizes: number[] = [];
  const outer: number[] = [];
  let scale = 1;
  for (const line of content.split("\n")) {
    const words = line.split(" ");
    const operator = words.at(-1);
    if (operator === "q") outer.push(scale);
    else if (operator === "Q") scale = outer.pop() ?? NaN;
    else if (operator === "cm") scale *= Math.abs(Number(words[0]));
    else if (operator === "Tf") sizes.push(scale * Number(words[1]));
  }
  return sizes;
}

t.test("saved pictures: SVG with buses, lines and legend, PNG at twice the size", async (t) => {
  const { page } = await openMap();
  const save = async (format: "SVG" | "PNG" | "PDF"): Promise<Buffer> => {
    await page.getByRole("button", { name: pageText("menu") }).click();
    await page.getByRole("menuitem", { name: pageText("savePictures") }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: pageText("savePicture", format) }).click(),
    ]);
    return readFile(await download.path());
  };
  const svg = (await save("SVG")).toString();
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
  t.match(parts.text, inOrder(`${pageText("price")} $/MWh`, pageText("binding", 1, 1), "Natural Earth"));
  t.notMatch(svg, /NaN|undefined/);
  const png = await save("PNG");
  t.equal(png.subarray(1, 4).toString(), "PNG");
  const box = await page.locator("canvas").boundingBox();
  const caption = Number(/<g transform="translate\(0 (\d+)\)">/.exec(svg)?.[1]);
  t.ok(caption > 30, "the caption above it states what it shows");
  const size = [2 * (box?.width ?? 0), 2 * ((box?.height ?? 0) + caption)];
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], size);

  const pdf = await save("PDF");
  const text = pdf.toString("latin1");
  t.match(text, /^%PDF-1\.7[\s\S]*%%EOF\n?$/);
  const [, wide] = /MediaBox \[0 0 ([\d.]+) [\d.]+\]/.exec(text) ?? [];
  t.ok(Math.abs(Number(wide) - (16 / 2.54) * 72) < 0.01, "16 cm, 72 points an inch");
  t.match(text, /\/BaseFont \/[A-Z]{6}\+Arimo-Regular[\s\S]*\/FontFile2/, "a subset of its font is embedded");
  t.match(text, "/ToUnicode", "its text can be copied");
  const content = pageContent(pdf);
  const byte = (part: string | undefined): number => Math.round(255 * Number(part));
  const colours = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) rg$/gm)].map(
    ([, r, g, b]) => `rgb(${byte(r)}, ${byte(g)}, ${byte(b)})`,
  );
  t.strictSame(
    expectedColours(false).filter((colour) => !colours.includes(colour)),
    [],
    "the discs of the SVG in their colours",
  );
  t.match(content, /Tj$/m, "letters, not pixels");
  const sizes = letterSizes(content);
  t.ok(sizes.length >= 3, "legend, notes and caption");
  t.ok(
    sizes.every((points) => points > 8),
    `letters of 8 points and more: ${Math.min(...sizes)}`,
  );

  await page.getByRole("button", { name: pageText("menu") }).click();
  await page.getByRole("menuitem", { name: pageText("savePictures") }).click();
  await page.getByRole("menuitem", { name: pageText("saveFigure") }).click();
  const panel = page.getByRole("dialog", { name: pageText("figure") });
  await panel.getByLabel(pageText("crop")).check();
  await panel.getByLabel(pageText("captionAbove")).uncheck();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: pageText("save"), exact: true }).click(),
  ]);
  t.equal(download.suggestedFilename(), "three_bus.svg");
  const cropped = (await readFile(await download.path())).toString();
  const [, left = NaN, top = NaN] = /<g transform="translate\((-?[\d.]+) (-?[\d.]+)\)">\n<rect/.exec(cropped) ?? [];
  const [, width = NaN] = /viewBox="0 0 (\d+) \d+"/.exec(cropped) ?? [];
  t.ok(Number(width) < (box?.width ?? 0), "narrower than the screen");
  const onlyBuses = cropped.slice(cropped.indexOf('<g id="buses">'), cropped.indexOf('<g id="names"'));
  for (const [, x, y] of onlyBuses.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)) {
    t.ok(Number(x) + Number(left) >= 20 && Number(x) + Number(left) <= Number(width) - 20, "the margin beside a bus");
    t.ok(Number(y) + Number(top) >= 20, "and above it");
  }
  t.notMatch(cropped, /id="caption"/);
  await page.close();
});

t.test("in a scrolling page the wheel scrolls the page, and / searches the visible map", async (t) => {
  const { page, complaints } = await openMap();
  const map = page.locator(".wb-Map").first();
  await page.evaluate(() => {
    const session = window.mapPage.workspace.sessions[0];
    if (session !== undefined) {
      window.mapPage.showMap(session, { quantity: "lmp", height: 400 });
    }
    document.body.append(Object.assign(document.createElement("div"), { style: "height: 3000px" }));
  });
  const canvas = map.locator(".wb-Canvas");
  const box = await canvas.boundingBox();
  const at: [number, number] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 30];
  await page.mouse.click(...at);
  const view = (): Promise<string | null> => map.locator(".wb-Scale").first().textContent();
  const before = await view();
  await page.mouse.wheel(0, 120);
  await eventually.ok(t, async () => (await page.evaluate(() => scrollY)) > 0, "after a click too");
  t.equal(await view(), before, "and the map stays");
  await page.evaluate(() => scrollTo(0, 560));
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("/");
  const inSecond = (): Promise<boolean> =>
    page
      .locator(".wb-Map")
      .nth(1)
      .evaluate((node) => node.contains(document.activeElement));
  await eventually.ok(t, inSecond, "the second map, of which more is in view");
  t.strictSame(complaints, []);
  await page.close();
});
