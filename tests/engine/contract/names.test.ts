// The public names listed by hand in tests/fixtures/names.json: each exists, under exactly that name.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import ts from "typescript";
import * as browser from "@service/engine";
import * as node from "@service/engine/node";
import { readConfig } from "@service/server";
import { AGENT_TOOLS } from "@service/webmcp/tools";
import { fixture } from "../../fixtures/cases.ts";
import NAMES from "../../fixtures/names.json" with { type: "json" };
import { all } from "../../server/events.ts";
import { served } from "../../server/served.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const at = (path: string) => join(ROOT, path);
const source = (path: string) => readFileSync(at(path), "utf8");

/** The wanted names that do not exist. */
const missing = (wanted: readonly string[], exist: Iterable<string>) => {
  const names = new Set(exist);
  return wanted.filter((name) => !names.has(name));
};

/** The public types of the engine by name, as the compiler sees them. */
function exportedTypes() {
  const entry = at("engine/src/index.ts");
  const { config } = ts.readConfigFile(at("engine/tsconfig.json"), ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at("engine"));
  const program = ts.createProgram([entry], { ...options, noEmit: true, composite: false, incremental: false });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${entry} is not read.`);
  const symbols = checker.getExportsOfModule(module);
  const typeOf = (name: string) => {
    const symbol = symbols.find((one) => one.name === name);
    if (!symbol) throw new Error(`The engine exports no ${name}.`);
    const { flags } = symbol;
    return checker.getDeclaredTypeOfSymbol(flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  };
  return {
    names: symbols.map(({ name }) => name),
    /** Fields of a type; for a union those common to all members. */
    fields: (name: string) => checker.getPropertiesOfType(typeOf(name)).map((field) => field.name),
    /** The string literals of a union. */
    values: (name: string) => {
      const type = typeOf(name);
      return (type.isUnion() ? type.types : [type]).map((one) => (one.isStringLiteral() ? one.value : ""));
    },
  };
}

t.test("constants, operations and types of the engine", async (t) => {
  const { constants, operations, transport, study, types, fields, values } = NAMES.engine;
  t.strictSame(missing([...constants, ...operations, ...transport, "engine"], Object.keys(browser)), [], "for pages");
  t.strictSame(missing(constants, Object.keys(node)), [], "for Node.js");
  t.strictSame(missing(operations, Object.keys(browser.engine)), [], "on the object");
  t.strictSame(missing(operations, Object.keys(node.createNodeEngine())), [], "on the object for Node.js");

  const found = exportedTypes();
  t.strictSame(missing(types, found.names), []);
  t.strictSame(missing(study, found.fields("StudyHandle")), []);
  for (const [type, names] of Object.entries(fields)) t.strictSame(missing(names, found.fields(type)), [], type);
  for (const [type, names] of Object.entries(values)) t.strictSame(missing(names, found.values(type)), [], type);
  t.strictSame(found.values("BrowserFormulation").sort(), [...values.BrowserFormulation].sort());
  t.strictSame(found.values("JsonDropKind").sort(), [...values.JsonDropKind].sort());
  t.strictSame(missing(["no such name"], found.names), ["no such name"], "the check can fail");
});

/** The tag of an operand or parameter: the string, or the only key. */
const tag = (value: string | object) => (typeof value === "string" ? value : Object.keys(value).join());

t.test("formulations, operands and parameters that the engine names", async (t) => {
  const { operands, parameters, formulations } = await node.createNodeEngine().capabilities();
  const { engine } = NAMES;
  t.strictSame([...new Set(operands.map(tag))].sort(), [...engine.operands].sort());
  t.strictSame([...new Set(parameters.map(tag))].sort(), [...engine.parameters].sort());
  const ids = formulations.filter(({ available }) => available).map(({ formulation }) => formulation);
  t.strictSame(missing(engine.values.FormulationId, ids), []);
  t.strictSame(node.FORMULATIONS.map(({ id }) => id).sort(), [...engine.values.BrowserFormulation].sort());
});

t.test("both targets of a sensitivity column, and none", async (t) => {
  const engine = node.createNodeEngine();
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  t.teardown(() => study.free());
  for (const name of NAMES.engine.targets) {
    const { sensitivity } = await study.commit("three", {}, {}, { [name]: 2 } as unknown as node.SensTarget);
    t.equal(sensitivity?.[name as "bus"], 2, name);
  }
  t.equal((await study.commit("three", {}, {}, null)).sensitivity, null);
});

t.test("extensions of files", async (t) => {
  const { files } = NAMES;
  t.strictSame(
    files.case.filter((extension) => node.formatOf(`a.${extension}`) === undefined),
    [],
  );
  t.strictSame(
    files.display.filter((extension) => !node.isDisplayFile(`a.${extension}`)),
    [],
  );
  t.equal(node.formatOf("a.txt"), undefined);
});

t.test("fields of geographic records", async (t) => {
  const engine = node.createNodeEngine();
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const applied = (text: string) => engine.applyGeo(module_json, Buffer.from(text));
  const { files } = NAMES;
  const buses = async (id: string, latitude: string, longitude: string) => {
    const { case: read } = await applied(`${id},${latitude},${longitude}\n1,40,-80\n2,41,-81\n3,42,-82\n`);
    if (!("view" in read)) throw new Error("a balanced case");
    const second = read.view?.buses.find((bus) => bus.id === 2);
    t.strictSame([second?.lat, second?.lon], [41, -81], `${id} ${latitude} ${longitude}`);
    return read.module_json;
  };
  for (const id of files["bus id"]) await buses(id, "lat", "lon");
  for (const latitude of files.latitude) await buses("bus", latitude, latitude === "y" ? "x" : "lon");
  for (const longitude of files.longitude) await buses("bus", longitude === "x" ? "y" : "lat", longitude);

  const placed = await buses("bus", "lat", "lon");
  const ends = files.endpoints[1]?.join() ?? "";
  const routed = async (header: string, row: string) => {
    const { case: read } = await engine.applyGeo(placed, Buffer.from(`${header}\n${row}\n`));
    if (!("view" in read)) throw new Error("a balanced case");
    t.equal(read.view?.branches.filter(({ path }) => path !== undefined).length, 1, header);
  };
  for (const id of files["branch id"]) await routed(`${id},f_bus,t_bus,${ends}`, "1,1,2,40,-80,41,-81");
  for (const from of files["from bus"]) await routed(`${from},t_bus,${ends}`, "1,2,40,-80,41,-81");
  for (const to of files["to bus"]) await routed(`f_bus,${to},${ends}`, "1,2,40,-80,41,-81");
  for (const four of files.endpoints) await routed(`f_bus,t_bus,${four.join()}`, "1,2,40,-80,41,-81");
});

interface OpenApi {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  components: { schemas: Record<string, { properties?: object }> };
}

t.test("addresses, parameters and fields of the server exist", async (t) => {
  const server = await served(t);
  const { paths, components } = (await server.inject("/api/openapi.json")).json<OpenApi>();
  for (const [path, parameters] of Object.entries(NAMES.http.paths)) {
    t.ok(paths[path]?.["get"], path);
    const names = paths[path]?.["get"]?.parameters?.map(({ name }) => name) ?? [];
    t.strictSame(missing(parameters, names), [], path);
  }
  for (const [schema, fields] of Object.entries(NAMES.http.fields)) {
    t.strictSame(missing(fields, Object.keys(components.schemas[schema]?.properties ?? {})), [], schema);
  }
});

t.test("events of a solve stream, in their order", async (t) => {
  const server = await served(t);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stream = await all(await fetch(`http://127.0.0.1:${address.port}/api/cases/three/solve?sens=2`));
  t.strictSame([...new Set(stream.map(({ event }) => event))], NAMES.http.events);
});

t.test("environment variables with their defaults", async (t) => {
  const flat = (config: object) => new Map(Object.entries(config).map(([key, value]) => [key, JSON.stringify(value)]));
  const none = flat(readConfig({}));
  const changed = (name: string, value: unknown) => flat(readConfig({ [name]: value === false ? "1" : "7" }));
  for (const [name, value] of Object.entries(NAMES.http.variables)) {
    const after = changed(name, value);
    const differing = [...none.keys()].filter((key) => none.get(key) !== after.get(key));
    t.equal(differing.length, 1, `${name} sets one value`);
    t.equal(none.get(differing[0] ?? ""), JSON.stringify(value), `${name} by default`);
  }
});

t.test("tools of agents", async (t) => {
  const { tools, metrics, place, answers } = NAMES.agents;
  t.strictSame(
    AGENT_TOOLS.tools.map(({ name }) => name as string),
    tools,
  );
  const query = AGENT_TOOLS.tools.find(({ name }) => name === "query_network");
  t.strictSame(missing(metrics, JSON.stringify(query).match(/\w+/g) ?? []), []);
  t.match(source("extension/webmcp/src/modelContext.ts"), new RegExp(`\\b${place}\\b`));
  for (const answer of answers) t.match(source("extension/webmcp/src/tools/feeders.ts"), `${answer}:`);
});

t.test("packages", async (t) => {
  const { workspaces } = JSON.parse(source("package.json")) as { workspaces: string[] };
  const manifests = workspaces.map((folder) => `${folder}/package.json`).filter((path) => existsSync(at(path)));
  const names = manifests.map((path) => (JSON.parse(source(path)) as { name: string }).name);
  t.strictSame(missing(NAMES.packages, names), []);
});
