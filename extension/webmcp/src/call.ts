import { cancelledError, type PredictionCheck, type ToolAnswer } from "@service/widgets/workspace";
import { codeOf } from "@service/widgets/workspace";
import { answered, refused, type Reply, ToolError } from "./answers.ts";
import type { AgentWorkspace } from "./agentWorkspace.ts";
import type { CaseIds } from "./caseIds.ts";
import { checkedInput, type ToolName } from "./inputs.ts";
import type { PredictionBook } from "./predictions.ts";
import { AGENT_TOOLS } from "./tools.generated.ts";

/** What the tools work with. */
export interface ToolContext {
  readonly workspace: AgentWorkspace;
  readonly ids: CaseIds;
  readonly predictions: PredictionBook;
  /** Through what agents outside the browser call; absent for the browser's own. */
  readonly via?: "mcp";
}

/** One call of a tool on its way. */
export interface Call {
  /** Its number in the journal. */
  readonly id: number;
  /** Fires when the agent gives it up or its time is over: reads and plans end at the next safe boundary. */
  readonly signal: AbortSignal;
  /** Throws where it was given up or its time is over. */
  check(): void;
  /** Throws where the agent gave it up; what was found when its time was over is kept. */
  checkWanted(): void;
}

/** What a tool did. */
export interface Done extends Reply {
  prediction?: PredictionCheck | undefined;
}

/** What a tool does with an input that its schema has accepted. */
export type Execute<Input> = (input: Input, call: Call, context: ToolContext) => Promise<Done>;

/** A call was cancelled by the agent: the only error that leaves a tool. */
function isAborted(signal: AbortSignal | undefined, error: unknown): boolean {
  return signal?.aborted === true && codeOf(error) === "ABORTED";
}

/**
 * Runs a call: its input is checked, its answer kept within its limits, and what was completed is written into the journal. It throws
 * only where the agent has given the call up.
 */
export async function runCall<Input>(
  tool: ToolName,
  execute: Execute<Input>,
  sent: unknown,
  context: ToolContext,
  wanted?: AbortSignal,
  seconds: number = AGENT_TOOLS.limits.seconds,
): Promise<ToolAnswer> {
  const { journal } = context.workspace;
  const started = new Date().toISOString();
  const id = journal.begin();
  const end = (response: ToolAnswer, input?: Input, prediction?: PredictionCheck): ToolAnswer => {
    journal.add({
      ...{ id, tool, started_at: started, finished_at: new Date().toISOString() },
      ...(context.via && { via: context.via }),
      ...(input !== undefined && { input }),
      response,
      ...(prediction && { prediction_check: prediction }),
    });
    return response;
  };
  let input: Input;
  try {
    input = checkedInput<Input>(tool, sent);
  } catch (error) {
    return end(failure(error));
  }
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  const overtime = (): ToolError => new ToolError("TIME.LIMIT", `The call took longer than ${seconds} s.`);
  const checkWanted = (): void => {
    if (wanted?.aborted) {
      throw cancelledError();
    }
  };
  const call: Call = {
    id,
    signal: wanted === undefined ? limit.signal : AbortSignal.any([wanted, limit.signal]),
    checkWanted,
    check: () => {
      checkWanted();
      if (limit.signal.aborted) {
        throw overtime();
      }
    },
  };
  try {
    call.check();
    const { prediction, ...reply } = await execute(input, call, context);
    return end(answered(reply), input, prediction);
  } catch (error) {
    if (isAborted(wanted, error)) {
      end(refused("ABORTED", "The agent gave the call up."), input);
      throw error;
    }
    const late = limit.signal.aborted && codeOf(error) === "ABORTED";
    return end(failure(late ? overtime() : error), input);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads end as soon as the call is cancelled or its time is over. */
export async function reading<T>(call: Call, work: Promise<T>): Promise<T> {
  call.check();
  const given = new Promise<never>((_, reject) => {
    call.signal.addEventListener("abort", () => reject(cancelledError()), { once: true });
  });
  return Promise.race([work, given]);
}

/**
 * What the change of a state gives. Until it is handed over to be published it ends when the call is cancelled, and is then never
 * published; after that it is waited for, so that what happened is told.
 */
export async function changing(call: Call, change: (check: () => void) => Promise<void>): Promise<void> {
  let requests = 0;
  const changed = change(() => {
    call.check();
    requests += 1;
  });
  const given = new Promise<never>((_, reject) => {
    const end = (): void => (requests < 2 ? reject(cancelledError()) : undefined);
    call.signal.addEventListener("abort", end, { once: true });
  });
  changed.catch(() => undefined);
  await Promise.race([changed, given]);
}

function failure(error: unknown): ToolAnswer {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return refused(code, code === "INTERNAL" ? `Internal error: ${message}` : message);
}
