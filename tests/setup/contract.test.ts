// The record of the public interface, tests/fixtures/contract.txt, and the version step that a change of it needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "tap";
// @ts-expect-error plain JavaScript
import { changesBetween, parsed, stepBetween, suffices } from "../../binder/contract/compare.mjs";
// @ts-expect-error plain JavaScript
import { currentContract } from "../../binder/contract/current.mjs";
import NAMES from "../fixtures/names.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const source = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Changes {
  step: string;
  changes: { name: string; step: string }[];
}
const between = (before: string[], after: string[]) =>
  changesBetween(parsed(before.join("\n")), parsed(after.join("\n"))) as Changes;

const recorded = source("tests/fixtures/contract.txt");
const current = (await currentContract()) as string[];

test("the compared record has the public names", async (t) => {
  const names = new Set(parsed(current.join("\n")).keys() as Iterable<string>);
  const { engine, http, agents } = NAMES;
  const wanted = [
    ...[...engine.constants, ...engine.operations, ...engine.transport, ...engine.types].map(
      (name) => `@service/engine ${name}`,
    ),
    ...engine.study.map((name) => `@service/engine StudyHandle.${name}`),
    ...engine.values.JsonDropKind.map((kind) => `@service/engine JsonDropKind.${kind}`),
    ...Object.keys(http.paths).map((path) => `GET ${path}`),
    ...http.events.map((event) => `event ${event}`),
    ...Object.keys(http.variables).map((variable) => `environment ${variable}`),
    ...agents.tools.map((tool) => `tool ${tool}`),
    "GET /api/cases/{id}/solve(d)",
    "HTTP CaseSummary.n_bus",
    "tool update_case(expected_revision)",
    "@service/svelte CaseMapProps.workspace",
    "wb.open_case(source)",
    "wb.Study.commit",
    "wattbook solve(--demand)",
    "environment of Python WATTBOOK_NODE",
  ];
  t.strictSame(
    wanted.filter((name) => !names.has(name)),
    [],
  );
});

test("each kind of change requires its version step", async (t) => {
  const contract = [
    "@service/engine solve : member => Promise<Solution>",
    "@service/engine solve(request) : parameter 0 SolveRequest",
    "@service/engine Request : member type",
    "@service/engine Request.rates : field? Deltas",
    "@service/engine Id : member type",
    "@service/engine Id.dcopf : value",
    "environment SERVICE_PORT : member = 8000",
  ];
  const without = (text: string) => contract.filter((line) => !line.startsWith(text));
  const changed = (from: string, to: string) => contract.map((line) => line.replace(from, to));
  const cases: [what: string, after: string[], step: string][] = [
    ["nothing", [...contract], "none"],
    ["an export is removed", without("@service/engine solve"), "major"],
    ["an export is renamed", changed("engine solve", "engine solved"), "major"],
    ["a field is removed", without("@service/engine Request.rates"), "major"],
    ["a tag is renamed", changed("Id.dcopf", "Id.dc"), "major"],
    ["an optional field becomes required", changed("field? Deltas", "field Deltas"), "major"],
    ["a shape changes", changed("Promise<Solution>", "Promise<Solution | null>"), "major"],
    ["a default changes", changed("8000", "8080"), "major"],
    ["a new required field", [...contract, "@service/engine Request.demand : field Deltas"], "major"],
    ["a new required parameter", [...contract, "@service/engine solve(options) : parameter 1 Options"], "major"],
    ["a new optional field", [...contract, "@service/engine Request.demand : field? Deltas"], "minor"],
    ["a new optional parameter", [...contract, "@service/engine solve(options) : parameter? 1 Options"], "minor"],
    ["a new formulation", [...contract, "@service/engine Id.acopf : value"], "minor"],
    ["a new type", [...contract, "@service/engine New : member type", "@service/engine New.a : field string"], "minor"],
  ];
  for (const [what, after, step] of cases) t.equal(between(contract, after).step, step, what);
});

test("the step between versions is compared with the required one", async (t) => {
  const steps = [
    stepBetween("1.2.3", "1.2.4"),
    stepBetween("1.2.3", "1.3.0"),
    stepBetween("1.2.3", "2.0.0"),
  ] as string[];
  t.strictSame(steps, ["patch", "minor", "major"]);
  t.throws(() => stepBetween("1.2.3", "1.2.2") as string, RangeError);
  t.equal(suffices("1.2.3", "1.3.0", "major"), false);
  t.equal(suffices("1.2.3", "1.2.4", "minor"), false);
  t.equal(suffices("1.2.3", "2.0.0", "major"), true);
  t.equal(suffices("0.2.0", "0.3.0", "major"), true, "before 1.0 a minor version may change anything");
  t.equal(suffices("0.2.0", "0.2.1", "minor"), false);
});

test("the version states the changes since the last release", async (t) => {
  const [, since = ""] = /^# version (\S+)/.exec(recorded) ?? [];
  const { version } = JSON.parse(source("package.json")) as { version: string };
  const { step, changes } = between(recorded.split("\n"), current);
  t.comment(`Since the record of ${since}: ${changes.length} changes, version step: ${step}`);
  t.ok(stepBetween(since, version) as string);
  // Until the recorded version is published, everything may change.
  if (source("CHANGELOG.md").includes(`## ${since} (unreleased)`)) return;
  t.ok(
    suffices(since, version, step),
    `${version} after ${since} with a change of step ${step}:\n${changes.map(({ name }) => name).join("\n")}`,
  );
});
