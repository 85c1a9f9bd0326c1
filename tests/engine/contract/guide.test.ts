// The example of docs/guides/engine.md runs as it stands there, and its names hold what the text says.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import ts from "typescript";
import type { Explanation, LmpComponents, Optimum, SolutionModule, Track } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

interface Shown {
  base: Optimum;
  solution: Optimum;
  track: Track;
  prices: Float64Array;
  parts: LmpComponents;
  outages: unknown[];
  why: Explanation | null;
  saved: SolutionModule;
}

t.test("the guide's example", async (t) => {
  const guide = await readFile(new URL("../../../docs/guides/engine.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1];
  t.ok(code, "the guide has an example");
  const folder = t.testdir({ "three_bus.m": await fixture("three_bus.m") });
  const names = "base, preview, solution, sensitivity, track, prices, parts, outages, why, saved";
  const entry = import.meta.resolve("@service/engine/node");
  const runnable = (code ?? "")
    .replace('"@service/engine/node"', JSON.stringify(entry))
    .replace('readFile("three_bus.m")', `readFile(${JSON.stringify(join(folder, "three_bus.m"))})`);
  const file = join(folder, "example.mjs");
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  await writeFile(file, ts.transpile(`${runnable}\nexport { ${names} };`, options));
  const shown = (await import(pathToFileURL(file).href)) as Shown;

  t.ok(Math.abs(shown.base.objective - 626.948717949) < 1e-6, "the base case's closed form");
  t.not(shown.solution.result_sha256, shown.base.result_sha256);
  t.equal(shown.prices.length, 3);
  t.ok(shown.track.segments.length > 0 && shown.outages.length === 3);
  t.equal(shown.parts.bus, 2);
  t.match(shown.why?.message, /^No solution/);
  t.equal(shown.saved.solution.result_sha256, shown.solution.result_sha256);
});
