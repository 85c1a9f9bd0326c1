import { abortedError } from "../contract/errors.ts";
import type { EngineHost } from "../host/host.ts";
import type { Answer, Call } from "../contract/protocol.ts";

/** The way to an engine: in workers or on the calling thread. Calls about one Study are answered in the order they were made. */
export interface Transport {
  /** Loads the engine; otherwise the first call does. */
  start(): Promise<void>;
  /** Answers a call, or rejects with an `EngineError`. A call that is aborted before it runs never runs. */
  request(call: Call, signal?: AbortSignal): Promise<Answer>;
  /** Notes that the case of this hash is open where an answer came from: Studies of it begin there. */
  opened?(answer: Answer, sha256: string): void;
}

/** Work without a pause after which the calling thread yields, ms. */
const BUSY_MS = 20;

/**
 * Runs every call on the calling thread, which blocks; it yields between the steps of long work, and between other calls that follow
 * each other for long, so that a Cancel is noticed. Calls run in the order in which they were made.
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

/** The answer, or `ABORTED` as soon as the signal says so. */
export function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortedError(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves in a task of its own: promises alone would keep events and other calls waiting. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
