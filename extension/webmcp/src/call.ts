import { cancelledError, type PredictionCheck, type ToolAnswer } from "@service/widgets/workspace";
import { codeOf } from "@service/widgets/workspace";
import { answered, refused, type Reply, ToolError } from "./answers.ts";
import type { AgentWorkspace } from "./agentWorkspace.ts";
import type { CaseIds } from "./caseIds.ts";
import { checkedInput, type ToolName } from "./inputs.ts";
import type { PredictionBook } from "./predictions.ts";
import { AGENT_TOOLS } from "./tools.generated.ts";

/** The context of the tools. */
export interface ToolContext {
  readonly workspace: AgentWorkspace;
  readonly ids: CaseIds;
  readonly predictions: PredictionBook;
  /** The channel of agents outside the browser; absent for the browser's own. */
  readonly via?: "mcp";
}

/** A call in progress. */
export interface Call {
  /** Its number in the journal. */
  readonly id: number;
  /** Fires when the agent cancels the call or its time is over: reads and plans end at the next safe boundary. */
  readonly signal: AbortSignal;
  /** Throws if the call was cancelled or its time is over. */
  check(): void;
  /** Throws if the agent cancelled the call; results found when the time was over are returned. */
  checkWanted(): void;
}

/** The outcome of a tool. */
export interface Done extends Reply {
  prediction?: PredictionCheck | undefined;
}

/** Executes a tool with an input that its schema has accepted. */
export type Execute<Input> = (input: Input, call: Call, context: ToolContext) => Promise<Done>;

/** Whether the agent cancelled a call, which is the only error that leaves a tool. */
function isAborted(signal: AbortSignal | undefined, error: unknown): boolean {
  return signal?.aborted === true && codeOf(error) === "ABORTED";
}

/**
 * Runs a call: checks its input, limits its answer, and records completed work in the journal. It throws only if the
 * agent has cancelled the call.
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

/** Runs a read, which ends as soon as the call is cancelled or its time is over. */
export async function reading<T>(call: Call, work: Promise<T>): Promise<T> {
  call.check();
  const given = new Promise<never>((_, reject) => {
    call.signal.addEventListener("abort", () => reject(cancelledError()), { once: true });
  });
  return Promise.race([work, given]);
}

/**
 * Runs a change of a state. Until it is submitted for publication it ends when the call is cancelled, and is never
 * published; after that the call waits for it, so that its outcome is reported.
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
