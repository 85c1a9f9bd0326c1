// The host names that the server answers to.
import { isIPv4, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { isLoopback } from "./clients.ts";
import type { ServerConfig } from "../config.ts";
import { hostMissing, hostTwice, unknownHost } from "./errors.ts";

/**
 * Rejects requests to other hosts. A page of another site can have its own name resolved to this machine (DNS
 * rebinding) and would then read every answer; only the name in `Host` reveals that. Servers on the loopback, and those
 * with configured names, answer to `localhost`, IP addresses and the configured names. A unix socket has no name and is
 * not checked.
 */
export function checkingHosts(config: ServerConfig): (request: FastifyRequest) => void {
  const { allowedHosts, host: listensOn, socket } = config;
  const applies = socket === undefined && (isLoopback(listensOn) || allowedHosts.length > 0);
  const known = new Set(["localhost", ...allowedHosts]);
  return ({ raw }) => {
    const { host } = raw.headers;
    // Node takes the first and drops the others.
    if (raw.rawHeaders.filter((text, k) => k % 2 === 0 && text.toLowerCase() === "host").length > 1) throw hostTwice();
    // HTTP/1.0 does not require it (RFC 9112, 3.2).
    if (host === undefined && (applies || raw.httpVersion !== "1.0")) throw hostMissing();
    if (!applies) return;
    for (const authority of [host, authorityOf(raw.url)]) {
      if (authority !== undefined && !isKnown(authority, known)) throw unknownHost(authority);
    }
  };
}

/** The host of an address in absolute form (`GET http://host/path`). */
function authorityOf(url = ""): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
}

function isKnown(authority: string, known: ReadonlySet<string>): boolean {
  const [, bracketed, plain = ""] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/.exec(authority) ?? [];
  if (bracketed !== undefined) return isIPv6(bracketed);
  return isIPv4(plain) || known.has(plain.toLowerCase().replace(/\.$/, ""));
}
