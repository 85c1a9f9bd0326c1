// Whom a server that Jupyter started answers.
import type { IncomingHttpHeaders } from "node:http";
import { ConfigError, type ServerConfig } from "../config.ts";
import { isLoopback } from "./clients.ts";
import { recognising } from "./secret.ts";

/** Whether a request with these headers is answered. */
export type Admits = (headers: IncomingHttpHeaders) => boolean;

/**
 * Every user of the machine can reach a port. A server with a secret on a port therefore answers only requests with the
 * secret or the kernels' key. A unix socket opens to its owner alone, and without a secret everybody is answered.
 */
export function admitting({ socket, host }: Pick<ServerConfig, "socket" | "host">, secret: string | undefined): Admits {
  if (secret === undefined || socket !== undefined) return () => true;
  if (!isLoopback(host)) {
    throw new ConfigError(
      `SERVICE_SECRET_FROM_STDIN: SERVICE_HOST must be the loopback, not ${host}: secrets need TLS elsewhere.`,
    );
  }
  const recognise = recognising(secret);
  return (headers) => recognise(headers) !== undefined;
}
