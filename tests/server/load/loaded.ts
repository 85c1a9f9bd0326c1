// A listening server over the two benchmark cases, for the tests under load.
import { get as httpGet, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { FALLBACK_FOLDER, readCatalogue, type ServerConfig } from "@service/server";
import { all, type StreamEvent } from "../events.ts";
import { served, STUCK_WORKER } from "../served.ts";

/** The benchmark case with the larger bodies. */
export const LARGE = "case500_goc";

/** A ready server on its own port. A demand change of 1.5 MW at bus 2 hangs there, one of 2.5 MW ends its thread. */
export async function loaded(t: Test, changes: Partial<ServerConfig> = {}) {
  const catalogue = await readCatalogue(fileURLToPath(FALLBACK_FOLDER));
  const server = await served(t, { solverTimeoutSecs: 60, ...changes }, { catalogue, worker: STUCK_WORKER });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/api`;
  /** Open connections, including idle ones. */
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { server, port, base, connections };
}

/** Sends a GET with headers on a separate connection. */
export function get(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => httpGet(url, { agent: false, headers }, resolve).on("error", reject));
}

export async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The events of a solve by one client, heartbeats left out. */
export async function solveAs(client: string, url: string): Promise<StreamEvent[]> {
  const response = await fetch(url, { headers: { "x-forwarded-for": client } });
  if (response.status !== 200) throw new Error(`${client}: ${response.status} ${await response.text()}`);
  return (await all(response)).filter(({ event }) => event !== ":");
}

/** Events as one word each, the phase for a status; repeated queue positions are merged. */
export const kinds = (found: readonly StreamEvent[]): string[] =>
  found
    .map(({ event, data }) => (event === "status" ? String(data["phase"]) : event))
    .filter((kind, k, list) => kind !== "queued" || list[k - 1] !== "queued");

/** Waits until a condition holds; fails after `seconds`. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
