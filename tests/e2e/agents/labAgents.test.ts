// Agents in JupyterLab: those of the browser, through its own WebMCP, and MCP clients of the Jupyter server on the live
// case of the open page. Only a real click of a person approves.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Page } from "playwright-core";
import { StudyWriter } from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { engine, openThreeBus } from "../../widgets/session.ts";
import { dropFiles } from "../files.ts";
import { openLab, startLab } from "../lab.ts";
import { type Answer, startMcpClient } from "./mcpClient.ts";
import { openSection, runCommand } from "../notebook.ts";

const FILE = "three_bus.m";
const TOKEN = "of-the-test";
const lab = await startLab([`tests/fixtures/${FILE}`], "lab", undefined, {
  ...{ chromiumArgs: ["--enable-features=WebMCP"], token: TOKEN },
});
t.teardown(() => lab.stop());
await writeFile(join(lab.folder, "again.m"), await fixture(FILE));

type Ask = (tool: string, input?: object) => Promise<Answer>;
const browserAgent =
  (page: Page): Ask =>
  async (tool, input = {}) =>
    (await page.webmcp.callTool(tool, input as never)) as Answer;
const names = async (page: Page): Promise<string[]> => (await page.webmcp.tools()).map(({ name }) => name).sort();

const opened = (page: Page, path = FILE): Promise<void> =>
  runCommand(page, "docmanager:open", { path, factory: "Case map" });
const card = (page: Page) => page.locator(".wb-Proposal");

let windows = 0;
/** Address of a new, empty window. */
const address = (): string => `lab/workspaces/window-${(windows += 1)}?token=${TOKEN}`;

/** Opens JupyterLab with a case in front and the Study panel beside it. */
async function openCase(path = FILE) {
  const found = await openLab(lab, address());
  await opened(found.page, path);
  await found.page.locator(".wb-CaseDocument:visible .wb-Map .wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  await runCommand(found.page, "wattbook:show-study-panel");
  return found;
}

const PLAN = {
  ...{ weights: [{ bus_id: 2, weight: 1 }], candidates: [1, 2, 3] },
  ...{ max_increase_per_branch_mw: 40, budget_mw: 40, increment_mw: 20, exact_solve_budget: 6 },
};

/**
 * Inspect, query, analyse, preview, update, and the calls refused in between; afterwards the case is at revision 1 with
 * line 2 held at 40 MW.
 */
async function uses(t: Test, ask: Ask, page: Page, case_id: string): Promise<void> {
  const here = { case_id };
  t.match((await ask("list_cases")).data.cases, [{ case_id, displayed: true }]);
  t.match(await ask("inspect_case"), { data: { case_id, revision: 0, state: "live", formulation: "dcopf" } });
  const edit = { ...here, expected_revision: 0, ratings: [{ branch_id: 2, delta_mw: -210 }] };
  const { data: predicted } = await ask("preview_case_update", edit);
  t.match(predicted, { revision: 0 });
  const { data: made } = await ask("update_case", edit);
  t.match(made, {
    committed: true,
    revision: 1,
    objective_usd_per_h: 808.5,
    prediction_check: { preview: predicted.preview },
  });
  t.match((await ask("query_network", { ...here, element_kind: "bus", sort_by: "price", limit: 2 })).data.rows, [
    { id: 2, price: 30.1 },
    { id: 1, price: 18.2 },
  ]);
  const column = { ...here, element_kind: "branch", element_id: 2 };
  t.match(await ask("analyze_sensitivity", column), { ok: true, data: { units: "($/MWh)/MW" } });
  t.match(await ask("focus_network", column), { ok: true, data: { selected: { kind: "branch", id: 2 } } });
  const selected = page.locator(".wb-CaseDocument:visible .wb-EditBar-name").first();
  await eventually.ok(t, async () => (await selected.innerText()).startsWith("Line 2"), "selected in the page");
  const refused: [tool: string, input: object, code: string][] = [
    ["update_case", edit, "REVISION.STALE"],
    ["update_case", { ...edit, expected_revision: 1, approve: true }, "INPUT.INVALID"],
    ["update_case", { ...here, expected_revision: 1, demand: [{ bus_id: 2, delta_mw: 5000 }] }, "SOLVE.INFEASIBLE"],
    ["query_network", { ...here, element_kind: "bus", element_ids: ["nowhere"] }, "BUS.UNKNOWN"],
    ["query_network", { ...here, element_kind: "bus", sort_by: "voltage_v" }, "QUANTITY.UNAVAILABLE"],
    ["propose_capacity_plan", { ...PLAN, ...here, expected_revision: 0 }, "REVISION.STALE"],
    ["propose_capacity_plan", { ...PLAN, ...here, expected_revision: 1, candidates: [2, 2] }, "PLAN.SPEC"],
    ["select_case", { case_id: `${case_id}9` }, "CASE.UNKNOWN"],
  ];
  for (const [tool, input, code] of refused) {
    t.match(await ask(tool, input), { ok: false, error: { code } }, `${tool}: ${code}`);
  }
  t.match(await ask("inspect_case"), { data: { revision: 1, changes: [{ branch_id: 2, delta_mw: -210 }] } });
}

t.test("an agent of the browser, from inspection to a plan that a person approves", async (t) => {
  const { page, complaints } = await openCase();
  t.teardown(() => page.close());
  const ask = browserAgent(page);
  await eventually.equal(t, async () => (await names(page)).length, 10, "all but the tools of proposals and feeders");
  const { data } = await ask("inspect_case");
  const here = { case_id: data.case_id };
  await uses(t, ask, page, data.case_id);

  const { data: found } = await ask("propose_capacity_plan", { ...PLAN, ...here, expected_revision: 1 });
  t.match(found, { staged: true, base_revision: 1, changes: [{ branch_id: 2, delta_mw: 20 }] });
  await eventually.ok(t, async () => (await names(page)).includes("apply_capacity_plan"), "offered with the proposal");
  const apply = { ...here, expected_revision: 1, session_id: found.session_id, proposal_id: found.proposal_id };
  t.match(await ask("apply_capacity_plan", apply), { error: { code: "PROPOSAL.NOT_APPROVED" } });
  const approve = card(page).locator('[data-action="approve"]');
  await approve.scrollIntoViewIfNeeded(); // an unseen proposal cannot be approved
  await approve.evaluate((button: HTMLElement) => button.click());
  await approve.dispatchEvent("click");
  t.equal(await card(page).getAttribute("data-state"), "staged", "a script approves nothing");
  await page.locator('[data-approval][data-armed="true"]').waitFor(); // visible for a second
  await approve.click();
  await eventually.equal(t, () => card(page).getAttribute("data-state"), "approved");
  t.match(await ask("apply_capacity_plan", { ...apply, session_id: "another" }), {
    error: { code: "SESSION.UNKNOWN" },
  });
  t.match(await ask("apply_capacity_plan", { ...apply, proposal_id: "x" }), { error: { code: "PROPOSAL.UNKNOWN" } });
  t.match(await ask("apply_capacity_plan", { ...apply, expected_revision: 0 }), { error: { code: "REVISION.STALE" } });
  t.equal(await card(page).getAttribute("data-state"), "approved", "refusals use up nothing");
  t.match(await ask("apply_capacity_plan", apply), { ok: true, data: { applied: true, revision: 2 } });
  await eventually.notOk(
    t,
    async () => (await names(page)).includes("apply_capacity_plan"),
    "taken back after its use",
  );
  t.match(await ask("inspect_case"), { data: { changes: [{ branch_id: 2, delta_mw: -190 }] } });

  // An edit of the person ends a proposal, approved or not.
  const held = { ...here, expected_revision: 2, ratings: [{ branch_id: 2, delta_mw: -210 }] };
  t.match(await ask("update_case", held), { data: { revision: 3 } });
  const again = { ...PLAN, ...here, expected_revision: 3 };
  const { data: second } = await ask("propose_capacity_plan", again);
  t.ok(second.staged);
  await page.locator('[data-approval][data-armed="true"]').waitFor(); // visible for a second
  await approve.click();
  await runCommand(page, "wattbook:undo-edit");
  await eventually.equal(t, () => card(page).getAttribute("data-state"), "expired");
  await eventually.notOk(t, async () => (await names(page)).includes("apply_capacity_plan"));

  // With a feeder in front, the tools are those of a feeder.
  const feederFiles = ["village.dss", "village_coordinates.csv"].map(async (name) => {
    return { name, bytes: new Uint8Array(await readFile(new URL(`../../../examples/${name}`, import.meta.url))) };
  });
  await dropFiles(page.locator(".wb-CaseDocument:visible .wb-Map"), await Promise.all(feederFiles));
  await eventually.ok(t, async () => (await names(page)).includes("solve_multiconductor_pf"), "a feeder is in front");
  const { data: feeder } = await ask("inspect_case");
  const solve = { case_id: feeder.case_id, expected_revision: feeder.revision };
  t.match(await ask("solve_multiconductor_pf", solve), { error: { code: "PHYSICS.UNSUPPORTED" } });
  t.match(await ask("update_case", { ...solve, demand: [{ bus_id: 1, delta_mw: 1 }] }), {
    error: { code: "FORMULATION.UNAVAILABLE" },
  });
  t.match(await ask("reset_case", { ...here, expected_revision: 5 }), { error: { code: "CASE.INACTIVE" } });
  t.match(await ask("select_case", here), { ok: true, data: here });
  await openSection(page, "agents");
  t.match(await page.locator('[data-section="agents"] li').first().innerText(), /select_case/);

  // The document of a Study comes to the front like that of a case.
  const { session } = await openThreeBus();
  const text = await engine.writeStudyBundle(await new StudyWriter(session).bundle({ id: "study-1", title: "Three" }));
  await writeFile(join(lab.folder, "three.study.json"), text);
  await runCommand(page, "docmanager:open", { path: "three.study.json" });
  const study = page.locator(".wb-StudyDocument:visible .wb-Stage");
  await study.waitFor();
  const { data: inStudy } = await ask("inspect_case");
  t.not(inStudy.case_id, here.case_id);
  t.match(await ask("select_case", here), { ok: true, data: here });
  await study.waitFor({ state: "hidden" });
  t.match(await ask("select_case", { case_id: inStudy.case_id }), { ok: true });
  await study.waitFor();
  t.strictSame(complaints, []);
});

t.test("an MCP client on the live case of the page, which alone approves and applies", async (t) => {
  const client = await startMcpClient(lab.url, TOKEN);
  t.teardown(() => client.stop());
  const { ask } = client;
  const { page, complaints } = await openCase();
  const live = async () =>
    ((await ask("list_cases")).data.cases as { case_id: string; live?: true; displayed: boolean }[]).filter(
      (one) => one.live === true,
    );
  await eventually.equal(t, async () => (await live()).length, 1, "the page has reported its case");
  const [first] = await live();
  const case_id = first?.case_id ?? "";
  t.match(case_id, /^live-[0-9a-f]{8}:local-1$/);
  await uses(t, ask, page, case_id);

  const here = { case_id };
  const { data: found } = await ask("propose_capacity_plan", { ...PLAN, ...here, expected_revision: 1 });
  t.match(found, { staged: true, next: /A person approves and applies/ });
  await eventually.equal(t, () => card(page).getAttribute("data-state"), "staged");
  const apply = { ...here, expected_revision: 1, session_id: found.session_id, proposal_id: found.proposal_id };
  t.match(await ask("apply_capacity_plan", apply), { error: { code: "APPLY.REFUSED" } });
  await card(page).locator('[data-action="approve"]').scrollIntoViewIfNeeded();
  await page.locator('[data-approval][data-armed="true"]').waitFor();
  await card(page).locator('[data-action="approve"]').click();
  await eventually.equal(t, () => card(page).getAttribute("data-state"), "approved");
  t.match(await ask("apply_capacity_plan", apply), { error: { code: "APPLY.REFUSED" } }, "approved or not");
  t.equal(await card(page).getAttribute("data-state"), "approved");
  t.match(await ask("inspect_case"), { data: { revision: 1, proposal: { status: "approved" } } });
  await card(page).locator('[data-action="apply"]').click();
  await eventually.equal(t, () => card(page).getAttribute("data-state"), "applied");
  t.match(await ask("inspect_case", here), { data: { revision: 2, changes: [{ branch_id: 2, delta_mw: -190 }] } });
  await openSection(page, "agents");
  t.match(await page.locator('[data-section="agents"] li').first().innerText(), /inspect_case, over MCP/);

  // A second window has different ids, and files of the user's own computer stay in it.
  const second = await openCase("again.m");
  await eventually.equal(t, async () => (await live()).length, 2);
  const other = (await live()).find((one) => one.case_id !== case_id)?.case_id;
  t.match(await ask("inspect_case"), { data: { case_id: other, revision: 0 } }, "the page that was used last");
  t.match(await ask("inspect_case", here), { data: { revision: 2 } });
  const text = new TextDecoder().decode(await fixture(FILE)).replace("three_bus", "kept_here");
  const target = second.page.locator(".wb-CaseDocument:visible .wb-Map");
  await dropFiles(target, [{ name: "kept_here.m", bytes: new TextEncoder().encode(text) }]);
  await second.page.locator(".wb-CaseTab:visible .wb-Map .wb-Stage[data-placed]").first().waitFor({ timeout: 60_000 });
  await eventually.notOk(t, async () => (await live()).some((one) => one.case_id === other && one.displayed));
  t.equal((await live()).length, 2, "the dropped file is not offered");
  t.match(await ask("reset_case", { case_id: other, expected_revision: 0 }), { error: { code: "CASE.INACTIVE" } });
  await second.page.close();

  // A closed page is reported, and its ids are never reused.
  await eventually.equal(t, async () => (await live()).length, 1);
  t.match(await ask("inspect_case", { case_id: other }), { error: { code: "PAGE.CLOSED" } });
  await page.reload();
  await eventually.ok(t, async () => (await live())[0] !== undefined && (await live())[0]?.case_id !== case_id);
  t.match(await ask("reset_case", { ...here, expected_revision: 2 }), { error: { code: "PAGE.CLOSED" } });
  t.strictSame([complaints, second.complaints], [[], []]);
  await page.close();
});

t.test("a browser without WebMCP shows nothing; refused tools are reported", async (t) => {
  const silent = await lab.browser.newContext();
  await silent.addInitScript("delete Document.prototype.modelContext");
  const refusing = await lab.browser.newContext();
  await refusing.addInitScript(() => {
    const registerTool = ({ name }: { name: string }): Promise<void> =>
      name === "reset_case" ? Promise.reject(new Error("not on this page")) : Promise.resolve();
    Object.defineProperty(document, "modelContext", { value: { registerTool } });
  });
  for (const [context, message] of [
    [silent, null],
    [refusing, /reset_case could not be offered to agents: not on this page/],
  ] as const) {
    const { page, complaints } = await openLab({ ...lab, browser: context as never }, address());
    await opened(page);
    await page.locator(".wb-CaseDocument:visible .wb-Map .wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
    await runCommand(page, "wattbook:show-study-panel");
    const section = page.locator('[data-section="agents"]');
    if (message === null) {
      await page.locator('[data-section="case"], .wb-Section').first().waitFor();
      t.equal(await page.evaluate(() => "modelContext" in document), false);
      t.equal(await section.count(), 0, "nothing to say");
    } else {
      await eventually.match(t, () => section.innerText(), message);
    }
    t.strictSame(complaints, []);
    await context.close();
  }
});
