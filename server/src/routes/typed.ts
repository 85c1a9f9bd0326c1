import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { isServed, type ServedCase } from "../cases/cases.ts";
import { unavailableCase, unknownCase } from "../http/errors.ts";

/** The instance with handlers typed by their schemas. */
export const typed = (fastify: FastifyInstance) => fastify.withTypeProvider<TypeBoxTypeProvider>();

/**
 * Adds the answers to the schema of a route, for the OpenAPI document. Handlers are not typed by them: most bodies are sent as
 * text that was made before.
 */
export function answering<S extends object>(schema: S, response: Record<number, unknown>): S {
  return { ...schema, response };
}

/** The case of a path, or the error that says why there is none. */
export function servedCase(fastify: FastifyInstance, id: string): ServedCase {
  const found = fastify.cases.get(id);
  if (!found) throw unknownCase(id);
  if (!isServed(found)) throw unavailableCase(id, found.summary.unavailable_sentence);
  return found;
}

/** Type of a body that is sent as JSON text made beforehand. */
export const JSON_TEXT = "application/json; charset=utf-8";
