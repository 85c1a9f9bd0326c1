import { existsSync } from "node:fs";
import { resolve } from "node:path";
import compress from "@fastify/compress";
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import { fastifySSE } from "@fastify/sse";
import fastifyStatic from "@fastify/static";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { openCases, type Cases } from "./cases.ts";
import type { CatalogueCase } from "./catalogue.ts";
import { ConfigError, type ServerConfig } from "./config.ts";
import { answerErrors, instanceOptions } from "./failures.ts";
import { rateLimited } from "./errors.ts";
import { caseRoutes } from "./routes/cases.ts";
import { computeRoutes } from "./routes/compute.ts";
import { serviceRoutes } from "./routes/service.ts";
import { clientOf } from "./clients.ts";
import { createSolver } from "./solver/create.ts";
import type { SolverPool } from "./solver/pool.ts";

/** What the app serves and how. */
export interface AppOptions {
  config: ServerConfig;
  catalogue: readonly CatalogueCase[];
  /** Script of the solver threads in place of the built one; tests put one here that gets stuck. */
  worker?: URL;
}

declare module "fastify" {
  interface FastifyInstance {
    config: ServerConfig;
    cases: Cases;
    solver: SolverPool;
  }
}

/** Heartbeats bound the time after which a proxy notices that its client has left. */
const HEARTBEAT_MS = 5000;

/**
 * The service as a Fastify plugin. Registering it solves the base state of every case, so that a ready app answers every
 * route; closing it ends the solver threads.
 */
const service: FastifyPluginAsync<AppOptions> = async (fastify, { config, catalogue, worker }) => {
  const solver = await createSolver(config, catalogue, worker);
  fastify.addHook("preClose", () => solver.close());
  fastify.decorate("config", config);
  fastify.decorate("solver", solver);
  fastify.decorate("cases", await openCases(catalogue, solver));

  await fastify.register(helmet, {
    // What the page needs: its own files, WebAssembly, workers. No `upgrade-insecure-requests`: plain http is the usual way here.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        workerSrc: ["'self'", "blob:"],
        imgSrc: ["'self'", "data:", "blob:"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
    strictTransportSecurity: false,
  });
  answerErrors(fastify);
  await fastify.register(compress, { global: false, globalDecompression: false });
  await fastify.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    timeWindow: config.rateLimitWindowSecs * 1000,
    keyGenerator: clientOf,
    errorResponseBuilder: (_request, { ttl }) => rateLimited(Math.ceil(ttl / 1000)),
  });
  await fastify.register(fastifySSE, {
    heartbeatInterval: HEARTBEAT_MS,
    // Bodies from the engine arrive as JSON text already.
    serializer: (data: unknown) => (typeof data === "string" ? data : JSON.stringify(data)),
  });
  await fastify.register(
    async (api) => {
      await serviceRoutes(api);
      await caseRoutes(api);
      await computeRoutes(api);
    },
    { prefix: "/api" },
  );
  if (config.content !== undefined) await fastify.register(fastifyStatic, { root: contentFolder(config.content) });
};

export const app = fastifyPlugin(service, { name: "wattbook", fastify: "5.x" });

function contentFolder(path: string): string {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new ConfigError(`SERVICE_CONTENT names ${folder}, which does not exist.`);
  return folder;
}

/** A Fastify instance with the service registered and its framework errors coded; not yet ready. */
export function createServer(options: AppOptions): FastifyInstance {
  const fastify = Fastify(instanceOptions(options.config));
  fastify.register(app, options);
  return fastify;
}
