import type { FastifyInstance, FastifyReply } from "fastify";
import { branchTarget, busTarget, findBranch, findBus, readEdits, readTarget } from "../edits.ts";
import { computeDisabled } from "../errors.ts";
import { BranchParams, BusParams, CaseParams, SensitivityQuery, SolveQuery } from "../schemas.ts";
import type { Works } from "../solver/work.ts";
import { streamSolve } from "./solveStream.ts";
import { JSON_TEXT, servedCase, typed } from "./typed.ts";

/**
 * The routes that solve. Order of checks (contract.md section 1): gate and rate limit (`onRequest`), case and path ids
 * (`preValidation`), query (schema, then the handler), work.
 */
export async function computeRoutes(fastify: FastifyInstance): Promise<void> {
  const app = typed(fastify);
  const { serverCompute, solveRateLimitEvents, sensitivityRateLimitEvents } = app.config;

  const gate = async () => {
    if (!serverCompute) throw computeDisabled();
  };
  /** Gate and rate limit; one limiter counts all routes that it is given to. */
  const admission = (events: number) => (events > 0 ? [gate, app.rateLimit({ max: events })] : [gate]);
  const sensitivityAdmission = admission(sensitivityRateLimitEvents);

  app.get(
    "/cases/:id/sensitivity/lmp/d/:bus",
    {
      schema: { params: BusParams, querystring: SensitivityQuery },
      compress: {},
      onRequest: sensitivityAdmission,
      preValidation: async (request) => void findBus(servedCase(app, request.params.id), request.params.bus),
    },
    async (request, reply) => {
      const served = servedCase(app, request.params.id);
      const edits = readEdits(served, request.query);
      const target = busTarget(findBus(served, request.params.bus));
      if (request.method === "HEAD") return reply.type(JSON_TEXT).send();
      return sendColumn(app, reply, { caseId: served.summary.id, edits, target });
    },
  );

  app.get(
    "/cases/:id/sensitivity/lmp/fmax/:branch",
    {
      schema: { params: BranchParams, querystring: SensitivityQuery },
      compress: {},
      onRequest: sensitivityAdmission,
      preValidation: async (request) => void findBranch(servedCase(app, request.params.id), request.params.branch),
    },
    async (request, reply) => {
      const served = servedCase(app, request.params.id);
      const edits = readEdits(served, request.query);
      const target = branchTarget(findBranch(served, request.params.branch));
      if (request.method === "HEAD") return reply.type(JSON_TEXT).send();
      return sendColumn(app, reply, { caseId: served.summary.id, edits, target });
    },
  );

  app.get(
    "/cases/:id/solve",
    {
      schema: { params: CaseParams, querystring: SolveQuery },
      sse: "manual",
      onRequest: admission(solveRateLimitEvents),
      preValidation: async (request) => void servedCase(app, request.params.id),
    },
    async (request, reply) => {
      const served = servedCase(app, request.params.id);
      const edits = readEdits(served, request.query);
      const target = readTarget(served, request.query);
      if (request.method === "HEAD") return reply.type("text/event-stream").send();
      return streamSolve(app, reply, { caseId: served.summary.id, edits, target });
    },
  );
}

/** Solves for a column and sends it; the work ends when the client leaves. */
async function sendColumn(
  app: FastifyInstance,
  reply: FastifyReply,
  request: Works["sensitivity"]["request"],
): Promise<FastifyReply> {
  const work = app.solver.submit("sensitivity", request);
  reply.raw.once("close", () => work.cancel(new Error("the client has left")));
  const { column } = await work.result;
  return reply.type(JSON_TEXT).send(column);
}
