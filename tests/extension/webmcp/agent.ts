// The tools on a workspace over the real engine, called as a browser's agent calls them.
import {
  type ModelContext,
  type ModelContextTool,
  OfferedTools,
  type ToolClient,
  type ToolName,
} from "@service/webmcp";
import { type CaseSession, type ToolAnswer, Workspace } from "@service/widgets/workspace";
import { engine, ingested } from "../../widgets/session.ts";

/** A click that the test's gate accepts; the browser's own gate is tested in a browser. */
export const CLICK = new Event("click");

/** A registry of tools that holds them until their signal fires. */
export class FakeContext implements ModelContext {
  readonly tools = new Map<string, ModelContextTool>();
  /** Names that it refuses to register. */
  readonly refuses = new Set<string>();

  registerTool(tool: ModelContextTool, { signal }: { signal: AbortSignal }): Promise<void> {
    if (this.refuses.has(tool.name)) return Promise.reject(new Error("not allowed"));
    if (this.tools.has(tool.name)) return Promise.reject(new Error("taken"));
    this.tools.set(tool.name, tool);
    signal.addEventListener("abort", () => this.tools.delete(tool.name));
    return Promise.resolve();
  }
}

export interface Agent {
  workspace: Workspace;
  context: FakeContext;
  session: CaseSession;
  offered: OfferedTools;
  /** Calls a tool; the answer has passed through JSON, as in a browser. */
  call(name: ToolName, input?: unknown, client?: ToolClient): Promise<ToolAnswer>;
  /** The data of a successful call. */
  data(name: ToolName, input?: unknown): Promise<Record<string, any>>; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** The code of a refused call; "ok" when it succeeds. */
  code(name: ToolName, input?: unknown): Promise<string>;
}

/** A workspace with the three-bus network in front; line 2 is held at 40 MW, which gives bus 2 the highest price. */
export async function openAgent(context = new FakeContext()): Promise<Agent> {
  const workspace = new Workspace(engine, (event) => event === CLICK);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const session = await workspace.openSession({
    opened,
    caseId: "three_bus",
    caseName: "Three buses",
    formulation: "dcopf",
  });
  workspace.activate(session);
  await session.commit({ deltas: {}, rates: { 2: 40 - 250 } }, 0);
  const offered = new OfferedTools(workspace, context);
  const call = async (name: ToolName, input?: unknown, client?: ToolClient): Promise<ToolAnswer> => {
    const tool = context.tools.get(name);
    if (tool === undefined) throw new Error(`${name} is not offered`);
    return JSON.parse(JSON.stringify(await tool.execute(input, client))) as ToolAnswer;
  };
  return {
    ...{ workspace, context, session, offered, call },
    data: async (name, input) => {
      const answer = await call(name, input);
      if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
      return answer.data;
    },
    code: async (name, input) => {
      const answer = await call(name, input);
      return answer.ok ? "ok" : answer.error.code;
    },
  };
}

/** A plan that relieves line 2. */
export const PLAN = {
  case_id: "three_bus",
  expected_revision: 1,
  weights: [{ bus_id: 2, weight: 1 }],
  candidates: ["1", "2", "3"],
  max_increase_per_branch_mw: 40,
  budget_mw: 40,
  increment_mw: 20,
  exact_solve_budget: 6,
};
