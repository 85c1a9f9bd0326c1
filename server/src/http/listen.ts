import { rm } from "node:fs/promises";
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { ConfigError, type ServerConfig } from "../config.ts";

/** Listens where the configuration says and returns the address. A socket file that a dead server left is removed. */
export async function listen(fastify: FastifyInstance, config: ServerConfig): Promise<string> {
  if (config.socket === undefined) {
    const { host, port } = config;
    return fastify.listen({ host, port }).catch(refuse(`SERVICE_HOST, SERVICE_PORT: ${host}:${port}`));
  }
  if (await answers(config.socket)) {
    throw new ConfigError(`SERVICE_SOCKET: another server listens on ${config.socket} already.`);
  }
  await rm(config.socket, { force: true });
  // Nobody else on the machine may open the socket; changing its mode afterwards would be too late.
  const mask = process.umask(0o077);
  try {
    await fastify.listen({ path: config.socket });
  } catch (error) {
    refuse(`SERVICE_SOCKET: ${config.socket}`)(error as NodeJS.ErrnoException);
  } finally {
    process.umask(mask);
  }
  return `unix:${config.socket}`;
}

/** Says which variables the system has something against. */
function refuse(where: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.syscall === undefined) throw error;
    const why = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
    throw new ConfigError(`${where} cannot be listened on: ${why} (${error.code ?? "no code"}).`, { cause: error });
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once("connect", () => (probe.destroy(), resolve(true)));
    probe.once("error", () => resolve(false));
  });
}
