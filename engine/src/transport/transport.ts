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

/** Runs every call on the calling thread, which blocks; it yields between the steps of long work. */
export function createThreadTransport(host: EngineHost): Transport {
  return {
    start: async () => void (await host.load()),
    request: async (call, signal) => {
      await host.load();
      if (call.op.endsWith("Step")) await nextTask();
      if (signal?.aborted) throw abortedError(signal);
      return host.run(call);
    },
  };
}

/** Resolves in a task of its own: promises alone would keep events and other calls waiting. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
