// Every failure has a code, including those of the framework and of Node's parser.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import Fastify from "fastify";
import { Compile } from "typebox/compile";
import { ErrorReply, instanceOptions } from "@service/server";
import { RawClient } from "../rawClient.ts";
import { served, testConfig } from "../served.ts";

const isError = Compile(ErrorReply);

t.test("unknown addresses", async (t) => {
  const server = await served(t);
  for (const [url, code] of [
    ["/", "ROUTE.UNKNOWN"],
    ["/api", "ROUTE.UNKNOWN"],
    ["/api/cases/three", "ROUTE.UNKNOWN"],
    ["/api/cases/%zz/case", "ROUTE.UNKNOWN"],
    ["/api/cases/none/case", "CASE.UNKNOWN"],
    ["/api/cases/none/network", "CASE.UNKNOWN"],
    ["/api/cases/none/solution", "CASE.UNKNOWN"],
    [`/api/cases/${"x".repeat(300)}/case`, "CASE.UNKNOWN"],
    ["/api/cases/constructor/case", "CASE.UNKNOWN"],
    ["/api/cases/three/sensitivity/lmp/d/99999999999999999999999", "BUS.UNKNOWN"],
  ] as const) {
    const answer = await server.inject(url);
    t.equal(answer.statusCode, 404, url);
    t.ok(isError.Check(answer.json()), url);
    t.equal(answer.json<{ code: string }>().code, code, url);
    t.equal(answer.headers["content-type"], "application/json; charset=utf-8");
    t.equal(answer.headers["cache-control"], "no-store", url);
    if (!url.includes("%zz")) t.equal(answer.headers["x-content-type-options"], "nosniff", "helmet");
  }
});

t.test("similar addresses are not found, with and without the page", async (t) => {
  const content = await mkdtemp(join(tmpdir(), "wattbook-page-"));
  t.teardown(() => rm(content, { recursive: true, force: true }));
  await writeFile(join(content, "index.html"), "<!doctype html>");
  for (const page of [undefined, content]) {
    const server = await served(t, { content: page }, { catalogue: [] });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const client = new RawClient((server.server.address() as AddressInfo).port);
    for (const target of [
      ...[
        "//api/health",
        "/api//health",
        "/api/health%00",
        "/api/health/",
        "/API/health",
        "/api/health%2f",
        "/api%2fhealth",
      ],
      ...[
        "//",
        "///",
        "/%00",
        "/x%00.js",
        "/index.html%00",
        "//index.html",
        "/./index.html",
        "/x/../index.html",
        "/%2e%2e/x",
      ],
      ...["//evil.example/x", "/..%2f..%2fx", "/\\x", "/api/../api/health"],
    ]) {
      const { status, headers, body } = await client.ask("GET", target);
      t.equal(status, 404, target);
      t.equal(headers.get("content-type"), "application/json; charset=utf-8");
      t.match(JSON.parse(body.toString()), { code: "ROUTE.UNKNOWN", sentence: { key: "service.unknown_route" } });
    }
    client.close();
  }
});

t.test("numbers in sentences are short, whatever the request says", async (t) => {
  const server = await served(t);
  for (const mw of [
    "-1e308",
    "-1.7976931348623157e308",
    `-${"9".repeat(300)}`,
    `${"9".repeat(400)}`,
    "-123456789.123456789",
  ]) {
    for (const query of [`d=2:${mw}`, `rates=2:${mw}`]) {
      const answer = await server.inject(`/api/cases/three/solve?${query}`);
      t.equal(answer.statusCode, 400, query.slice(0, 40));
      const { error } = answer.json<{ error: string }>();
      t.ok(error.length < 160, error);
      t.notMatch(error, /\d{65}/);
    }
  }
});

t.test("excessive amounts are refused with their element and a short number", async (t) => {
  const server = await served(t);
  for (const [query, code, error] of [
    ["d=2:1e308", "DELTA.MALFORMED", "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW."],
    ["d=2:1.1e9", "DELTA.MALFORMED", "The demand change at bus 2 is 1.1e9 MW; the limit is 1.0e9 MW."],
  ] as const) {
    for (const path of ["d/2", "fmax/2"]) {
      const answer = await server.inject(`/api/cases/three/sensitivity/lmp/${path}?${query}`);
      t.equal(answer.statusCode, 400, query);
      t.match(answer.json(), { error, code });
    }
  }
  for (const [query, code, key, error] of [
    [
      "d=2:1e308",
      "DELTA.MALFORMED",
      "edit.demand_too_large",
      "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW.",
    ],
    [
      "rates=2:1e308",
      "RATE.MALFORMED",
      "edit.rating_too_large",
      "The rating change of line 2 is 1.0e308 MW; the limit is 1.0e9 MW.",
    ],
  ] as const) {
    const { body } = await server.inject(`/api/cases/three/solve?${query}`);
    const [, done = "null"] = /^event: done\ndata: (.*)$/m.exec(body) ?? [];
    t.match(JSON.parse(done), { ok: false, error, code, sentence: { key } });
  }
  const refused = await server.inject("/api/cases/three/sensitivity/lmp/d/2?d=2:1e9");
  t.equal(refused.statusCode, 422, "valid requests are answered");
  t.match(refused.json(), { code: "SOLVE.INFEASIBLE", error: / at least 1\.0e9 MW short\.$/ });
});

t.test("other methods are refused with any body", async (t) => {
  const server = await served(t);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
    for (const url of ["/api/cases", "/api/cases/three/solve", "/api/none"]) {
      const answer = await server.inject({
        method,
        url,
        payload: "{",
        headers: { "content-type": "application/json" },
      });
      t.equal(answer.statusCode, 405, `${method} ${url}`);
      t.equal(answer.headers.allow, "GET, HEAD");
      t.equal(answer.headers["cache-control"], "no-store");
      t.match(answer.json(), { code: "METHOD.NOT_ALLOWED" });
    }
  }
});

t.test("without the secret of a port", async (t) => {
  const server = await served(t, {}, { secret: "x".repeat(32) });
  const answer = await server.inject("/api/health");
  t.equal(answer.statusCode, 403);
  t.equal(answer.headers["cache-control"], "no-store");
  t.match(answer.json(), { code: "SERVICE.FORBIDDEN" });
});

t.test("an address over 8 KiB", async (t) => {
  const server = await served(t);
  const answer = await server.inject(`/api/cases/three/solve?d=${"1".repeat(8192)}`);
  t.equal(answer.statusCode, 414);
  t.equal(answer.headers["cache-control"], "no-store");
  t.match(answer.json(), { code: "REQUEST.TOO_LONG" });
});

t.test("errors have their form over a real socket", async (t) => {
  const server = await served(t);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;

  /** Sends raw bytes and returns the answer. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      let answer = "";
      socket.on("data", (chunk) => (answer += chunk.toString()));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });
  const check = (answer: string, status: string, code: string): void => {
    t.ok(answer.startsWith(`HTTP/1.1 ${status}`), `${status}: ${answer.slice(0, 40)}`);
    t.match(answer, /\r\ncache-control: no-store\r\n/);
    const body: unknown = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
    t.ok(isError.Check(body));
    t.match(body, { code });
  };
  const head = "host: localhost\r\nconnection: close\r\n";
  check(await raw(`GET /api/health HTTP/1.1\r\n${head}x: ${"y".repeat(20_000)}\r\n\r\n`), "431", "REQUEST.TOO_LONG");
  check(await raw(`GET /${"y".repeat(20_000)} HTTP/1.1\r\n${head}\r\n`), "431", "REQUEST.TOO_LONG");
  check(await raw(`GET /api/${"y".repeat(9000)} HTTP/1.1\r\n${head}\r\n`), "414", "REQUEST.TOO_LONG");
  check(await raw("NONSENSE\r\n\r\n"), "400", "REQUEST.MALFORMED");
  check(await raw(`PROPFIND /api/cases HTTP/1.1\r\n${head}\r\n`), "405", "METHOD.NOT_ALLOWED");
  check(await raw(`POST /api/cases HTTP/1.1\r\n${head}content-length: 5\r\n\r\nhello`), "405", "METHOD.NOT_ALLOWED");
  t.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200, "still alive");
});

/** The bytes the server sends on a connection until it closes it, and the seconds until then. */
async function answerTo(port: number, text: string): Promise<{ text: string; seconds: number }> {
  const since = performance.now();
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return { text: answer, seconds: (performance.now() - since) / 1000 };
}

t.test("requests that Node rejects without a body have our answers", async (t) => {
  const config = testConfig({ host: "127.0.0.1", port: 0 });
  const server = await served(t, config);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const tunnel = await answerTo(port, "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n");
  t.match(tunnel.text, /^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*allow: GET, HEAD[^]*"code":"METHOD\.NOT_ALLOWED"/);
  const expecting = await answerTo(port, "GET /api/health HTTP/1.1\r\nhost: localhost\r\nexpect: much\r\n\r\n");
  t.match(expecting.text, /^HTTP\/1\.1 417 [^]*content-type: application\/json[^]*"code":"REQUEST\.MALFORMED"/i);
});

t.test("incomplete headers time out after the documented time", async (t) => {
  const { requestTimeout, http } = instanceOptions(testConfig({}));
  t.strictSame([requestTimeout, http.headersTimeout], [30_000, 30_000], "SECURITY and guide say 30 s");
  const server = Fastify({
    ...instanceOptions(testConfig({})),
    requestTimeout: 1000,
    http: { ...http, headersTimeout: 1000 },
  });
  t.teardown(() => server.close());
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const slow = await answerTo(port, "GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
  t.match(slow.text, /^HTTP\/1\.1 408 [^]*"code":"REQUEST\.TIMEOUT"/);
  t.ok(slow.seconds < 15, "Node looks at connections twice a minute by itself");
});
