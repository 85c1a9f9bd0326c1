import { chmod, chown, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { ConfigError, type ServerConfig } from "../config.ts";

/** Listens on the configured address and returns it. Removes a socket file that a dead server left. */
export async function listen(fastify: FastifyInstance, config: ServerConfig): Promise<string> {
  if (config.socket === undefined) {
    const { host, port } = config;
    return fastify.listen({ host, port }).catch(refuse(`SERVICE_HOST, SERVICE_PORT: ${host}:${port}`));
  }
  if (await answers(config.socket)) {
    throw new ConfigError(`SERVICE_SOCKET: another server listens on ${config.socket} already.`);
  }
  await rm(config.socket, { force: true });
  const group = config.socketGroup === undefined ? undefined : await groupId(config.socketGroup);
  // Nobody else on the machine may open the socket at any time, so that rights are added afterwards and never removed.
  const mask = process.umask(0o077);
  try {
    await fastify.listen({ path: config.socket });
  } catch (error) {
    refuse(`SERVICE_SOCKET: ${config.socket}`)(error as NodeJS.ErrnoException);
  } finally {
    process.umask(mask);
  }
  if (group !== undefined) {
    const refused = refuse(`SERVICE_SOCKET_GROUP: ${config.socket}`, "given to the group");
    await chown(config.socket, -1, group).catch(refused);
    await chmod(config.socket, 0o660).catch(refused);
  }
  return `unix:${config.socket}`;
}

/** The number of a group, looked up by name in the system's list. */
async function groupId(group: string): Promise<number> {
  if (/^\d+$/.test(group)) return Number(group);
  const list = await readFile("/etc/group", "utf8").catch(() => "");
  const found = list.split("\n").find((line) => line.startsWith(`${group}:`));
  if (found === undefined) throw new ConfigError(`SERVICE_SOCKET_GROUP: this machine has no group "${group}".`);
  return Number(found.split(":")[2]);
}

/** Converts a system error to one that names the variables at fault. */
function refuse(where: string, what = "listened on"): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.syscall === undefined) throw error;
    const why = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
    throw new ConfigError(`${where} cannot be ${what}: ${why} (${error.code ?? "no code"}).`, { cause: error });
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once("connect", () => (probe.destroy(), resolve(true)));
    probe.once("error", () => resolve(false));
  });
}
