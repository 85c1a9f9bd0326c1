// The page at `/`: types, caching, compressed files, its permissions.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { isHashed } from "@service/server";
import { served } from "../served.ts";

async function page(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-page-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "assets"));
  const files: Record<string, string | Buffer> = {
    "index.html": "<!doctype html><title>Cases</title>",
    "assets/page-3FJ2K7QA.js": "export {};",
    "assets/page-3FJ2K7QA.js.gz": gzipSync("export {};"),
    "assets/engine-ABCDEFGH.wasm": Buffer.from("0061736d01000000", "hex"),
    "assets/style-0a1b2c3d.css": "body {}",
    "assets/basemap-QWERTZ22.json": "{}",
    "assets/icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    ".env": "SECRET=1",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

t.test("types and caching", async (t) => {
  const server = await served(t, { content: await page(t) });
  const forever = "public, max-age=31536000, immutable";
  for (const [url, type, cached] of [
    ["/", "text/html; charset=utf-8", "no-cache"],
    ["/index.html", "text/html; charset=utf-8", "no-cache"],
    ["/assets/page-3FJ2K7QA.js", "application/javascript; charset=utf-8", forever],
    ["/assets/engine-ABCDEFGH.wasm", "application/wasm", forever],
    ["/assets/style-0a1b2c3d.css", "text/css; charset=utf-8", forever],
    ["/assets/basemap-QWERTZ22.json", "application/json; charset=utf-8", forever],
    ["/assets/icon.svg", "image/svg+xml", "no-cache"],
  ] as const) {
    for (const method of ["GET", "HEAD"] as const) {
      const answer = await server.inject({ method, url });
      t.equal(answer.statusCode, 200, `${method} ${url}`);
      t.equal(answer.headers["content-type"], type, url);
      t.equal(answer.headers["cache-control"], cached, url);
      t.type(answer.headers.etag, "string");
    }
    const { etag } = (await server.inject(url)).headers;
    t.equal((await server.inject({ url, headers: { "if-none-match": String(etag) } })).statusCode, 304, url);
  }
});

t.test("a compressed file is sent to clients that accept it", async (t) => {
  const server = await served(t, { content: await page(t) });
  const url = "/assets/page-3FJ2K7QA.js";
  const gzip = await server.inject({ url, headers: { "accept-encoding": "gzip, deflate" } });
  t.equal(gzip.headers["content-encoding"], "gzip");
  t.equal(gzip.headers["content-type"], "application/javascript; charset=utf-8");
  t.equal(gzip.headers["cache-control"], "public, max-age=31536000, immutable");
  t.match(gzip.headers.vary, /accept-encoding/i);
  t.equal(gunzipSync(gzip.rawPayload).toString(), "export {};");
  const plain = await server.inject(url);
  t.equal(plain.headers["content-encoding"], undefined);
  t.equal(plain.body, "export {};");
});

t.test("missing files and files outside the page are not found", async (t) => {
  const server = await served(t, { content: await page(t) });
  for (const url of [
    "/missing.js",
    "/assets",
    "/assets/",
    "/.env",
    "/../package.json",
    "/%2e%2e/package.json",
    "/api",
  ]) {
    const answer = await server.inject(url);
    t.equal(answer.statusCode, 404, url);
    t.match(answer.json(), { code: "ROUTE.UNKNOWN" }, url);
  }
  t.equal((await server.inject({ method: "POST", url: "/" })).statusCode, 405);
});

t.test("the policy is strict and the same on every route", async (t) => {
  const server = await served(t, { content: await page(t) });
  for (const url of ["/", "/api/health", "/api/none", "/api/cases/three/solve?x=1"]) {
    const { headers } = await server.inject(url);
    const policy = new Map(
      String(headers["content-security-policy"])
        .split(";")
        .map((directive) => {
          const [name = "", ...sources] = directive.trim().split(" ");
          return [name, sources.join(" ")] as const;
        }),
    );
    t.equal(policy.get("default-src"), "'none'", url);
    t.equal(policy.get("script-src"), "'self' 'wasm-unsafe-eval'", "WebAssembly, no inline script, no eval");
    t.equal(policy.get("worker-src"), "'self' blob:");
    t.equal(policy.get("connect-src"), "'self'");
    t.equal(policy.get("img-src"), "'self' data: blob:");
    t.equal(policy.get("frame-ancestors"), "'self'");
    t.notOk(
      [...policy.values()].some((sources) => sources.includes("unsafe-inline") || sources.includes("'unsafe-eval'")),
    );
    t.notOk(policy.has("upgrade-insecure-requests"), "plain http works");
    t.match(headers, { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    t.equal(headers["x-powered-by"], undefined);
  }
});

t.test("the policy permits basemaps from the operator's origins only", async (t) => {
  const server = await served(t, { content: await page(t), basemapOrigins: ["https://tiles.example.org"] });
  const policy = String((await server.inject("/")).headers["content-security-policy"]);
  t.match(policy, /connect-src 'self' https:\/\/tiles\.example\.org;/);
  t.equal(policy.split("tiles.example.org").length, 2);
});

t.test("names with a content hash are recognised", async (t) => {
  const names = {
    "page-3FJ2K7QA.js": true,
    "page-ABCDEFGH.js": true,
    "style.0a1b2c3d.css": true,
    "chunk-0123456789abcdef.js.gz": true,
    "index.html": false,
    "basemap.json": false,
    "my-holidays.png": false,
    "us-counties.json": false,
    "wattbook_engine_bg.wasm": false,
  };
  for (const [name, hashed] of Object.entries(names)) t.equal(isHashed(`/srv/page/${name}`), hashed, name);
});
