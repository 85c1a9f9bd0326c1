// Staging: own grids and an operator's files, the written files, refusals, and that a folder is never half written.
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { createNodeEngine } from "@service/engine/node";
import { findCases, readCatalogue, stageData, StagingError, type CaseSummary, type StagedCase } from "@service/server";
import { DATA, fixture } from "../../fixtures/cases.ts";
import { served, testConfig } from "../served.ts";

const engine = createNodeEngine();

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "wattbook-staging-"));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

/**
 * An operator's files: a case of three buses and one isolated bus, positions of its buses as CSV, a route of line 1 as
 * GeoJSON.
 */
async function files(t: Test): Promise<{ at: string; caseFile: string; places: string; routes: string }> {
  const at = await folder(t);
  const caseFile = join(at, "my case.m");
  await writeFile(caseFile, await fixture("three_bus_isolated.m"));
  const places = join(at, "places.csv");
  await writeFile(places, "bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n4,35.4,-80.4\n");
  const routes = join(at, "routes.geojson");
  const coordinates = [
    [-80.1, 35.1],
    [-80.1, 35.2],
    [-80.2, 35.2],
  ];
  const route = {
    type: "Feature",
    properties: { branch: 1 },
    geometry: { type: "LineString", coordinates },
  };
  await writeFile(routes, JSON.stringify({ type: "FeatureCollection", features: [route] }));
  return { at, caseFile, places, routes };
}

/** The names of everything below a folder, without hashes. */
async function tree(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true });
  return names.map((name) => name.replaceAll(/[0-9a-f]{16,64}/g, "#")).sort();
}

/** The refusal of a staging. */
const refusal = async (dir: string, from: string[]): Promise<string> => {
  try {
    await stageData(dir, { from });
  } catch (error) {
    if (error instanceof StagingError) return error.message;
    throw error;
  }
  return "staged";
};

t.test("an operator's case with positions and routes is served", async (t) => {
  const { at, caseFile, places, routes } = await files(t);
  const dir = join(at, "deep", "data");
  const reported: StagedCase[] = [];
  const staged = await stageData(dir, {
    from: [[caseFile, places, routes].join(",")],
    report: (one) => reported.push(one),
  });
  t.strictSame(reported, staged);
  t.match(staged, [{ entry: { id: "my-case", n_bus: 4, n_branch: 4 }, notes: [] }]);
  // The closed form of the fixture.
  t.ok(Math.abs((staged[0]?.objective ?? NaN) - 808.5) < 1e-6);
  t.strictSame(await tree(dir), ["base", "base/my-case-#-#.base", "catalogue.json", "my-case-#.json"]);
  t.strictSame(await tree(join(at, "deep")).then((names) => names.filter((name) => name.startsWith("."))), []);
  t.ok(((await stat(dir)).mode & 0o050) > 0, "another user of the group can serve it");

  const found = await findCases(testConfig({ data: dir }));
  const server = await served(t, {}, found);
  const network = (await server.inject("/api/cases/my-case/network")).json<{ branches: { path?: unknown }[] }>();
  t.strictSame(network.branches[0]?.path, [
    [-80.1, 35.1],
    [-80.1, 35.2],
    [-80.2, 35.2],
  ]);
  t.equal(network.branches[1]?.path, undefined);
  t.match((await server.inject("/api/health")).json(), { status: "ok", cases: ["my-case"] });
  t.match((await server.inject("/api/cases/my-case/solve")).body, /"ok":true/);
});

t.test("positions are read from a case file", async (t) => {
  const { at, caseFile } = await files(t);
  const geo = join(at, "geo.json");
  const module = (await engine.ingestCase(await fixture("three_bus_isolated.m"), "matpower")).module_json;
  const csv = Buffer.from("bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n");
  const placed = await engine.applyGeo(module, csv);
  await writeFile(geo, await engine.geoJson(placed.case.module_json));
  const [one] = await stageData(join(at, "data"), { from: [`${caseFile},${geo}`] });
  t.match(one?.notes, [/1 of its buses have no position and are omitted from the map/]);
  const text = join(at, "module.json");
  await writeFile(text, placed.case.module_json);
  // Files of the last minute stay: another staging may be running.
  const longAgo = new Date(Date.now() - 120_000);
  for (const name of await readdir(join(at, "data"), { recursive: true })) {
    await utimes(join(at, "data", name), longAgo, longAgo);
  }
  const [two] = await stageData(join(at, "data"), { from: [text] });
  t.equal(two?.entry.id, "module", "a module is a case");
  t.strictSame(
    (await tree(join(at, "data"))).filter((name) => name.includes("my-case")),
    [],
    "the first staging is gone",
  );
});

t.test("a case without a solution stays in the catalogue with its reason", async (t) => {
  const { at, caseFile, places } = await files(t);
  const text = (await readFile(caseFile, "utf8")).replace(/\b90(\s)/, "9000$1");
  const hopeless = join(at, "hopeless.m");
  await writeFile(hopeless, text);
  const dir = join(at, "data");
  const staged = await stageData(dir, { from: [`${caseFile},${places}`, `${hopeless},${places}`] });
  t.match(
    staged.find(({ entry }) => entry.id === "hopeless"),
    {
      objective: null,
      entry: { unavailable_reason: /^No solution/, unavailable_sentence: { key: "no_solution.short" } },
    },
  );
  const server = await served(t, {}, await findCases(testConfig({ data: dir })));
  const health = await server.inject("/api/health");
  t.equal(health.statusCode, 503);
  t.match(health.json(), { status: "degraded", cases: ["my-case"], unavailable: [{ id: "hopeless" }] });
  const summaries = (await server.inject("/api/cases")).json<CaseSummary[]>();
  t.match(
    summaries.find(({ id }) => id === "hopeless"),
    { n_bus: 4, unavailable_reason: /No solution/ },
  );
  t.equal((await server.inject("/api/cases/hopeless/network")).statusCode, 503);
});

t.test("refusals name the file and write nothing", async (t) => {
  const { at, caseFile, places, routes } = await files(t);
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(at, name), text);
    return join(at, name);
  };
  const damaged = await write("damaged.m", "function mpc = damaged\nmpc.bus = [ 1 2 ;");
  const other = await write("other.csv", "bus,lat,lon\n77,35,-80\n");
  const drawing = await write("drawing.csv", "bus,x,y\n1,5000,7000\n2,5100,7100\n3,5200,7300\n");
  const noCase = await write("note.txt", "hello");
  const list = await write("list.json", "[1, 2, 3]");
  await mkdir(join(at, "sub"));
  await copyFile(caseFile, join(at, "sub", "my case.m"));
  const refusals: [from: string[], sentence: RegExp, code: string][] = [
    [[join(at, "none.m")], /none\.m does not exist\.$/, "INPUT.NOT_FOUND"],
    [[at], /is not a case that can be served|is a folder/, "INPUT.UNREADABLE"],
    [[noCase], /note\.txt is not a case that can be served: \.m/, "INPUT.FORMAT"],
    [[list], /list\.json is not a balanced case/, "INPUT.FORMAT"],
    [[damaged], /damaged\.m: \S/, "INPUT."],
    [[caseFile], /my case\.m places no bus on the map: name a file with places/, "INPUT.PLACEMENT"],
    [[`${caseFile},${join(at, "none.csv")}`], /none\.csv does not exist\.$/, "INPUT.NOT_FOUND"],
    [[`${caseFile},${other}`], /other\.csv: .*no bus/i, "INPUT."],
    [[`${caseFile},${drawing}`], /drawing\.csv(:| holds)/, "INPUT."],
    [[`${caseFile},${places},${routes},${routes}`], /--from takes CASE\[,COORDS\[,ROUTES\]\]/, "OPTION.MALFORMED"],
    [[`${caseFile},`], /--from takes/, "OPTION.MALFORMED"],
    [[""], /--from takes/, "OPTION.MALFORMED"],
    [
      [`${caseFile},${places}`, `${join(at, "sub", "my case.m")},${places}`],
      /Two of the cases would be called "my-case"/,
      "OPTION.MALFORMED",
    ],
  ];
  const before = await readdir(at);
  for (const [from, sentence, code] of refusals) {
    const reported = await refusal(join(at, "data"), from);
    await t.rejects(stageData(join(at, "data"), { from }), { code: RegExp(`^${code}`) }, code);
    t.match(reported, sentence, from.join(" "));
    t.ok(reported.endsWith("."), "a sentence");
  }
  t.strictSame(await readdir(at), before, "nothing is written");
});

t.test("a staging replaces only earlier stagings and empty folders", async (t) => {
  const { at, caseFile, places } = await files(t);
  const from = [`${caseFile},${places}`];
  t.match(await refusal(places, from), /places\.csv is not a folder|cannot be/);
  t.match(await refusal(at, from), /holds other files \(.*\): name an empty folder or a staged one/);
  const foreign = join(at, "foreign");
  await mkdir(foreign);
  await writeFile(join(foreign, "catalogue.json"), '{"shop": "shoes"}');
  t.match(await refusal(foreign, from), /is not a catalogue of cases.*Remove it, or name another folder/);
  t.strictSame(await readdir(foreign), ["catalogue.json"]);
  const empty = join(at, "empty");
  await mkdir(empty);
  t.equal(await refusal(empty, from), "staged");
  t.equal((await readCatalogue(empty)).length, 1);
});

t.test("an earlier staging is unchanged until the new one is complete", async (t) => {
  const { at, caseFile, places } = await files(t);
  const dir = join(at, "data");
  await stageData(dir, { from: [`${caseFile},${places}`] });
  const before = await tree(dir);
  const catalogue = await readFile(join(dir, "catalogue.json"), "utf8");
  t.match(await refusal(dir, [join(at, "none.m")]), /does not exist/);
  const stopped = new AbortController();
  stopped.abort();
  await t.rejects(stageData(dir, { from: [`${caseFile},${places}`], signal: stopped.signal }), { name: "AbortError" });
  t.strictSame(await tree(dir), before);
  t.equal(await readFile(join(dir, "catalogue.json"), "utf8"), catalogue);
});

t.test("a running server retains its data; one that starts meanwhile reads one staging or the other", async (t) => {
  const { at, caseFile, places } = await files(t);
  const dir = join(at, "data");
  const second = join(at, "second.m");
  await writeFile(second, await fixture("three_bus.m"));
  const stagings = [[`${caseFile},${places}`], [`${second},${places}`]];
  await stageData(dir, { from: stagings[0] ?? [] });
  const server = await served(t, {}, await findCases(testConfig({ data: dir })));
  const etag = (await server.inject("/api/cases/my-case/case")).headers.etag;

  let staging = true;
  const replaced = (async () => {
    for (let k = 0; k < 4; k++) await stageData(dir, { from: stagings[(k + 1) % 2] ?? [] });
    staging = false;
  })();
  let reads = 0;
  while (staging) {
    const found = await readCatalogue(dir);
    reads += 1;
    if (found.length !== 1 || found[0]?.unavailable !== undefined)
      t.fail(`a torn state: ${found[0]?.unavailable?.key}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await replaced;
  t.ok(reads > 4, `${reads} reads meanwhile`);
  await rm(dir, { recursive: true });
  const after = await server.inject("/api/cases/my-case/case");
  t.match(after, { statusCode: 200, headers: { etag } });
  t.match((await server.inject("/api/cases/my-case/solve")).body, /"ok":true/);
});

t.test("own grids: unpacked, checked, solved", async (t) => {
  const at = await folder(t);
  const grids = join(at, "grids");
  await mkdir(grids);
  const { module_json } = await engine.ingestCase(await fixture("three_bus_isolated.m"), "matpower");
  const places = Buffer.from("bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n4,35.4,-80.4\n");
  const { case: placed } = await engine.applyGeo(module_json, places);
  const text = placed.module_json;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const entry = {
    ...{ id: "tiny", name: "Tiny", description: "A test grid.", module: "tiny.json.gz", sha256 },
    ...{ n_bus: 4, n_branch: 4, n_gen: 2, n_analysis_bus: 4, n_analysis_branch: 4, license: "CC0" },
    ...{ parameters: { seed: 1 }, metrics: [] },
  };
  const manifest = { schema: "wattbook-grids", version: 1, grids: [entry] };
  await writeFile(join(grids, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(grids, "tiny.json.gz"), gzipSync(text));
  const dir = join(at, "data");
  const [staged] = await stageData(dir, { grids });
  t.ok(Math.abs((staged?.objective ?? NaN) - 808.5) < 1e-6);
  const [found] = await readCatalogue(dir);
  t.equal(found?.module.toString(), text);
  t.equal(found?.entry.synthetic, true);

  await writeFile(join(grids, "tiny.json.gz"), gzipSync(`${text} `));
  await t.rejects(stageData(dir, { grids }), {
    ...{ name: "StagingError", code: "CASE.CATALOGUE" },
    message: /tiny\.json\.gz is not the file that manifest\.json names/,
  });
  await writeFile(join(grids, "tiny.json.gz"), text);
  await t.rejects(stageData(dir, { grids }), { message: /tiny\.json\.gz is damaged: it cannot be unpacked/ });
  await rm(join(grids, "tiny.json.gz"));
  await t.rejects(stageData(dir, { grids }), {
    code: "INPUT.NOT_FOUND",
    message: /tiny\.json\.gz does not exist/,
  });
  await writeFile(join(grids, "manifest.json"), "{");
  await t.rejects(stageData(dir, { grids }), { message: /manifest\.json is not JSON/ });
  t.equal((await readCatalogue(dir))[0]?.unavailable, undefined, "the earlier staging is whole");
});

t.test(
  "public cases with places as .aux and as CSV",
  { skip: DATA ? false : "public case data is absent" },
  async (t) => {
    const at = await folder(t);
    const from = [
      `${DATA}/activsg200/case_ACTIVSg200.m,${DATA}/activsg200/ACTIVSg200.aux`,
      `${DATA}/activsg500/case_ACTIVSg500.m,${DATA}/activsg500/ACTIVSg500_bus_coords.csv`,
    ];
    const staged = await stageData(join(at, "data"), { from });
    // MATPOWER's rundcopf: 27479.64 and 70784.44 $/h.
    t.strictSame(
      staged.map(({ entry, objective }) => [entry.id, entry.n_bus, objective?.toFixed(2)]),
      [
        ["case_ACTIVSg200", 200, "27479.64"],
        ["case_ACTIVSg500", 500, "70784.44"],
      ],
    );
    const server = await served(t, {}, await findCases(testConfig({ data: join(at, "data") })));
    // Central Illinois and South Carolina.
    for (const [id, west, east, south, north] of [
      ["case_ACTIVSg200", -91, -87, 39, 42],
      ["case_ACTIVSg500", -84, -78, 32, 36],
    ] as const) {
      const { buses } = (await server.inject(`/api/cases/${id}/network`)).json<{
        buses: { lon: number; lat: number }[];
      }>();
      t.ok(
        buses.every(({ lon, lat }) => lon > west && lon < east && lat > south && lat < north),
        id,
      );
    }
  },
);
