// The abilities of browser agents on the live case, and their limits.
import t from "tap";
import { AGENT_TOOLS } from "@service/webmcp";
import { SESSION_ID } from "@service/widgets/workspace";
import { BASE_PRICE } from "../../widgets/session.ts";
import { CLICK, FakeContext, openAgent, PLAN } from "./agent.ts";

const CASE = { case_id: "three_bus" };
const AT_1 = { ...CASE, expected_revision: 1 };

t.test("inspect, query and analyse read the displayed case without a change", async (t) => {
  const { session, data } = await openAgent();
  const before = session.state;
  t.match(await data("list_cases"), { cases: [{ case_id: "three_bus", displayed: true, available: true }], total: 1 });
  t.match(await data("inspect_case"), {
    ...{ session_id: SESSION_ID, case_id: "three_bus", revision: 1, state: "live", formulation: "dcopf" },
    solve: { status: "optimal", objective_usd_per_h: 808.5 },
    prices: { lowest: { bus_id: 3, price: 6.3 }, highest: { bus_id: 2, price: 30.1 } },
    binding_branches: 1,
    changes: [{ branch_id: 2, delta_mw: -210 }],
  });
  const { rows } = await data("query_network", { ...CASE, element_kind: "bus", sort_by: "price", limit: 2 });
  t.match(rows, [
    { id: 2, price: 30.1 },
    { id: 1, price: 18.2 },
  ]);
  const one = await data("query_network", { ...CASE, element_kind: "branch", element_ids: ["2", 2] });
  t.match(one.rows, [{ id: 2, from: 2, to: 3, rating_mw: 40, loading: 1 }]);
  t.equal(one.rows.length, 1);
  const column = await data("analyze_sensitivity", { ...AT_1, element_kind: "bus", element_id: "2" });
  t.match(column, { units: "($/MWh)/MW", revision: 1, element: { kind: "bus", id: 2 } });
  t.ok(column.rows.length > 0 && Math.abs(column.rows[0].value) >= Math.abs(column.rows.at(-1).value));
  t.equal(session.state, before);
});

t.test("the ranking of line upgrades by mean price equals that of exact solves", async (t) => {
  const { session, data, code } = await openAgent();
  const { prices } = await data("inspect_case");
  // The demand is at bus 2 alone.
  t.equal(prices.mean, 30.1);
  const ranking = await data("analyze_sensitivity", { ...CASE, element_kind: "branch" });
  t.match(ranking, { matched: 1, units: "($/MWh)/MW" });
  const [{ branch_id: line, mean_price: slope, valid_mw: valid }] = ranking.rows;
  t.equal(line, 2);
  t.ok(slope < 0 && valid[1] > 1);
  const edit = { ...AT_1, ratings: [{ branch_id: line, delta_mw: 1 }], mode: "increment" };
  const { mean_price_change: predicted } = await data("preview_case_update", edit);
  const { mean_price: after, mean_price_before: before } = await data("update_case", edit);
  t.ok(Math.abs(after - before - slope) < 1e-6);
  t.ok(Math.abs(predicted - slope) < 1e-6);
  t.equal(await code("analyze_sensitivity", { ...CASE, element_kind: "bus" }), "INPUT.INVALID");
  t.equal(session.proposals.revision, 2);
  const spec = { max_increase_per_branch_mw: 20, budget_mw: 20, increment_mw: 20, exact_solve_budget: 4 };
  const plan = await data("propose_capacity_plan", { ...CASE, expected_revision: 2, ...spec });
  t.ok(Math.abs(plan.weighted_price_before - after) < 1e-6, "the mean price, and the line that binds");
  t.match(plan.changes, [{ branch_id: 2, delta_mw: 20 }]);
});

t.test("generators, outages, areas, parts of a price, shadow prices", async (t) => {
  const { session, data, code } = await openAgent();
  const units = await data("query_network", { ...CASE, element_kind: "generator", sort_by: "output_mw" });
  const output = units.rows.map((row: { output_mw: number }) => row.output_mw);
  t.strictSame(
    output,
    [...output].sort((a, b) => b - a),
  );
  const total = output.reduce((sum: number, mw: number) => sum + mw, 0);
  const demand = session.opened.buses.reduce((sum, { demand_mw }) => sum + demand_mw, 0);
  t.ok(Math.abs(total - demand) < 1e-6, "no losses");
  const areas = await data("query_network", { ...CASE, element_kind: "area" });
  t.match(areas.rows, [{ buses: 3, price: 30.1 }]);
  t.ok(Math.abs(areas.rows[0].demand_mw - demand) < 1e-6 && Math.abs(areas.rows[0].generation_mw - demand) < 1e-6);
  const outages = await data("query_network", { ...CASE, element_kind: "outage" });
  t.equal(outages.matched, outages.rows.length);
  t.ok(outages.rows.every((row: { loading: number }) => row.loading >= 0));
  const bound = await data("query_network", { ...CASE, element_kind: "branch", sort_by: "shadow_price", limit: 1 });
  t.equal(bound.rows[0].id, 2);
  const { rows } = await data("query_network", {
    ...CASE,
    element_kind: "bus",
    element_ids: [2],
    include: "components",
  });
  t.ok(Math.abs(rows[0].components.energy + rows[0].components.congestion - 30.1) < 1e-6);
  t.equal(await code("query_network", { ...CASE, element_kind: "generator", element_ids: [9] }), "GENERATOR.UNKNOWN");
  t.equal(await code("query_network", { ...CASE, element_kind: "area", sort_by: "cost" }), "QUANTITY.UNAVAILABLE");
});

t.test("HVDC links are queried and selected", async (t) => {
  const { session, data, code } = await openAgent();
  const before = await data("query_network", { ...CASE, element_kind: "link" });
  t.match(before, { rows: [], matched: 0 });
  await data("update_case", { ...AT_1, add: { links: [{ from: 3, to: 2, p_max: 10 }] } });
  const { rows } = await data("query_network", { ...CASE, element_kind: "link", sort_by: "flow_mw" });
  t.match(rows, [{ id: 1, from: 3, to: 2, flow_mw: 10, capacity_mw: 10 }]);
  const [at3, at2] = [session.store.columns.at("lmp", 2), session.store.columns.at("lmp", 1)];
  t.ok(at2 > at3 && Math.abs(rows[0].price_difference - (at2 - at3)) < 1e-6);
  await data("focus_network", { ...CASE, element_kind: "link", element_id: 1 });
  t.strictSame(session.selection, { kind: "link", id: 1 });
  t.equal(await code("focus_network", { ...CASE, element_kind: "link", element_id: 2 }), "LINK.UNKNOWN");
});

t.test("storage is added, edited, queried and selected", async (t) => {
  const { session, data, code } = await openAgent();
  const unit = { bus: 3, name: "battery", p_charge_max: 20, p_discharge_max: 30, p: 5 };
  await data("update_case", { ...AT_1, add: { storage: [unit] }, storage: [{ storage_id: "battery", p: 12 }] });
  const { rows } = await data("query_network", { ...CASE, element_kind: "storage", sort_by: "output_mw" });
  t.match(rows, [{ id: 1, bus_id: 3, output_mw: 12, capacity_mw: 30 }]);
  await data("focus_network", { ...CASE, element_kind: "storage", element_id: 1 });
  t.match(session.selection, { kind: "storage", id: 1 });
  t.equal(await code("focus_network", { ...CASE, element_kind: "storage", element_id: 2 }), "STORAGE.UNKNOWN");
});

t.test("a parallel circuit is proposed", async (t) => {
  const { data, code } = await openAgent();
  const spec = { ...PLAN, candidates: [1], max_increase_per_branch_mw: 20, budget_mw: 260, increment_mw: 20 };
  const plan = await data("propose_capacity_plan", { ...AT_1, ...spec, circuits: [2] });
  t.match(plan, { staged: true, changes: [], circuits: [{ copy_of: 2 }] });
  t.ok(plan.weighted_price_after < plan.weighted_price_before);
  t.equal(await code("propose_capacity_plan", { ...AT_1, ...spec, circuits: [9] }), "BRANCH.UNKNOWN");
});

t.test("focus selects the element", async (t) => {
  const { session, data } = await openAgent();
  await data("focus_network", { ...CASE, element_kind: "branch", element_id: 2 });
  t.strictSame(session.selection, { kind: "branch", id: 2 });
  t.equal(session.proposals.revision, 1);
});

t.test("a preview is compared with the update of the same edits", async (t) => {
  const { workspace, session, data, code } = await openAgent();
  const edit = { ...AT_1, ratings: [{ branch_id: 2, delta_mw: 1 }], mode: "increment" };
  const preview = await data("preview_case_update", edit);
  t.equal(session.proposals.revision, 1, "a preview changes nothing");
  const update = await data("update_case", edit);
  t.match(update, { committed: true, revision: 2, formulation: "dcopf" });
  t.strictSame(session.state.edits.rates, { 2: -209 });
  const { objective_change: cost, price_change: price } = update.prediction_check;
  t.equal(update.prediction_check.preview, preview.preview);
  t.ok(Math.abs(cost.exact - update.objective_change_usd_per_h) < 1e-6);
  t.ok(Math.abs(cost.absolute_error - Math.abs(cost.predicted - cost.exact)) < 1e-9);
  t.ok(price.absolute_error < 1e-9, "within the interval the linear estimate of prices is exact");
  t.match(workspace.journal.records.at(-1), { tool: "update_case", prediction_check: { preview: preview.preview } });
  t.equal(await code("update_case", edit), "REVISION.STALE");

  // Where the exact change is zero there is no relative error: at 250 MW line 2 does not bind.
  await data("reset_case", { ...CASE, expected_revision: 2 });
  const nothing = { ...CASE, expected_revision: 3, ratings: [{ branch_id: 2, delta_mw: 5 }] };
  await data("preview_case_update", nothing);
  const { prediction_check: check } = await data("update_case", nothing);
  t.match(check.objective_change, { predicted: 0, absolute_error: 0 });
  t.notOk("relative_error" in check.objective_change);
});

t.test("a preview of an AC power flow has voltages and is never exact", async (t) => {
  const { session, data } = await openAgent();
  const before = await data("query_network", { ...CASE, element_kind: "branch", element_ids: [2] });
  t.strictSame(before.units, { rating_mw: "MW" });
  await data("update_case", { ...AT_1, formulation: "acpf" });
  const { revision } = session.proposals;
  const edit = { ...CASE, expected_revision: revision, demand: [{ bus_id: 2, delta_mw: 10 }] };
  const was = session.store.columns.values("vm_pu")?.[1] ?? NaN;
  const { voltages, ...others } = await data("preview_case_update", edit);
  t.equal(voltages[0].bus_id, 2);
  t.ok(Math.abs(voltages[0].before - was) < 1e-7);
  for (const name of ["exact", "first_order", "valid_step", "prices", "objective_change_usd_per_h"]) {
    t.notOk(name in others, `${name} is not reported`);
  }
  const line = await data("query_network", { ...CASE, element_kind: "branch", element_ids: [2] });
  t.strictSame(line.units, { rating_mw: "MVA" });
  await data("update_case", edit);
  const is = session.store.columns.values("vm_pu")?.[1] ?? NaN;
  t.ok(Math.abs(is - was - voltages[0].change) < 1e-6, "the estimate is near what a solve gives");
});

t.test("updates: a failed solve, duplicates and unknown elements change nothing", async (t) => {
  const { session, code, data } = await openAgent();
  const before = session.state;
  const demand = (...edits: [bus_id: unknown, delta_mw: unknown][]) => ({
    ...AT_1,
    demand: edits.map(([bus_id, delta_mw]) => ({ bus_id, delta_mw })),
  });
  t.equal(await code("update_case", demand([2, 5000])), "SOLVE.INFEASIBLE");
  t.equal(await code("update_case", demand([2, 1], ["2", 2])), "DELTA.DUPLICATE");
  t.equal(await code("update_case", demand([77, 1])), "BUS.UNKNOWN");
  t.equal(await code("update_case", AT_1), "INPUT.INVALID");
  t.equal(await code("update_case", { ...demand([2, 1]), case_id: "another" }), "CASE.UNKNOWN");
  t.equal(await code("update_case", { ...demand([2, 1]), expected_revision: 0 }), "REVISION.STALE");
  t.equal(await code("reset_case", { ...CASE, expected_revision: 9 }), "REVISION.STALE");
  t.equal(session.state, before);
  const answers = await Promise.all([code("update_case", demand([2, 1])), code("update_case", demand([2, 2]))]);
  t.strictSame(answers.sort(), ["REVISION.STALE", "ok"], "of two that rely on one revision one is made");
  t.match(await data("update_case", { ...CASE, expected_revision: 2, formulation: "dcpf" }), { formulation: "dcpf" });
  t.equal(
    await code("query_network", { ...CASE, element_kind: "bus", sort_by: "price" }),
    "QUANTITY.UNAVAILABLE",
    "a power flow has no prices",
  );
});

t.test("updates of branches, generators and added elements by their names", async (t) => {
  const { session, code, data } = await openAgent();
  const prices = () => [...(session.store.columns.values("lmp") ?? [])];
  const near = (want: number[]) => t.ok(want.every((price, row) => Math.abs(price - (prices()[row] ?? NaN)) < 1e-6));
  // Without line 1-3 generator 2 sends its 40 MW over line 2-3: 0.22 * 50 + 5 and 0.17 * 40 + 1.2.
  const out = { ...AT_1, branches: [{ branch_id: 3, status: false }] };
  t.equal(await code("preview_case_update", out), "BRANCH.NO_PREVIEW");
  await data("update_case", out);
  near([16, 16, 8]);
  t.match((await data("inspect_case")).changes, [{ branch_id: 2 }, { branch_id: 3, status: false }]);
  // A unit of 5 $/MWh at bus 2, which the same batch limits by its name, takes over 20 MW: 0.22 * 30 + 5.
  await data("update_case", {
    ...{ ...CASE, expected_revision: 2 },
    add: { generators: [{ bus: 2, p_max: 50, cost: 5, name: "peaker" }] },
    generators: [{ generator_id: "peaker", p_max: 20 }],
  });
  near([11.6, 11.6, 8]);
  const back = { remove: ["peaker"], branches: [{ branch_id: 3, status: true }] };
  await data("update_case", { ...CASE, expected_revision: 3, ...back });
  near([18.2, 30.1, 6.3]);
  const before = session.state;
  for (const [batch, refused] of [
    [{ remove: ["peaker"] }, "ADDED.UNKNOWN"],
    [{ generators: [{ generator_id: 9, p_max: 1 }] }, "GENERATOR.UNKNOWN"],
    [{ generators: [1, "1"].map((generator_id) => ({ generator_id, cost: 1 })) }, "DELTA.DUPLICATE"],
    [{ branches: [{ branch_id: 1, tap: -1 }] }, "BRANCH.MALFORMED"],
    [{ links: [{ link_id: 1, status: false }] }, "LINK.UNKNOWN"],
    [{ interfaces: [{ interface_id: "Exports", max_mw: 30 }] }, "INTERFACE.UNKNOWN"],
    [{ generators: [{ generator_id: 1, capacity: 1 }] }, "INPUT.INVALID"],
    [{ add: { loads: [{ bus: 2 }] } }, "INPUT.INVALID"],
  ] as const) {
    t.equal(await code("update_case", { ...CASE, expected_revision: 4, ...batch }), refused);
  }
  t.equal(session.state, before);
});

t.test("propose, approve by a click, apply", async (t) => {
  const { session, context, data, code } = await openAgent();
  t.notOk(context.tools.has("apply_capacity_plan"), "there is nothing to apply");
  const found = await data("propose_capacity_plan", PLAN);
  t.match(found, { staged: true, changes: [{ branch_id: 2, delta_mw: 20 }], base_revision: 1 });
  t.match(found.claim, "best verified within the budget");
  t.equal(session.proposals.revision, 1, "a proposal changes no state");
  t.ok(context.tools.has("apply_capacity_plan"));
  const { proposal_id, session_id } = found;
  const apply = { ...AT_1, session_id, proposal_id };
  t.equal(await code("apply_capacity_plan", apply), "PROPOSAL.NOT_APPROVED");
  session.proposals.approve(CLICK, proposal_id, 1, session.proposals.open?.digest ?? "");
  t.equal(await code("apply_capacity_plan", { ...apply, session_id: "another" }), "SESSION.UNKNOWN");
  t.equal(await code("apply_capacity_plan", { ...apply, proposal_id: "another" }), "PROPOSAL.UNKNOWN");
  t.equal(await code("apply_capacity_plan", { ...apply, expected_revision: 0 }), "REVISION.STALE");
  t.equal(session.proposals.state.kind, "approved", "refusals use up nothing");
  const tool = context.tools.get("apply_capacity_plan");
  t.match(await data("apply_capacity_plan", apply), { applied: true, revision: 2, prices: [{ bus_id: 2 }] });
  t.ok(Math.abs((session.store.shown("lmp")?.[1] ?? NaN) - BASE_PRICE) < 1e-9);
  t.notOk(context.tools.has("apply_capacity_plan"), "a proposal that is applied is gone");
  t.match(await tool?.execute(apply), { ok: false, error: { code: "PROPOSAL.EXPIRED" } }, "one use");
});

t.test("tools follow the capabilities of the case", async (t) => {
  const { session, context, data } = await openAgent();
  t.strictSame(
    [...context.tools.keys()].sort(),
    AGENT_TOOLS.tools
      .map(({ name }) => name as string)
      .filter((name) => !["apply_capacity_plan", "solve_multiconductor_pf"].includes(name))
      .sort(),
  );
  await session.setFormulation("dcpf");
  t.notOk(context.tools.has("propose_capacity_plan"), "a power flow has no prices to plan for");
  await session.setFormulation("dcopf");
  const { revision } = await data("inspect_case");
  await data("propose_capacity_plan", { ...PLAN, expected_revision: revision });
  await session.edit([{ element: { kind: "bus", id: 2 }, mw: 1 }]);
  t.notOk(context.tools.has("apply_capacity_plan"), "the proposal is of another state");
});

t.test("a tool that cannot be registered is reported, and the others are offered", async (t) => {
  const context = new FakeContext();
  context.refuses.add("reset_case");
  const { workspace, offered } = await openAgent(context);
  await new Promise((resolve) => setTimeout(resolve));
  t.equal(workspace.journal.problems.length, 1);
  t.match(workspace.journal.problems[0], /reset_case.*not allowed/);
  t.ok(context.tools.has("update_case"));
  offered.dispose();
  t.equal(context.tools.size, 0);
});

t.test("with another network in front the case must be selected first, and its proposal has ended", async (t) => {
  const { workspace, session, data, code } = await openAgent();
  const other = await workspace.openSession({
    ...{ opened: session.opened, caseId: "three_bus", caseName: "Again" },
    formulation: "dcopf",
  });
  const { cases } = await data("list_cases");
  t.strictSame(
    cases.map(({ case_id }: { case_id: string }) => case_id),
    ["three_bus", "three_bus#2"],
    "two sessions on one case have two ids",
  );
  await data("propose_capacity_plan", PLAN);
  t.match(await data("select_case", { case_id: "three_bus#2" }), { case_id: "three_bus#2", revision: 0 });
  t.equal(workspace.active, other);
  t.equal(await code("update_case", { ...AT_1, demand: [{ bus_id: 2, delta_mw: 1 }] }), "CASE.INACTIVE");
  t.match(await data("select_case", CASE), { revision: 2 });
  t.match(session.proposals.state, { kind: "expired", by: "network" });
  t.equal(await code("select_case", { case_id: "nowhere" }), "CASE.UNKNOWN");
});

t.test("a case that is listed and not open has to be selected first", async (t) => {
  const { workspace, data, code } = await openAgent();
  const listed = { id: "grid", name: "Grid", buses: 9, branches: 12, unavailable: null };
  workspace.catalogue = { cases: [listed], open: () => Promise.resolve() };
  t.match(await data("list_cases"), { cases: [{}, { case_id: "grid", open: false, available: true }] });
  t.equal(await code("reset_case", { case_id: "grid", expected_revision: 0 }), "CASE.INACTIVE");
  t.equal(await code("reset_case", { case_id: "nowhere", expected_revision: 0 }), "CASE.UNKNOWN");
});

t.test("a step of a series is read under its name, and changes need the live state", async (t) => {
  const { session, data, code } = await openAgent();
  const steps = ["09:00", "10:00", "11:00"];
  const profile = { name: "three steps", steps, buses: [2], branches: [], changesMw: Float64Array.of(0, -60, 4910) };
  await session.seriesRun.run(profile);
  const { series } = session.seriesRun;
  if (series === null) return t.fail("no series");
  session.series.show(series, 1);
  const step = { state: "series_step", step: 2, steps: 3, step_label: "10:00" };
  const shown = await data("inspect_case");
  t.match(shown, { ...step, revision: 1, changes: [{ bus_id: 2, delta_mw: -60 }, { branch_id: 2 }] });
  t.notOk("state_id" in shown);
  const demand = { ...CASE, element_kind: "bus", element_ids: [2] };
  t.match(await data("query_network", demand), { ...step, rows: [{ demand_mw: 30 }] });
  t.equal(await code("analyze_sensitivity", { ...AT_1, element_kind: "bus", element_id: 2 }), "STUDY.INSPECTING");
  t.equal(await code("reset_case", AT_1), "STUDY.INSPECTING");
  session.series.show(series, 2);
  t.equal(await code("inspect_case"), "SOLVE.INFEASIBLE", "a step without a solution is not reported as solved");
  await data("select_case", CASE);
  t.match(await data("query_network", demand), { state: "live", state_id: 1, rows: [{ demand_mw: 90 }] });
});

t.test("a saved state can be read, and changes need the live one", async (t) => {
  const { session, data, code } = await openAgent();
  await session.inspection.show(0);
  t.match(await data("inspect_case"), { state: "saved", state_id: 0, revision: 1, binding_branches: 0 });
  const { rows, ...state } = await data("query_network", { ...CASE, element_kind: "branch", element_ids: [2] });
  t.match(rows, [{ rating_mw: 250 }], "of the saved state");
  t.match(state, { state: "saved", state_id: 0 });
  const edit = { ...AT_1, demand: [{ bus_id: 2, delta_mw: 1 }] };
  for (const [tool, input] of [
    ["preview_case_update", edit],
    ["update_case", edit],
    ["reset_case", AT_1],
  ] as const) {
    t.equal(await code(tool, input), "STUDY.INSPECTING", tool);
  }
  t.match(await data("select_case", CASE), { revision: 1 });
  t.match(await data("inspect_case"), { state: "live", state_id: 1 });
  t.equal(await code("update_case", edit), "ok");
});
