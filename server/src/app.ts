import compress from "@fastify/compress";
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import { fastifySSE } from "@fastify/sse";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { BaseStore } from "./cases/baseStore.ts";
import { isServed, openCases, type Cases } from "./cases/cases.ts";
import type { CatalogueCase } from "./cases/catalogue.ts";
import { namingClients, type ClientOf } from "./http/clients.ts";
import type { ServerConfig } from "./config.ts";
import { admitting } from "./http/admission.ts";
import { contentFolder, servePage } from "./http/content.ts";
import { rateLimited } from "./http/errors.ts";
import { answerErrors, instanceOptions } from "./http/failures.ts";
import { describeApi } from "./http/openapi.ts";
import { followRequests } from "./http/requests.ts";
import { caseRoutes } from "./routes/cases.ts";
import { computeRoutes } from "./routes/compute.ts";
import { serviceRoutes } from "./routes/service.ts";
import { contentSecurityPolicy } from "./http/security.ts";
import { createSolver } from "./solver/create.ts";
import type { SolverPool } from "./solver/pool.ts";

/** Options of the service. */
export interface AppOptions {
  config: ServerConfig;
  catalogue: readonly CatalogueCase[];
  /** Store of base solutions; without it each start solves them. */
  bases?: BaseStore | undefined;
  /**
   * The secret that identifies the Jupyter proxy: only the proxy may name users in a header, and on a port nobody else
   * is answered.
   */
  secret?: string | undefined;
  /** Script of the solver threads in place of the built one; tests use a script that hangs. */
  worker?: URL;
}

declare module "fastify" {
  interface FastifyInstance {
    config: ServerConfig;
    cases: Cases;
    solver: SolverPool;
    clientOf: ClientOf;
  }
}

/** Heartbeats limit the time after which a proxy notices that its client has left. */
const HEARTBEAT_MS = 5000;
/** How long running solves and their answers may continue when the server stops. */
const FINISH_MS = 2000;
const FLUSH_MS = 1000;

/**
 * The service as a Fastify plugin. Once ready it answers every route: base states come from `bases` or have been
 * solved. When closed it lets running solves finish for two seconds, notifies all other streams, and ends the solver
 * threads.
 */
const service: FastifyPluginAsync<AppOptions> = async (fastify, { config, catalogue, bases, secret, worker }) => {
  if (config.content !== undefined) contentFolder(config.content);
  const solver = createSolver(config, catalogue, worker);
  followRequests(fastify);
  answerErrors(fastify, config, admitting(config, secret));
  fastify.addHook("preClose", async () => {
    await solver.close(FINISH_MS);
    await fastify.requests.ended(FLUSH_MS);
  });
  fastify.decorate("config", config);
  fastify.decorate("solver", solver);
  fastify.decorate("clientOf", namingClients(secret));
  fastify.decorate("cases", await openCases(catalogue, { solver, bases, log: fastify.log }));
  const cases = [...fastify.cases.values()];
  const ids = (served: boolean) => cases.filter((one) => isServed(one) === served).map(({ summary }) => summary.id);
  fastify.log.info({ cases: ids(true), unavailable: ids(false), compute: config.serverCompute }, "cases are open");
  if (config.serverCompute) {
    fastify.addHook("onListen", async () => {
      solver.warmUp().catch((error: unknown) => fastify.log.error({ err: error }, "the engine cannot be loaded"));
    });
  }

  await fastify.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(config.basemapOrigins),
    // Plain http is usual here; a proxy that adds https sets this header itself.
    strictTransportSecurity: false,
  });
  await fastify.register(compress, { global: false, globalDecompression: false });
  await fastify.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    timeWindow: config.rateLimitWindowSecs * 1000,
    keyGenerator: fastify.clientOf,
    errorResponseBuilder: (_request, { ttl }) => rateLimited(Math.ceil(ttl / 1000)),
  });
  await fastify.register(fastifySSE, {
    heartbeatInterval: HEARTBEAT_MS,
    // Bodies from the engine are already JSON text.
    serializer: (data: unknown) => (typeof data === "string" ? data : JSON.stringify(data)),
  });
  await describeApi(fastify);
  await fastify.register(
    async (api) => {
      // Answers may change; routes whose bodies never change override this.
      api.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));
      await serviceRoutes(api);
      await caseRoutes(api);
      await computeRoutes(api);
    },
    { prefix: "/api" },
  );
  if (config.content !== undefined) await servePage(fastify, config.content);
};

export const app = fastifyPlugin(service, { name: "wattbook", fastify: "5.x" });

/** A Fastify instance with the service registered and framework errors mapped to codes; not yet ready. */
export function createServer(options: AppOptions): FastifyInstance {
  const fastify = Fastify(instanceOptions(options.config, admitting(options.config, options.secret)));
  fastify.register(app, options);
  return fastify;
}
