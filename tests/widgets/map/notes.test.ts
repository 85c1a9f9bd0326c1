// Notes over the picture in Chromium, and the menus that cause them: notes of success disappear, errors stay; a key
// without effect gives the reason; saved pictures.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pattern, spaced, pageText, type TextKey } from "../catalogue.ts";
import type { MapPage } from "../mapPage/main.ts";
import { server } from "../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

t.setTimeout(120_000);

async function show(): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await server.open();
  await page.evaluate(async () => {
    const session = await window.mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
    window.mapPage.showMap(session, { quantity: "lmp", height: 420 });
  });
  await page.locator(".wb-Stage[data-placed]").waitFor();
  return { page, complaints };
}

async function choose(page: Page, ...items: string[]): Promise<void> {
  await page.getByRole("button", { name: pageText("menu") }).click();
  for (const name of items) {
    await page.getByRole("menuitem", { name }).click();
  }
}

t.test("a note of success disappears after some seconds, but not under the pointer or focus", async (t) => {
  const { page, complaints } = await show();
  await page.clock.install();
  const note = page.getByRole("region", { name: pageText("export") });
  await choose(page, pageText("saveModule"));
  await note.getByText(pattern("inDownloads")).waitFor();
  await page.clock.fastForward(5000);
  await eventually.ok(t, () => note.isVisible(), "there is time to read it");
  await note.hover();
  await page.clock.fastForward(60_000);
  await eventually.ok(t, () => note.isVisible(), "a pointer on it keeps it");
  await page.mouse.move(700, 400);
  await page.clock.fastForward(2000);
  await eventually.notOk(t, () => note.isVisible());

  await choose(page, pageText("saveModule"));
  await note.getByRole("button", { name: pageText("close") }).focus();
  await page.clock.fastForward(60_000);
  await eventually.ok(t, () => note.isVisible(), "so does the focus");
  await page.locator(".wb-Canvas").focus();
  await page.clock.fastForward(2000);
  await eventually.notOk(t, () => note.isVisible());

  await page.evaluate(
    () =>
      (URL.createObjectURL = () => {
        throw new Error("The disk is full.");
      }),
  );
  await choose(page, pageText("savePictures"), pageText("savePicture", "PNG"));
  await note.getByText("The disk is full.").waitFor();
  await page.mouse.move(700, 400);
  await page.clock.fastForward(600_000);
  await eventually.ok(t, () => note.isVisible(), "an error stays until it is closed");
  await note.getByRole("button", { name: pageText("close") }).click();
  await eventually.notOk(t, () => note.isVisible());
  t.strictSame(complaints, []);
  await page.close();
});

t.test(
  "an open menu has the lines of now: none of last time, and none of an opening that was taken back",
  async (t) => {
    const { page, complaints } = await show();
    const button = page.getByRole("button", { name: pageText("menu") });
    await button.click();
    await page.getByRole("menuitem", { name: pageText("savePictures") }).click();
    await page.keyboard.press("Escape");
    const offered = await button.evaluate((node: HTMLButtonElement) => {
      const lines = (): number => node.parentElement?.querySelectorAll("[role=menuitem]").length ?? -1;
      node.click();
      const atOnce = lines();
      node.click();
      return new Promise<number[]>((resolve) => setTimeout(() => resolve([atOnce, lines()]), 100));
    });
    t.strictSame(offered, [0, 0]);
    t.equal(await button.getAttribute("aria-expanded"), "false");
    await choose(page, pageText("savePictures"));
    await page.getByRole("menuitem", { name: pageText("savePicture", "PNG") }).waitFor();
    t.strictSame(complaints, []);
    await page.close();
  },
);

t.test("without a diagram the key m shows and announces the reason", async (t) => {
  const { page, complaints } = await show();
  const why = pageText("diagramMissing");
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("m");
  await eventually.equal(t, () => page.locator(".wb-Hint").innerText(), why);
  await eventually.equal(t, () => page.locator(".wb-Announcer[aria-live]").innerText(), why);
  await page.locator(".wb-Hint").waitFor({ state: "hidden" });
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.select({ kind: "bus", id: 2 }));
  await page.locator(".wb-EditBar").getByRole("slider").focus();
  await page.keyboard.press("m");
  await eventually.ok(t, () => page.locator(".wb-Hint").isVisible(), "from the edit bar too");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a saved picture states its case, state and convention and the meaning of its colours", async (t) => {
  const { page, complaints } = await show();
  const saved = async (format: "SVG" | "PNG"): Promise<Buffer> => {
    const download = page.waitForEvent("download");
    await choose(page, pageText("savePictures"), pageText("savePicture", format));
    return readFile(await (await download).path());
  };
  const caption = async (): Promise<string[]> => {
    const text = (await saved("SVG")).toString("utf8");
    const group = text.slice(text.indexOf('<g id="caption"'));
    return [...group.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line = ""]) => line);
  };
  const one = "Buses: Price, $/MWh. Lines: which bind, and which are loaded above 80 %";
  await eventually.strictSame(t, caption, [
    "three_bus",
    "DC OPF, susceptance x/(r\u00b2 + x\u00b2); state 0, base case",
    one,
  ]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commit({ deltas: { 2: 5 }, rates: { 2: -210 } }, 0));
  await page.getByText(pageText("binding", 1, 1)).waitFor();
  const [, state, colours] = await caption();
  t.equal(
    state,
    "DC OPF, susceptance x/(r\u00b2 + x\u00b2); state 1, changes from the base case: Bus 2 demand +5.0 MW, line 2 (2 to 3) rating \u2212210.0 MW",
  );
  t.match(colours, /^Buses: Price, \d+\.00 to \d+\.00 \$\/MWh\. Lines: /);
  await page.evaluate(async () => {
    const session = window.mapPage.workspace.sessions[0];
    await session?.select({ kind: "bus", id: 2 });
    session?.preview(6);
  });
  await eventually.match(
    t,
    async () => (await caption())[1] ?? null,
    /; exact preview, changes from the base case: Bus 2 demand \+6\.0 MW/,
  );

  const png = await saved("PNG");
  const svg = (await saved("SVG")).toString("utf8");
  const [, width = "", height = ""] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * Number(width), 2 * Number(height)]);
  const tall = await page.locator(".wb-Canvas").evaluate((canvas) => canvas.clientHeight);
  t.ok(Number(height) > tall, "the caption stands above the picture and covers nothing of it");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the right button on the edit bar opens the menu of its element, except on text fields", async (t) => {
  const { page, complaints } = await show();
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.select({ kind: "bus", id: 2 }));
  const hasBrowserMenu = (selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((node) => {
      const event = new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: 300, clientY: 400 });
      return node.dispatchEvent(event);
    });
  t.ok(await hasBrowserMenu(".wb-EditBar .wb-Entry"), "text fields have the browser's menu");
  await page.locator(".wb-EditBar .wb-Slider").click({ button: "right", position: { x: 5, y: 8 } });
  const menu = page.getByRole("menu", { name: pageText("whatCanBeDone") });
  await eventually.match(t, () => menu.innerText(), spaced(/^Bus 2/, pageText("resetDemand")));
  const reset = menu.getByRole("menuitem", { name: pageText("resetDemand") });
  await eventually.equal(t, () => reset.getAttribute("aria-disabled"), "true", "there is nothing to reset");
  const box = await menu.boundingBox();
  const stage = await page.locator(".wb-Stage").boundingBox();
  t.ok(box !== null && stage !== null && box.y + box.height <= stage.y + stage.height, "it lies on the picture");
  await page.keyboard.press("Escape");
  await eventually.notOk(t, () => menu.isVisible());
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commit({ deltas: { 2: 5 }, rates: {} }, 0));
  await page.locator(".wb-EditBar-name").click({ button: "right" });
  await reset.click();
  await page.waitForFunction(() => window.mapPage.workspace.sessions[0]?.state.revision === 2);
  await eventually.strictSame(t, () => page.evaluate(() => window.mapPage.workspace.sessions[0]?.state.edits), {
    deltas: {},
    rates: {},
  });
  t.strictSame(complaints, []);
  await page.close();
});

t.test("the menu of colours gives the reason for unavailable quantities", async (t) => {
  const { page, complaints } = await show();
  await page.getByRole("button", { name: pageText("colours") }).click();
  const voltage = page.getByRole("menuitemradio", { name: pageText("voltageMagnitude") });
  const why = pageText("unitMagnitudes");
  await eventually.match(t, () => voltage.innerText(), why);
  await eventually.equal(t, () => voltage.getAttribute("aria-description"), why);
  await eventually.equal(t, () => voltage.getAttribute("aria-disabled"), "true");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("in a narrow cell the menus contain what the bar leaves out", async (t) => {
  const shown: [width: number, controls: number][] = [
    [1000, 13],
    [700, 11],
    [480, 7],
    [340, 6],
  ];
  for (const [width, count] of shown) {
    const { page, complaints } = await server.open("light", { width, height: 700 });
    await page.evaluate(async () => {
      const session = await window.mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
      window.mapPage.showMap(session, { quantity: "lmp", height: 300 });
      await session.select({ kind: "bus", id: 2 });
      await session.commit({ deltas: { 2: 5 }, rates: {} }, 0);
    });
    const lost = await page.locator(".wb-Bar").evaluate((bar) => {
      // Like a case with a drawing.
      bar.querySelector(".wb-Bar-planes")?.removeAttribute("hidden");
      const box = bar.getBoundingClientRect();
      const controls = [...bar.querySelectorAll("button")].filter((button) => button.offsetWidth > 0);
      const places = controls.map((button) => button.getBoundingClientRect());
      const outside = places.filter(({ left, right }) => left < box.left || right > box.right);
      const over = places.filter((a, k) =>
        places
          .slice(k + 1)
          .some((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1),
      );
      return { controls: controls.length, outside: outside.length, over: over.length };
    });
    t.strictSame(lost, { controls: count, outside: 0, over: 0 }, `${width} px`);
    t.strictSame(complaints, []);
    await page.close();
  }
});

t.test("keys of colours and of the view announce what is shown", async (t) => {
  const { page, complaints } = await show();
  const live = (): Promise<string> => page.locator(".wb-Announcer[aria-live]").innerText();
  const canvas = page.locator(".wb-Canvas");
  for (const [key, name, degrees] of [
    ["g", "globeNow"],
    ["g", "planeNow"],
    ["PageUp", "tiltNow", 15],
    ["PageUp", "tiltNow", 30],
    ["PageDown", "tiltNow", 15],
    [",", "bearingNow", 345],
    ["n", "northUpNow"],
  ] as const satisfies readonly (readonly [string, TextKey, number?])[]) {
    await canvas.press(key);
    await eventually.equal(t, live, pageText(name, ...(degrees === undefined ? [] : [degrees])), key);
  }
  await canvas.press("c");
  await eventually.equal(t, live, pageText("coloursNow", pageText("changeInPrice")));
  await canvas.press("p");
  await eventually.equal(t, live, pageText("coloursNow", pageText("price")));

  await canvas.press("r");
  const why = `${pageText("coloursNow", pageText("price"))}. ${pageText("sensitivity")}: ${pageText("responseNeedsSelection")}`;
  await eventually.equal(t, live, why);
  await eventually.equal(t, () => page.locator(".wb-Hint").innerText(), why, "those who see the picture read it too");
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.select({ kind: "bus", id: 2 }));
  await page.locator(".wb-Hint").waitFor({ state: "hidden" });
  await canvas.press("r");
  await eventually.equal(t, live, pageText("coloursNow", pageText("sensitivity")));
  t.ok(await page.locator(".wb-Hint").isHidden());

  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.setFormulation("acpf"));
  await canvas.press("p");
  await eventually.equal(t, live, pageText("withoutPrices", "AC power flow"));
  t.strictSame(complaints, []);
  await page.close();
});
