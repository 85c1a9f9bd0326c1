// Running requests and their log, which holds no addresses, queries or names from outside.
import { finished } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    requests: Requests;
  }
  interface FastifyReply {
    /** Code of the error that was answered, for the log. */
    errorCode: string | undefined;
  }
}

/** The running requests. */
export class Requests {
  readonly #ends = new Set<Promise<void>>();

  /** Follows a request until it is answered or its client leaves. */
  follow(request: FastifyRequest, reply: FastifyReply): void {
    const end = new Promise<void>((resolve) => {
      finished(reply.raw, { readable: false }, (error) => {
        log(request, reply, error !== null && error !== undefined);
        this.#ends.delete(end);
        resolve();
      });
    });
    this.#ends.add(end);
  }

  get count(): number {
    return this.#ends.size;
  }

  /** Waits for all requests, at most `mostMs`. */
  async ended(mostMs: number): Promise<void> {
    let bound: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (bound = setTimeout(resolve, mostMs)));
    await Promise.race([Promise.all(this.#ends), late]);
    clearTimeout(bound);
  }
}

/** Follows every request of an instance. */
export function followRequests(fastify: FastifyInstance): void {
  fastify.decorate("requests", new Requests());
  fastify.decorateReply("errorCode", undefined);
  fastify.addHook("onRequest", async (request, reply) => fastify.requests.follow(request, reply));
}

/** Logs one line per request: the pattern of the route instead of the address, and the case only if it is known. */
function log(request: FastifyRequest, reply: FastifyReply, left: boolean): void {
  const { id } = (request.params ?? {}) as { id?: string };
  const line = {
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    ...(id !== undefined && request.server.cases.has(id) && { case: id }),
    status: reply.raw.statusCode,
    ...(reply.errorCode !== undefined && { code: reply.errorCode }),
    ms: Math.round(reply.elapsedTime),
    ...(left && { left: true }),
  };
  // Probes request health all the time.
  if (line.route === "/api/health") request.log.debug(line, "request");
  else request.log.info(line, "request");
}
