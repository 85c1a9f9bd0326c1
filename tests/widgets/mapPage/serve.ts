// Serves the page of the map's tests to a separate Chromium: the bundle, the built engine, the basemap, and files of
// the tests.
import { createServer, type Server } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Path in place of the module that names the basemap, so that its relative addresses are valid. */
const BUNDLE = "/widgets/src/map/basemap/page.js";
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".css": "text/css",
};

/** Variables of JupyterLab's themes that the styles use. */
export const THEMES = {
  light: themeStyle("#fff", "#fff", "#eee", "rgba(0,0,0,0.87)", "rgba(0,0,0,0.54)", "#bdbdbd", "#1976d2"),
  dark: themeStyle("#111", "#212121", "#424242", "#fff", "rgba(255,255,255,0.7)", "#616161", "#64b5f6"),
  contrast: themeStyle("#fff", "#fff", "#eee", "#000", "#000", "#000", "#0d47a1"),
} as const;

export type ThemeName = keyof typeof THEMES;

function themeStyle(
  ground: string,
  layer: string,
  hover: string,
  text: string,
  dim: string,
  border: string,
  brand: string,
): string {
  const variables = {
    "layout-color0": ground,
    "layout-color1": layer,
    "layout-color2": hover,
    "ui-font-color0": text,
    "ui-font-color1": text,
    "ui-font-color2": dim,
    "ui-font-color3": dim,
    "border-color0": border,
    "border-color1": border,
    "border-color2": border,
    "border-color3": border,
    "brand-color1": brand,
    "content-link-color": brand,
    "success-color1": "#388e3c",
    "warn-color1": "#f57c00",
    "error-color1": "#d32f2f",
    "ui-font-size0": "11px",
    "ui-font-size1": "13px",
    "ui-font-family": "system-ui, sans-serif",
    "elevation-z2": "0 2px 4px rgba(0,0,0,.2)",
    "elevation-z4": "0 3px 8px rgba(0,0,0,.25)",
    "elevation-z6": "0 4px 12px rgba(0,0,0,.3)",
  };
  const lines = Object.entries(variables).map(([name, value]) => `--jp-${name}:${value};`);
  return `:root{${lines.join("")}} body{margin:0;background:${ground}}`;
}

/** A page, its console errors, and the hosts it contacted. */
export interface MapPageOf {
  page: Page;
  complaints: string[];
  hosts: Set<string>;
}

/** A running server with a browser. */
export interface MapServer {
  browser: Browser;
  /** A page without a map, and its console errors. */
  open(theme?: ThemeName, size?: { width: number; height: number }): Promise<MapPageOf>;
  stop(): Promise<void>;
}

/** Files below `/files/` by name: the path of one on the disk, or its content. */
export type ServedFiles = Record<string, string | Uint8Array>;

/** Starts server and browser. An `entry` other than the map's own has to import that. */
export async function startMapPage(
  files: ServedFiles = {},
  args: readonly string[] = [],
  entry = "tests/widgets/mapPage/main.ts",
): Promise<MapServer> {
  const built = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: "esm",
    conditions: ["wattbook-source"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  const script = built.outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    contentOf(pathname, searchParams, script, files)
      .then((content) => {
        response.setHeader("content-type", TYPES[extname(pathname)] ?? "text/html");
        response.end(content);
      })
      .catch(() => {
        response.statusCode = 404;
        response.end();
      });
  });
  const port = await listening(server);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", ...args] });
  return {
    browser,
    open: async (theme = "light", size = { width: 800, height: 480 }) => {
      const page = await browser.newPage({ viewport: size });
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") {
          complaints.push(message.text());
        }
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      const hosts = new Set<string>();
      page.on("request", (request) => {
        const { protocol, host } = new URL(request.url());
        if (protocol !== "blob:") {
          hosts.add(host); // a worker from memory makes no request
        }
      });
      await page.goto(`http://127.0.0.1:${port}/?theme=${theme}`);
      await page.waitForFunction(() => "mapPage" in window);
      return { page, complaints, hosts };
    },
    stop: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function contentOf(
  path: string,
  query: URLSearchParams,
  script: string,
  files: ServedFiles,
): Promise<Uint8Array | string> {
  if (path === "/") {
    const theme = (query.get("theme") ?? "light") as ThemeName;
    const name = theme === "contrast" ? "JupyterLab Light High Contrast" : `JupyterLab ${theme}`;
    return (
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/widgets/style/index.css">` +
      `<style>${THEMES[theme]}</style><body data-jp-theme-light="${theme !== "dark"}" data-jp-theme-name="${name}">` +
      `<script type="module" src="${BUNDLE}"></script>`
    );
  }
  if (path === BUNDLE) {
    return script;
  }
  const named = path.startsWith("/files/") ? files[path.slice("/files/".length)] : undefined;
  if (named !== undefined) {
    return typeof named === "string" ? readFile(named) : named;
  }
  if (/^\/(engine\/(wasm|lib)|widgets\/(style|basemap|dist))\/[\w./-]+$/.test(path) && !path.includes("..")) {
    return readFile(join(ROOT, path));
  }
  throw new Error("Nothing there.");
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function findChromium(): string {
  const named = process.env["CHROMIUM"];
  const found = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const path = named ? named : found;
  if (path === undefined) {
    throw new Error("No Chromium found: set CHROMIUM to its path.");
  }
  return path;
}
