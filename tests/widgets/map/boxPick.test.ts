// A box on the map takes lines or buses: by a drag, by a click on one, and with the keys alone.
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import type { MapPage } from "../mapPage/main.ts";
import { expectedColours, openMap, spotOf } from "../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage; taken: number[][]; given: number };

/** Requests a box of lines or of buses; returns whether a map accepted it. */
const ask = (page: Page, kind: "bus" | "branch", not = -1): Promise<boolean> =>
  page.evaluate(
    ([kind, not]) => {
      window.taken ??= [];
      window.given ??= 0;
      const session = window.mapPage.workspace.sessions[0];
      return (
        session?.boxPick.ask({
          kind,
          accepts: (id) => id !== not,
          take: (ids) => window.taken.push([...ids]),
          given: () => (window.given += 1),
        }) ?? false
      );
    },
    [kind, not] as const,
  );
const taken = (page: Page): Promise<number[][]> => page.evaluate(() => window.taken);

interface Place {
  x: number;
  y: number;
}

/** Screen positions of the buses. */
async function buses(page: Page): Promise<[Place, Place, Place]> {
  const spots = await Promise.all(expectedColours(false).map((colour) => spotOf(page, colour)));
  const box = await page.locator("canvas").first().boundingBox();
  return spots.map(({ x, y }) => ({ x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y })) as [Place, Place, Place];
}

const between = (a: Place, b: Place): Place => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
}

t.test("a drag takes the lines that pass through the box, and nothing is selected or moved", async (t) => {
  const { page, complaints } = await openMap();
  const [, two, three] = await buses(page);
  const middle = between(two, three);
  t.ok(await ask(page, "branch"));
  const hint = page.locator(".wb-Hint.wb-mod-held");
  t.match(await hint.innerText(), /Drag a box/);
  await drag(page, { x: middle.x - 12, y: middle.y - 12 }, { x: middle.x + 12, y: middle.y + 12 });
  t.equal(await page.locator(".wb-Box-label").innerText(), "1 line");
  await page.mouse.up();
  t.strictSame(await taken(page), [[2]], "line 2 (2 to 3), of which no bus is in the box");
  t.equal(await hint.isVisible(), false);
  t.equal(await page.locator(".wb-Box").isVisible(), false);
  t.equal(await page.evaluate(() => window.mapPage.workspace.sessions[0]?.selected.length), 0);
  t.strictSame((await buses(page))[1], two, "the picture stays where it is");

  t.ok(await ask(page, "branch", 2));
  await drag(page, { x: two.x - 20, y: two.y - 20 }, { x: two.x + 20, y: two.y + 20 });
  t.equal(await page.locator(".wb-Box-label").innerText(), "1 line", "what cannot be taken is not counted");
  await page.mouse.up();
  t.strictSame((await taken(page)).at(-1), [1]);
  t.equal(await page.evaluate(() => window.given), 0);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a click takes one element, Escape cancels, and a box on a rotated picture takes what it shows", async (t) => {
  const { page } = await openMap();
  const [one, two, three] = await buses(page);
  t.ok(await ask(page, "branch"));
  await page.mouse.click(two.x, two.y);
  t.strictSame(await taken(page), [], "a bus is no line");
  const middle = between(one, three);
  await page.mouse.click(middle.x, middle.y);
  t.strictSame(await taken(page), [[3]]);
  t.ok(await ask(page, "branch"));
  await page.keyboard.press("Escape");
  t.equal(await page.evaluate(() => window.given), 1);
  t.equal(await page.locator(".wb-Box").isVisible(), false);
  for (let k = 0; k < 3; k += 1) {
    await page.keyboard.press(".");
  }
  await eventually.equal(t, () => page.locator(".wb-Stage").getAttribute("data-bearing"), "45");
  const [, , turned] = await buses(page);
  t.ok(await ask(page, "bus"));
  await drag(page, { x: turned.x - 10, y: turned.y - 10 }, { x: turned.x + 10, y: turned.y + 10 });
  await page.mouse.up();
  t.strictSame((await taken(page)).at(-1), [3]);
  await page.close();
});

t.test("a box is drawn with the keys alone", async (t) => {
  const { page, complaints } = await openMap();
  const [, two, three] = await buses(page);
  const goal = between(two, three);
  const press = async (key: string, times: number): Promise<void> => {
    for (let k = 0; k < times; k += 1) {
      await page.keyboard.press(key);
    }
  };
  /** Makes the box small and moves it in steps of 16 pixels until its centre is at a place. */
  const moveTo = async (place: Place): Promise<void> => {
    await press("Shift+ArrowLeft", 40);
    await press("Shift+ArrowUp", 20);
    const box = await page.locator(".wb-Box").boundingBox();
    const [across, down] = [
      Math.round((place.x - (box?.x ?? 0) - (box?.width ?? 0) / 2) / 16),
      Math.round((place.y - (box?.y ?? 0) - (box?.height ?? 0) / 2) / 16),
    ];
    await press(across < 0 ? "ArrowLeft" : "ArrowRight", Math.abs(across));
    await press(down < 0 ? "ArrowUp" : "ArrowDown", Math.abs(down));
  };
  t.ok(await ask(page, "branch"));
  t.equal(await page.evaluate(() => document.activeElement?.localName), "canvas", "the map has the focus");
  t.match(
    await page.locator(".wb-Map > .wb-Announcer").innerText(),
    /^\d lines?\. Drag a box; or move it with the arrow keys/,
  );
  await moveTo(goal);
  await press("Shift+ArrowRight", 1);
  await eventually.equal(t, () => page.locator(".wb-Map > .wb-Announcer").innerText(), "1 line");
  await page.keyboard.press("Enter");
  t.strictSame(await taken(page), [[2]]);

  // The same for the selection, as Shift and a drag do.
  await page.keyboard.press("b");
  await moveTo(two);
  await press("Shift+ArrowRight", 1);
  await eventually.equal(t, () => page.locator(".wb-Map > .wb-Announcer").innerText(), "1 bus");
  await page.keyboard.press("Enter");
  const selected = (): Promise<string[] | undefined> =>
    page.evaluate(() => window.mapPage.workspace.sessions[0]?.selected.map(({ kind, id }) => `${kind} ${id}`));
  await eventually.strictSame(t, selected, ["bus 2"]);
  t.strictSame(complaints, []);
  await page.close();
});

t.test("without a map in sight no box is requested", async (t) => {
  const { page } = await openMap();
  await page.locator(".wb-Map").evaluate((map: HTMLElement) => (map.style.display = "none"));
  t.notOk(await ask(page, "branch"));
  t.equal(await page.evaluate(() => window.given), 1);
  t.equal(await page.evaluate(() => window.mapPage.workspace.sessions[0]?.boxPick.request), null);
  await page.close();
});
