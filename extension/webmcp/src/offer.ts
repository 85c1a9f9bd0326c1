import { trans } from "@service/widgets/translation";
import type { IWorkspace } from "@service/widgets/workspace";
import type { ToolContext } from "./call.ts";
import { CaseIds } from "./caseIds.ts";
import { runTool, TOOL_NAMES } from "./execute.ts";
import { CONTRACT, type ToolName } from "./inputs.ts";
import type { ModelContext, ModelContextTool } from "./modelContext.ts";
import { PredictionBook } from "./predictions.ts";

/** Conditions of the tools that are not always offered. */
const WHEN: Partial<Record<ToolName, (workspace: IWorkspace) => boolean>> = {
  propose_capacity_plan: ({ active }) => active?.capabilities.has("plans") === true,
  apply_capacity_plan: ({ active }) => active !== null && active.proposals.open !== null,
  solve_multiconductor_pf: ({ network }) => network !== null && network.feeder !== null,
};

/** Offers the tools to the agents of the browser, and withdraws those that do not apply in the present state. */
export class OfferedTools {
  readonly #workspace: IWorkspace;
  readonly #target: ModelContext;
  readonly #context: ToolContext;
  readonly #offered = new Map<ToolName, AbortController>();
  #followed = new Set<object>();
  #ended = false;

  constructor(workspace: IWorkspace, target: ModelContext) {
    this.#workspace = workspace;
    this.#target = target;
    this.#context = { workspace, ids: new CaseIds(workspace), predictions: new PredictionBook() };
    workspace.changed.connect(this.#sync, this);
    this.#sync();
  }

  /** The names of the tools offered now. */
  get names(): readonly ToolName[] {
    return [...this.#offered.keys()];
  }

  /** Withdraws all tools. */
  dispose(): void {
    this.#ended = true;
    this.#workspace.changed.disconnect(this.#sync, this);
    this.#offered.forEach((lifetime) => lifetime.abort());
    this.#offered.clear();
  }

  #sync(): void {
    if (this.#ended) {
      return;
    }
    this.#follow();
    for (const name of TOOL_NAMES) {
      const wanted = WHEN[name]?.(this.#workspace) ?? true;
      const lifetime = this.#offered.get(name);
      if (wanted && lifetime === undefined) {
        this.#offer(name);
      } else if (!wanted && lifetime !== undefined) {
        this.#offered.delete(name);
        lifetime.abort();
      }
    }
  }

  /** Listens to new sessions. Their signals end with them. */
  #follow(): void {
    const { sessions } = this.#workspace;
    for (const session of sessions) {
      if (!this.#followed.has(session)) {
        session.proposals.changed.connect(this.#sync, this);
        session.changed.connect(this.#sync, this);
      }
    }
    this.#followed = new Set(sessions);
  }

  #offer(name: ToolName): void {
    const lifetime = new AbortController();
    this.#offered.set(name, lifetime);
    const { description, annotations, inputSchema } = CONTRACT[name];
    const tool: ModelContextTool = {
      ...{ name, description, annotations, inputSchema },
      execute: (input, client) => runTool(name, input, this.#context, client?.signal),
    };
    const failed = (error: unknown): void => {
      if (lifetime.signal.aborted) {
        return;
      }
      this.#offered.delete(name);
      const reason = error instanceof Error ? error.message : String(error);
      this.#workspace.journal.tell(trans.__("The tool %1 could not be offered to agents: %2", name, reason));
    };
    try {
      Promise.resolve(this.#target.registerTool(tool, { signal: lifetime.signal })).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
