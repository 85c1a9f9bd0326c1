// The log lines of requests, and the data they must never contain.
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import t, { type Test } from "tap";
import Fastify from "fastify";
import { app, instanceOptions, readCatalogue, type ServerConfig } from "@service/server";
import { stagedFolder, STUCK_WORKER, testConfig } from "../served.ts";

/** A server and the lines of its log. */
async function logging(t: Test, changes: Partial<ServerConfig> = {}) {
  const lines: Record<string, unknown>[] = [];
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const config = testConfig({ logLevel: "debug", ...changes });
  const server = Fastify({ ...instanceOptions(config), logger: { level: config.logLevel, stream } });
  const catalogue = await readCatalogue(await stagedFolder(t));
  server.register(app, { config, catalogue, worker: STUCK_WORKER });
  t.teardown(() => server.close());
  await server.ready();
  const requests = () => lines.filter(({ msg }) => msg === "request");
  /** The line about the request of this number. */
  const line = async (count: number): Promise<Record<string, unknown>> => {
    for (let k = 0; k < 500; k++) {
      const found = requests()[count - 1];
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("no line was logged");
  };
  return { server, requests, line, text: () => text };
}

t.test("a request is one line with route, status, code and time", async (t) => {
  const { server, requests, line } = await logging(t, { solveRateLimitEvents: 1 });
  await server.inject("/api/cases/three/solve?d=2:1");
  t.match(await line(1), { method: "GET", route: "/api/cases/:id/solve", case: "three", status: 200 });
  await server.inject("/api/cases/three/solve?d=2:1");
  t.match(await line(2), { status: 429, code: "RATE.LIMITED" });
  await server.inject("/api/cases/nowhere/case");
  const unknown = await line(3);
  t.match(unknown, { route: "/api/cases/:id/case", status: 404, code: "CASE.UNKNOWN" });
  t.notOk("case" in unknown, "only our own names");
  await server.inject("/nothing/here");
  t.match(await line(4), { status: 404, code: "ROUTE.UNKNOWN" });
  await server.inject({ method: "POST", url: "/api/cases" });
  t.match(await line(5), { method: "POST", status: 405 });
  await server.inject("/api/health");
  t.match(await line(6), { route: "/api/health", level: 20 }, "probes only at debug");
  t.equal(requests().length, 6);
  for (const { ms } of requests()) t.type(ms, "number");
});

t.test("a failed solve carries its code", async (t) => {
  const { server, line } = await logging(t);
  await server.inject("/api/cases/three/solve?d=2:1000");
  t.match(await line(1), { status: 200, code: "SOLVE.INFEASIBLE" });
});

t.test("the log has no addresses, queries, headers or foreign names", async (t) => {
  const { server, line, text } = await logging(t);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const headers = {
    "x-forwarded-for": "203.0.113.77",
    "x-service-client": "alice-the-client",
    cookie: "secret-cookie",
    "user-agent": "browser-of-alice",
  };
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }).then((answer) => answer.text());
  await get("/api/cases/three/solve?d=2:1.2345");
  await get("/api/cases/three/solve?d=2:2.5");
  await get("/api/cases/three/sensitivity/lmp/d/2?d=2:2.5");
  await get("/api/cases/three/sensitivity/lmp/d/private-bus?token=secret-token");
  await get("/private-path?token=secret-token");
  await line(5);
  t.match(text(), /"solve failed"/, "failures are logged");
  t.match(text(), /"request failed"/);
  for (const secret of ["203.0.113.77", "alice", "secret", "1.2345", "private", "remoteAddress"]) {
    t.notOk(text().includes(secret), secret);
  }
});

t.test("a disconnected client is marked", async (t) => {
  const { server, line } = await logging(t);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const client = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/cases/three/solve?d=2:1.5`, { signal: client.signal });
  client.abort();
  await t.rejects(response.text());
  t.match(await line(1), { route: "/api/cases/:id/solve", left: true });
});
