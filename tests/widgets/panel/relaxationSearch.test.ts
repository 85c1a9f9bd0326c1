// Infeasible edits of a large grid in the panel: the failure comes at once, the bound of the search grows, and Cancel
// leaves the previous state.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { noChromium, panelPages, showTheme, THEMES } from "./panelPage.ts";
import { openCase, sectionText, seriousFindings } from "./sectionPage.ts";

t.setTimeout(600_000);

const texas = new URL("../../../server/grids/texas.json.gz", import.meta.url);

declare global {
  /** Bounds reported by the search, MW. */
  var bounds: number[];
}

/**
 * Runs in the page: separates the steps of jobs, and stops them once the bound has grown, so that the search is paused.
 */
function holdOnceGrown(): void {
  globalThis.bounds = [];
  const post = Worker.prototype.postMessage as (this: Worker, message: { call?: { op: string } }) => void;
  Worker.prototype.postMessage = function (message: { call?: { op: string } }) {
    if (message.call?.op !== "jobStep") {
      post.call(this, message);
      return;
    }
    setTimeout(() => {
      if (globalThis.bounds.length < 2) {
        post.call(this, message);
      }
    }, 100);
  };
}

/**
 * Runs in the page: doubles the demand of each bus and returns the reason of the failure; the bounds of its search are
 * recorded.
 */
async function doubleAll(): Promise<{ code: string; kind: string } | undefined> {
  const session = globalThis.panel.workspace.active;
  if (session === null) {
    throw new Error("no case is open");
  }
  const moves = session.opened.buses
    .filter(({ demand_mw: mw, editable }) => mw > 0 && editable)
    .map(({ id, demand_mw: mw }) => ({ element: { kind: "bus" as const, id }, mw }));
  const failed = await session.edit(moves).then(
    () => undefined,
    (error: { code: string; details: { kind: string } }) => ({ code: error.code, kind: error.details.kind }),
  );
  const search = session.relaxationSearch;
  const note = (): void => {
    const state = search?.state;
    if (state?.kind === "running" && state.atLeastMw > (globalThis.bounds.at(-1) ?? 0) + 1) {
      globalThis.bounds.push(state.atLeastMw);
    }
  };
  search?.changed.connect(note);
  note();
  return failed;
}

const applied = (page: Page) =>
  page.evaluate(() => {
    const live = globalThis.panel.workspace.active?.live;
    return { revision: live?.revision, edits: live?.edits, sha256: live?.solution.result_sha256 };
  });

t.test("all demands of texas doubled", { skip: noChromium }, async (t) => {
  const pages = await panelPages(t);
  const { page, complaints } = await pages(420, 900);
  await openCase(page, gunzipSync(await readFile(texas)).toString());
  const before = await applied(page);
  await page.evaluate(holdOnceGrown);
  t.strictSame(await page.evaluate(doubleAll), { code: "SOLVE.INFEASIBLE", kind: "balance" });

  const search = page.locator('[data-section="result"] .wb-Relax[data-search="running"]');
  await search.waitFor();
  await eventually.equal(t, () => page.evaluate(() => globalThis.bounds.length), 2, "the bound grows");
  const bounds = await page.evaluate(() => globalThis.bounds);
  // HiGHS finds 25,953.612 MW for the elastic program (docs/decisions/021).
  t.ok((bounds[0] ?? 0) > 0 && (bounds[1] ?? Infinity) <= 25_953.62, bounds.join(" "));
  const sentence = new RegExp(
    `At least ${Math.floor(bounds[1] ?? 0).toLocaleString("en-US")}\\.\\d MW short\\. Looking for`,
  );
  await eventually.match(t, () => search.innerText(), sentence);
  await eventually.match(
    t,
    () => sectionText(page, "result"),
    /No solution: the demand exceeds the generators' capacity/,
  );
  for (const theme of THEMES.slice(0, 2)) {
    await showTheme(page, theme);
    t.strictSame(await seriousFindings(page), [], theme);
  }

  await search.getByRole("button", { name: "Cancel" }).click();
  const cancelled = page.locator('[data-section="result"] .wb-Relax[data-search="cancelled"]');
  await eventually.match(t, () => cancelled.innerText(), /MW short\. The search was cancelled\./);
  t.strictSame(await applied(page), before, "the state before stays");
  await page.evaluate(() => globalThis.panel.workspace.active?.edit([{ element: { kind: "branch", id: 1 }, mw: 1 }]));
  t.equal((await applied(page)).revision, (before.revision ?? 0) + 1, "the next change is made");
  t.strictSame(complaints, []);
});
