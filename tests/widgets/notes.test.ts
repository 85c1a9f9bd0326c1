// Notes over the picture in Chromium: those of success go by themselves, errors stay; what a key cannot do is said; saved pictures.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import t from "tap";
import { fixture } from "../fixtures/cases.ts";
import type { MapPage } from "./mapPage/main.ts";
import { startMapPage } from "./mapPage/serve.ts";

declare const window: Window & { mapPage: MapPage };

if (!existsSync(fileURLToPath(new URL("../../engine/lib/engine.worker.js", import.meta.url)))) {
  t.fail("run `npm run build` first: the engine is not built");
  process.exit(1);
}

t.setTimeout(120_000);
const places = new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n");
const server = await startMapPage({
  "three_bus.m": new Uint8Array(await fixture("three_bus.m")),
  "places.csv": places,
});
t.teardown(() => server.stop());

async function show(): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await server.open();
  await page.evaluate(async () => {
    const session = await window.mapPage.openSession("/files/three_bus.m", "matpower", "/files/places.csv");
    window.mapPage.showMap(session, { quantity: "lmp", height: 420 });
  });
  await page.locator(".wb-Stage[data-placed]").waitFor();
  return { page, complaints };
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

t.test("a note of success goes after some seconds, not while somebody is on it", async (t) => {
  const { page, complaints } = await show();
  await page.clock.install();
  const note = page.getByRole("region", { name: "Export" });
  await choose(page, "Save module");
  await note.getByText("is in your downloads.").waitFor();
  await page.clock.fastForward(5000);
  t.ok(await note.isVisible(), "there is time to read it");
  await note.hover();
  await page.clock.fastForward(60_000);
  t.ok(await note.isVisible(), "a pointer on it keeps it");
  await page.mouse.move(700, 400);
  await page.clock.fastForward(2000);
  t.notOk(await note.isVisible());

  await choose(page, "Save module");
  await note.getByRole("button", { name: "Close" }).focus();
  await page.clock.fastForward(60_000);
  t.ok(await note.isVisible(), "so does the focus");
  await page.locator(".wb-Canvas").focus();
  await page.clock.fastForward(2000);
  t.notOk(await note.isVisible());

  await page.evaluate(
    () =>
      (URL.createObjectURL = () => {
        throw new Error("The disk is full.");
      }),
  );
  await choose(page, "Save picture as PNG");
  await note.getByText("The disk is full.").waitFor();
  await page.mouse.move(700, 400);
  await page.clock.fastForward(600_000);
  t.ok(await note.isVisible(), "an error stays until it is closed");
  await note.getByRole("button", { name: "Close" }).click();
  t.notOk(await note.isVisible());
  t.strictSame(complaints, []);
  await page.close();
});

t.test("m without a diagram says why nothing happens, on the picture and in the live region", async (t) => {
  const { page, complaints } = await show();
  const why = "This case has no diagram. Open a .pwd drawing beside it to have one.";
  await page.locator(".wb-Canvas").focus();
  await page.keyboard.press("m");
  t.equal(await page.locator(".wb-Hint").innerText(), why);
  t.equal(await page.locator(".wb-Announcer[aria-live]").innerText(), why);
  await page.locator(".wb-Hint").waitFor({ state: "hidden" });
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.select({ kind: "bus", id: 2 }));
  await page.locator(".wb-Strip").getByRole("slider").focus();
  await page.keyboard.press("m");
  t.ok(await page.locator(".wb-Hint").isVisible(), "from the strip too");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("a saved picture says what it shows: case, state, convention, and what the colours mean", async (t) => {
  const { page, complaints } = await show();
  const saved = async (format: "SVG" | "PNG"): Promise<Buffer> => {
    const download = page.waitForEvent("download");
    await choose(page, `Save picture as ${format}`);
    return readFile(await (await download).path());
  };
  const caption = async (): Promise<string[]> => {
    const text = (await saved("SVG")).toString("utf8");
    const group = text.slice(text.indexOf('<g id="caption"'));
    return [...group.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line = ""]) => line);
  };
  const one = "Buses: Price, $/MWh. Lines: which bind, and which are loaded above 80 %";
  t.strictSame(await caption(), ["three_bus", "DC OPF, convention service; state 0, base case", one]);
  await page.evaluate(() => window.mapPage.workspace.sessions[0]?.commit({ deltas: { 2: 5 }, rates: { 2: -210 } }, 0));
  await page.getByText("1 binding").waitFor();
  const [, state, colours] = await caption();
  t.equal(
    state,
    "DC OPF, convention service; state 1, changes from the base case: Bus 2 demand +5.0 MW, line 2 (2 to 3) rating \u2212210.0 MW",
  );
  t.match(colours, /^Buses: Price, \d+\.00 to \d+\.00 \$\/MWh\. Lines: /);
  await page.evaluate(async () => {
    const session = window.mapPage.workspace.sessions[0];
    await session?.select({ kind: "bus", id: 2 });
    session?.preview(6);
  });
  t.match((await caption())[1], /; first-order preview, changes from the base case: Bus 2 demand \+6\.0 MW/);

  const png = await saved("PNG");
  const svg = (await saved("SVG")).toString("utf8");
  const [, width = "", height = ""] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * Number(width), 2 * Number(height)]);
  const tall = await page.locator(".wb-Canvas").evaluate((canvas) => canvas.clientHeight);
  t.ok(Number(height) > tall, "the caption stands above the picture and covers nothing of it");
  t.strictSame(complaints, []);
  await page.close();
});
