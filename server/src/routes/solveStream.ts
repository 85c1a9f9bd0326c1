import type { FastifyInstance, FastifyReply } from "fastify";
import { asServiceError } from "../failures.ts";
import type { Works } from "../solver/work.ts";

/** Events of the solve stream (contract.md section 1). Text is JSON already. */
interface Events {
  status:
    | { phase: "queued"; position: number }
    | { phase: "solving"; case: string }
    | { phase: "failed"; error: string; code: string };
  solution: string;
  sensitivity: string;
  done: { ok: true } | { ok: false; error: string; code: string };
}

/**
 * Streams one solve: queued, solving, solution, the column if asked for, done. From here on every failure is told inside the
 * stream, which always ends with `done`. A client that leaves ends the work.
 */
export async function streamSolve(
  app: FastifyInstance,
  reply: FastifyReply,
  request: Works["solve"]["request"],
): Promise<void> {
  let lastId = 0;
  const send = async <K extends keyof Events>(event: K, data: Events[K]): Promise<void> => {
    if (reply.sse.isConnected) await reply.sse.send({ id: String(++lastId), event, data });
  };

  const work = app.solver.submit("solve", request);
  reply.sse.onClose(() => work.cancel(new Error("the client has left")));
  try {
    await send("status", { phase: "queued", position: work.position });
    await work.started;
    await send("status", { phase: "solving", case: request.caseId });
    const { solution, sensitivity } = await work.result;
    await send("solution", solution);
    if (sensitivity !== null) await send("sensitivity", sensitivity);
    await send("done", { ok: true });
  } catch (error) {
    const { message, code } = asServiceError(error as Error);
    if (code === "INTERNAL" && reply.sse.isConnected)
      reply.log.error({ err: error, case: request.caseId }, "solve failed");
    await send("status", { phase: "failed", error: message, code });
    await send("done", { ok: false, error: message, code });
  }
}
