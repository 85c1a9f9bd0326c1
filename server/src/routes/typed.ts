import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { isServed, type ServedCase } from "../cases/cases.ts";
import { unavailableCase, unknownCase } from "../http/errors.ts";

/** The instance with handlers typed by their schemas. */
export const typed = (fastify: FastifyInstance) => fastify.withTypeProvider<TypeBoxTypeProvider>();

/**
 * Adds the answers to the schema of a route, for the OpenAPI document. Handlers are not typed by them, because most
 * bodies are sent as text that was made earlier.
 */
export function answering<S extends object>(schema: S, response: Record<number, unknown>): S {
  return { ...schema, response };
}

/** The case of a path. Throws the reason if it is unknown or cannot be served. */
export function servedCase(fastify: FastifyInstance, id: string): ServedCase {
  const found = fastify.cases.get(id);
  if (!found) throw unknownCase(id);
  if (!isServed(found)) throw unavailableCase(id, found.summary.unavailable_sentence);
  return found;
}

/** Content type of a body that is sent as JSON text. */
export const JSON_TEXT = "application/json; charset=utf-8";
