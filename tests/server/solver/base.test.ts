// Base solutions stored beside the data: read instead of solved, and ignored when damaged.
import { chmod, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { BaseStore, engineFile, findCases, readCatalogue } from "@service/server";
import { served, stagedFolder, testConfig } from "../served.ts";

const open = async (t: Test, data: string) => served(t, {}, await findCases(testConfig({ data })));
const entries = async (folder: string) => (await readdir(join(folder, "base"))).sort();

/** A server that cannot solve: all its answers come from stored data. */
const NO_WORKER = new URL("no-such.worker.mjs", import.meta.url);
const reading = async (t: Test, data: string) =>
  served(t, {}, { ...(await findCases(testConfig({ data }))), worker: NO_WORKER });

t.test("the second start has the same answers without a solve", async (t) => {
  const folder = await stagedFolder(t);
  const first = await open(t, folder);
  t.equal((await entries(folder)).length, 2);
  t.match((await entries(folder))[0], /^named-[0-9a-f]{64}-[0-9a-f]{64}\.base$/);
  const second = await reading(t, folder);
  for (const route of ["case", "network", "solution"]) {
    const url = `/api/cases/three/${route}`;
    const [one, other] = [await first.inject(url), await second.inject(url)];
    t.equal(other.statusCode, 200, route);
    t.equal(other.headers.etag, one.headers.etag);
    t.ok(one.rawPayload.equals(other.rawPayload), `${route}: byte for byte`);
  }
  t.equal((await second.inject("/api/health")).statusCode, 200);
  t.match((await second.inject("/api/cases/three/sensitivity/lmp/d/99")).json(), { code: "BUS.UNKNOWN" }, "rows too");
  t.equal(second.solver.stats().running, 0);
});

t.test("damaged entries are ignored and rewritten", async (t) => {
  const folder = await stagedFolder(t);
  const first = await open(t, folder);
  const right = (await first.inject("/api/cases/three/solution")).json<{ objective: number }>();
  const name = (await entries(folder)).find((one) => one.startsWith("three-")) ?? "";
  const path = join(folder, "base", name);
  const good = await readFile(path);
  const damages: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    cut: good.subarray(0, good.length - 1),
    "one bit": Buffer.from(good.map((byte, k) => (k === good.length >> 1 ? byte ^ 1 : byte))),
    "another file": Buffer.from("hello"),
    "no line": Buffer.alloc(1000, 0x61),
    "another case": await readFile(
      join(folder, "base", (await entries(folder)).find((one) => one.startsWith("named-")) ?? ""),
    ),
  };
  for (const [what, bytes] of Object.entries(damages)) {
    await writeFile(path, bytes);
    const server = await open(t, folder);
    const solution = (await server.inject("/api/cases/three/solution")).json<{ objective: number }>();
    t.equal(solution.objective, right.objective, what);
    t.equal((await reading(t, folder).then((one) => one.inject("/api/health"))).statusCode, 200, `${what}: repaired`);
  }
});

t.test("another module, name or engine has another base", async (t) => {
  const folder = await stagedFolder(t);
  await open(t, folder);
  const catalogue = await readCatalogue(folder);
  const three = catalogue.find(({ entry }) => entry.id === "three");
  if (!three) throw new Error("no case three");
  const { id, name, sha256 } = three.entry;
  const { sha256: engine } = await engineFile();
  const store = new BaseStore(folder, engine);
  t.type(await store.read({ id, name, module: sha256 }, three.module), "object");
  t.equal(await store.read({ id, name, module: "0".repeat(64) }, three.module), "missing");
  t.equal(await store.read({ id, name: "Renamed", module: sha256 }, three.module), "damaged", "its name is in the map");
  t.equal(await new BaseStore(folder, "1".repeat(64)).read({ id, name, module: sha256 }, three.module), "missing");
});

t.test(
  "a folder that cannot be written is no failure",
  { skip: process.getuid?.() === 0 && "root may write" },
  async (t) => {
    const folder = await stagedFolder(t);
    await chmod(folder, 0o555);
    t.teardown(() => chmod(folder, 0o755));
    const server = await open(t, folder);
    t.equal((await server.inject("/api/health")).statusCode, 200);
    t.strictSame(await readdir(folder).then((names) => names.includes("base")), false);
  },
);

t.test("concurrent writes succeed, and entries of other engines are removed", async (t) => {
  const folder = await stagedFolder(t);
  const server = await open(t, folder);
  const three = server.cases.get("three");
  if (!three || !("network" in three)) throw new Error("no case three");
  const { module, network, solution } = three;
  const base = { module, network, solution, topology: Buffer.alloc(0) };
  const old = new BaseStore(folder, "1".repeat(64));
  const stale = { id: "stale", name: "Stale", module: "2".repeat(64) };
  const recent = { id: "recent", name: "Recent", module: module.sha256 };
  await old.write(stale, base);
  await old.write(recent, base);
  const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000);
  await utimes(join(folder, "base", old.fileOf(stale)), longAgo, longAgo);

  const store = new BaseStore(folder, (await engineFile()).sha256);
  const keys = Array.from({ length: 40 }, (_, k) => ({ id: `case${k}`, name: "Case", module: module.sha256 }));
  await Promise.all(keys.map((key) => store.write(key, base)));
  const text = await module.plain();
  for (const key of keys) t.type(await store.read(key, text), "object", key.id);
  t.equal(await old.read(stale, text), "missing");
  t.type(await old.read(recent, text), "object");
  t.strictSame(
    (await entries(folder)).filter((name) => !name.endsWith(".base")),
    [],
    "no temporary files",
  );
});

t.test("a base folder that is a file is no failure", async (t) => {
  const folder = await stagedFolder(t);
  await writeFile(join(folder, "base"), "in the way");
  const server = await open(t, folder);
  t.equal((await server.inject("/api/health")).statusCode, 200);
  await rm(join(folder, "base"));
});
