// The page's end of the connection from MCP clients of the Jupyter server to its live cases.
import t from "tap";
import { AGENT_TOOLS, ServerLink } from "@service/webmcp";
import { SESSION_ID, type ShownCase } from "@service/widgets/workspace";
import { CLICK, openAgent, PLAN } from "./agent.ts";

const LIVE = `live-${SESSION_ID.slice(0, 8)}:three_bus`;
const AT_1 = { case_id: LIVE, expected_revision: 1 };

/** A page with the three-bus network in front, and its messages to the server. */
async function linked(shared: (shown: ShownCase) => boolean = () => true) {
  const agent = await openAgent();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields of messages are compared one by one
  const sent: any[] = [];
  const waiting = new Map<number, (answer: unknown) => void>();
  const send = (text: string): void => {
    const message = JSON.parse(text);
    sent.push(message);
    waiting.get(message.id)?.(message.answer);
  };
  const link = new ServerLink({ workspace: agent.workspace, shared, send });
  let last = 0;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const ask = (tool: string, input: object = {}): Promise<any> => {
    last += 1;
    const id = last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    link.receive(JSON.stringify({ kind: "call", id, tool, input }));
    return answer;
  };
  return { ...agent, link, sent, ask, cancel: () => link.receive(JSON.stringify({ kind: "cancel", id: last })) };
}

t.test("the cases are sent, and again when they change", async (t) => {
  const { workspace, session, sent, link } = await linked();
  const listed = { case_id: LIVE, label: "Three buses", model: "balanced", buses: 3 };
  t.strictSame(sent, [{ kind: "cases", session_id: SESSION_ID, cases: [{ ...listed, displayed: true }] }]);
  const { opened } = session;
  const other = await workspace.openSession({ opened, caseId: "other", caseName: "<b>", formulation: "dcopf" });
  t.match(sent.at(-1).cases, [{ displayed: true }, { case_id: LIVE.replace("three_bus", "other"), label: "<b>" }]);
  workspace.activate(other);
  t.match(sent.at(-1).cases, [{ displayed: undefined }, { displayed: true }]);
  link.send();
  t.equal(sent.length, 3, "what has not changed is not repeated");
  link.dispose();
  workspace.closeSession(other);
  t.equal(sent.length, 3, "an ended link sends nothing");
});

t.test("calls are answered by the tools of the browser's agents, and marked as MCP's in the journal", async (t) => {
  const { ask, session, workspace } = await linked();
  t.match(await ask("inspect_case"), { ok: true, data: { case_id: LIVE, revision: 1 } });
  const edit = { ...AT_1, demand: [{ bus_id: 2, delta_mw: 1 }] };
  t.match(await ask("update_case", edit), { ok: true, data: { case_id: LIVE, revision: 2 } });
  t.strictSame(session.state.edits.deltas, { 2: 1 });
  t.match(workspace.journal.records.at(-1), { tool: "update_case", via: "mcp", input: edit });
  t.match(await ask("update_case", edit), { ok: false, error: { code: "REVISION.STALE" } });
  t.match(await ask("update_case", { ...edit, approve: true }), { error: { code: "INPUT.INVALID" } });
  t.match(await ask("reset_case", { ...AT_1, case_id: "three_bus" }), { error: { code: "CASE.UNKNOWN" } });
  t.match(await ask("solve_multiconductor_pf", { ...AT_1, expected_revision: 2 }), {
    error: { code: "FORMULATION.UNAVAILABLE" },
  });
});

t.test("a proposal is staged, and no outside call applies it, approved or not", async (t) => {
  const { ask, session } = await linked();
  const { data } = await ask("propose_capacity_plan", { ...PLAN, case_id: LIVE });
  t.match(data, { staged: true, next: /nothing applies it here/ });
  const apply = { ...AT_1, session_id: data.session_id, proposal_id: data.proposal_id };
  t.match(await ask("apply_capacity_plan", apply), { error: { code: "APPLY.REFUSED" } });
  session.proposals.approve(CLICK, data.proposal_id, 1, session.proposals.open?.digest ?? "");
  t.match(await ask("apply_capacity_plan", apply), { error: { code: "APPLY.REFUSED" } });
  t.match(session.proposals, { state: { kind: "approved" }, revision: 1 }, "the approval is not used up");
});

t.test("a call cancelled by the server is never published", async (t) => {
  const { ask, cancel, session } = await linked();
  const before = session.state;
  const answer = ask("update_case", { ...AT_1, demand: [{ bus_id: 2, delta_mw: 1 }] });
  cancel();
  t.match(await answer, { ok: false, error: { code: "ABORTED" } });
  await session.saveModule(); // the queue is empty now
  t.equal(session.state, before);
});

t.test("cases that are not shared do not exist for clients", async (t) => {
  const { ask, sent } = await linked(() => false);
  t.strictSame(sent[0].cases, []);
  t.match(await ask("list_cases"), { data: { cases: [], total: 0 } });
  t.match(await ask("inspect_case"), { error: { code: "CASE.NONE" } });
  t.match(await ask("select_case", { case_id: LIVE }), { error: { code: "CASE.UNKNOWN" } });
  t.match(await ask("reset_case", AT_1), { error: { code: "CASE.NONE" } });
});

t.test("invalid messages are refused", async (t) => {
  const { link, sent } = await linked();
  const call = { kind: "call", id: 1, tool: "list_cases", input: {} };
  const messages: unknown[] = [
    "no JSON",
    "null",
    new ArrayBuffer(8),
    JSON.stringify({ ...call, tool: "eval" }),
    JSON.stringify({ ...call, tool: "__proto__" }),
    JSON.stringify({ ...call, id: 1.5 }),
    JSON.stringify({ ...call, input: "text" }),
    JSON.stringify({ ...call, approve: true }),
    JSON.stringify({ kind: "approve", id: 1 }),
    JSON.stringify({ kind: "cancel", id: 1, tool: "list_cases" }),
    JSON.stringify({ ...call, input: { long: "x".repeat(65_536) } }),
  ];
  for (const message of messages) t.throws(() => link.receive(message), String(message).slice(0, 60));
  t.equal(sent.length, 1);
  link.receive(JSON.stringify(call));
  t.throws(() => link.receive(JSON.stringify(call)), "two calls of one id");
});

t.test("ids are within their limit of characters", async (t) => {
  const { workspace, session, sent } = await linked();
  const { opened } = session;
  for (const caseName of ["one", "two"]) {
    await workspace.openSession({ opened, caseId: "c".repeat(300), caseName, formulation: "dcopf" });
  }
  const ids: string[] = sent.at(-1).cases.map(({ case_id }: { case_id: string }) => case_id);
  t.equal(new Set(ids).size, 3);
  t.ok(ids.every((id) => id.length <= AGENT_TOOLS.limits.id_characters));
});
