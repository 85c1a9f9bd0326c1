// An empty project with the packed packages in it, and pages of it in Chromium.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import type { Test } from "tap";
// @ts-expect-error plain JavaScript
import { findChromium } from "../../binder/steps/chromium.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Unpacks the files below `node_modules`, as an installation does; their dependencies are those of the repository. */
export function packedProject(t: Test, files: { name: string; path: string }[]): string {
  const project = t.testdir({});
  for (const { name, path } of files) {
    const target = join(project, "node_modules", name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", path, "-C", target, "--strip-components=1"]);
  }
  return project;
}

/** The first block of a page in a language. */
export function firstExample(page: string, language: string): string {
  const example = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(page)?.[1];
  if (example === undefined) throw new Error(`no example in ${language}`);
  return example;
}

/** Bundles a program of the project, with the packed packages before those of the repository, or of other folders. */
export async function bundled(
  project: string,
  source: string,
  nodePaths = [join(ROOT, "node_modules")],
): Promise<string> {
  const entry = join(project, "main.js");
  writeFileSync(entry, source);
  const out = join(project, "bundle.js");
  await build({
    entryPoints: [entry],
    outfile: out,
    bundle: true,
    format: "esm",
    nodePaths,
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".svg": "dataurl", ".png": "dataurl" },
    logLevel: "error",
  });
  return out;
}

/** A page with this head, from a server of the project's files; `complaints` are its errors. */
export async function projectPage(
  t: Test,
  project: string,
  head: string,
): Promise<{ page: Page; complaints: string[] }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const type = TYPES[extname(pathname)] ?? "text/html";
    const content =
      pathname === "/"
        ? Promise.resolve(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${head}`)
        : readFile(join(project, decodeURIComponent(pathname)));
    content.then(
      (body) => response.writeHead(200, { "content-type": type }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const executablePath = findChromium() as string;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  t.teardown(async () => {
    await browser.close();
    server.close();
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, complaints };
}
