// The first example of each package's page, run from the packed files.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { eventually } from "../eventually.ts";
import { bundled, firstExample, projectPage } from "./packedProject.ts";

const readme = (project: string, name: string) =>
  readFileSync(join(project, "node_modules", name, "README.md"), "utf8");
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENGINE = "/node_modules/@service/engine";
const CONFIGURED = `configureEngine({
  workerUrl: "${ENGINE}/lib/engine.worker.js",
  wasmUrl: "${ENGINE}/wasm/wattbook_engine_bg.wasm",
});`;
const THREE_BUS = readFileSync(fileURLToPath(new URL("../fixtures/three_bus.m", import.meta.url)), "utf8");

/** 60 MW over the line: the unit at bus 2 sets the price there. With 50 MW of demand all power comes from bus 1. */
const PRICES = [
  [10, 30],
  [10, 10],
];
const SHOWN = "[prices, solution.prices].map((rows) => rows.map(({ value }) => Math.round(value * 1e6) / 1e6))";

/** In Node.js. */
export function engineInNode(t: Test, project: string): void {
  writeFileSync(
    join(project, "example.mjs"),
    `${firstExample(readme(project, "@service/engine"), "js")}\nconsole.log(JSON.stringify(${SHOWN}));`,
  );
  const output = execFileSync(process.execPath, [join(project, "example.mjs")], { cwd: project, encoding: "utf8" });
  t.strictSame(JSON.parse(output), PRICES);
}

/** The compiler on programs of Node.js: without the DOM library, and with checks of every declaration they reach. */
export function typesInNode(t: Test, project: string): void {
  mkdirSync(join(project, "node_modules/@types"));
  for (const name of ["@types/node", "undici-types"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name));
  }
  writeFileSync(
    join(project, "node.mts"),
    `import { createNodeEngine, type Engine } from "@service/engine/node";
const engine: Engine = createNodeEngine();
export const answer: Promise<{ module_json: string }> = engine.ingestCase(new Uint8Array(), "matpower");
`,
  );
  const options = "--noEmit --strict --target es2022 --lib ES2023 --types node --module nodenext node.mts".split(" ");
  const { status, stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), options, {
    cwd: project,
    encoding: "utf8",
  });
  t.equal(status, 0, stdout);
}

/**
 * \`npm install\` of the files that a page names, in an empty project, and its map without any file of the repository.
 */
export async function installedAlone(t: Test, files: { name: string; path: string }[]): Promise<void> {
  const project = t.testdir({ "package.json": JSON.stringify({ name: "empty", private: true, type: "module" }) });
  const page = readFileSync(join(ROOT, "widgets/README.md"), "utf8");
  const [command = ""] = firstExample(page, "sh").split("\n");
  for (const { path } of files) copyFileSync(path, join(project, basename(path)));
  const args = command.split(" ").slice(1);
  execFileSync("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: project, encoding: "utf8" });
  await widgetsInPage(t, project, []);
}

/** The same calls in a page: as modules loaded by the browser itself, and through a bundler. */
export async function engineInPages(t: Test, project: string): Promise<void> {
  const example = firstExample(readme(project, "@service/engine"), "js").replace(
    /^import .*\n\nconst engine = .*\n/,
    `import { configureEngine, engine } from "@service/engine";\n${CONFIGURED}\n`,
  );
  const program = `${example}\ndocument.body.dataset.shown = JSON.stringify(${SHOWN});`;
  const map = JSON.stringify({ imports: { "@service/engine": `${ENGINE}/lib/index.js` } });
  const plain = `<script type="importmap">${map}</script><body><script type="module">${program}</script>`;
  await bundled(project, program);
  for (const head of [plain, `<body><script type="module" src="/bundle.js"></script>`]) {
    const { page, complaints } = await projectPage(t, project, head);
    await page.locator("body[data-shown]").waitFor({ state: "attached", timeout: 60_000 });
    t.strictSame(JSON.parse((await page.getAttribute("body", "data-shown")) ?? ""), PRICES);
    t.strictSame(complaints, []);
    await page.close();
  }
}

/** A map in a page, through a bundler. */
export async function widgetsInPage(t: Test, project: string, nodePaths?: string[]): Promise<void> {
  const example = firstExample(readme(project, "@service/widgets"), "js");
  await bundled(
    project,
    `import { configureEngine } from "@service/engine";
${example}
${CONFIGURED}
const place = document.querySelector("main");
await show(new TextEncoder().encode(${JSON.stringify(THREE_BUS)}), place);`,
    nodePaths,
  );
  const { page } = await projectPage(t, project, `<body><main></main><script type="module" src="/bundle.js"></script>`);
  await page.getByRole("region", { name: /^Case map of/ }).waitFor({ state: "attached", timeout: 60_000 });
  await page.close();
}

/** Agents' tools in a page without a registry for them, and in one with a registry. */
export async function webmcpInPage(t: Test, project: string): Promise<void> {
  const example = firstExample(readme(project, "@service/webmcp"), "js");
  const offers = `${example}\ndocument.body.dataset.offered = String(offered !== null);`;
  await bundled(project, `import { configureEngine } from "@service/engine";\n${CONFIGURED}\n${offers}`);
  const place = `<script>globalThis.names = []; document.modelContext = { registerTool: (tool) => names.push(tool.name) };</script>`;
  for (const [head, offered, tools] of [
    ["", "false", 0],
    [place, "true", 1],
  ] as const) {
    const script = `<body><script type="module" src="/bundle.js"></script>`;
    const { page } = await projectPage(t, project, head + script);
    await page.locator("body[data-offered]").waitFor({ state: "attached", timeout: 60_000 });
    t.equal(await page.getAttribute("body", "data-offered"), offered);
    if (tools > 0) {
      await eventually.match(
        t,
        () => page.evaluate(() => (globalThis as { names?: string[] }).names?.join() ?? ""),
        /list_cases/,
      );
    }
    await page.close();
  }
}

/** The grids of the server's package, as its page stages them. */
export function serverStages(t: Test, project: string): void {
  const bin = join(project, "node_modules/@service/server/bin/wattbook-server.mjs");
  const [command = ""] = firstExample(readme(project, "@service/server"), "sh").split("\n");
  const args = command.replace(/ *#.*/, "").split(" ").slice(1);
  const output = execFileSync(process.execPath, [bin, ...args], { cwd: project, encoding: "utf8" });
  t.equal(output.match(/^staged \w+: [\d,]+ buses/gm)?.length, 4, output);
}
