import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Elements } from "../cases/cases.ts";
import { branchTarget, busTarget, findBranch, findBus, readEdits, readTarget } from "../cases/edits.ts";
import { computeDisabled } from "../http/errors.ts";
import {
  BranchParams,
  BusParams,
  CaseParams,
  EVENT_STREAM,
  failures,
  FINISHED,
  NO_SOLVER,
  reference,
  SensitivityQuery,
  SolveQuery,
} from "../http/schemas.ts";
import type { Works } from "../solver/work.ts";
import { LAST_ID, streamSolve } from "./solveStream.ts";
import { answering, JSON_TEXT, servedCase, typed } from "./typed.ts";

/**
 * The routes that solve. Checks run in this order (docs/contract.md, section 1): gate and rate limit (`onRequest`),
 * case and path ids (`preValidation`), query (schema, then the handler), work.
 */
export async function computeRoutes(fastify: FastifyInstance): Promise<void> {
  const app = typed(fastify);
  const { serverCompute, solveRateLimitEvents, sensitivityRateLimitEvents } = app.config;

  const gate = async () => {
    if (!serverCompute) throw computeDisabled();
  };
  /** Gate and rate limit. A limiter counts all routes that share it. */
  const admission = (events: number) => (events > 0 ? [gate, app.rateLimit({ max: events })] : [gate]);
  const sensitivityAdmission = admission(sensitivityRateLimitEvents);
  const elementsOf = (id: string): Promise<Elements> => servedCase(app, id).elements();
  const tags = ["compute"];
  const column = {
    200: reference(
      "SensitivityColumn",
      "The column of the DC OPF, with the interval in which it is exact. The other formulations have none here: AC columns are estimates with an error bound, those of the relaxation hold to first order.",
    ),
    ...failures(400, 403, 404, 422, 429),
    503: NO_SOLVER,
  };

  app.get(
    "/cases/:id/sensitivity/lmp/d/:bus",
    {
      schema: answering(
        { summary: "dLMP/d(demand) at a bus", tags, params: BusParams, querystring: SensitivityQuery },
        column,
      ),
      compress: {},
      onRequest: sensitivityAdmission,
      preValidation: async ({ params }) => void findBus(await elementsOf(params.id), params.bus),
    },
    async (request, reply) => {
      const elements = await elementsOf(request.params.id);
      const edits = readEdits(elements, request.query);
      const target = busTarget(findBus(elements, request.params.bus));
      if (request.method === "HEAD") return reply.type(JSON_TEXT).send();
      return sendColumn(app, request, reply, { caseId: request.params.id, edits, target });
    },
  );

  app.get(
    "/cases/:id/sensitivity/lmp/fmax/:branch",
    {
      schema: answering(
        { summary: "dLMP/d(rating) at a branch", tags, params: BranchParams, querystring: SensitivityQuery },
        column,
      ),
      compress: {},
      onRequest: sensitivityAdmission,
      preValidation: async ({ params }) => void findBranch(await elementsOf(params.id), params.branch),
    },
    async (request, reply) => {
      const elements = await elementsOf(request.params.id);
      const edits = readEdits(elements, request.query);
      const target = branchTarget(findBranch(elements, request.params.branch));
      if (request.method === "HEAD") return reply.type(JSON_TEXT).send();
      return sendColumn(app, request, reply, { caseId: request.params.id, edits, target });
    },
  );

  app.get(
    "/cases/:id/solve",
    {
      schema: answering(
        {
          summary: "Solve as server-sent events: DC OPF, AC power flow or its conic relaxation",
          tags,
          params: CaseParams,
          querystring: SolveQuery,
        },
        { 200: EVENT_STREAM, 204: FINISHED, ...failures(400, 403, 404, 429), 503: NO_SOLVER },
      ),
      sse: "manual",
      onRequest: admission(solveRateLimitEvents),
      preValidation: async (request) => void servedCase(app, request.params.id),
    },
    async (request, reply) => {
      const elements = await elementsOf(request.params.id);
      const edits = readEdits(elements, request.query);
      const target = readTarget(elements, request.query);
      if (request.method === "HEAD") return reply.type("text/event-stream").send();
      // An EventSource reconnects after every end of a stream; only this answer stops it.
      if (request.headers["last-event-id"] === LAST_ID) return reply.code(204).send();
      const { formulation = "dcopf" } = request.query;
      return streamSolve(app, reply, { caseId: request.params.id, edits, target, formulation });
    },
  );
}

/** Solves for a column and sends it; the work is cancelled when the client leaves. */
async function sendColumn(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Works["sensitivity"]["request"],
): Promise<FastifyReply> {
  const work = app.solver.submit("sensitivity", wanted, { client: app.clientOf(request) });
  const left = () => work.cancel(new Error("the client has left"));
  reply.raw.once("close", left);
  if (reply.raw.destroyed) left();
  const { column } = await work.result;
  return reply.type(JSON_TEXT).send(column);
}
