import { CONTRACT_SOURCE_SHA256, CONTRACT_VERSION } from "@service/engine/node";
import type { FastifyInstance } from "fastify";
import { isServed } from "../cases/cases.ts";
import { openApiBody } from "../http/openapi.ts";
import { CaseSummaries, failures, reference, UNCHANGED, type ComputeFlag, type Health } from "../http/schemas.ts";
import { VERSION } from "../version.ts";
import { sendBody } from "./entity.ts";
import { answering } from "./typed.ts";

/** `/health`, `/compute`, `/cases` and the OpenAPI document. */
export async function serviceRoutes(app: FastifyInstance): Promise<void> {
  const tags = ["service"];

  app.get(
    "/health",
    {
      schema: answering(
        { summary: "Liveness and the served cases", description: "503 while a catalogued case is unavailable.", tags },
        { 200: reference("Health", "All cases are served."), 503: reference("Health", "Some case is not served.") },
      ),
    },
    async (_request, reply): Promise<Health> => {
      const all = [...app.cases.values()];
      const unavailable = all.flatMap((one) => (isServed(one) ? [] : [one.summary]));
      reply.code(unavailable.length > 0 ? 503 : 200);
      return {
        status: unavailable.length > 0 ? "degraded" : "ok",
        version: VERSION,
        engine: { version: CONTRACT_VERSION, sha256: CONTRACT_SOURCE_SHA256 },
        cases: all.filter(isServed).map(({ summary }) => summary.id),
        unavailable: unavailable.map(({ id, name, unavailable_reason: reason, unavailable_sentence: sentence }) => ({
          id,
          name,
          reason,
          sentence,
        })),
        uptime_s: Math.round(process.uptime()),
      };
    },
  );

  app.get(
    "/compute",
    {
      schema: answering(
        { summary: "Whether this server solves", tags },
        { 200: reference("ComputeFlag", "The sensitivity and solve routes answer 403 while it is false.") },
      ),
    },
    async (): Promise<ComputeFlag> => ({ enabled: app.config.serverCompute }),
  );

  app.get(
    "/cases",
    {
      schema: answering(
        { summary: "Summaries of the catalogued cases", tags },
        { 200: { description: "Ascending by id; unavailable cases with their reason.", ...CaseSummaries } },
      ),
    },
    async () => [...app.cases.values()].map(({ summary }) => summary),
  );

  app.get(
    "/openapi.json",
    {
      schema: answering(
        { summary: "This description", tags },
        { 200: reference("OpenApi", "OpenAPI 3.1."), 304: UNCHANGED, ...failures() },
      ),
    },
    async (request, reply) => sendBody(request, reply, openApiBody(app)),
  );
}
