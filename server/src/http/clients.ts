// The peer of a request, and the client to which rate limits and the solver queue attribute it.
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { recognising } from "./secret.ts";

/** Names the client of a request. */
export type ClientOf = (request: FastifyRequest) => string;

/** The origin of a request: another machine, this machine, or unknown because the client has left. */
export type Peer = { kind: "far"; address: string } | { kind: "local" | "gone" };

const LONGEST_NAME = 128;

/**
 * Identifies clients. A remote peer is its address, whatever its headers claim. A request from this machine (loopback,
 * unix socket) is the right-most `x-forwarded-for` entry, which the proxy there has written.
 *
 * With a `secret` the only proxy is Jupyter's: the user in `x-service-client` is trusted if `x-service-secret` is the
 * secret, and all other requests from this machine (mostly kernels) are one client.
 */
export function namingClients(secret: string | undefined): ClientOf {
  const recognise = recognising(secret);
  return (request) => {
    const peer = peerOf(request);
    if (peer.kind === "far") return `address:${networkOf(peer.address)}`;
    if (peer.kind === "gone") return "gone";
    const { headers } = request;
    if (secret === undefined) {
      const forwarded = one(headers, "x-forwarded-for")?.split(",").at(-1)?.trim();
      return forwarded ? `address:${networkOf(withoutPort(forwarded)).slice(0, LONGEST_NAME)}` : "local";
    }
    const user = recognise(headers) === "proxy" ? one(headers, "x-service-client") : undefined;
    return user === undefined ? "local" : `user:${user.slice(0, LONGEST_NAME)}`;
  };
}

/**
 * The peer of a request. A TCP client that has already left has no address. It must not pass for a unix socket, whose
 * headers are trusted.
 */
export function peerOf({ socket, server }: Pick<FastifyRequest, "socket"> & { server: Listening }): Peer {
  const address = socket.remoteAddress;
  if (address !== undefined) return isLoopback(address) ? { kind: "local" } : { kind: "far", address };
  return { kind: typeof server.server.address() === "string" ? "local" : "gone" };
}

interface Listening {
  server: { address(): unknown };
}

/** Whether an address or a name to listen on is this machine's loopback. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^(::ffff:)?127\./.test(address);
}

/**
 * The unit that counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one
 * subscriber (RFC 6177), who can use any address within them.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%"); // Node accepts zones, which ipaddr.js rejects
  if (!isIPv6(plain)) return address;
  const known = ipaddr.process(plain);
  if (known.kind() === "ipv4") return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${known.toString()}/64`).toString()}/64`;
}

/** Some proxies append the client's port, which differs for each connection. */
function withoutPort(entry: string): string {
  const [, address = ""] = /^\[?([^\]]*?)\]?(?::\d+)?$/.exec(entry) ?? [];
  return !isIPv6(entry) && (isIPv4(address) || isIPv6(address)) ? address : entry;
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(",") : value) || undefined;
}
