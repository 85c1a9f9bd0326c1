import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { Selection } from "@service/widgets/workspace";
import { fixture } from "../../../fixtures/cases.ts";
import type { MapPage } from "../../mapPage/main.ts";
import { startMapPage } from "../../mapPage/serve.ts";

declare const window: Window & { mapPage: MapPage; hostHeard: string[] };

/** Serves the page of maps with two cases, until the end of the tests. */
export async function startEditBarPage(test: { teardown(end: () => unknown): void }): ReturnType<typeof startMapPage> {
  if (!existsSync(fileURLToPath(new URL("../../../../engine/lib/engine.worker.js", import.meta.url)))) {
    throw new Error("run `npm run build` first: the engine is not built");
  }
  const carolina = gunzipSync(await readFile(new URL("../../../../server/grids/carolina.json.gz", import.meta.url)));
  const places = new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40.5,-104\n3,39.5,-104.5\n");
  const three = new Uint8Array(await fixture("three_bus.m"));
  const server = await startMapPage({ "three_bus.m": three, "places.csv": places, "carolina.json": carolina });
  test.teardown(() => server.stop());
  return server;
}

export const BUS_2: Selection = { kind: "bus", id: 2 };
export const LINE_2: Selection = { kind: "branch", id: 2 };

/**
 * Shows a map of a case with some elements selected, once the path of the primary one is known; without a height of the
 * picture, px, it fills the window.
 */
export async function show(
  page: Page,
  file: string,
  selected: readonly Selection[],
  height: number | null = 420,
): Promise<void> {
  await page.evaluate(
    async ([file, selected, height]) => {
      const isModule = file.endsWith(".json");
      const layer = isModule ? undefined : "/files/places.csv";
      const session = await window.mapPage.openSession(`/files/${file}`, isModule ? "module" : "matpower", layer);
      const host = document.createElement("div");
      host.style.height = height === null ? "100vh" : "";
      window.mapPage.showMap(session, { quantity: "lmp", ...(height === null ? {} : { height }) }, host);
      await session.selectMany(selected);
      await session.pathSettled;
      window.hostHeard = [];
      document.addEventListener("keydown", ({ key }) => window.hostHeard.push(key));
    },
    [file, selected, height] as const,
  );
  await page.locator(".wb-Stage[data-placed]").waitFor();
}

export const edits = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.mapPage.workspace.sessions[0]?.state.edits ?? null);
/** Waits for a revision, and for the frame after that of its prices, in which other views follow. */
export const revision = async (page: Page, wanted: number): Promise<void> => {
  await page.waitForFunction((wanted) => window.mapPage.workspace.sessions[0]?.state.revision === wanted, wanted);
  await shown(page);
};
export const shown = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
export const row = (page: Page, { kind, id }: Selection): ReturnType<Page["locator"]> =>
  page.locator(`.wb-EditBarRow[data-kind="${kind}"][data-id="${id}"]`);
