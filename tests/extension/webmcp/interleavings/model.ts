// The model of a session by the table of transitions, and the comparison of a step with it.
import type fc from "fast-check";
import { type CaseEdits, codeOf, type Proposal, sameEdits, type StageRequest } from "@service/widgets/workspace";
import type { Agent } from "../agent.ts";

/** The model of a session by the table of transitions. */
export interface Model {
  revision: number;
  formulation: "dcopf" | "dcpf";
  edits: CaseEdits;
  proposal: "none" | "staged" | "approved" | "applied" | "expired" | "invalid";
  /** Whether the proposed state has a solution. */
  solvable: boolean;
  base: number;
  /** Whether it serves the goal; proposals of agents serve none. */
  ofGoal?: boolean;
}

export interface Real extends Agent {
  plan: Pick<StageRequest, "spec" | "outcome">;
  /** Calls a tool as an MCP client; returns the code of the answer. */
  outside(tool: string, input: object): Promise<string>;
}

export const IN_ORDER = { right: true, wrong: false };
export type Right = keyof typeof IN_ORDER;

/** The code of a refusal; "ok" without one. */
export const codeIn = async (what: () => unknown): Promise<string> => {
  try {
    await what();
    return "ok";
  } catch (error) {
    return codeOf(error);
  }
};

export const proposalOf = ({ session }: Agent): Proposal | null => {
  const { state } = session.proposals;
  return state.kind === "none" ? null : state.proposal;
};

/** A published state: the revision advances, and a proposal for the previous state expires. */
export function published(model: Model): void {
  model.revision += 1;
  if (model.proposal === "staged" || model.proposal === "approved") model.proposal = "expired";
}

export const isOpen = ({ proposal }: Model): boolean => proposal === "staged" || proposal === "approved";

export abstract class Step implements fc.AsyncCommand<Model, Real> {
  readonly #values: string;

  constructor(...values: unknown[]) {
    this.#values = values.join(" ");
  }

  check(_model: Readonly<Model>): boolean {
    return true;
  }

  /** Performs the step for real and in the model. */
  abstract step(model: Model, real: Real): Promise<void>;

  async run(model: Model, real: Real): Promise<void> {
    await this.step(model, real);
    const { proposals, live } = real.session;
    const found = {
      revision: proposals.revision,
      formulation: live.solution.formulation,
      proposal: proposals.state.kind,
      offered: real.context.tools.has("apply_capacity_plan"),
    };
    const { revision, formulation, proposal } = model;
    const wanted = { revision, formulation, proposal, offered: isOpen(model) };
    if (JSON.stringify(found) !== JSON.stringify(wanted) || !sameEdits(live.edits, model.edits)) {
      throw new Error(`${this.toString()}: found ${JSON.stringify(found)}, the table says ${JSON.stringify(wanted)}`);
    }
  }

  toString(): string {
    return `${this.constructor.name} ${this.#values}`;
  }
}

export function same(found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`answered ${found}, the table says ${wanted}`);
}
