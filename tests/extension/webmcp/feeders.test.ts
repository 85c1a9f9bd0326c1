// A feeder in front: the queries of agents, and its power flow.
import { readFile } from "node:fs/promises";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { AGENT_TOOLS, OfferedTools, type ToolName } from "@service/webmcp";
import { viewDistribution, Workspace } from "@service/widgets/workspace";
import { FakeContext, openAgent } from "./agent.ts";

const engine = createNodeEngine();
const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url));

t.test("the power flow of a feeder is solved, refused and read", async (t) => {
  const read = await engine.ingestDistribution(await example("village.dss"), "dss", {
    "village_coordinates.csv": await example("village_coordinates.csv"),
  });
  const workspace = new Workspace(engine);
  const network = viewDistribution(read, engine, "village");
  const { feeder } = network;
  t.teardown(() => feeder?.dispose());
  const context = new FakeContext();
  new OfferedTools(workspace, context);
  t.notOk(context.tools.has("solve_multiconductor_pf"), "only where a feeder is displayed");
  workspace.activateNetwork(network);
  const ask = async (tool: ToolName, input: unknown = {}) => {
    const text = JSON.stringify(await context.tools.get(tool)?.execute(input));
    t.ok(text.length <= AGENT_TOOLS.limits.answer_characters, tool);
    return JSON.parse(text);
  };
  const { data: shown } = await ask("inspect_case");
  t.match(shown, { revision: 0, study: false });
  const here = { case_id: shown.case_id };
  const request = { ...here, expected_revision: 0 };
  const ranked = { ...here, element_kind: "bus", sort_by: "voltage_v", limit: 3 };
  t.match(await ask("query_network", ranked), { ok: false, error: { code: "QUANTITY.UNAVAILABLE" } });
  t.match(
    await ask("solve_multiconductor_pf", request),
    { ok: false, error: { code: "PHYSICS.UNSUPPORTED" } },
    "its source impedance is a person's decision",
  );
  await feeder?.solve({ source_impedance: "branch" });
  t.match(await ask("solve_multiconductor_pf", request), { ok: false, error: { code: "REVISION.STALE" } });
  const { data: solved } = await ask("solve_multiconductor_pf", { ...request, expected_revision: 1 });
  const result = feeder?.solution?.result;
  t.match(solved, { revision: 2, iterations: result?.iterations, result_sha256: result?.result_sha256 });
  t.ok(Math.abs(solved.load_w - (result?.totals.load_w ?? NaN)) < 1);
  const { data: found } = await ask("query_network", ranked);
  const highest = Math.max(...(feeder?.voltages?.voltage_v ?? []).filter(Number.isFinite));
  t.ok(Math.abs(found.rows[0].voltage_v - highest) < 1e-3, "ranked by the largest terminal-to-ground voltage");
  t.ok(found.rows[0].terminal_values.length > 1);
  t.match(await ask("update_case", { ...request, demand: [{ bus_id: 1, delta_mw: 1 }] }), {
    error: { code: "FORMULATION.UNAVAILABLE" },
  });
});

t.test("an open feeder is listed and selected, in front or not, until it is closed", async (t) => {
  const { workspace, session, context, data, code } = await openAgent();
  const read = await engine.ingestDistribution(await example("village.dss"), "dss", {
    "village_coordinates.csv": await example("village_coordinates.csv"),
  });
  const network = viewDistribution(read, engine, "village");
  t.teardown(() => network.feeder?.dispose());
  const ids = async (): Promise<string[]> =>
    (await data("list_cases")).cases.map(({ case_id }: { case_id: string }) => case_id);
  workspace.activateNetwork(network);
  const [, case_id = ""] = await ids();
  const query = { case_id, element_kind: "bus" };
  t.match(await data("query_network", query), { case_id });
  await data("select_case", { case_id: "three_bus" });
  t.equal(workspace.active, session);
  t.match((await data("list_cases")).cases, [
    { case_id: "three_bus", displayed: true },
    { case_id, label: "village", buses: 79, open: true, available: true, displayed: undefined },
  ]);
  t.equal(await code("query_network", query), "CASE.INACTIVE");
  t.notOk(context.tools.has("solve_multiconductor_pf"));
  const brought: unknown[] = [];
  workspace.showing.connect((_, shown) => brought.push(shown));
  t.match(await data("select_case", { case_id }), { case_id, revision: 0 });
  t.equal(workspace.network, network);
  t.strictSame(brought, [network], "its view comes into sight");
  t.match(await data("query_network", query), { case_id });
  t.ok(context.tools.has("solve_multiconductor_pf"));
  await data("select_case", { case_id: "three_bus" });
  workspace.forget(network);
  t.strictSame(await ids(), ["three_bus"]);
  t.equal(await code("select_case", { case_id }), "CASE.UNKNOWN");
});
