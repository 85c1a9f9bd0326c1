// A page in Chromium with the engine as a script, its worker and its wasm file.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import type { Test } from "tap";
import type * as Wattbook from "@service/engine";

declare global {
  var wattbook: typeof Wattbook;
}

const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";
const engineFolder = new URL("../../../engine/", import.meta.url);

/**
 * Runs before the worker's own script: spins for ever at one marked call, and closes its thread silently at another.
 */
export const HANGS = `self.addEventListener("message", (event) => {
  const { data } = event;
  const bytes = data.call?.bytes;
  const json = JSON.stringify(data.call, (key, value) => (key === "bytes" ? undefined : value)) ?? "";
  const text = json + (bytes ? new TextDecoder().decode(bytes) : "");
  if (text.includes("HANG_FOR_EVER")) for (;;);
  if (text.includes("CLOSE_THE_THREAD")) {
    event.stopImmediatePropagation();
    self.close();
  }
});
`;

/** Files of the test page by path. */
async function files(): Promise<Map<string, { type: string; body: Uint8Array | string }>> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@service/engine";`, resolveDir: fileURLToPath(engineFolder) },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "wattbook",
    conditions: ["wattbook-source"],
  });
  const script = "text/javascript";
  const worker = await readFile(new URL("lib/engine.worker.js", engineFolder), "utf8");
  return new Map<string, { type: string; body: Uint8Array | string }>([
    ["/", { type: "text/html", body: `<!doctype html><script src="/index.js"></script>` }],
    ["/index.js", { type: script, body: outputFiles[0]?.text ?? "" }],
    ["/worker.js", { type: script, body: worker }],
    ["/hanging.js", { type: script, body: HANGS + worker }],
    [
      "/engine.wasm",
      { type: "application/wasm", body: await readFile(new URL("wasm/wattbook_engine_bg.wasm", engineFolder)) },
    ],
  ]);
}

/** Opens pages, each with a separate engine, until the test ends. */
export async function opened(t: Test): Promise<() => Promise<Page>> {
  const served = await files();
  const server = createServer((request, response) => {
    const file = served.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.body ?? "none");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  t.teardown(async () => {
    await browser.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    return page;
  };
}

/** The reason why tests that need a browser are skipped. */
export const noChromium = !existsSync(executablePath) && "no Chromium";
