import type { FastifyInstance } from "fastify";
import { CaseParams } from "../schemas.ts";
import { JSON_TEXT, servedCase, typed } from "./typed.ts";

/** Module, map view and base solution of a case: made at the start, sent compressed. */
export async function caseRoutes(fastify: FastifyInstance): Promise<void> {
  const app = typed(fastify);
  const options = { schema: { params: CaseParams }, compress: {} };

  app.get("/cases/:id/case", options, async (request, reply) => {
    const { module, sha256 } = servedCase(app, request.params.id);
    const etag = `"${sha256}"`;
    reply.header("etag", etag).header("vary", "accept-encoding");
    if (names(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type(JSON_TEXT).send(module);
  });

  app.get("/cases/:id/network", options, async (request, reply) =>
    reply.type(JSON_TEXT).send(servedCase(app, request.params.id).network),
  );

  app.get("/cases/:id/solution", options, async (request, reply) =>
    reply.type(JSON_TEXT).send(servedCase(app, request.params.id).solution),
  );
}

/** Whether `If-None-Match` names this entity; the comparison is weak (RFC 9110, 13.1.2). */
function names(header: string | undefined, etag: string): boolean {
  const listed = header?.split(",").map((entry) => entry.trim().replace(/^W\//, "")) ?? [];
  return listed.includes("*") || listed.includes(etag);
}
