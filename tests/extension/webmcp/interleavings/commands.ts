// All kinds of steps, and a fresh session for them.
import fc from "fast-check";
import { ServerLink } from "@service/webmcp";
import { type Agent, openAgent, PLAN } from "../agent.ts";
import { AgentGivesUp, AgentPropose, AgentReads, AgentReset, AgentUpdate, OutsideApply } from "./agents.ts";
import { CancelledEdit, Edit, FailingEdit, Formulate, KernelCommit, Reset, SelectNetwork } from "./edits.ts";
import type { Model, Real, Right } from "./model.ts";
import { Apply, Approve, ChangeGoal, Stage, StageStale, Withdraw } from "./proposals.ts";

const right = fc.constantFrom<Right>("right", "right", "right", "wrong");
const mw = fc.integer({ min: 0, max: 4 });
/** Each kind of step with its inputs. */
export const steps = [
  mw.map((value) => new Edit(value)),
  fc.constant(null).map(() => new FailingEdit()),
  fc.constant(null).map(() => new CancelledEdit()),
  fc.constant(null).map(() => new Reset()),
  mw.map((value) => new KernelCommit(value)),
  fc.constantFrom<Model["formulation"]>("dcopf", "dcpf").map((one) => new Formulate(one)),
  fc.constant(null).map(() => new SelectNetwork()),
  fc.constantFrom(1, 2, 5000).map((value) => new Stage(value)),
  fc.constantFrom(1, 2).map((value) => new Stage(value)),
  fc.constant(null).map(() => new StageStale()),
  fc.tuple(right, right).map(([click, id]) => new Approve(click, id)),
  fc.tuple(right, right).map(([click, id]) => new Approve(click, id)),
  fc.constant(null).map(() => new Withdraw()),
  fc.constant(null).map(() => new ChangeGoal()),
  fc.tuple(right, right, right).map(([session, id, revision]) => new Apply(session, id, revision)),
  fc.tuple(right, right, right).map(([session, id, revision]) => new Apply(session, id, revision)),
  fc.tuple(mw, right).map(([value, revision]) => new AgentUpdate(value, revision)),
  right.map((revision) => new AgentReset(revision)),
  fc.constant(null).map(() => new AgentReads()),
  right.map((revision) => new AgentPropose(revision)),
  fc.constant(null).map(() => new AgentGivesUp()),
  fc.constant(null).map(() => new OutsideApply()),
];

/** A fresh session at revision 1, with the plan of its state. */
export async function fresh(): Promise<Real> {
  const agent = await openAgent();
  const { workspace, session } = agent;
  const { opened } = session;
  await workspace.openSession({ opened, caseId: "another", caseName: "Another", formulation: "dcopf" });
  return { ...agent, plan: await planOf(agent), outside: outsideOf(agent) };
}

let plan: Promise<Real["plan"]> | null = null;
const planOf = ({ session, data }: Agent): Promise<Real["plan"]> =>
  (plan ??= (async () => {
    await data("propose_capacity_plan", PLAN);
    const { open } = session.proposals;
    session.proposals.discard();
    if (open === null) throw new Error("the plan found nothing");
    return { spec: open.spec, outcome: open.outcome };
  })());

/** Calls like an MCP client through the Jupyter server; returns the code of the answer. */
function outsideOf({ workspace }: Agent): Real["outside"] {
  const waiting: ((code: string) => void)[] = [];
  const send = (text: string): void => {
    const { kind, answer } = JSON.parse(text) as { kind: string; answer?: { ok: boolean; error?: { code: string } } };
    if (kind === "answer") waiting.shift()?.(answer?.error?.code ?? "ok");
  };
  const link = new ServerLink({ workspace, shared: () => true, send });
  let id = 0;
  return (tool, input) => {
    id += 1;
    const code = new Promise<string>((resolve) => waiting.push(resolve));
    link.receive(JSON.stringify({ kind: "call", id, tool, input }));
    return code;
  };
}
