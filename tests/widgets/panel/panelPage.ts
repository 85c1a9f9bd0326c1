// A static page in Chromium with the Study panel over the real engine, as strict about scripts as the product's own page.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import type { Test } from "tap";
import type { CaseSession, Workspace } from "@service/widgets/workspace";

declare global {
  /** The interface of the page for tests. */
  var panel: {
    workspace: Workspace;
    /** Opens the case of a module, or of a MATPOWER file, and puts it in front. */
    open(text: string, name: string): Promise<CaseSession>;
    /** Titles of the enlarged charts and tables. */
    large: string[];
  };
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";

/** The reason why tests that need a browser are skipped. */
export const noChromium = !existsSync(executablePath) && "no Chromium";

/** Themes as the page names them. */
export const THEMES = ["light", "dark", "dark-contrast", "light-contrast"] as const;

const SCRIPT = `
import { configureEngine, engine } from "@service/engine";
import { StudyPanel } from "@service/widgets/panel";
import { Workspace } from "@service/widgets/workspace";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
configureEngine({ wasmUrl: "engine.wasm", workerUrl: "worker.js" });
const workspace = new Workspace(engine);
const large = [];
const openLarge = (view) => {
  large.push(view.title);
  const place = document.getElementById("large");
  place.replaceChildren(view.node);
  view.attached();
};
globalThis.panel = {
  workspace,
  large,
  async open(text, name) {
    const read = text.startsWith("{")
      ? await engine.inspectModule(text)
      : await engine.ingestCase(new TextEncoder().encode(text), "matpower");
    const opened = await workspace.caseOf(read, name);
    const session = await workspace.openSession({ opened, caseId: name, caseName: name, formulation: "dcopf" });
    workspace.activate(session);
    return session;
  },
};
createRoot(document.getElementById("panel")).render(createElement(StudyPanel, { workspace, openLarge }));
`;

const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; style-src 'self'; " +
  "img-src 'self' data: blob:; font-src 'self'";

const PAGE = `<!doctype html><html lang="en"><head><title>Panel</title><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="index.css"><link rel="stylesheet" href="page.css"></head>
<body data-jp-theme-light="true" data-jp-theme-name="light"><main><div id="panel"></div><div id="large"></div></main>
<script type="module" src="index.js"></script></body></html>`;

const PAGE_STYLE = `
body { overflow: hidden; }
main { display: flex; height: 100vh; }
#panel { display: flex; flex-direction: column; width: 100%; height: 100%; }
#panel > * { flex: 1 1 0; min-height: 0; }
#large { flex: none; width: 0; height: 100%; }
#large:not(:empty) { width: 60%; }
`;

/** Files of the page by path. */
async function files(): Promise<Map<string, { type: string; body: Uint8Array | string }>> {
  const common = { bundle: true, write: false as const, outdir: "/", conditions: ["wattbook-source"] };
  const [scripts, styles] = await Promise.all([
    build({
      ...common,
      stdin: { contents: SCRIPT, resolveDir: at("../../../widgets"), loader: "js", sourcefile: "index.js" },
      entryNames: "index",
      format: "esm",
      splitting: true,
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      minify: true,
    }),
    build({ ...common, entryPoints: [at("../../../widgets/style/page/index.css")], entryNames: "index" }),
  ]);
  const type = (path: string): string => (path.endsWith(".css") ? "text/css" : "text/javascript");
  const built = [...scripts.outputFiles, ...styles.outputFiles].map(
    ({ path, contents }) => [path, { type: type(path), body: contents }] as const,
  );
  const engine = at("../../../engine/");
  return new Map<string, { type: string; body: Uint8Array | string }>([
    ["/", { type: "text/html", body: PAGE }],
    ["/page.css", { type: "text/css", body: PAGE_STYLE }],
    ["/worker.js", { type: "text/javascript", body: await readFile(`${engine}lib/engine.worker.js`) }],
    ["/engine.wasm", { type: "application/wasm", body: await readFile(`${engine}wasm/wattbook_engine_bg.wasm`) }],
    ...built,
  ]);
}

/** A page with its console errors. */
export interface PanelPage {
  page: Page;
  /** Errors and warnings of the console, and violations of the content security policy. */
  complaints: string[];
  /** Paths that were fetched. */
  fetched: string[];
}

/** Opens pages with the panel until the test ends. */
export async function panelPages(t: Test): Promise<(width?: number, height?: number) => Promise<PanelPage>> {
  const served = await files();
  const server = createServer((request, response) => {
    const file = served.get(request.url ?? "");
    response
      .writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain", "content-security-policy": CSP })
      .end(file?.body ?? "none");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  t.teardown(async () => {
    await browser.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (width = 360, height = 1400) => {
    const page = await browser.newPage({ viewport: { width, height } });
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    const fetched: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => "panel" in globalThis);
    return { page, complaints, fetched };
  };
}

/** Shows the page in a theme. */
export async function showTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset["theme"] = name;
    document.body.dataset["jpThemeLight"] = String(name.startsWith("light"));
    document.body.dataset["jpThemeName"] = name;
  }, theme);
}
