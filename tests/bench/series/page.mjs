// A week of hours on the stand-alone page in Chromium: solved in its worker, then played at full speed.
import { ending, frames, testModule } from "../pages.mjs";
import { percentile } from "../table.mjs";

/** Maximum time of any step, ms: for slow machines, not a goal. */
const PATIENCE = 300_000;
/** Steps per second, and how long the week is watched, which takes 2.8 s at that speed, ms. */
const FASTEST = "60";
const WATCHED = 2500;

/** Seconds until every step is solved, and the times between frames while they play: median and 95th percentile, ms. */
export async function onPage(cases) {
  const { startServer, startBrowser, openPage, mapInFront, withGrids } = await testModule("page");
  return ending(async (test) => {
    const server = await startServer(test, await withGrids(test));
    const browser = await startBrowser(test);
    const rows = [];
    for (const name of cases) {
      const { page } = await openPage(browser, `${server.url}/?case=${name}`);
      page.setDefaultTimeout(PATIENCE);
      const map = await mapInFront(page);
      const section = page.locator('[data-section="series"]');
      await section.locator(".wb-Section-head").click();
      const solve = section.getByRole("button", { name: "Solve the series" });
      await solve.waitFor();
      const begun = performance.now();
      await solve.click();
      await section.getByText(/steps solved in/).waitFor();
      const seconds = (performance.now() - begun) / 1000;
      const bar = map.getByRole("region", { name: "Steps of the series" });
      await bar.getByRole("combobox").selectOption(FASTEST);
      const taken = await frames(page, async () => {
        await bar.getByRole("button", { name: "Play" }).click();
        await page.waitForTimeout(WATCHED);
      });
      const renderer = await map.locator(".wb-Stage").getAttribute("data-renderer");
      rows.push({
        case: name,
        page_s: seconds,
        renderer,
        frame_ms: percentile(taken, 50),
        frame_p95_ms: percentile(taken, 95),
        frames: taken.length,
      });
      await page.close();
    }
    return rows;
  });
}
