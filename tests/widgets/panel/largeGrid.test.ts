// The cost of the panel on the page's main thread with the largest grid, in Chromium.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { pageText } from "../catalogue.ts";
import { noChromium, type PanelPage, panelPages } from "./panelPage.ts";
import { openCase, openSection } from "./sectionPage.ts";

t.setTimeout(180_000);

const california = new URL("../../../server/grids/california.json.gz", import.meta.url);

t.test("the largest grid of the service, of 8,500 buses", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints }: PanelPage = await pages(420, 1200);
  await openCase(page, gunzipSync(await readFile(california)).toString());
  await openSection(page, "tables");
  await page.locator('[data-section="tables"] .wb-Grid').waitFor();
  await page.evaluate(
    () =>
      void globalThis.panel.workspace.active?.selectMany([
        { kind: "branch", id: 2 },
        { kind: "bus", id: 20 },
        { kind: "bus", id: 2 },
      ]),
  );
  await page.waitForFunction(() => globalThis.panel.workspace.active?.path !== null);

  await t.test("a step of a drag costs the panel little", async (t) => {
    const step = (): void => {
      const session = globalThis.panel.workspace.active;
      session?.preview(((session.previewMw ?? 0) + 0.01) % 1);
    };
    const all = await mainThreadMs(page, step);
    t.comment(`${all.toFixed(2)} ms of the main thread a step, a table open`);
    t.ok(all < 8, `${all.toFixed(2)} ms without a graphics card`);
    await page.locator('[data-section="tables"] .wb-Section-head').click();
    const rows = await mainThreadMs(page, step);
    t.comment(`${rows.toFixed(2)} ms without the table`);
    t.ok(rows < 4, `${rows.toFixed(2)} ms`);
    await page.evaluate(() => globalThis.panel.workspace.active?.cancelPreview());
    await openSection(page, "tables");
    await page.locator('[data-section="tables"] .wb-Grid').waitFor();
  });

  await t.test("the table scrolls and sorts without a long task", async (t) => {
    const cost = await mainThreadMs(page, () => {
      const grid = document.querySelector('[data-section="tables"] .wb-Grid');
      grid?.dispatchEvent(new WheelEvent("wheel", { deltaY: 96, bubbles: true, cancelable: true }));
    });
    t.comment(`${cost.toFixed(2)} ms of the main thread a turn of the wheel`);
    t.ok(cost < 32, `${cost.toFixed(2)} ms without a graphics card`);
    const sorted = await page.evaluate(() => {
      const key = document.querySelector<HTMLSelectElement>('[data-section="tables"] .wb-Table-sort select');
      const begun = performance.now();
      if (key !== null) {
        key.value = "demand_mw";
        key.dispatchEvent(new Event("change"));
      }
      return performance.now() - begun;
    });
    t.comment(`${sorted.toFixed(1)} ms to sort`);
    t.ok(sorted < 150, `${sorted.toFixed(1)} ms`);
  });

  await t.test("all buses may be selected, and are listed", async (t) => {
    const cost = await page.evaluate(() => {
      const session = globalThis.panel.workspace.active;
      const all = session?.opened.buses.map(({ id }) => ({ kind: "bus", id }) as const) ?? [];
      const begun = performance.now();
      void session?.selectMany(all);
      return performance.now() - begun;
    });
    t.comment(`${cost.toFixed(0)} ms to select 8,500 buses`);
    await page
      .locator('[data-section="edit"] .wb-Section-note', { hasText: pageText("selectedCount", 8500, "8,500") })
      .waitFor();
    await eventually.equal(t, () => page.locator(".wb-EditRow").count(), 50);
    await page.getByRole("button", { name: pageText("showMoreOf", 50, "8,450") }).click();
    await eventually.equal(t, () => page.locator(".wb-EditRow").count(), 100);
    await page.getByRole("button", { name: pageText("deselectAll") }).click();
    await eventually.match(t, () => page.locator('[data-section="edit"]').innerText(), pageText("nothingSelected"));
  });

  t.strictSame(complaints, []);
});

/** Frames over which a cost is averaged. */
const FRAMES = 60;

/**
 * The cost of a step on the main thread of the page, ms of its processor time, averaged over several frames, less the
 * cost of frames without it: other work of the machine does not count.
 */
async function mainThreadMs(page: Page, step: () => void): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
  };
  const run = async (body: string): Promise<number> => {
    const before = await busy();
    await page.evaluate(`(async () => {
      for (let frame = 0; frame < ${FRAMES}; frame += 1) {
        (${body})();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    })()`);
    return ((await busy()) - before) / FRAMES;
  };
  const idle = await run("() => undefined");
  const cost = await run(step.toString());
  await session.detach();
  return cost - idle;
}
