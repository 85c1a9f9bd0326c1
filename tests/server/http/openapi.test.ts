// The OpenAPI document is valid, complete and correct: every route is in it, and real answers are validated against it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import t, { type Test } from "tap";
import { Compile, type Validator as SchemaValidator } from "typebox/schema";
import { createServer, readCatalogue } from "@service/server";
import { served, stagedFolder, STUCK_WORKER, testConfig } from "../served.ts";

interface Operation {
  parameters?: { in: string; name: string; required?: boolean }[];
  responses: Record<string, { description: string; headers?: object; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

type Server = Awaited<ReturnType<typeof served>>;

const documentOf = async (server: Server) => (await server.inject("/api/openapi.json")).json<Document>();

/** Validators of the document's own schemas. */
function validators({ components }: Document): (schema: object) => SchemaValidator {
  return (schema) => Compile({ components, ...schema });
}

/** The violations of a value against its schema. */
const violations = (schema: SchemaValidator, value: unknown): unknown[] =>
  schema.Check(value) ? [] : schema.Errors(value)[1].slice(0, 3);

t.test("the checks of this file can fail", async (t) => {
  const document = await documentOf(await served(t));
  const health = validators(document)({ $ref: "#/components/schemas/Health" });
  t.ok(violations(health, { status: "fine" }).length > 0);
});

t.test("the document describes errors", async (t) => {
  const server = await served(t);
  const { info } = (await server.inject("/api/openapi.json")).json<{ info: { description: string } }>();
  const error = (await server.inject("/api/nothing")).json<object>();
  const named = Object.keys(error).map((name) => `"${name}"`);
  t.match(info.description, `Every error is {${named.join(", ")}}`);
});

t.test("the document is valid OpenAPI 3.1", async (t) => {
  const server = await served(t);
  const answer = await server.inject("/api/openapi.json");
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, { "content-type": "application/json; charset=utf-8", etag: /^"[0-9a-f]{64}"$/ });
  const outcome = await new Validator().validate(answer.json<Record<string, unknown>>());
  t.strictSame(outcome.valid ? [] : outcome.errors, []);
  t.equal(answer.json<Document>().openapi, "3.1.0");
  const again = await server.inject({
    url: "/api/openapi.json",
    headers: { "if-none-match": String(answer.headers.etag) },
  });
  t.equal(again.statusCode, 304);
});

t.test("the document has exactly the routes with their parameters", async (t) => {
  const folder = await stagedFolder(t);
  const server = createServer({ config: testConfig(), catalogue: await readCatalogue(folder) });
  t.teardown(() => server.close());
  const routes = new Set<string>();
  server.addHook("onRoute", ({ method, url }) => {
    if (method === "GET") routes.add(url.replaceAll(/:(\w+)/g, "{$1}"));
  });
  await server.ready();
  const document = (await server.inject("/api/openapi.json")).json<Document>();
  t.strictSame(Object.keys(document.paths).sort(), [...routes].sort());
  // The table of the specification.
  t.strictSame(Object.keys(document.paths).sort(), [
    "/api/cases",
    "/api/cases/{id}/case",
    "/api/cases/{id}/network",
    "/api/cases/{id}/sensitivity/lmp/d/{bus}",
    "/api/cases/{id}/sensitivity/lmp/fmax/{branch}",
    "/api/cases/{id}/solution",
    "/api/cases/{id}/solve",
    "/api/compute",
    "/api/health",
    "/api/openapi.json",
  ]);
  const parameters = (path: string, where: string) =>
    document.paths[path]?.["get"]?.parameters?.filter((one) => one.in === where).map(({ name }) => name);
  t.strictSame(parameters("/api/cases/{id}/solve", "query"), ["d", "rates", "sens", "sens_branch", "formulation"]);
  t.strictSame(parameters("/api/cases/{id}/sensitivity/lmp/d/{bus}", "query"), ["d"]);
  t.strictSame(parameters("/api/cases/{id}/sensitivity/lmp/fmax/{branch}", "path"), ["id", "branch"]);
  for (const [path, operations] of Object.entries(document.paths)) {
    t.strictSame(Object.keys(operations), ["get"], path);
    for (const [status, { description }] of Object.entries(operations["get"]?.responses ?? {})) {
      t.ok(description && description !== "Default Response", `${path} ${status} is described`);
    }
  }
});

/** Validates one real answer against the document. */
async function check(t: Test, server: Server, document: Document, path: string, url: string, status: number) {
  const answer = await server.inject(url);
  t.equal(answer.statusCode, status, url);
  const documented = document.paths[path]?.["get"]?.responses[String(status)];
  if (!documented) return t.fail(`${path} documents no ${status}`);
  const type = String(answer.headers["content-type"]).split(";")[0] ?? "";
  const schema = documented.content?.[type]?.schema;
  if (!schema) return t.fail(`${path} documents no ${type} for ${status}`);
  for (const header of Object.keys(documented.headers ?? {})) t.ok(header in answer.headers, `${url}: ${header}`);
  if (type !== "application/json") return answer;
  const valid = validators(document)(schema);
  t.strictSame(violations(valid, answer.json()), [], url);
  return answer;
}

const D = "/api/cases/{id}/sensitivity/lmp/d/{bus}";
const FMAX = "/api/cases/{id}/sensitivity/lmp/fmax/{branch}";
const SOLVE = "/api/cases/{id}/solve";

t.test("answers are as documented", async (t) => {
  const server = await served(t);
  const document = await documentOf(server);
  const long = "1".repeat(8200);
  for (const [path, url, status] of [
    ["/api/health", "/api/health", 200],
    ["/api/compute", "/api/compute", 200],
    ["/api/cases", "/api/cases", 200],
    ["/api/openapi.json", "/api/openapi.json", 200],
    ["/api/cases/{id}/case", "/api/cases/three/case", 200],
    ["/api/cases/{id}/case", "/api/cases/none/case", 404],
    ["/api/cases/{id}/network", "/api/cases/three/network", 200],
    ["/api/cases/{id}/network", "/api/cases/named/network", 200],
    ["/api/cases/{id}/solution", "/api/cases/three/solution", 200],
    [D, "/api/cases/three/sensitivity/lmp/d/2", 200],
    [D, "/api/cases/named/sensitivity/lmp/d/2?d=2:-30", 200],
    [D, "/api/cases/three/sensitivity/lmp/d/2?d=2", 400],
    [D, "/api/cases/three/sensitivity/lmp/d/9", 404],
    [D, "/api/cases/three/sensitivity/lmp/d/2?d=2:1000", 422],
    [D, `/api/cases/three/sensitivity/lmp/d/2?d=${long}`, 414],
    [FMAX, "/api/cases/three/sensitivity/lmp/fmax/2", 200],
    [FMAX, "/api/cases/three/sensitivity/lmp/fmax/2?x=1", 400],
    [FMAX, "/api/cases/three/sensitivity/lmp/fmax/9", 404],
    [SOLVE, "/api/cases/three/solve", 200],
    [SOLVE, "/api/cases/three/solve?d=x", 400],
    [SOLVE, "/api/cases/three/solve?sens=9", 404],
  ] as const) {
    await check(t, server, document, path, url, status);
  }
});

t.test("answers of a limited, closed, slow or degraded server are as documented", async (t) => {
  const closed = await served(t, { serverCompute: false });
  await check(t, closed, await documentOf(closed), D, "/api/cases/three/sensitivity/lmp/d/2", 403);
  await check(t, closed, await documentOf(closed), SOLVE, "/api/cases/three/solve", 403);

  const limited = await served(t, { sensitivityRateLimitEvents: 1, solveRateLimitEvents: 1 });
  const document = await documentOf(limited);
  await check(t, limited, document, D, "/api/cases/three/sensitivity/lmp/d/2", 200);
  await check(t, limited, document, D, "/api/cases/three/sensitivity/lmp/d/2", 429);
  await check(t, limited, document, SOLVE, "/api/cases/three/solve", 200);
  await check(t, limited, document, SOLVE, "/api/cases/three/solve", 429);

  const slow = await served(t, { solverTimeoutSecs: 0.3 }, { worker: STUCK_WORKER });
  await check(t, slow, document, D, "/api/cases/three/sensitivity/lmp/d/2?d=2:1.5", 503);
  const failing = await served(t, {}, { worker: STUCK_WORKER });
  await check(t, failing, document, D, "/api/cases/three/sensitivity/lmp/d/2?d=2:2.5", 500);

  const folder = await stagedFolder(t);
  await writeFile(join(folder, "three.module.json"), "{}");
  const degraded = await served(t, {}, { catalogue: await readCatalogue(folder) });
  await check(t, degraded, document, "/api/health", "/api/health", 503);
  await check(t, degraded, document, "/api/cases", "/api/cases", 200);
  const unavailable = ["/api/cases/{id}/network", "/api/cases/{id}/solution"];
  for (const path of unavailable) await check(t, degraded, document, path, path.replace("{id}", "three"), 503);
});

t.test("events are as documented", async (t) => {
  const server = await served(t);
  const document = await documentOf(server);
  const compile = validators(document);
  const shapes = {
    status: "StatusEvent",
    solution: "Solution",
    sensitivity: "SensitivityColumn",
    done: "DoneEvent",
  } as const;
  for (const query of ["?sens=2", "?sens_branch=2", "?d=2:1000"]) {
    const { body } = await server.inject(`/api/cases/three/solve${query}`);
    const blocks = body.split("\n\n").filter((block) => block.startsWith("id:"));
    t.ok(blocks.length >= 4);
    for (const block of blocks) {
      const [, event = "", data = ""] = /event: (\w+)\ndata: (.*)/.exec(block) ?? [];
      const shape = shapes[event as keyof typeof shapes];
      const valid = compile({ $ref: `#/components/schemas/${shape}` });
      t.strictSame(violations(valid, JSON.parse(data)), [], `${query} ${event}`);
    }
  }
});
