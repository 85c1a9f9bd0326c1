// Agents in Chromium: the tools of the page called through the browser's own WebMCP, and a proposal approved by a real
// click.
import t from "tap";
import { AGENT_TOOLS } from "@service/webmcp";
import type { Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { dropFiles } from "../files.ts";
import { mapInFront, openPage, startBrowser, startGate, startServer } from "../page.ts";

/** Fields of answers are compared one by one. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Answer = { ok: boolean; data: any; error: { code: string; message: string } };

const ask = async (page: Page, tool: string, input: object = {}): Promise<Answer> =>
  (await page.webmcp.callTool(tool, input as never)) as Answer;
const names = async (page: Page): Promise<string[]> => (await page.webmcp.tools()).map(({ name }) => name).sort();

const server = await startServer(t);
const browser = await startBrowser(t, ["--enable-features=WebMCP"]);

t.test("inspect, query, analyse, preview, update, propose, approve by a click, apply", async (t) => {
  const { page, complaints, foreign } = await openPage(browser, `${server.url}/`);
  await eventually.ok(t, async () => (await names(page)).length === 9, "the tools that need no plan and no feeder");
  t.match(await ask(page, "inspect_case"), { ok: false, error: { code: "CASE.NONE" } });
  const { data: listed } = await ask(page, "list_cases");
  t.equal(listed.total, 2, "the cases of the server");
  const { case_id } = listed.cases[0];
  t.match(await ask(page, "select_case", { case_id }), { ok: true, data: { case_id, revision: 0 } });
  await mapInFront(page);

  const bytes = await fixture("three_bus.m");
  await dropFiles(page.locator("#main"), [{ name: "three_bus.m", bytes }]);
  await eventually.ok(t, async () => (await ask(page, "inspect_case")).data?.buses === 3);
  const { data: shown } = await ask(page, "inspect_case");
  const here = { case_id: shown.case_id };
  t.match(shown, { revision: 0, formulation: "dcopf", solve: { status: "optimal" } });
  t.match((await ask(page, "list_cases")).data.total, 3);

  const edit = { ...here, expected_revision: 0, ratings: [{ branch_id: 2, delta_mw: -210 }] };
  t.match(await ask(page, "preview_case_update", edit), { ok: true, data: { revision: 0 } });
  const { data: made } = await ask(page, "update_case", edit);
  t.match(made, { committed: true, revision: 1, objective_usd_per_h: 808.5 });
  t.ok(made.prediction_check.objective_change.absolute_error > 0, "the limit was not binding before");
  const { data: rows } = await ask(page, "query_network", { ...here, element_kind: "bus", sort_by: "price" });
  t.match(rows.rows, [
    { id: 2, price: 30.1 },
    { id: 1, price: 18.2 },
    { id: 3, price: 6.3 },
  ]);
  const column = { ...here, element_kind: "branch", element_id: 2 };
  t.match(await ask(page, "analyze_sensitivity", column), { ok: true, data: { units: "($/MWh)/MW" } });
  await ask(page, "focus_network", column);
  const selected = page.locator(".wb-Page-document:not([hidden]) .wb-EditBar-name").first();
  await eventually.ok(t, async () => (await selected.innerText()).startsWith("Line 2"));

  // Refused calls change nothing.
  const refused: [tool: string, input: object, code: string][] = [
    ["update_case", edit, "REVISION.STALE"],
    ["update_case", { ...edit, expected_revision: 1, extra: 1 }, "INPUT.INVALID"],
    ["update_case", { ...here, expected_revision: 1, demand: [{ bus_id: 2, delta_mw: 5000 }] }, "SOLVE.INFEASIBLE"],
    ["update_case", { ...edit, expected_revision: 1, case_id }, "CASE.INACTIVE"],
    ["query_network", { ...here, element_kind: "bus", element_ids: ["nowhere"] }, "BUS.UNKNOWN"],
    ["query_network", { ...here, element_kind: "bus", sort_by: "voltage_v" }, "QUANTITY.UNAVAILABLE"],
    ["select_case", { case_id: "nowhere" }, "CASE.UNKNOWN"],
  ];
  for (const [tool, input, code] of refused) {
    t.match(await ask(page, tool, input), { ok: false, error: { code } }, `${tool}: ${code}`);
  }

  const plan = {
    ...here,
    ...{ expected_revision: 1, weights: [{ bus_id: 2, weight: 1 }], candidates: [1, 2, 3] },
    ...{ max_increase_per_branch_mw: 40, budget_mw: 40, increment_mw: 20, exact_solve_budget: 6 },
  };
  const { data: found } = await ask(page, "propose_capacity_plan", plan);
  t.match(found, { staged: true, changes: [{ branch_id: 2, delta_mw: 20 }], base_revision: 1 });
  const { session_id, proposal_id } = found;
  const apply = { ...here, expected_revision: 1, session_id, proposal_id };
  await eventually.ok(t, async () => (await names(page)).includes("apply_capacity_plan"));
  t.match(await ask(page, "apply_capacity_plan", apply), { ok: false, error: { code: "PROPOSAL.NOT_APPROVED" } });

  const approve = page.locator('.wb-Proposal [data-action="approve"]');
  await approve.waitFor();
  await approve.scrollIntoViewIfNeeded(); // an unseen proposal cannot be approved
  await approve.evaluate((button: HTMLElement) => button.click());
  await approve.dispatchEvent("click");
  t.equal(await page.locator(".wb-Proposal").getAttribute("data-state"), "staged", "a script approves nothing");
  await page.locator('[data-approval][data-armed="true"]').waitFor(); // visible for a second
  await approve.click();
  await eventually.equal(t, () => page.locator(".wb-Proposal").getAttribute("data-state"), "approved");
  t.match(await ask(page, "apply_capacity_plan", { ...apply, session_id: "another" }), {
    error: { code: "SESSION.UNKNOWN" },
  });
  t.match(await ask(page, "apply_capacity_plan", apply), { ok: true, data: { applied: true, revision: 2 } });
  await eventually.equal(t, () => page.locator(".wb-Proposal").getAttribute("data-state"), "applied");
  await eventually.ok(t, async () => !(await names(page)).includes("apply_capacity_plan"), "there is nothing to apply");
  t.match(await ask(page, "inspect_case"), { data: { changes: [{ branch_id: 2, delta_mw: -190 }] } });

  // The final message is in the journal, which the user sees and may save.
  await page.getByRole("button", { name: "Agents" }).click();
  const journal = page.locator('[data-section="agents"]');
  t.match(await journal.locator("li").first().innerText(), /inspect_case/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    journal.getByText("Download the journal").click(),
  ]);
  t.equal(download.suggestedFilename(), "wattbook-journal.json");
  t.match(await ask(page, "reset_case", { ...here, expected_revision: 2 }), { ok: true, data: { revision: 3 } });
  t.strictSame(
    [complaints, foreign()],
    [[], []],
    "the Content-Security-Policy is respected, and no other server is contacted",
  );
});

t.test("the published schemas are those of the contract", async (t) => {
  const { page } = await openPage(browser, `${server.url}/`);
  await eventually.ok(t, async () => (await names(page)).length === 9);
  for (const tool of await page.webmcp.tools()) {
    const { description, inputSchema, annotations } = AGENT_TOOLS.tools.find(({ name }) => name === tool.name) ?? {};
    t.strictSame([tool.description, tool.inputSchema], [description, inputSchema], tool.name);
    t.equal(tool.annotations?.untrustedContent, true, tool.name);
    t.equal(tool.annotations?.readOnly ?? false, annotations?.readOnlyHint, tool.name);
  }
});

t.test("a case that cannot be served stays listed and is refused with the reason", async (t) => {
  const reason = "The staged file <b>carolina</b> was\u0007 altered.\u202e";
  const gate = await startGate(t, server.url, "/", (path, body) => {
    if (path !== "/api/cases") {
      return body;
    }
    const [first, ...rest] = JSON.parse(body.toString()) as object[];
    return Buffer.from(JSON.stringify([{ ...first, unavailable_reason: reason }, ...rest]));
  });
  const { page, complaints } = await openPage(browser, gate);
  await eventually.ok(t, async () => (await names(page)).length === 9);
  const { data: listed } = await ask(page, "list_cases");
  const seen = "The staged file <b>carolina</b> was altered.";
  t.strictSame(
    listed.cases.map(({ available, reason }: Record<string, unknown>) => [available, reason]),
    [
      [false, seen],
      [true, undefined],
    ],
  );
  const { case_id } = listed.cases[0];
  t.strictSame(await ask(page, "select_case", { case_id }), {
    ok: false,
    error: { code: "CASE.UNAVAILABLE", message: seen },
  });
  t.match(await ask(page, "inspect_case"), { ok: false, error: { code: "CASE.NONE" } }, "nothing was opened");
  t.match(await ask(page, "select_case", { case_id: listed.cases[1].case_id }), { ok: true });
  t.strictSame(complaints, []);
});

t.test("a browser without WebMCP shows no message about tools", async (t) => {
  const plain = await startBrowser(t);
  const { page, complaints, requests } = await openPage(plain, `${server.url}/`);
  await page.locator(".wb-Page-case").first().waitFor();
  t.equal(await page.evaluate(() => "modelContext" in document), false);
  t.strictSame(complaints, []);
  t.ok(requests.length > 0);
});
