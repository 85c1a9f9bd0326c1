// The panel with the largest grid, in Chromium: what it redraws depends on what is visible, not on the size of the grid.
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

  await t.test("a step of a drag redraws what is visible", async (t) => {
    const step = (): void => {
      const session = globalThis.panel.workspace.active;
      session?.preview(((session.previewMw ?? 0) + 0.01) % 1);
    };
    const all = await redrawn(page, step);
    t.ok(all.cells > 0 && all.cells < 500, `${all.cells.toFixed(1)} letterings of the table's canvas a step`);
    t.ok(all.nodes > 0 && all.nodes < 100, `${all.nodes.toFixed(1)} changes of the document a step`);
    await page.locator('[data-section="tables"] .wb-Section-head').click();
    const rest = await redrawn(page, step);
    t.equal(rest.cells, 0, "a closed table draws nothing");
    t.ok(rest.nodes > 0 && rest.nodes < 100, `${rest.nodes.toFixed(1)} changes without the table`);
    await page.evaluate(() => globalThis.panel.workspace.active?.cancelPreview());
    await openSection(page, "tables");
    await page.locator('[data-section="tables"] .wb-Grid').waitFor();
  });

  await t.test("a turn of the wheel redraws what comes into view", async (t) => {
    const turn = await redrawn(page, () => {
      const grid = document.querySelector('[data-section="tables"] .wb-Grid');
      grid?.dispatchEvent(new WheelEvent("wheel", { deltaY: 96, bubbles: true, cancelable: true }));
    });
    t.ok(turn.cells > 0 && turn.cells < 500, `${turn.cells.toFixed(1)} letterings`);
    t.ok(turn.nodes < 100, `${turn.nodes.toFixed(1)} changes of the document`);
  });

  await t.test("all buses may be selected, and are listed", async (t) => {
    await page.evaluate(() => {
      const session = globalThis.panel.workspace.active;
      void session?.selectMany(session.opened.buses.map(({ id }) => ({ kind: "bus", id }) as const));
    });
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

/** Frames over which is averaged. */
const FRAMES = 60;

/** What a step redraws of the page, averaged over frames: changes of the document and texts painted on canvases of the panel. */
function redrawn(page: Page, step: () => void): Promise<{ nodes: number; cells: number }> {
  return page.evaluate(`(async () => {
    let nodes = 0;
    let cells = 0;
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...text) {
      cells += 1;
      return fillText.apply(this, text);
    };
    const observer = new MutationObserver((changes) => (nodes += changes.length));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    for (let frame = 0; frame < ${FRAMES}; frame += 1) {
      (${step.toString()})();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    observer.disconnect();
    CanvasRenderingContext2D.prototype.fillText = fillText;
    return { nodes: nodes / ${FRAMES}, cells: cells / ${FRAMES} };
  })()`);
}
