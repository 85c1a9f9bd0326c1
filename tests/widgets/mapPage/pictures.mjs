/* global window, document -- what `evaluate` is given runs in the page */
// Pictures of the map for inspection: `npm run pictures -- FOLDER [GRID...]`. The four grids in light, dark and high
// contrast at two sizes, on both grounds, and one drag on texas in steps.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { main, SetupError } from "../../../binder/lib/fail.mjs";
import { at } from "../../../binder/lib/paths.mjs";
import { pageServer } from "../../bench/map.mjs";

const GRIDS = ["carolina", "illinois", "texas", "california"];
const SIZES = [
  { width: 1100, height: 700 },
  { width: 1500, height: 950 },
];
/** Colour scheme of the page, and contrast preference of the system. */
const THEMES = { light: ["light", "no-preference"], dark: ["dark", "no-preference"], contrast: ["light", "more"] };
/** The ground by MapLibre and by the plain picture. */
const GROUNDS = { maplibre: "always", canvas: "never" };
/** Steps of the drag, as shares of the way to the end of the slider. */
const DRAG = [0, 0.15, 0.3, 0.5, 0.75, 1];
/** Height of the bar above the picture and the edit bar below it, px. */
const BESIDE = 245;

await main(async () => {
  const [folder, ...named] = process.argv.slice(2);
  if (folder === undefined) throw new SetupError("usage: npm run pictures -- FOLDER [GRID...]");
  const grids = GRIDS.filter((name) => named.length === 0 || named.includes(name));
  const missing = grids.filter((name) => !existsSync(file(name)));
  if (missing.length > 0) throw new SetupError(`${missing.join(", ")}: not made yet; run \`npm run setup\` first.`);
  mkdirSync(folder, { recursive: true });
  const startMapPage = await pageServer();
  const files = grids.map((name) => [`${name}.json`, gunzipSync(readFileSync(file(name)))]);
  const server = await startMapPage(Object.fromEntries(files));
  try {
    for (const [theme, [scheme, contrast]] of Object.entries(THEMES)) {
      for (const size of SIZES) {
        const { page, complaints } = await server.open(scheme, size);
        await page.emulateMedia({ colorScheme: scheme, contrast });
        for (const grid of grids) {
          for (const ground of Object.keys(GROUNDS)) {
            await shown(page, grid, ground, size);
            await shot(page, folder, `${grid}-${theme}-${size.width}-${ground}`);
            if (grid === "texas" && theme === "light" && size === SIZES[0] && ground === "canvas")
              await drag(page, folder);
            await page.evaluate(() => {
              window.map.dispose();
              window.mapPage.workspace.closeSession(window.session);
            });
          }
        }
        if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("; ")}`);
        await page.close();
      }
    }
  } finally {
    await server.stop();
  }
});

function file(grid) {
  return at("server", "grids", `${grid}.json.gz`);
}

/** Opens a grid with its largest demand selected, and waits until the ground is drawn. */
async function shown(page, grid, ground, { height }) {
  await page.evaluate(
    async ([name, drawn, tall]) => {
      document.body.style.margin = "0";
      window.mapPage.mapSettings.ground = drawn;
      const session = await window.mapPage.openSession(`/files/${name}.json`, "module");
      window.session = session;
      window.map = window.mapPage.showMap(session, { quantity: "lmp", height: tall });
      const demands = session.opened.buses.filter(({ editable }) => editable);
      const largest = demands.reduce((a, b) => (b.demand_mw > a.demand_mw ? b : a));
      await session.select({ kind: "bus", id: largest.id });
      window.map.setQuantity("lmp");
    },
    [grid, GROUNDS[ground], height - BESIDE],
  );
  await page.locator(`.wb-Stage[data-ground=${ground}]`).waitFor({ timeout: 120_000 });
  await page.locator(".wb-Attribution:not([hidden])").waitFor();
  await page.waitForTimeout(1500);
}

/** One drag of the slider from its position to its end, and the state after the release. */
async function drag(page, folder) {
  const slider = page.getByRole("slider").first();
  const [least, most] = await slider.evaluate(({ min, max }) => [Number(min), Number(max)]);
  for (const [step, part] of DRAG.entries()) {
    await slider.evaluate(
      (input, value) => {
        input.value = String(value);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
      Math.max(0, least) + part * (most - Math.max(0, least)),
    );
    await page.waitForTimeout(400);
    await shot(page, folder, `drag-${step}`);
  }
  await slider.evaluate((input) => input.dispatchEvent(new Event("change", { bubbles: true })));
  await page.waitForTimeout(3000);
  await shot(page, folder, "drag-released");
}

async function shot(page, folder, name) {
  const path = join(resolve(folder), `${name}.png`);
  await page.screenshot({ path });
  console.log(path);
}
