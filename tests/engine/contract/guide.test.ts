// The examples of docs/guides/engine.md and feeders.md run as printed, and their names have the values in the text.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import ts from "typescript";
import type {
  Explanation,
  LmpComponents,
  McSolution,
  McStudyHandle,
  Optimum,
  SolutionModule,
  Track,
} from "@service/engine/node";
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

/** The TypeScript of a page, without types, as a module that exports these names, written beside the files it reads. */
async function shownBy<T>(page: string, folder: string, names: string, head = ""): Promise<T> {
  const guide = await readFile(new URL(`../../../docs/guides/${page}`, import.meta.url), "utf8");
  const code = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block).join("");
  const entry = import.meta.resolve("@service/engine/node");
  const runnable = `${head}${code}\nexport { ${names} };`
    .replaceAll('"@service/engine/node"', JSON.stringify(entry))
    .replaceAll(/readFile\("([\w.]+)"\)/g, (_, name: string) => `readFile(${JSON.stringify(join(folder, name))})`);
  const file = join(folder, "example.mjs");
  await writeFile(file, ts.transpile(runnable, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }));
  return (await import(pathToFileURL(file).href)) as T;
}

type ShownFeeder = McSolution & { feeder: McStudyHandle; text: string };

t.test("the guide of the engine", async (t) => {
  const folder = t.testdir({ "three_bus.m": await fixture("three_bus.m") });
  const names = "base, preview, solution, sensitivity, track, prices, parts, outages, why, saved";
  const shown = await shownBy<Shown>("engine.md", folder, names);

  t.ok(Math.abs(shown.base.objective - 626.948717949) < 1e-6, "the base case's closed form");
  t.not(shown.solution.result_sha256, shown.base.result_sha256);
  t.equal(shown.prices.length, 3);
  t.ok(shown.track.segments.length > 0 && shown.outages.length === 3);
  t.equal(shown.parts.bus, 2);
  t.match(shown.why?.message, /^No solution/);
  t.equal(shown.saved.solution.result_sha256, shown.solution.result_sha256);
});

t.test("the guide of feeders", async (t) => {
  const read = async (name: string) =>
    (await readFile(new URL(`../../../examples/${name}`, import.meta.url))).toString();
  const folder = t.testdir({
    "village.dss": await read("village.dss"),
    "places.csv": await read("village_coordinates.csv"),
  });
  const head = `import { readFile } from "node:fs/promises";
import { createNodeEngine } from "@service/engine/node";
const engine = createNodeEngine();
const { signal } = new AbortController();
const places = { "village_coordinates.csv": await readFile("places.csv") };
const { module_json: module } = await engine.ingestDistribution(await readFile("village.dss"), "dss", places);
`;
  const shown = await shownBy<ShownFeeder>("feeders.md", folder, "result, columns, feeder, text", head);
  t.teardown(() => shown.feeder.free());
  t.strictSame(shown.feeder.current.result.loads, { "load.sawmill": { p_kw: 40 } }, "the commit of the guide");
  t.not(shown.feeder.current.result.result_sha256, shown.result.result_sha256);
});
