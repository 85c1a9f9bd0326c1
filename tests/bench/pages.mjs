/* global requestAnimationFrame, window */
// Helpers of the end-to-end tests for starting pages, for benchmarks in Chromium.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { at } from "../../binder/lib/paths.mjs";

/** The modules of the end-to-end tests, which are TypeScript. */
export async function testModule(name) {
  const folder = at(".bench", "pages"); // as deep as the sources, from which they find the top folder
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}/${name}.mjs`;
  const entry = at("tests", "e2e", `${name}.ts`);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  return import(pathToFileURL(outfile));
}

/** Runs `work` with an object in place of a test, which collects what has to be ended. */
export async function ending(work) {
  const ends = [];
  try {
    return await work({ teardown: (end) => ends.push(end) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** The times between frames of a page during `work`, ms. */
export async function frames(page, work) {
  await page.evaluate(() => {
    const times = [];
    let goes = true;
    const frame = (time) => {
      times.push(time);
      if (goes) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.framesSoFar = () => {
      goes = false;
      return times.slice(1).map((time, k) => time - times[k]);
    };
  });
  await work();
  return page.evaluate(() => window.framesSoFar());
}
