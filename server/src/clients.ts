import type { FastifyRequest } from "fastify";

const LONGEST_NAME = 128;

/**
 * Who a request counts for in the rate limits: the socket peer; behind a loopback or unix-socket peer the client that the
 * Jupyter proxy names in `x-service-client`, else the right-most `x-forwarded-for` entry.
 */
export function clientOf(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress;
  if (peer !== undefined && !isLoopback(peer)) return peer;
  const named = header(request, "x-service-client") ?? header(request, "x-forwarded-for")?.split(",").at(-1)?.trim();
  return named?.slice(0, LONGEST_NAME) || (peer ?? "local");
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(",") : value) || undefined;
}
