// Who asks: the peer of a request, and the client that rate limits and the line for the solver count it for.
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { recognising } from "./secret.ts";

/** Names the client of a request. */
export type ClientOf = (request: FastifyRequest) => string;

/** Where a request comes from: another machine, this one, or nowhere any more. */
export type Peer = { kind: "far"; address: string } | { kind: "local" | "gone" };

const LONGEST_NAME = 128;

/**
 * The naming of clients. A far peer is its address, whatever its headers say. Behind a peer on this machine (loopback, unix
 * socket) it is the right-most `x-forwarded-for` entry, which the proxy there has written.
 *
 * With a `secret` the only proxy is Jupyter's: the user that it names in `x-service-client` is believed where
 * `x-service-secret` is the secret, and everybody else on this machine (kernels, mostly) is one client.
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
 * The peer of a request. A TCP client that has left already has no address any more. It must not pass for a unix socket: its
 * headers would be believed.
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
 * What is counted as one client: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one subscriber (RFC 6177),
 * who has as many addresses as he likes within them.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%"); // Node takes zones that ipaddr.js throws at
  if (!isIPv6(plain)) return address;
  const known = ipaddr.process(plain);
  if (known.kind() === "ipv4") return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${known.toString()}/64`).toString()}/64`;
}

/** Some proxies add the client's port, of which each connection has another. */
function withoutPort(entry: string): string {
  const [, address = ""] = /^\[?([^\]]*?)\]?(?::\d+)?$/.exec(entry) ?? [];
  return !isIPv6(entry) && (isIPv4(address) || isIPv6(address)) ? address : entry;
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(",") : value) || undefined;
}
