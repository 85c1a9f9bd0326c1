/* global window */
// A feeder in Chromium: the built stand-alone page opens it, solves it and moves its picture, all on the main thread
// that handles the pointer.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ending, frames, testModule } from "../pages.mjs";
import { percentile } from "../table.mjs";

const SIZE = { width: 1400, height: 900 };
/** Maximum time of any step, ms: for slow machines, not a goal. */
const PATIENCE = 300_000;
/** Movements of the hand, and steps of the wheel. */
const MOVES = 60;

/** Runs in the page before its own code: records tasks of the main thread over 50 ms. */
function watch() {
  window.longTasks = [];
  const note = (list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
}

/** Longest task since the last call, ms; 0 where none was over 50 ms. */
const longest = (page) => page.evaluate(() => Math.max(0, ...window.longTasks.splice(0)));

/** Times of each script on the page, one row per script. */
export async function onPage(scripts) {
  const { startServer, startBrowser } = await testModule("page");
  const { dropFiles } = await testModule("files");
  return ending(async (test) => {
    const server = await startServer(test);
    const browser = await startBrowser(test);
    const rows = [];
    for (const script of scripts) {
      const context = await browser.newContext({ viewport: SIZE });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      await page.addInitScript(watch);
      await page.goto(`${server.url}/`);
      await page.locator("#main").waitFor();
      await page.waitForTimeout(1000); // the start of the page itself
      await longest(page);
      rows.push({ case: basename(script, ".dss"), ...(await used(page, script, dropFiles)) });
      await context.close();
    }
    return rows;
  });
}

async function used(page, script, dropFiles) {
  const view = page.locator(".wb-Map:visible").filter({ has: page.locator(".wb-Feeder") });
  const timed = async (work) => {
    const begun = performance.now();
    await work();
    return { ms: performance.now() - begun, task_ms: await longest(page) };
  };
  const open = await timed(async () => {
    await dropFiles(page.locator("#main"), [{ name: basename(script), bytes: readFileSync(script) }]);
    await view.locator(".wb-Stage[data-placed][data-renderer]").waitFor();
  });
  const button = (name) => view.locator(".wb-Feeder").getByRole("button", { name });
  await button("Solve power flow").click();
  await button(/^Solve with the source impedance as a branch/).waitFor();
  await longest(page);
  const solve = await timed(async () => {
    await button(/^Solve with the source impedance as a branch/).click();
    await view.locator(".wb-Feeder-facts").waitFor();
    await view.locator(".wb-FeederLegend").waitFor();
  });
  const box = await view.locator(".wb-Stage").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const { mouse } = page;
  await mouse.move(x, y);
  const zoom = await frames(page, async () => {
    for (let k = 0; k < MOVES; k += 1) await mouse.wheel(0, k < MOVES / 2 ? -60 : 60);
  });
  await mouse.down();
  const pan = await frames(page, () => mouse.move(x - 200, y - 100, { steps: MOVES }));
  await mouse.up();
  return {
    page_open_ms: open.ms,
    open_task_ms: open.task_ms,
    page_solve_ms: solve.ms,
    solve_task_ms: solve.task_ms,
    pan_ms: percentile(pan, 95),
    zoom_ms: percentile(zoom, 95),
  };
}
