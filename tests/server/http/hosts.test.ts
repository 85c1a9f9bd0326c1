// Host names that the server answers: a page of another site whose name resolves to this machine reads nothing.
import { request as httpRequest } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { listen, type ServerConfig } from "@service/server";
import { served, testConfig } from "../served.ts";

/** A server without cases, and its answers to host names. */
async function hosts(t: Test, changes: Partial<ServerConfig> = {}) {
  const server = await served(t, changes, { catalogue: [] });
  const statusFor = async (host: string, url = "/api/health") =>
    (await server.inject({ url, headers: { host } })).statusCode;
  return { server, statusFor };
}

const OURS = [
  ...["localhost", "LOCALHOST", "localhost:8000", "localhost.", "127.0.0.1", "127.0.0.1:8000", "192.0.2.7"],
  ...["[::1]", "[::1]:8000", "[2001:db8::1]"],
];
const STRANGE = [
  ...["evil.example", "evil.example:8000", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example"],
  ...[
    "localhost@evil.example",
    "127.0.0.1:8000.evil.example",
    "127.0.0.1/evil",
    "[evil.example]",
    "[::1].evil.example",
  ],
  ...["0x7f.1", "2130706433", "::1", "localhost:evil", "localhost, evil.example", "*", "wattbook"],
];

t.test("on the loopback: localhost and addresses", async (t) => {
  for (const host of ["127.0.0.1", "::1", "localhost"]) {
    const { statusFor } = await hosts(t, { host });
    for (const name of OURS) t.equal(await statusFor(name), 200, name);
    for (const name of STRANGE) t.equal(await statusFor(name), 421, name);
  }
});

t.test("the refusal has the shape of every error, for every address", async (t) => {
  const content = await mkdtemp(join(tmpdir(), "wattbook-page-"));
  t.teardown(() => rm(content, { recursive: true, force: true }));
  await writeFile(join(content, "index.html"), "<!doctype html>");
  const { server } = await hosts(t, { content });
  for (const url of ["/api/health", "/api/openapi.json", "/api/nothing", "/", "/index.html", "/none"]) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"] as const) {
      const answer = await server.inject({
        method,
        url,
        headers: { host: "evil.example", origin: "http://evil.example" },
      });
      t.equal(answer.statusCode, 421, `${method} ${url}`);
      t.equal(answer.headers["content-type"], "application/json; charset=utf-8");
      t.equal(answer.headers["cache-control"], "no-store");
      if (method !== "HEAD") {
        t.match(answer.json(), { code: "HOST.UNKNOWN", error: /"evil\.example".*SERVICE_ALLOWED_HOSTS/ });
      }
    }
  }
  const long = await server.inject({ url: "/", headers: { host: "x".repeat(5000) } });
  t.ok(long.json<{ error: string }>().error.length < 200);
});

t.test("configured names", async (t) => {
  const { statusFor } = await hosts(t, { allowedHosts: ["grid.example", "prices"] });
  for (const name of [...OURS, "grid.example", "Grid.Example:443", "grid.example.", "prices"])
    t.equal(await statusFor(name), 200, name);
  for (const name of [...STRANGE, "www.grid.example", "grid.example.evil.example"])
    t.equal(await statusFor(name), 421, name);
});

t.test("on other addresses the check applies if names are configured", async (t) => {
  for (const host of ["0.0.0.0", "::", "192.0.2.7"]) {
    t.equal(await (await hosts(t, { host })).statusFor("any.example"), 200);
    const named = await hosts(t, { host, allowedHosts: ["grid.example"] });
    t.equal(await named.statusFor("any.example"), 421);
    t.equal(await named.statusFor("grid.example"), 200);
  }
});

t.test("a unix socket has no name", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const changes = { socket: join(folder, "s"), allowedHosts: ["grid.example"] };
  const { server } = await hosts(t, changes);
  await listen(server, testConfig(changes));
  const status = await new Promise((resolve, reject) => {
    const headers = { host: "wattbook" };
    const outgoing = httpRequest({ socketPath: changes.socket, path: "/api/health", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    outgoing.on("error", reject).end();
  });
  t.equal(status, 200);
});

t.test("a missing host, two hosts and a host in the address are handled", async (t) => {
  const { server } = await hosts(t);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const raw = (line: string, ...headers: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const head = [line, ...headers, "connection: close"].map((text) => `${text}\r\n`).join("");
      const socket = connect(port, "127.0.0.1", () => socket.write(`${head}\r\n`));
      let answer = "";
      socket.on("data", (chunk) => (answer += chunk.toString()));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });
  for (const [answer, status, code] of [
    [await raw("GET /api/health HTTP/1.1"), 400, "HOST.MISSING"],
    [await raw("GET / HTTP/1.1"), 400, "HOST.MISSING"],
    [await raw("GET /api/health HTTP/1.0"), 400, "HOST.MISSING"],
    [await raw("GET /api/health HTTP/1.1", "host:"), 421, "HOST.UNKNOWN"],
    [await raw("GET /api/health HTTP/1.1", "host: localhost", "host: evil.example"), 400, "REQUEST.MALFORMED"],
    [await raw("GET http://evil.example/api/health HTTP/1.1", "host: localhost"), 421, "HOST.UNKNOWN"],
    [await raw("GET http://a@evil.example/api/health HTTP/1.1", "host: localhost"), 421, "HOST.UNKNOWN"],
  ] as const) {
    t.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer.slice(0, 60));
    t.match(answer, /content-type: application\/json; charset=utf-8/i);
    t.match(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)), { code, error: /\.$/ });
  }
  t.match(await raw("GET http://localhost/api/health HTTP/1.1", "host: localhost"), /^HTTP\/1\.1 200 /);
});
