import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ENCODINGS, type Body, type Encoding } from "../http/bodies.ts";
import { JSON_TEXT } from "./typed.ts";

/**
 * Sends a body in the coding that the client prefers, or 304 if the client has it. Clients revalidate on each request
 * (`no-cache`): the answer is short if nothing has changed, and a new staging takes effect at once.
 */
export async function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): Promise<FastifyReply> {
  reply.header("etag", body.etag).header("vary", "accept-encoding").header("cache-control", "no-cache");
  if (names(request.headers["if-none-match"], body.etag)) return reply.code(304).send();
  const encoding = codingOf(request);
  reply.type(JSON_TEXT);
  if (encoding === undefined) return reply.send(await body.plain());
  return reply.header("content-encoding", encoding).send(await body.compressed(encoding));
}

function codingOf(request: FastifyRequest): Encoding | undefined {
  const header = request.headers["accept-encoding"];
  const best = negotiate(Array.isArray(header) ? header.join(",") : (header ?? ""), [...ENCODINGS]);
  return ENCODINGS.find((encoding) => encoding === best);
}

/** Whether `If-None-Match` names this entity; the comparison is weak (RFC 9110, 13.1.2). */
function names(header: string | undefined, etag: string): boolean {
  const listed = header?.split(",").map((entry) => entry.trim().replace(/^W\//, "")) ?? [];
  return listed.includes("*") || listed.includes(etag);
}
