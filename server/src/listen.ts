import { rm } from "node:fs/promises";
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { ConfigError, type ServerConfig } from "./config.ts";

/** Listens where the configuration says and returns the address. A socket file that a dead server left is removed. */
export async function listen(fastify: FastifyInstance, config: ServerConfig): Promise<string> {
  if (config.socket === undefined) return fastify.listen({ host: config.host, port: config.port });
  if (await answers(config.socket)) {
    throw new ConfigError(`SERVICE_SOCKET: another server listens on ${config.socket} already.`);
  }
  await rm(config.socket, { force: true });
  await fastify.listen({ path: config.socket });
  return `unix:${config.socket}`;
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once("connect", () => (probe.destroy(), resolve(true)));
    probe.once("error", () => resolve(false));
  });
}
