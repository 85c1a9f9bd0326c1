/* global requestAnimationFrame, window */
// What the end-to-end tests start pages by, for benchmarks in Chromium.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { at } from "../../binder/lib/paths.mjs";

/** The modules of the end-to-end tests, which are TypeScript. */
export async function testModule(name) {
  const folder = at(".bench", "pages"); // two deep, as the sources are: they find the top folder from there
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}/${name}.mjs`;
  const entry = at("tests", "e2e", `${name}.ts`);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  return import(pathToFileURL(outfile));
}

/** Runs with what tests know as their test: something that is told what to end. */
export async function ending(work) {
  const ends = [];
  try {
    return await work({ teardown: (end) => ends.push(end) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** The times between frames of a page while something is done, ms. */
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
