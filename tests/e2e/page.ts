// The stand-alone page as users meet it: the built server as a process, a browser on it, and a record of everything
// that leaves it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import type { Test } from "tap";

const SERVER = fileURLToPath(new URL("../../server/bin/wattbook-server.mjs", import.meta.url));

/** A running server with its address without a trailing slash. */
export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the built server as its users do; without data it serves the two public benchmark cases. */
export async function startServer(t: Test, env: Record<string, string> = {}): Promise<RunningServer> {
  const child = spawn(process.execPath, [SERVER, "serve"], {
    env: {
      SERVICE_ALLOW_FALLBACK: "1",
      SERVICE_SERVER_COMPUTE: "1",
      SERVICE_SOLVE_RATE_LIMIT_EVENTS: "0",
      SERVICE_PORT: "0",
      ...(process.env["SERVICE_CONTENT"] ? { SERVICE_CONTENT: process.env["SERVICE_CONTENT"] } : {}),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.teardown(() => ended(child));
  return { url: await listening(child), stop: () => ended(child) };
}

/**
 * Environment of a server with the bundled grids, staged as operators do it. It is empty for a build without grids,
 * whose server serves the public benchmark cases.
 */
export async function withGrids(t: Test): Promise<Record<string, string>> {
  const places = ["../../server/dist/grids/manifest.json", "../../server/grids/manifest.json"];
  if (!places.some((place) => existsSync(new URL(place, import.meta.url)))) {
    return {};
  }
  const folder = await mkdtemp(join(tmpdir(), "wattbook-grids-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const staging = spawn(process.execPath, [SERVER, "stage-data", folder], { stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((resolve) => staging.once("close", resolve));
  if (code !== 0) {
    throw new Error(`staging the grids ended with ${String(code)}`);
  }
  return { SERVICE_DATA: folder };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /Server listening at ([^"]+)/.exec(output)?.[1];
      if (url !== undefined) {
        resolve(url);
      }
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", () => reject(new Error(`the server did not start: ${output}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await closed;
  }
}

/** Changes an answer on its way through a gate: its body may be replaced; the requested address is below the prefix. */
export type Tamper = (path: string, body: Buffer) => Buffer;

/** Serves another server below a prefix, like Jupyter's proxies and hubs. Everything else is not found. */
export async function startGate(t: Test, upstream: string, prefix: string, tamper?: Tamper): Promise<string> {
  const gate = createServer((incoming, answer) => {
    const path = incoming.url ?? "/";
    if (!path.startsWith(prefix)) {
      answer.writeHead(404).end("outside of the prefix");
      return;
    }
    const inner = `/${path.slice(prefix.length)}`;
    const headers = { ...incoming.headers, host: new URL(upstream).host, "accept-encoding": "identity" };
    const onward = request(`${upstream}${inner}`, { method: incoming.method, headers }, (response) => {
      void bodyOf(response).then((body) => {
        const { "content-length": _, ...rest } = response.headers;
        answer.writeHead(response.statusCode ?? 502, rest).end(tamper?.(inner, body) ?? body);
      });
    });
    onward.on("error", () => answer.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    gate.closeAllConnections();
    gate.close();
  });
  return `http://127.0.0.1:${(gate.address() as AddressInfo).port}${prefix}`;
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Disables the browser's own network services: the test machine may have no network. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `args` are added to those of every browser. */
export async function startBrowser(t: Test, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGS, ...args] });
  t.teardown(() => browser.close());
  return browser;
}

function findChromium(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const path = process.env["CHROMIUM"] || found;
  if (path === undefined) {
    throw new Error("No Chromium found: set CHROMIUM to its path.");
  }
  return path;
}

/** A page with all its errors and requests. */
export interface WatchedPage {
  page: Page;
  /** Errors on the console, uncaught errors and violations of the Content-Security-Policy. */
  complaints: string[];
  /** Method and address of each request. */
  requests: string[];
  /** Requests to anything but the origin of the page. */
  foreign(): string[];
  /** Requests with a body. */
  uploads: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  const uploads: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`CSP: ${violatedDirective} ${blockedURI}`),
    );
  });
  page.on("console", (message) => {
    const slowDriver = message.text().includes("GL Driver Message (OpenGL, Performance"); // pictures without a graphics card
    if ((message.type() === "error" || message.type() === "warning") && !slowDriver) {
      complaints.push(`${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  context.on("request", (sent) => {
    requests.push(`${sent.method()} ${sent.url()}`);
    if (sent.postData() !== null) {
      uploads.push(sent.url());
    }
  });
  page.on("websocket", (socket) => requests.push(`WS ${socket.url()}`));
  await page.goto(url);
  const { origin } = new URL(url);
  const own = (sent: string): boolean => new RegExp(`^\\w+ (${origin}/|blob:${origin}/|data:)`).test(sent);
  return { page, complaints, requests, uploads, foreign: () => requests.filter((sent) => !own(sent)) };
}

/** The map in front, once its base case is solved and its picture is drawn. */
export async function mapInFront(page: Page): Promise<Locator> {
  const map = page.locator('.wb-Page-document:not([hidden]) .wb-Map[data-status="ready"]');
  await map.waitFor({ timeout: 60_000 });
  await map.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  return map;
}
