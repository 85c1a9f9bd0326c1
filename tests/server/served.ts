// A server over hand-made cases: `three` with a closed-form optimum, an isolated bus 4 and a line 4 out of service, at
// positions of a file; `named`, the same with row uids at synthetic positions. Each test states its changes.
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { createNodeEngine } from "@service/engine/node";
import { createServer, readCatalogue, readConfig, type AppOptions, type ServerConfig } from "@service/server";
import { fixture } from "../fixtures/cases.ts";

const engine = createNodeEngine();

/** The module with uids on bus 2 and branch 2, as in formats with row names. */
function named(module: string): string {
  const parsed = JSON.parse(module) as {
    value: { data: Record<string, { uid: string }[]> & { generated_uids: string[] } };
  };
  const { data } = parsed.value;
  const name = (rows: { uid: string }[] | undefined, uid: string): void => {
    const row = rows?.[1];
    if (!row) throw new Error("the module has no second row");
    data.generated_uids = data.generated_uids.filter((generated) => generated !== row.uid);
    row.uid = uid;
  };
  name(data["buses"], "load:bus/2");
  name(data["branches"], "line 2-3");
  return JSON.stringify(parsed);
}

/** The module with positions of a file: bus k at longitude -80 - k/10, latitude 35 + k/10. */
async function surveyed(module: string): Promise<string> {
  const rows = [1, 2, 3, 4].map((bus) => `${bus},${(35 + bus / 10).toFixed(1)},${(-80 - bus / 10).toFixed(1)}\n`);
  return (await engine.applyGeo(module, Buffer.from(`bus,lat,lon\n${rows.join("")}`))).case.module_json;
}

/** The module with a synthetic layout. */
async function laidOut(module: string): Promise<string> {
  const { positions } = await engine.layoutModule(module);
  return (await engine.applyLayout(module, positions, { centre: [-80, 35] })).module_json;
}

/**
 * A folder of staged cases, removed after the test; `own` are further modules of the test by id, which get a layout.
 */
export async function stagedFolder(t: Test, own: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-staged-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { module_json } = await engine.ingestCase(await fixture("three_bus_isolated.m"), "matpower");
  const cases: unknown[] = [];
  const drawn = Object.entries(own).map(async ([id, text]) => [id, await laidOut(text)] as const);
  for (const [id, text] of [
    ["three", await surveyed(module_json)],
    ["named", await laidOut(named(module_json))],
    ...(await Promise.all(drawn)),
  ] as const) {
    const { n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch } = await engine.inspectModule(text);
    await writeFile(join(folder, `${id}.module.json`), text);
    cases.push({
      ...{ id, name: `Case ${id}`, description: "Hand-made.", module: `${id}.module.json` },
      sha256: createHash("sha256").update(text).digest("hex"),
      ...{ n_bus, n_branch, n_gen, n_analysis_bus, n_analysis_branch, license: "CC0" },
    });
  }
  await writeFile(join(folder, "catalogue.json"), JSON.stringify({ schema: "wattbook-catalogue", version: 1, cases }));
  return folder;
}

/** Configuration of the tests: compute on, no limits, no log. */
export function testConfig(changes: Partial<ServerConfig> = {}): ServerConfig {
  const open = {
    serverCompute: true,
    solveRateLimitEvents: 0,
    sensitivityRateLimitEvents: 0,
    logLevel: "silent",
  } as const;
  return { ...readConfig({}), ...open, ...changes };
}

/** A ready server, closed after the test. */
export async function served(t: Test, changes: Partial<ServerConfig> = {}, options: Partial<AppOptions> = {}) {
  const catalogue = options.catalogue ?? (await readCatalogue(await stagedFolder(t)));
  const server = createServer({ config: testConfig(changes), catalogue, ...options });
  t.teardown(() => server.close());
  await server.ready();
  return server;
}

/** A thread that hangs or dies on certain edits. */
export const STUCK_WORKER = new URL("stuck.worker.mjs", import.meta.url);
