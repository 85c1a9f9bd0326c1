// The built server as a process: command line, failures to start, listening addresses, stopping.
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { createNodeEngine } from "@service/engine/node";
import { kernelKey } from "@service/server";
import { eventually } from "../eventually.ts";
import { fixture } from "../fixtures/cases.ts";
import { all } from "./events.ts";
import { address, start } from "./running.ts";
import { stagedFolder } from "./served.ts";

// Each test starts processes, which takes long on a busy machine.
t.setTimeout(300_000);

/** GET over a unix socket. */
const get = (
  socketPath: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest({ socketPath, path, headers }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    outgoing.on("error", reject).end();
  });

async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

t.test("command line", async (t) => {
  const help = start(t, {}, ["--help"]);
  t.equal(await help.ended, 0);
  t.match(help.output(), /wattbook-server serve/);
  t.match(help.output(), /SERVICE_SOLVER_TIMEOUT_SECS/);
  const version = start(t, {}, ["--version"]);
  t.equal(await version.ended, 0);
  t.match(version.output(), /^\d+\.\d+\.\d+\n$/);
  const wrong = start(t, {}, ["dance"]);
  t.equal(await wrong.ended, 2);
  t.match(wrong.output(), /"dance" is not a command/);
});

t.test("stage-data: lines and exit codes", async (t) => {
  const folder = await temporaryFolder(t);
  const data = join(folder, "data");
  const text = (await fixture("three_bus_isolated.m")).toString();
  await writeFile(join(folder, "three.m"), text);
  await writeFile(join(folder, "hopeless.m"), text.replace(/\b90(\s)/, "9000$1"));
  await writeFile(join(folder, "places.csv"), "bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n");
  const pair = (name: string) => `${join(folder, name)},${join(folder, "places.csv")}`;

  const good = start(t, {}, ["stage-data", data, "--from", pair("three.m")]);
  t.equal(await good.ended, 0);
  t.equal(good.output(), "staged three: 4 buses, 4 branches, 808.50 $/h\n");
  const partly = start(t, {}, ["stage-data", data, "--from", pair("three.m"), "--from", pair("hopeless.m")]);
  t.equal(await partly.ended, 3);
  t.match(partly.output(), /^staged three: /m);
  t.match(partly.output(), /^unavailable hopeless: No solution/m);
  for (const [args, sentence] of [
    [[data, "--from", pair("none.m")], /^wattbook-server: .*none\.m does not exist\. \[INPUT\.NOT_FOUND\]\n$/],
    [[], /^wattbook-server: stage-data needs a folder/],
    [[data, "other"], /^wattbook-server: stage-data takes one folder/],
    [[data, "--form", "x"], /^wattbook-server: .*--form/],
  ] as const) {
    const bad = start(t, {}, ["stage-data", ...args]);
    t.equal(await bad.ended, 2, args.join(" "));
    t.match(bad.output(), sentence);
  }

  const server = start(t, { SERVICE_DATA: data, SERVICE_PORT: "0" });
  const base = await address(server);
  const health = await fetch(`${base}/api/health`);
  t.equal(health.status, 503);
  t.match(await health.json(), { status: "degraded", cases: ["three"], unavailable: [{ id: "hopeless" }] });
  t.match(server.output(), /"cases":\["three"\],"unavailable":\["hopeless"\]/);
});

t.test("refusals to start", async (t) => {
  const folder = await temporaryFolder(t);
  const bare = start(t, {});
  t.equal(await bare.ended, 1);
  t.match(bare.output(), /stage-data DIR.*SERVICE_DATA/, "one way out");
  t.match(bare.output(), /SERVICE_ALLOW_FALLBACK=1/, "the other");
  t.notMatch(bare.output(), /\n.*at /, "a sentence, not a trace");

  const empty = start(t, { SERVICE_DATA: folder });
  t.equal(await empty.ended, 1);
  t.ok(empty.output().includes(folder));

  const malformed = start(t, { SERVICE_ALLOW_FALLBACK: "1", SERVICE_PORT: "http" });
  t.equal(await malformed.ended, 1);
  t.match(malformed.output(), /SERVICE_PORT must be/);

  const page = start(t, { SERVICE_ALLOW_FALLBACK: "1", SERVICE_CONTENT: join(folder, "none") });
  t.equal(await page.ended, 1);
  t.match(page.output(), /SERVICE_CONTENT names .*none, which does not exist/);

  await writeFile(join(folder, "catalogue.json"), "{}");
  const wrong = start(t, { SERVICE_DATA: folder, SERVICE_ALLOW_FALLBACK: "1" });
  t.equal(await wrong.ended, 1, "staged data that cannot be read is not replaced by the fallback");
  t.match(wrong.output(), /not a catalogue/);
});

t.test("the fallback cases", async (t) => {
  const server = start(t, { SERVICE_ALLOW_FALLBACK: "1", SERVICE_SERVER_COMPUTE: "1", SERVICE_PORT: "0" });
  const base = await address(server);
  t.match(base, /^http:\/\/127\.0\.0\.1:\d+$/);
  const json = async <T>(path: string): Promise<T> => (await fetch(`${base}/api${path}`)).json() as Promise<T>;

  t.match(await json("/health"), { status: "ok", cases: ["case200_activ", "case500_goc"], unavailable: [] });
  const network = await json<{ synthetic_coords: boolean; buses: { lon: number; lat: number }[] }>(
    "/cases/case500_goc/network",
  );
  t.equal(network.synthetic_coords, true);
  t.equal(network.buses.length, 500);
  t.ok(network.buses.every(({ lon, lat }) => lon > -84 && lon < -78 && lat > 32 && lat < 36));
  const places = new Set(network.buses.map(({ lon, lat }) => `${lon} ${lat}`));
  t.equal(places.size, 500, "every bus has a place of its own");
  const module = await (await fetch(`${base}/api/cases/case500_goc/case`)).text();
  const inspected = await createNodeEngine().inspectModule(module);
  t.match(inspected, { coords_kind: "synthetic", has_coords: true });
  t.strictSame(network.buses, inspected.view?.buses, "the module itself carries the places");

  // PGLib's own baseline for the DC OPF: 4.4055e+05 and 2.7480e+04 $/h.
  const large = await json<{ objective: number; lmp: { usd_per_mwh: number }[] }>("/cases/case500_goc/solution");
  t.ok(Math.abs(large.objective / 4.4055e5 - 1) < 5e-5, `${large.objective}`);
  const prices = large.lmp.map(({ usd_per_mwh }) => usd_per_mwh);
  t.ok(Math.min(...prices) > 27 && Math.max(...prices) < 55, "prices between 28 and 54 $/MWh");
  const small = await json<{ objective: number }>("/cases/case200_activ/solution");
  t.ok(Math.abs(small.objective / 2.748e4 - 1) < 5e-5, `${small.objective}`);

  const stream = await all(await fetch(`${base}/api/cases/case500_goc/solve?d=2:1&sens=2`));
  t.strictSame(
    stream.map(({ event }) => event),
    ["status", "status", "solution", "sensitivity", "done"],
  );
  server.child.kill("SIGTERM");
  t.equal(await server.ended, 0);
});

t.test("a unix socket handles a stale file, a second server and the end", async (t) => {
  const folder = await temporaryFolder(t);
  const socket = join(folder, "server.sock");
  const env = { SERVICE_DATA: await stagedFolder(t), SERVICE_SOCKET: socket, SERVICE_SERVER_COMPUTE: "1" };
  const killed = start(t, env);
  await address(killed);
  killed.child.kill("SIGKILL");
  t.equal(await killed.ended, "SIGKILL");
  t.ok((await stat(socket)).isSocket(), "the file stays behind");

  const server = start(t, env);
  await address(server);
  t.equal((await stat(socket)).mode & 0o077, 0, "nobody else may open it");
  t.match(JSON.parse((await get(socket, "/api/health")).body), { status: "ok", cases: ["named", "three"] });
  const column = await get(socket, "/api/cases/three/sensitivity/lmp/d/2");
  t.equal(column.status, 200, "rate limits work without an address");

  const second = start(t, env);
  t.equal(await second.ended, 1);
  t.match(second.output(), /another server listens/);
  t.equal((await get(socket, "/api/health")).status, 200, "the first goes on");

  server.child.kill("SIGINT");
  t.equal(await server.ended, 0);
  await t.rejects(stat(socket), { code: "ENOENT" });
});

t.test("standard input", async (t) => {
  const env = { SERVICE_DATA: await stagedFolder(t), SERVICE_PORT: "0" };
  const held = start(t, { ...env, SERVICE_EXIT_WITH_STDIN: "1" }, ["serve"], "pipe");
  await address(held);
  const started = Date.now();
  held.child.stdin?.end();
  t.equal(await held.ended, 0);
  t.ok(Date.now() - started < 3000);

  const free = start(t, env, ["serve"], "pipe");
  const base = await address(free);
  free.child.stdin?.end();
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.equal((await fetch(`${base}/api/health`)).status, 200, "without the variable it goes on");
});

t.test("the secret on standard input", async (t) => {
  const env = { SERVICE_DATA: await stagedFolder(t), SERVICE_SECRET_FROM_STDIN: "1", SERVICE_EXIT_WITH_STDIN: "1" };
  for (const line of ["", "\n", "short\n", `${"a".repeat(64)}`, "b".repeat(5000)]) {
    const refused = start(t, { ...env, SERVICE_PORT: "0" }, ["serve"], "pipe");
    refused.child.stdin?.end(line);
    t.equal(await refused.ended, 1, line.slice(0, 10));
    t.match(refused.output(), /^wattbook-server: SERVICE_SECRET_FROM_STDIN: .* 32 to 1024 characters\.\n$/);
  }

  const socket = join(await temporaryFolder(t), "s");
  const variables = { SERVICE_SERVER_COMPUTE: "1", SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS: "1", SERVICE_SOCKET: socket };
  const server = start(t, { ...env, ...variables, SERVICE_LOG_LEVEL: "trace" }, ["serve"], "pipe");
  const secret = "0123456789abcdef".repeat(4);
  server.child.stdin?.write(`${secret}\n`);
  await address(server);
  const column = "/api/cases/three/sensitivity/lmp/d/2";
  const as = (user: string, given = secret) =>
    get(socket, column, { "x-service-client": user, "x-service-secret": given }).then(({ status }) => status);
  t.strictSame([await as("ada"), await as("grace"), await as("ada")], [200, 200, 429]);
  t.strictSame([await as("edith", "x"), await as("joan", "y")], [200, 429], "without it nobody is named");
  server.child.stdin?.end();
  t.equal(await server.ended, 0);
  t.notOk(server.output().includes(secret));
});

t.test("without the secret of a port every request is refused", async (t) => {
  const env = { SERVICE_DATA: await stagedFolder(t), SERVICE_SECRET_FROM_STDIN: "1", SERVICE_EXIT_WITH_STDIN: "1" };
  const open = start(t, { ...env, SERVICE_HOST: "0.0.0.0", SERVICE_PORT: "0" }, ["serve"], "pipe");
  const secret = "fedcba9876543210".repeat(4);
  open.child.stdin?.write(`${secret}\n`);
  t.equal(await open.ended, 1);
  t.match(
    open.output(),
    /^wattbook-server: SERVICE_SECRET_FROM_STDIN: SERVICE_HOST must be the loopback, not 0\.0\.0\.0/,
  );

  const server = start(t, { ...env, SERVICE_PORT: "0", SERVICE_LOG_LEVEL: "silent" }, ["serve"], "pipe");
  server.child.stdin?.write(`${secret}\n`);
  await eventually.match(t, async () => server.output(), /^\{"listening":"http:\/\/127\.0\.0\.1:\d+"\}\n$/);
  const { listening } = JSON.parse(server.output()) as { listening: string };
  const status = async (given: string | undefined, path = "/api/health") =>
    (await fetch(listening + path, { headers: given === undefined ? {} : { "x-service-secret": given } })).status;
  for (const shown of [secret, kernelKey(secret)]) {
    t.strictSame([await status(shown), await status(shown, "/nothing")], [200, 404]);
  }
  for (const shown of [undefined, "", "x", secret.slice(1), secret.toUpperCase(), kernelKey(kernelKey(secret))]) {
    for (const path of ["/api/health", "/", "/nothing", "/api/cases/%ff/case", "/api/cases/three/solve"]) {
      t.equal(await status(shown, path), 403, `${shown} ${path}`);
    }
  }
  server.child.stdin?.end();
  t.equal(await server.ended, 0);
});

t.test("a port in use is reported", async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const server = start(t, { SERVICE_DATA: await stagedFolder(t), SERVICE_PORT: String(port) });
  t.equal(await server.ended, 1);
  t.match(
    server.output(),
    /SERVICE_PORT: 127\.0\.0\.1:\d+ cannot be listened on: another program listens there \(EADDRINUSE\)/,
  );
});

t.test("the built page", async (t) => {
  const content = join(await temporaryFolder(t), "page");
  await mkdir(content);
  await writeFile(join(content, "index.html"), "<!doctype html><title>Cases</title>");
  const server = start(t, { SERVICE_DATA: await stagedFolder(t), SERVICE_PORT: "0", SERVICE_CONTENT: content });
  const base = await address(server);
  const page = await fetch(`${base}/`);
  t.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  t.match(page.headers.get("content-security-policy"), /wasm-unsafe-eval/);
  t.notMatch(page.headers.get("content-security-policy"), /upgrade-insecure-requests/);
  t.match(await page.text(), /Cases/);
  const missing = await fetch(`${base}/missing.js`);
  t.equal(missing.status, 404);
  t.match(await missing.json(), { code: "ROUTE.UNKNOWN" });
});
