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

/** The id of the last event: a browser that has it asks again although nothing is to come. */
export const LAST_ID = "done";

/** A client that takes nothing for so long is given up. */
const STALLED_MS = 30_000;

/**
 * Streams one solve: queued (again with each new position), solving, iterating where the solver does, solution, the column if
 * asked for, done. From here on every failure is told inside the stream, which always ends with `done`. A client that leaves
 * ends the work.
 */
export async function streamSolve(
  app: FastifyInstance,
  reply: FastifyReply,
  request: Works["solve"]["request"],
): Promise<void> {
  if (reply.raw.destroyed) return;
  // The stream would say keep-alive otherwise, and hold the connection (RFC 9112, 9.6).
  if (/\bclose\b/i.test(reply.request.headers.connection ?? "")) reply.header("connection", "close");
  const events = new EventWriter(reply);
  const queue = new LatestStatus(events);
  const client = app.clientOf(reply.request);
  const iterations = new LatestStatus(events);
  const work = app.solver.submit("solve", request, {
    client,
    onPosition: (position) => queue.tell({ phase: "queued", position }),
    onIteration: (told) => iterations.tell({ phase: "iterating", ...told }),
  });
  reply.sse.onClose(() => work.cancel(new Error("the client has left")));
  try {
    queue.tell({ phase: "queued", position: work.position });
    await work.started;
    await queue.told();
    await events.send("status", { phase: "solving", case: request.caseId });
    const { solution, sensitivity } = await work.result;
    await iterations.told();
    await events.send("solution", solution);
    if (sensitivity !== null) await events.send("sensitivity", sensitivity);
    await events.send("done", { ok: true });
  } catch (error) {
    const failure = asServiceError(error as Error).toBody();
    const { code } = failure;
    reply.errorCode = code;
    if (code === "INTERNAL" && reply.sse.isConnected)
      reply.log.error({ err: error, case: request.caseId }, "solve failed");
    await queue.told();
    await iterations.told();
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

  /** Fulfilled when the client has room for more, or has left; one that takes nothing for long is cut off. */
  async send<K extends keyof Events>(event: K, data: Events[K]): Promise<void> {
    const { sse, raw } = this.#reply;
    if (!sse.isConnected) return;
    const stalled = setTimeout(() => raw.destroy(), STALLED_MS);
    // A write to a client that leaves meanwhile is never answered.
    await Promise.race([
      sse.send({ id: event === "done" ? LAST_ID : String(++this.#lastId), event, data }),
      this.#closed,
    ]);
    clearTimeout(stalled);
  }
}

/** Tells a client what changes while it waits; a slow one is spared what is past. */
class LatestStatus {
  readonly #events: EventWriter;
  #latest: StatusEvent | undefined;
  #telling: Promise<void> | undefined;

  constructor(events: EventWriter) {
    this.#events = events;
  }

  tell(status: StatusEvent): void {
    this.#latest = status;
    this.#telling ??= this.#run();
  }

  /** Waits until the last one is written. */
  async told(): Promise<void> {
    await this.#telling;
  }

  async #run(): Promise<void> {
    while (this.#latest !== undefined) {
      const status = this.#latest;
      this.#latest = undefined;
      await this.#events.send("status", status);
    }
    this.#telling = undefined;
  }
}
