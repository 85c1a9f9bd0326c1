// The packed @service/svelte: the example of its README in a page, the effect of properties, and their types.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compile } from "svelte/compiler";
import t from "tap";
import ts from "typescript";
import { eventually } from "../eventually.ts";
import { startMapPage } from "./mapPage/serve.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGE = join(ROOT, "widgets/svelte");

const readme = await readFile(join(PACKAGE, "README.md"), "utf8");
const example = /```svelte\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";

/** Over the example's page: maps of one session whose properties a test changes. */
const FRAME = `
<script>
  import { CaseMap, StudyPanel } from "./index.js";
  let { workspace, session } = $props();
  let shown = $state.raw({ height: 300 });
  let chosen = $state(0);
  globalThis.frame = { show: (next) => (shown = next), chosen: () => chosen };
</script>
{#if shown !== null}
  <CaseMap {workspace} {session} {...shown} onchosen={() => (chosen += 1)} onready={(map) => (globalThis.frame.map = map)} />
  <StudyPanel {workspace} />
{/if}`;

const MAIN = `
import { mount } from "svelte";
import { configureEngine, engine } from "@service/engine";
import { Workspace } from "@service/widgets/workspace";
import Example from "./Example.js";
import Frame from "./Frame.js";
const target = document.body;
globalThis.mapPage = {
  example: () => mount(Example, { target }),
  async frame() {
    configureEngine({ wasmUrl: "/engine/wasm/wattbook_engine_bg.wasm", workerUrl: "/engine/lib/engine.worker.js" });
    const workspace = new Workspace(engine);
    const bytes = new Uint8Array(await (await fetch("/files/three_bus.m")).arrayBuffer());
    const opened = await workspace.caseOf(await engine.ingestCase(bytes, "matpower"), "three");
    const session = await workspace.openSession({ opened, caseId: "three", caseName: "three", formulation: "dcopf" });
    workspace.activate(session);
    mount(Frame, { target, props: { workspace, session } });
  },
};`;

/** The package in a folder, every component compiled for the page. */
async function packed(t) {
  const folder = t.testdir({});
  const command = join(ROOT, "node_modules/.bin/svelte-package");
  await promisify(execFile)(command, ["--input", "src", "--output", folder], { cwd: PACKAGE });
  await writeFile(join(folder, "Example.svelte"), example.replace('"@service/svelte"', '"./index.js"'));
  await writeFile(join(folder, "Frame.svelte"), FRAME);
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(".svelte"))) {
    const { js, warnings } = compile(await readFile(join(folder, name), "utf8"), {
      filename: name,
      generate: "client",
    });
    t.strictSame(warnings, [], name);
    await writeFile(join(folder, name.replace(".svelte", ".js")), js.code);
  }
  const index = await readFile(join(folder, "index.js"), "utf8");
  await writeFile(join(folder, "index.js"), index.replaceAll(".svelte", ".js"));
  await writeFile(join(folder, "main.js"), MAIN);
  return folder;
}

/** The errors of the TypeScript compiler for a program against the packed types. */
function mistakes(folder, name, text) {
  const path = join(folder, name);
  const host = ts.createCompilerHost({});
  const { getSourceFile, fileExists, readFile: read } = host;
  Object.assign(host, {
    fileExists: (file) => file === path || fileExists(file),
    readFile: (file) => (file === path ? text : read(file)),
    getSourceFile: (file, ...options) =>
      file === path ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile(file, ...options),
  });
  const program = ts.createProgram(
    [path],
    {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      customConditions: ["wattbook-source", "svelte"],
      allowImportingTsExtensions: true,
      jsx: ts.JsxEmit.ReactJSX,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
    },
    host,
  );
  return program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

t.test("components work in a page, and their types are correct", async (t) => {
  t.match(example, "<CaseMap");
  const folder = await packed(t);
  const files = { "three_bus.m": join(ROOT, "tests/fixtures/three_bus.m") };
  const server = await startMapPage(files, [], relative(ROOT, join(folder, "main.js")));
  t.teardown(() => server.stop());

  await t.test("the example of the README", async (t) => {
    const { page, complaints } = await server.open();
    await page.evaluate(() => globalThis.mapPage.example());
    await page.getByRole("region", { name: /^Case map of/ }).waitFor({ timeout: 60_000 });
    await page.locator(".wb-Panel-root").getByText("626.95").first().waitFor({ timeout: 30_000 });
    // In a page whose elements have the heights of their contents, like most pages.
    await page.addStyleTag({
      content: "html, body { height: auto !important; min-height: 0 !important; display: block !important; }",
    });
    const height = () =>
      page.locator(".wb-Panel-root").evaluate((node) => Math.round(node.getBoundingClientRect().height));
    await eventually.equal(t, height, 600);
    t.strictSame(complaints, []);
    await page.close();
  });

  await t.test("properties change the existing map; without components the page is empty", async (t) => {
    const { page, complaints } = await server.open();
    await page.evaluate(() => globalThis.mapPage.frame());
    const map = page.getByRole("region", { name: /^Case map of/ });
    await map.waitFor({ timeout: 60_000 });
    const heightOf = () => page.locator(".wb-Stage").evaluate((node) => node.getBoundingClientRect().height);
    t.equal(await heightOf(), 300);
    await page.addStyleTag({
      content: "html, body { height: auto !important; min-height: 0 !important; display: block !important; }",
    });
    const panel = await page.locator(".wb-Panel-root").evaluate((node) => node.getBoundingClientRect().height);
    t.ok(panel >= 300, `a panel without a height has some: ${panel} px`);
    await map.evaluate((node) => (node.dataset.first = "yes"));
    await page.evaluate(() => globalThis.frame.show({ height: 360, quantity: "demand" }));
    await eventually.equal(t, heightOf, 360);
    t.equal(await map.getAttribute("data-first"), "yes", "the same map");
    await eventually.match(t, () => page.locator(".wb-Legend").innerText(), /demand/i);
    t.equal(await page.evaluate(() => globalThis.frame.chosen()), 0, "only a person's choice is reported");
    await page.evaluate(() => globalThis.frame.show(null));
    await eventually.equal(t, () => page.locator(".wb-Map, .wb-Panel-root").count(), 0);
    t.strictSame(complaints, []);
    await page.close();
  });

  await t.test("types", async (t) => {
    const head = `import { CaseMap, StudyPanel, type CaseMapProps } from "./index.js";
import type { ComponentProps } from "svelte";
declare const { workspace, session }: CaseMapProps;
`;
    const lines = [
      "export const right: ComponentProps<typeof CaseMap> = { workspace, session, height: 4 };",
      "export const incomplete: ComponentProps<typeof CaseMap> = { workspace };",
      "export const misspelt: ComponentProps<typeof StudyPanel> = { workspace, hight: 4 };",
    ];
    const [incomplete, misspelt, ...others] = mistakes(folder, "typed.ts", head + lines.join("\n"));
    t.match(incomplete, /'session' is missing/);
    t.match(misspelt, /'hight' does not exist/);
    t.strictSame(others, []);
  });
});
