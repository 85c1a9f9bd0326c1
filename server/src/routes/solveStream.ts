import type { FastifyInstance, FastifyReply } from "fastify";
import { asServiceError } from "../http/failures.ts";
import type { StatusEvent, DoneEvent } from "../http/schemas.ts";
import type { Works } from "../solver/work.ts";

/** Events of the solve stream (docs/contract.md, section 1). Text is JSON already. */
export interface Events {
  status: StatusEvent;
  solution: string;
  sensitivity: string;
  done: DoneEvent;
}

/** The id of the last event. A browser that has received it reconnects although no event is left. */
export const LAST_ID = "done";

/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 30_000;

/**
 * Streams one solve: queued (repeated with each new position), solving, iterating if the solver iterates, solution, the
 * column if requested, done. Every failure is reported within the stream, which always ends with `done`. The work is
 * cancelled when the client leaves.
 */
export async function streamSolve(
  app: FastifyInstance,
  reply: FastifyReply,
  request: Works["solve"]["request"],
): Promise<void> {
  if (reply.raw.destroyed) return;
  // Otherwise the stream would announce keep-alive and hold the connection (RFC 9112, 9.6).
  if (/\bclose\b/i.test(reply.request.headers.connection ?? "")) reply.header("connection", "close");
  const events = new EventWriter(reply);
  const queue = new LatestStatus(events);
  const client = app.clientOf(reply.request);
  const iterations = new LatestStatus(events);
  const work = app.solver.submit("solve", request, {
    client,
    onPosition: (position) => queue.tell({ phase: "queued", position }),
    onIteration: (progress) => iterations.tell({ phase: "iterating", ...progress }),
  });
  reply.sse.onClose(() => work.cancel(new Error("the client has left")));
  try {
    queue.tell({ phase: "queued", position: work.position });
    await work.started;
    await queue.written();
    await events.send("status", { phase: "solving", case: request.caseId });
    const { solution, sensitivity } = await work.result;
    await iterations.written();
    await events.send("solution", solution);
    if (sensitivity !== null) await events.send("sensitivity", sensitivity);
    await events.send("done", { ok: true });
  } catch (error) {
    const failure = asServiceError(error as Error).toBody();
    const { code } = failure;
    reply.errorCode = code;
    if (code === "INTERNAL" && reply.sse.isConnected)
      reply.log.error({ err: error, case: request.caseId }, "solve failed");
    await queue.written();
    await iterations.written();
    await events.send("status", { phase: "failed", ...failure });
    await events.send("done", { ok: false, ...failure });
  }
}

/** Numbers the events of a stream and writes them at the client's pace. */
class EventWriter {
  readonly #reply: FastifyReply;
  readonly #closed: Promise<void>;
  #lastId = 0;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    this.#closed = new Promise((resolve) => reply.sse.onClose(resolve));
  }

  /** Settles when the client can receive more or has left; disconnects a client that reads nothing for long. */
  async send<K extends keyof Events>(event: K, data: Events[K]): Promise<void> {
    const { sse, raw } = this.#reply;
    if (!sse.isConnected) return;
    const stalled = setTimeout(() => raw.destroy(), STALLED_MS);
    // A write to a client that leaves meanwhile never completes.
    await Promise.race([
      sse.send({ id: event === "done" ? LAST_ID : String(++this.#lastId), event, data }),
      this.#closed,
    ]);
    clearTimeout(stalled);
  }
}

/** Sends a client its status while it waits; a slow client gets only the latest. */
class LatestStatus {
  readonly #events: EventWriter;
  #latest: StatusEvent | undefined;
  #sending: Promise<void> | undefined;

  constructor(events: EventWriter) {
    this.#events = events;
  }

  tell(status: StatusEvent): void {
    this.#latest = status;
    this.#sending ??= this.#run();
  }

  /** Waits until the latest status is written. */
  async written(): Promise<void> {
    await this.#sending;
  }

  async #run(): Promise<void> {
    while (this.#latest !== undefined) {
      const status = this.#latest;
      this.#latest = undefined;
      await this.#events.send("status", status);
    }
    this.#sending = undefined;
  }
}
