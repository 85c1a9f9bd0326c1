// Whom the server of a Jupyter server answers at all.
import type { IncomingHttpHeaders } from "node:http";
import { ConfigError, type ServerConfig } from "../config.ts";
import { isLoopback } from "./clients.ts";
import { recognising } from "./secret.ts";

/** Whether a request with these headers is answered. */
export type Admits = (headers: IncomingHttpHeaders) => boolean;

/**
 * With a secret, a server on a port answers nobody who does not show it, or the kernels' key: every user of the machine reaches a
 * port. A unix socket opens to its owner alone, and without a secret everybody may ask.
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
