// The routes that are always served.
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import t from "tap";
import Type from "typebox";
import { Compile } from "typebox/compile";
import {
  CONTRACT_SOURCE_SHA256,
  CONTRACT_VERSION,
  createNodeEngine,
  type Network,
  type Optimum,
} from "@service/engine/node";
import { CaseSummary, ComputeFlag, Health, readCatalogue, VERSION } from "@service/server";
import { fixture } from "../../fixtures/cases.ts";
import { served, stagedFolder } from "../served.ts";

t.test("health", async (t) => {
  const server = await served(t);
  const { statusCode, headers, body } = await server.inject("/api/health");
  t.equal(statusCode, 200);
  t.equal(headers["content-type"], "application/json; charset=utf-8");
  t.ok(Compile(Health).Check(JSON.parse(body)));
  t.match(JSON.parse(body), {
    status: "ok",
    version: VERSION,
    engine: { version: CONTRACT_VERSION, sha256: CONTRACT_SOURCE_SHA256 },
    cases: ["named", "three"],
    unavailable: [],
  });
  const manifest = JSON.parse(
    await readFile(new URL("../../../server/package.json", import.meta.url), "utf8"),
  ) as object;
  t.match(manifest, { version: VERSION });
});

t.test("compute flag", async (t) => {
  for (const serverCompute of [true, false]) {
    const body: unknown = (await (await served(t, { serverCompute })).inject("/api/compute")).json();
    t.ok(Compile(ComputeFlag).Check(body));
    t.strictSame(body, { enabled: serverCompute });
  }
});

t.test("cases, ascending by id", async (t) => {
  const body = (await (await served(t)).inject("/api/cases")).json<CaseSummary[]>();
  t.ok(Compile(Type.Array(CaseSummary)).Check(body));
  t.strictSame(body[1], {
    id: "three",
    name: "Case three",
    n_bus: 4,
    n_branch: 4,
    n_gen: 2,
    n_analysis_bus: 4,
    n_analysis_branch: 4,
    model: "balanced",
    description: "Hand-made.",
    sha256: body[1]?.sha256,
    synthetic: false,
    unavailable_reason: null,
    unavailable_sentence: null,
  });
  t.match(body[1]?.sha256, /^[0-9a-f]{64}$/);
  t.strictSame(
    body.map(({ id }) => id),
    ["named", "three"],
  );
});

t.test("the module has text, hash, compression and 304", async (t) => {
  const folder = await stagedFolder(t);
  const server = await served(t, {}, { catalogue: await readCatalogue(folder) });
  const url = "/api/cases/three/case";
  const text = await readFile(join(folder, "three.module.json"));

  const plain = await server.inject(url);
  t.ok(plain.rawPayload.equals(text), "byte for byte");
  const etag = plain.headers.etag as string;
  t.match(etag, /^"[0-9a-f]{64}"$/, "a strong entity tag");
  const staged = (await readCatalogue(folder)).find(({ entry }) => entry.id === "three");
  t.equal(etag, `"${staged?.entry.sha256}"`);

  const gzip = await server.inject({ url, headers: { "accept-encoding": "gzip" } });
  t.equal(gzip.headers["content-encoding"], "gzip");
  t.equal(gzip.headers.etag, etag);
  t.ok(gunzipSync(gzip.rawPayload).equals(text));
  const brotli = await server.inject({ url, headers: { "accept-encoding": "br" } });
  t.ok(brotliDecompressSync(brotli.rawPayload).equals(text));
  t.match(brotli.headers.vary, /accept-encoding/i);

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const unchanged = await server.inject({ url, headers: { "if-none-match": known } });
    t.equal(unchanged.statusCode, 304, known);
    t.equal(unchanged.body, "");
    t.equal(unchanged.headers.etag, etag);
  }
  t.equal((await server.inject({ url, headers: { "if-none-match": '"other"' } })).statusCode, 200);

  const head = await server.inject({ url, method: "HEAD" });
  t.match(head, { statusCode: 200, body: "", headers: { etag } });
  t.equal(Number(head.headers["content-length"]), text.length);
});

t.test("the map view", async (t) => {
  const network = (await (await served(t)).inject("/api/cases/three/network")).json<Network>();
  t.match(network, { id: "three", name: "Case three", base_mva: 100, synthetic_coords: false });
  t.strictSame(network.buses[1], {
    ...{ id: 2, uid: null, name: null, lon: -80.2, lat: 35.2, area: 4, zone: 7, base_kv: 230 },
    ...{ demand_mw: 90, gen_mw: 0, editable: true },
  });
  t.strictSame(network.branches[1], { id: 2, uid: null, from: 2, to: 3, rate_mw: 40, status: 1, editable: true });
  t.equal(network.branches[3]?.status, 0);
  const named = (await (await served(t)).inject("/api/cases/named/network")).json<Network>();
  t.match(named, { id: "named", name: "Case named", synthetic_coords: true });
  t.equal(named.buses[1]?.uid, "load:bus/2");
  t.ok(named.buses.every(({ lon, lat }) => Math.abs(lon + 80) < 1 && Math.abs(lat - 35) < 1));
});

t.test("HEAD is answered like GET without a body", async (t) => {
  const server = await served(t);
  for (const [url, status] of [
    ["/api/health", 200],
    ["/api/compute", 200],
    ["/api/cases", 200],
    ["/api/openapi.json", 200],
    ["/api/cases/three/case", 200],
    ["/api/cases/three/network", 200],
    ["/api/cases/three/solution", 200],
    ["/api/cases/none/solution", 404],
    ["/api/cases/three/sensitivity/lmp/d/9", 404],
    ["/api/cases/three/solve?x=1", 400],
    ["/nothing", 404],
  ] as const) {
    for (const encoding of ["gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      const get = await server.inject({ url, headers });
      const head = await server.inject({ url, headers, method: "HEAD" });
      t.equal(head.statusCode, status, url);
      t.equal(head.body, "", url);
      for (const name of ["content-type", "content-length", "content-encoding", "etag", "cache-control"]) {
        // The uptime has one more digit at times.
        if (url !== "/api/health" || name !== "content-length")
          t.equal(head.headers[name], get.headers[name], `${url} ${name}`);
      }
    }
  }
});

t.test("network and solution have tags, compression and caching", async (t) => {
  const server = await served(t);
  for (const route of ["network", "solution"]) {
    const url = `/api/cases/three/${route}`;
    const plain = await server.inject(url);
    const etag = `"${createHash("sha256").update(plain.rawPayload).digest("hex")}"`;
    t.match(plain.headers, { etag, "cache-control": "no-cache", vary: "accept-encoding" });
    t.equal((await server.inject({ url, headers: { "if-none-match": etag } })).statusCode, 304);
    const brotli = await server.inject({ url, headers: { "accept-encoding": "gzip;q=0.5, br" } });
    t.equal(brotli.headers["content-encoding"], "br");
    t.ok(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload));
    const gzip = await server.inject({ url, headers: { "accept-encoding": "gzip, deflate" } });
    t.equal(gzip.headers["content-encoding"], "gzip");
    t.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload));
  }
  for (const url of [
    "/api/health",
    "/api/compute",
    "/api/cases",
    "/api/cases/three/sensitivity/lmp/d/2",
    "/api/cases/three/solve",
  ]) {
    t.equal((await server.inject(url)).headers["cache-control"], "no-store", url);
  }
});

t.test("data routes ignore a query", async (t) => {
  const server = await served(t);
  for (const url of ["health", "compute", "cases", "openapi.json", "cases/three/case", "cases/three/solution"]) {
    t.equal((await server.inject(`/api/${url}?x=1`)).statusCode, 200, url);
  }
});

t.test("a case without coordinates cannot be served", async (t) => {
  const folder = await stagedFolder(t);
  const text = (await createNodeEngine().ingestCase(await fixture("three_bus.m"), "matpower")).module_json;
  await writeFile(join(folder, "three.module.json"), text);
  const catalogue = JSON.parse(await readFile(join(folder, "catalogue.json"), "utf8")) as { cases: { id: string }[] };
  const sha256 = createHash("sha256").update(text).digest("hex");
  catalogue.cases = catalogue.cases.map((entry) => (entry.id === "three" ? { ...entry, sha256 } : entry));
  await writeFile(join(folder, "catalogue.json"), JSON.stringify(catalogue));
  const server = await served(t, {}, { catalogue: await readCatalogue(folder) });
  const [, three] = (await server.inject("/api/cases")).json<CaseSummary[]>();
  t.match(three, { id: "three", unavailable_reason: /has no bus positions for the map/ });
});

t.test("the base solution is the closed form", async (t) => {
  const solution = (await (await served(t)).inject("/api/cases/three/solution")).json<Optimum>();
  t.match(solution, { case: "three", formulation: "dcopf", status: "optimal" });
  t.ok(Math.abs(solution.objective - 808.5) < 1e-6);
  const prices = new Map(solution.lmp.map(({ bus, usd_per_mwh }) => [bus, usd_per_mwh]));
  for (const [bus, price] of [
    [1, 18.2],
    [2, 30.1],
    [3, 6.3],
  ] as const) {
    t.ok(Math.abs((prices.get(bus) ?? NaN) - price) < 1e-6, `price at bus ${bus}`);
  }
  t.type(solution.solve_ms, "number");
});

t.test("an unavailable case stays in the catalogue with its reason", async (t) => {
  const folder = await stagedFolder(t);
  await writeFile(join(folder, "three.module.json"), "{}");
  const server = await served(t, {}, { catalogue: await readCatalogue(folder) });
  const health = await server.inject("/api/health");
  t.equal(health.statusCode, 503);
  t.match(health.json(), { status: "degraded", cases: ["named"], unavailable: [{ id: "three", name: "Case three" }] });
  t.match(health.json<{ unavailable: unknown[] }>().unavailable[0], {
    reason: /not the file that the catalogue lists/,
  });
  t.match((await server.inject("/api/cases")).json<CaseSummary[]>()[1], {
    id: "three",
    unavailable_reason: /catalogue/,
    unavailable_sentence: { key: "service.module_changed", values: { file: { text: "three.module.json" } } },
  });
  for (const route of ["case", "network", "solution", "sensitivity/lmp/d/2", "sensitivity/lmp/fmax/2", "solve"]) {
    const answer = await server.inject(`/api/cases/three/${route}`);
    t.match(answer, { statusCode: 503 }, route);
    t.match(answer.json(), { code: "CASE.UNAVAILABLE", error: /unavailable/ });
  }
  t.equal((await server.inject("/api/cases/named/solution")).statusCode, 200);
});

t.test("a case whose base state has no solution is unavailable", async (t) => {
  const folder = await stagedFolder(t);
  const catalogue = await readCatalogue(folder);
  const three = catalogue.find(({ entry }) => entry.id === "three");
  const parsed = JSON.parse(await readFile(join(folder, "three.module.json"), "utf8")) as {
    value: { data: { branches: { rate_a: number }[] } };
  };
  for (const branch of parsed.value.data.branches) branch.rate_a = 1;
  const text = JSON.stringify(parsed);
  const module = Buffer.from(text);
  const server = await served(t, {}, { catalogue: [{ ...three, module } as (typeof catalogue)[number]] });
  const health = await server.inject("/api/health");
  t.equal(health.statusCode, 503);
  t.match(health.json(), { status: "degraded", unavailable: [{ id: "three", reason: /No solution/ }] });
});

t.test("a folder that holds no catalogue is refused", async (t) => {
  const folder = await stagedFolder(t);
  await writeFile(join(folder, "catalogue.json"), JSON.stringify({ cases: [] }));
  await t.rejects(readCatalogue(folder), /not a catalogue/);
  await writeFile(join(folder, "catalogue.json"), '{"schema": "wattbook-cat');
  await t.rejects(readCatalogue(folder), { name: "ConfigError", message: /not a catalogue/ });
  const none = JSON.stringify({ schema: "wattbook-catalogue", version: 1, cases: [] });
  await writeFile(join(folder, "catalogue.json"), none);
  await t.rejects(readCatalogue(folder), { name: "ConfigError", message: /names no case/ });
  await rm(join(folder, "catalogue.json"));
  await t.rejects(readCatalogue(folder), { code: "ENOENT" });
});
