// Identity of clients: no header of a client gives it another allowance or uses up that of another client.
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import Fastify from "fastify";
import { kernelKey, listen, namingClients, networkOf, peerOf } from "@service/server";
import { served, testConfig } from "../served.ts";

const SENSITIVITY = "/api/cases/three/sensitivity/lmp/d/2";
const SECRET = "0123456789abcdef0123456789abcdef";

type Headers = Record<string, string>;

/** Whether two requests count as one client. */
async function same(one: Headers, other: Headers, peers = ["127.0.0.1", "127.0.0.1"], secret?: string) {
  const naming = namingClients(secret);
  const server = Fastify();
  server.get("/", async (request) => naming(request));
  const [first, second] = await Promise.all(
    [one, other].map((headers, k) => server.inject({ url: "/", headers, remoteAddress: peers[k] ?? "" })),
  );
  await server.close();
  return first?.body === second?.body;
}

t.test("clients behind a proxy without a secret are identified", async (t) => {
  t.equal(await same({}, {}), true);
  t.equal(await same({ "x-service-client": "a" }, { "x-service-client": "b" }), true, "a name is not believed");
  t.equal(await same({ "x-service-client": "a", "x-service-secret": "" }, {}), true);
  t.equal(await same({ "x-service-client": "2.2.2.2" }, { "x-forwarded-for": "2.2.2.2" }), false);
  const forwarded = (one: string, other: string) => same({ "x-forwarded-for": one }, { "x-forwarded-for": other });
  t.equal(await forwarded("1.1.1.1, 2.2.2.2", "3.3.3.3, 2.2.2.2"), true, "only the right-most entry is the proxy's");
  t.equal(await forwarded("1.1.1.1, 2.2.2.2", "1.1.1.1, 3.3.3.3"), false);
  t.equal(await forwarded("2.2.2.2:50001", "2.2.2.2:50002"), true, "each connection has another port");
  t.equal(await forwarded("[2001:db8::1]:50001", "2001:db8::1"), true);
  t.equal(await forwarded("2001:db8::1", "2001:db8::2"), true, "one subscriber");
  t.equal(await forwarded("2001:db8::1", "2001:db8:0:1::1"), false);
  const long = "x".repeat(128);
  t.equal(await forwarded(`${long}a`, `${long}b`), true, "128 characters count");
  t.equal(
    await same({}, {}, ["127.0.0.1", "127.0.0.2"]),
    true,
    "whoever is on this machine has all loopback addresses",
  );
  t.equal(await same({}, {}, ["::1", "::ffff:127.0.0.1"]), true);
});

t.test("a remote peer is its address, whatever its headers", async (t) => {
  const far = ["192.0.2.1", "192.0.2.1"];
  for (const secret of [undefined, SECRET]) {
    t.equal(await same({ "x-service-client": "a" }, { "x-service-client": "b" }, far, secret), true);
    t.equal(await same({ "x-forwarded-for": "1.1.1.1" }, { "x-forwarded-for": "2.2.2.2" }, far, secret), true);
    t.equal(await same({}, {}, ["192.0.2.1", "192.0.2.2"], secret), false);
    const other = { "x-forwarded-for": "192.0.2.2", "x-service-client": "192.0.2.2" };
    t.equal(await same(other, {}, ["192.0.2.1", "192.0.2.2"], secret), false, "not somebody else's address either");
  }
});

t.test("the Jupyter proxy and its secret", async (t) => {
  const user = (name: string, secret = SECRET): Headers => ({ "x-service-client": name, "x-service-secret": secret });
  const ask = (one: Headers, other: Headers) => same(one, other, undefined, SECRET);
  t.equal(await ask(user("ada"), user("ada")), true);
  t.equal(await ask(user("ada"), user("grace")), false);
  t.equal(await ask(user("ada"), { ...user("ada"), "x-forwarded-for": "9.9.9.9" }), true);
  for (const guess of ["", "wrong", SECRET.slice(1), `${SECRET}, ${SECRET}`, SECRET.toUpperCase()]) {
    t.equal(await ask(user("ada", guess), user("grace", guess)), true, `"${guess}" makes no client of its own`);
    t.equal(await ask(user("ada", guess), user("ada")), false, "nor somebody else");
  }
  t.equal(
    await ask(user("ada", kernelKey(SECRET)), user("grace", kernelKey(SECRET))),
    true,
    "kernels speak for nobody",
  );
  t.equal(await ask(user("ada", kernelKey(SECRET)), {}), true);
  const forwarded = (address: string) => ({ "x-forwarded-for": address });
  t.equal(await ask(forwarded("1.1.1.1"), forwarded("2.2.2.2")), true, "no other proxy is there");
  t.equal(await ask(forwarded("ada"), user("ada")), false);
  t.equal(await ask(forwarded("user:ada"), user("ada")), false);
});

t.test("the key of kernels is an HMAC of the secret", (t) => {
  // As computed by Python's hmac.
  t.equal(kernelKey(SECRET), "f980e99a86c029be39437c128e53cb0e15be78b958ae6e3279c6118e50bc226c");
  t.end();
});

t.test("a client that has left is not taken for a unix socket", async (t) => {
  const peer = (remoteAddress: string | undefined, address: unknown) =>
    peerOf({ socket: { remoteAddress } as never, server: { server: { address: () => address } } }).kind;
  t.equal(peer(undefined, "/run/server.sock"), "local");
  t.equal(peer(undefined, { address: "0.0.0.0", port: 1 }), "gone");
  t.equal(peer("192.0.2.1", { address: "0.0.0.0", port: 1 }), "far");
  t.equal(peer("127.0.0.1", { address: "127.0.0.1", port: 1 }), "local");
});

async function socketFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "s");
}

type Where = { socketPath: string } | { port: number; localAddress: string };

/** Status of a sensitivity request. */
const ask = (where: Where, headers: OutgoingHttpHeaders): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: "127.0.0.1", ...where, path: SENSITIVITY, headers, agent: false },
      (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.on("error", reject).end();
  });

/** Headers that a client may invent. */
const INVENTED = Array.from({ length: 12 }, (_, k) => ({
  "x-service-client": k % 2 === 0 ? `somebody-${k}` : "ada",
  "x-service-secret": k % 3 === 0 ? "guessed" : SECRET.slice(k),
  "x-forwarded-for": k % 4 === 0 ? "127.0.0.2" : `10.0.0.${k}`,
  "x-real-ip": `10.0.0.${k}`,
  forwarded: `for=10.0.0.${k}`,
}));

t.test("a kernel beside the Jupyter proxy", async (t) => {
  const socketPath = await socketFolder(t);
  const limits = { sensitivityRateLimitEvents: 3, rateLimitWindowSecs: 600, socket: socketPath };
  const server = await served(t, limits, { secret: SECRET });
  await listen(server, testConfig(limits));
  const where = { socketPath };
  const statuses = [];
  for (const headers of INVENTED.slice(1)) statuses.push(await ask(where, headers));
  t.strictSame(statuses, [200, 200, 200, ...Array<number>(8).fill(429)], "one allowance for all of its names");
  const ada = { "x-service-client": "ada", "x-service-secret": SECRET };
  t.strictSame(
    [await ask(where, ada), await ask(where, ada), await ask(where, ada), await ask(where, ada)],
    [200, 200, 200, 429],
  );
});

/** The proxy headers of the guide's example for nginx. */
async function guideHeaders(): Promise<Map<string, string>> {
  const guide = await readFile(new URL("../../../docs/guides/server.md", import.meta.url), "utf8");
  const block = /^location \/ \{\n([^}]*)\}/m.exec(guide)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/proxy_set_header (\S+) (\S+);/g)].map(([, name = "", value = ""]) => [
      name.toLowerCase(),
      value.replace(/^"(.*)"$/, "$1"),
    ]),
  );
}

t.test("behind the proxy of the guide", async (t) => {
  const socketPath = await socketFolder(t);
  const limits = { sensitivityRateLimitEvents: 3, rateLimitWindowSecs: 600, socket: socketPath };
  const server = await served(t, limits);
  await listen(server, testConfig(limits));
  const set = await guideHeaders();
  const passed: IncomingHttpHeaders[] = [];
  /** Acts like nginx with `proxy_set_header`: an empty value drops the header, and other headers of the client pass. */
  const proxy = createServer((request, response) => {
    const forwarded = Object.entries({ ...request.headers, host: "localhost" }).filter(([name]) => !set.has(name));
    const own = [...set].map(([name, value]) => [
      name,
      value.replace("$remote_addr", request.socket.remoteAddress ?? ""),
    ]);
    const headers = Object.fromEntries([
      ...forwarded,
      ...own.filter(([, value]) => value !== ""),
    ]) as OutgoingHttpHeaders;
    passed.push(headers as IncomingHttpHeaders);
    const onward = httpRequest({ socketPath, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  t.teardown(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;

  const statuses = [];
  for (const headers of INVENTED) statuses.push(await ask({ port, localAddress: "127.0.0.1" }, headers));
  t.strictSame(statuses, [200, 200, 200, ...Array<number>(9).fill(429)], "no header gives a fresh allowance");
  t.ok(passed.every((headers) => !("x-service-client" in headers) && !("x-service-secret" in headers)));
  t.ok(passed.every((headers) => headers["x-forwarded-for"] === "127.0.0.1"));
  const others = [
    await ask({ port, localAddress: "127.0.0.2" }, {}),
    await ask({ port, localAddress: "127.0.0.2" }, {}),
  ];
  t.strictSame(others, [200, 200], "and none used up that of the client it named");
});

t.test("a network of IPv6 is one client", async (t) => {
  for (const [address, network] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["fe80::1%en-0.1", "fe80::/64"],
    ["::ffff:192.0.2.7%en-0", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "64:ff9b::/64"],
    ["::1", "::/64"],
    ["no address", "no address"],
  ] as const) {
    t.equal(networkOf(address), network, address);
  }
  const socketPath = await socketFolder(t);
  const limits = { sensitivityRateLimitEvents: 2, rateLimitWindowSecs: 600, socket: socketPath };
  await listen(await served(t, limits), testConfig(limits));
  const statuses = [];
  for (const address of ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:aaaa::3", "2001:db8:1:9::1"]) {
    statuses.push(await ask({ socketPath }, { "x-forwarded-for": address }));
  }
  t.strictSame(statuses, [200, 200, 429, 200]);
});

t.test("a group may open the socket where one is named", async (t) => {
  const socketPath = await socketFolder(t);
  const own = process.getgid?.() ?? 0;
  const root = process.getuid?.() === 0;
  const group = root ? 12_345 : own;
  const config = testConfig({ socket: socketPath, socketGroup: String(group) });
  await listen(await served(t, config), config);
  const { mode, gid } = await stat(socketPath);
  t.equal(mode & 0o777, 0o660);
  t.equal(gid, group);
  if (root) {
    // The workers of a proxy run as a separate user in that group.
    await chmod(dirname(socketPath), 0o755);
    const asks = `require("net").connect(${JSON.stringify(socketPath)}).once("connect", () => process.exit(0)).once("error", () => process.exit(1))`;
    const as = (gid: number) => spawnSync(process.execPath, ["-e", asks], { uid: 65_534, gid }).status;
    t.strictSame([as(group), as(54_321)], [0, 1], "the group, and nobody else");
  }
  const named = testConfig({ socket: await socketFolder(t), socketGroup: "no-such-group" });
  await t.rejects(
    listen(await served(t, named), named),
    /SERVICE_SOCKET_GROUP: this machine has no group "no-such-group"/,
  );
});
