// The OpenAPI document, made from the schemas of the routes.
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { Body } from "./bodies.ts";
import { SHARED } from "./schemas.ts";
import { VERSION } from "../version.ts";

const DESCRIPTION = `Bundled power-flow cases, their base DC OPF solutions, and sensitivities of locational marginal prices.

Only GET and HEAD exist; other methods answer 405 with METHOD.NOT_ALLOWED, requests to a host that is not the server's 421 with
HOST.UNKNOWN, requests that name no host 400 with HOST.MISSING. Every error is {"error", "code", "sentence"}:
the English text, its code, and the text as a key of the catalogue of sentences with its values.
The compute routes answer 403 unless the server runs with SERVICE_SERVER_COMPUTE=1.`;

/** Collects the schemas of the routes that are registered afterwards. */
export async function describeApi(fastify: FastifyInstance): Promise<void> {
  for (const shape of SHARED) fastify.addSchema(shape);
  // Tests validate the answers; at run time most are text already.
  fastify.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await fastify.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Wattbook server", description: DESCRIPTION, version: VERSION, license: { name: "Apache-2.0" } },
      tags: [
        { name: "service", description: "What this server is and has" },
        { name: "cases", description: "Data of a case, always served" },
        { name: "compute", description: "Solving, if the server is set to" },
      ],
    },
    refResolver: { buildLocalReference: (schema, _base, _fragment, k) => String(schema["$id"] ?? `schema${k}`) },
  });
}

const documents = new WeakMap<object, Body>();

/** The document of a ready server. */
export function openApiBody(fastify: FastifyInstance): Body {
  const known = documents.get(fastify.server);
  if (known) return known;
  const made = Body.of(Buffer.from(JSON.stringify(fastify.swagger())));
  documents.set(fastify.server, made);
  return made;
}
