// An MCP client that replaces its proposal while a person clicks on Approve or Apply: whatever is approved has been on the screen,
// unchanged, for a second before that click, and the page applies nothing else.
import { setTimeout } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { openLab, startLab } from "../lab.ts";
import { runCommand } from "../notebook.ts";
import { type Answer, startMcpClient } from "./mcpClient.ts";

const FILE = "three_bus.m";
const TOKEN = "of-the-test";
const lab = await startLab([`tests/fixtures/${FILE}`], "lab", undefined, { token: TOKEN });
t.teardown(() => lab.stop());

const SEEN_MS = 1000;
const APPROVALS = 3;
/**
 * Increases of line 2, MW, used in turn, and the duration of each, ms: most are replaced before or just when the button
 * becomes active.
 */
const INCREASES = [20, 200] as const;
const STAYS_MS = [150, 4000, 900, 6000, 500, 1050, 5000];
const CLICKS_MS = [40, 130, 310, 70, 220];

/** The content of the card at a time, or at a click. */
interface Record {
  at: number;
  click: boolean;
  id: string;
  state: string;
  lines: string;
}

declare global {
  interface Window {
    cardRecords: Record[];
  }
}

/** Records every change of the card, and its content at every click before other listeners run. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.cardRecords = [];
    const now = (click: boolean): Record => {
      const found = document.querySelector<HTMLElement>(".wb-Proposal");
      const lines = [...(found?.querySelectorAll("[data-approved-line]") ?? [])].map((line) => line.textContent);
      const { proposal: id = "", state = "" } = found?.dataset ?? {};
      return { at: performance.now(), click, id, state, lines: lines.join("; ") };
    };
    const same = (a: Record | undefined, b: Record): boolean =>
      a?.id === b.id && a.state === b.state && a.lines === b.lines;
    let last: Record | undefined;
    new MutationObserver(() => {
      const shown = now(false);
      if (!same(last, shown)) window.cardRecords.push((last = shown));
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    window.addEventListener("click", () => window.cardRecords.push(now(true)), { capture: true });
  });

/**
 * The click that approved the recorded changes, and the time since which the card showed them; the caller asserts both.
 */
function approvedBy(records: readonly Record[], approved: number): { click: Record | undefined; since: number } {
  const at = records.slice(0, approved).findLastIndex(({ click }) => click);
  const click = records[at];
  const other = (one: Record): boolean => !one.click && (one.id !== click?.id || one.lines !== click.lines);
  const before = records.slice(0, Math.max(at, 0)).findLastIndex(other);
  return { click, since: records[before + 1]?.at ?? Infinity };
}

/** The map of the fixture with its Study panel in a new page of JupyterLab, and an MCP client that sees it as its live case. */
async function openCase(t: Test) {
  const client = await startMcpClient(lab.url, TOKEN);
  t.teardown(() => client.stop());
  const { ask } = client;
  const { page, complaints } = await openLab(lab, `lab?token=${TOKEN}`);
  await runCommand(page, "docmanager:open", { path: FILE, factory: "Case map" });
  await page.locator(".wb-CaseDocument:visible .wb-Map .wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  await runCommand(page, "wattbook:show-study-panel");
  const liveId = async (): Promise<string> =>
    ((await ask("list_cases")).data.cases as { case_id: string; live?: true }[]).find((one) => one.live)?.case_id ?? "";
  await eventually.match(t, liveId, /^live-/);
  const here = { case_id: await liveId() };
  /** Line 2 at 40 MW. */
  const held = { ...here, ratings: [{ branch_id: 2, delta_mw: -210 }] };
  t.match(await ask("update_case", { ...held, expected_revision: 0 }), { data: { revision: 1 } });
  /** Proposes a larger rating of line 2. */
  const propose = (mw: number, revision: number): Promise<Answer> =>
    ask("propose_capacity_plan", {
      ...here,
      weights: [{ bus_id: 2, weight: 1 }],
      candidates: [2],
      exact_solve_budget: 4,
      max_increase_per_branch_mw: mw,
      budget_mw: mw,
      increment_mw: mw,
      expected_revision: revision,
    });
  return { ask, here, held, page, complaints, propose };
}

t.test("an approval is of the content shown for a second", async (t) => {
  const { ask, here, page, complaints, propose } = await openCase(t);
  const staged = new Map<string, number>();
  const stage = async (mw: number): Promise<string> => {
    const { ok, data, error } = await propose(mw, 1);
    if (!ok) return error.code;
    t.match(data, { staged: true, changes: [{ branch_id: 2, delta_mw: mw }] });
    staged.set(data.proposal_id, mw);
    return "";
  };
  await watch(page);
  t.equal(await stage(20), "");
  const approve = page.locator('.wb-Proposal [data-action="approve"]');
  await approve.scrollIntoViewIfNeeded();

  let ended = false;
  const rival = (async () => {
    for (let k = 1; !ended; k += 1) {
      await setTimeout(STAYS_MS[k % STAYS_MS.length]);
      const refused = await stage(INCREASES[k % 2] ?? 20);
      if (refused !== "") return refused;
    }
    return "";
  })();

  const records = (): Promise<Record[]> => page.evaluate(() => window.cardRecords);
  const approvals = async (): Promise<number> =>
    new Set((await records()).filter(({ state }) => state === "approved").map(({ id }) => id)).size;
  for (let k = 0; (await approvals()) < APPROVALS; k += 1) {
    const box = await approve.boundingBox({ timeout: 5000 }).catch(() => null);
    if (box !== null) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await setTimeout(CLICKS_MS[k % CLICKS_MS.length]);
  }
  ended = true;
  t.equal(await rival, "");
  if ((await approve.count()) > 0) {
    await page.locator('[data-approval][data-armed="true"]').waitFor();
    await approve.click();
  }
  await page.locator('.wb-Proposal [data-action="apply"]').click();
  await page.locator('.wb-Proposal[data-state="applied"]').waitFor();

  const all = await records();
  const clicks = all.filter(({ click }) => click);
  for (const [k, record] of all.entries()) {
    const isNew = !record.click && record.state === "approved" && all[k - 1]?.state !== "applied";
    if (!isNew) continue;
    const { click, since } = approvedBy(all, k);
    t.match(click, { id: record.id, state: "staged", lines: record.lines }, "approved as it stood there at the click");
    t.ok((click?.at ?? 0) - since >= SEEN_MS, `on the screen for ${Math.round((click?.at ?? 0) - since)} ms`);
    const mw = staged.get(record.id);
    t.match(record.lines, new RegExp(`\\+${mw}(\\.0)? MW$`), "the client's own amount");
  }
  t.ok(clicks.length > 3 * APPROVALS, `${clicks.length} clicks, most of them too early`);
  const mw = staged.get(all.at(-1)?.id ?? "") ?? 0;
  t.match(await ask("inspect_case", here), { data: { revision: 2, changes: [{ branch_id: 2, delta_mw: mw - 210 }] } });
  t.strictSame(complaints, []);
  await page.close();
});

/** When the client replaces what was approved, against the click on Apply, ms. */
const REPLACED_MS = [-60, -20, -5, 0, 0, 5, 20, 60, 150];

t.test("the approved content is applied, whatever a client proposes meanwhile", async (t) => {
  const { ask, here, held, page, complaints, propose } = await openCase(t);
  const card = page.locator(".wb-Proposal");
  const shown = (): Promise<string> =>
    card.evaluate(({ dataset: { proposal = "", state = "" } }: HTMLElement) => `${state} ${proposal}`);
  const outcomes = new Set<string>();
  let revision = 1;
  for (const [k, wait] of REPLACED_MS.entries()) {
    const [mw, other] = [10 + k, 30 + k];
    const { data: approved } = await propose(mw, revision);
    t.match(approved, { staged: true, changes: [{ branch_id: 2, delta_mw: mw }] });
    await eventually.equal(t, shown, `staged ${approved.proposal_id}`);
    await card.locator('[data-action="approve"]').scrollIntoViewIfNeeded();
    await page.locator('[data-approval][data-armed="true"]').waitFor();
    await card.locator('[data-action="approve"]').click();
    await eventually.equal(t, shown, `approved ${approved.proposal_id}`);

    const apply = card.locator('[data-action="apply"]');
    await apply.scrollIntoViewIfNeeded();
    const box = await apply.boundingBox();
    if (box === null) throw new Error("There is no button to apply.");
    const [replaced] = await Promise.all([
      setTimeout(Math.max(0, wait)).then(() => propose(other, revision)),
      setTimeout(Math.max(0, -wait)).then(() => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)),
    ]);
    // The card has followed: the approved proposal was applied, or the other one stands there unapproved.
    const settled = /^(applied|expired|staged) /;
    await eventually.match(t, shown, settled);
    await page.locator('.wb-CaseDocument:visible .wb-Map[data-status="ready"]').waitFor();
    const { data: state } = await ask("inspect_case", here);
    if (state.revision === revision) {
      outcomes.add("replaced");
      t.match(replaced, { ok: true, data: { staged: true } }, "replaced before the click was heard");
      t.equal(await shown(), `staged ${replaced.data.proposal_id}`, "and not approved");
      t.match(state, { changes: [{ branch_id: 2, delta_mw: -210 }] }, `${wait} ms: nothing is applied`);
    } else {
      outcomes.add("applied");
      t.match(
        state,
        { revision: revision + 1, changes: [{ branch_id: 2, delta_mw: mw - 210 }] },
        `${wait} ms: its amount`,
      );
      t.match(await ask("update_case", { ...held, expected_revision: revision + 1 }), {
        data: { revision: revision + 2 },
      });
      revision += 2;
    }
  }
  t.ok(outcomes.has("applied"), [...outcomes].join());
  t.strictSame(complaints, []);
  await page.close();
});
