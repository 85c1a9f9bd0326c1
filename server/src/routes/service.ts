import { CONTRACT_SOURCE_SHA256, CONTRACT_VERSION } from "@service/engine/node";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { isServed } from "../cases.ts";
import { CaseSummary, ComputeFlag, Health } from "../schemas.ts";
import { VERSION } from "../version.ts";
import { typed } from "./typed.ts";

/** `/health`, `/compute` and `/cases`: what this server is and has. */
export async function serviceRoutes(fastify: FastifyInstance): Promise<void> {
  const app = typed(fastify);

  app.get("/health", { schema: { response: { 200: Health, 503: Health } } }, async (_request, reply) => {
    const all = [...app.cases.values()];
    const unavailable = all.filter((one) => !isServed(one)).map(({ summary }) => summary);
    reply.code(unavailable.length > 0 ? 503 : 200);
    return {
      status: unavailable.length > 0 ? ("degraded" as const) : ("ok" as const),
      version: VERSION,
      engine: { version: CONTRACT_VERSION, sha256: CONTRACT_SOURCE_SHA256 },
      cases: all.filter(isServed).map(({ summary }) => summary.id),
      unavailable: unavailable.map(({ id, name, unavailable_reason }) => ({
        id,
        name,
        reason: unavailable_reason ?? "",
      })),
      uptime_s: Math.round(process.uptime()),
    };
  });

  app.get("/compute", { schema: { response: { 200: ComputeFlag } } }, async () => ({
    enabled: app.config.serverCompute,
  }));

  app.get("/cases", { schema: { response: { 200: Type.Array(CaseSummary) } } }, async () =>
    [...app.cases.values()].map(({ summary }) => summary),
  );
}
