// Names in saved figures of the bundled grids: none lies on another name or on the mark of another bus. Chromium measures the letters.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import t from "tap";
import { mapInFront, openPage, startBrowser, startServer, withGrids } from "../page.ts";

const server = await startServer(t, await withGrids(t));
const browser = await startBrowser(t);
const cases = (await (await fetch(`${server.url}/api/cases`)).json()) as { id: string }[];
/** How many times nearer buses have names, by grid. */
const NEARER = { carolina: 4, illinois: 6, texas: 8 };
const grids = Object.entries(NEARER).filter(([id]) => cases.some((one) => one.id === id));

/** The names of a figure, those of buses among them, and each name with what it lies on. */
interface Names {
  names: number;
  ofBuses: number;
  covered: string[];
}

/** Saves what the map shows as SVG of a width, cm. */
async function figure(page: Page, map: Locator, widthCm: number): Promise<string> {
  await map.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Save picture" }).click();
  await page.getByRole("menuitem", { name: "Save figure\u2026" }).click();
  const panel = page.getByRole("dialog", { name: "Save figure" });
  await panel.getByLabel("Width, cm").fill(String(widthCm));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Save", exact: true }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

/** Measures a figure in a page of its own. */
async function namesOf(svg: string): Promise<Names> {
  const page = await browser.newPage();
  await page.setContent(svg);
  const found = await page.evaluate(() => {
    const marks = [...document.querySelectorAll<SVGGraphicsElement>("#buses > *")].map((mark) => mark.getBBox());
    const texts = [...document.querySelectorAll<SVGTextElement>("#names text")];
    const boxes = texts.map((text) => {
      // The letters themselves, without the room of the line above and below them.
      const { x, y, width, height } = text.getBBox();
      const high = 0.75 * Number(text.getAttribute("font-size"));
      return { x, y: y + (height - high) / 2, width, height: high };
    });
    const meet = (a: DOMRect | (typeof boxes)[number], b: (typeof boxes)[number]): boolean =>
      a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;
    const covered = texts.flatMap((text, k) => {
      const own = boxes[k] as (typeof boxes)[number];
      const marksBelow = marks.filter((mark) => meet(mark, own)).map(() => `${text.textContent} on a mark`);
      const others = texts.filter((_, n) => n !== k && meet(boxes[n] as (typeof boxes)[number], own));
      return [...marksBelow, ...others.map((other) => `${text.textContent} on ${other.textContent}`)];
    });
    const ofBuses = texts.filter((text) => /\d kV/.test(text.textContent)).length;
    return { names: texts.length, ofBuses, covered };
  });
  await page.close();
  return found;
}

for (const [id, nearer] of grids) {
  t.test(`names in figures of ${id}`, async (t) => {
    const { page } = await openPage(browser, `${server.url}/?case=${id}`);
    const map = await mapInFront(page);
    const whole = await namesOf(await figure(page, map, 8));
    t.strictSame(whole.covered, [], "the whole network in a column of a page");

    await map.locator("canvas").first().focus();
    for (let near = 0; near < nearer; near += 1) {
      await page.keyboard.press("+");
    }
    for (const widthCm of [8, 16]) {
      const { ofBuses, covered } = await namesOf(await figure(page, map, widthCm));
      t.ok(ofBuses >= 5, `${ofBuses} buses are named`);
      t.strictSame(covered, [], `${widthCm} cm`);
    }
    await page.close();
  });
}
