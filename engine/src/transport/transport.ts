import { abortedError } from "../contract/errors.ts";
import type { EngineHost } from "../host/host.ts";
import type { Answer, Call } from "../contract/protocol.ts";

/**
 * Access to an engine, in workers or on the calling thread. Calls of one Study are answered in the order in which they
 * were made.
 */
export interface Transport {
  /** Loads the engine; otherwise the first call loads it. */
  start(): Promise<void>;
  /** Answers a call, or rejects with an `EngineError`. A call that is aborted before it starts never runs. */
  request(call: Call, signal?: AbortSignal): Promise<Answer>;
  /** Notes that the case with this hash is open where the answer came from, so that its Studies start there. */
  opened?(answer: Answer, sha256: string): void;
}

/** Continuous work after which the calling thread yields, ms. */
const BUSY_MS = 20;

/**
 * Runs every call on the calling thread, which blocks. It yields between the steps of long work and after a long run of
 * other calls, so that a Cancel is noticed. Calls run in order.
 */
export function createThreadTransport(host: EngineHost): Transport {
  let busyMs = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const own = async (call: Call, signal: AbortSignal | undefined) => {
    await host.load();
    if (call.op.endsWith("Step") || busyMs > BUSY_MS) {
      await nextTask();
      busyMs = 0;
    }
    if (signal?.aborted) throw abortedError(signal);
    const begun = performance.now();
    try {
      return await host.run(call);
    } finally {
      busyMs += performance.now() - begun;
    }
  };
  return {
    start: async () => void (await host.load()),
    request: (call, signal) => {
      const answer = turn.then(() => own(call, signal));
      turn = answer.catch(() => undefined);
      return orAborted(answer, signal);
    },
  };
}

/** The answer, or `ABORTED` as soon as the signal fires. */
export function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortedError(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves in a new task: with promises alone, events and other calls would have to wait. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
