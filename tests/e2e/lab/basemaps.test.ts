// Basemaps named by a notebook, in a real JupyterLab: their servers get no request before a person allows it, files of
// the kernel come through the kernel, and a setting applies to all maps.
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import type { Locator } from "playwright-core";
import { eventually } from "../../eventually.ts";
import { fixture } from "../../fixtures/cases.ts";
import { startTileServer, TILE_COLOUR } from "../../tileServer.ts";
import { openNotebook, startLab } from "../lab.ts";
import { notebookOf, runCode, runCommand, saveSettings, shutDownKernels, theMap } from "../notebook.ts";

const EARTH = fileURLToPath(new URL("../../../widgets/basemap/earth.pmtiles", import.meta.url));

const tiles = await startTileServer();
t.teardown(() => tiles.stop());
const lab = await startLab([]);
t.teardown(() => lab.stop());
await writeFile(join(lab.folder, "three_bus.m"), await fixture("three_bus.m"));
await writeFile(join(lab.folder, "places.csv"), "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
await copyFile(EARTH, join(lab.folder, "own.pmtiles"));
const OPEN = 'import wattbook as wb\nstudy = wb.open_case("three_bus.m").with_geography("places.csv").study()\n';
const RASTER = `${tiles.url}/{z}/{x}/{y}.png`;

t.test("a notebook's tiles are requested after a person allows it, and not without a kernel", async (t) => {
  const code = `${OPEN}study.map(height=300, basemap="${RASTER}", attribution="Tests & Co")`;
  await writeFile(join(lab.folder, "tiles.ipynb"), notebookOf(code));
  const { page, complaints } = await openNotebook(lab, "tiles.ipynb", "lab", "tiles");
  await runCommand(page, "notebook:run-all-cells");
  const map = await theMap(page);
  const mark = map.locator(".wb-BasemapMark");
  await eventually.match(t, () => mark.textContent(), new URL(tiles.url).host);
  t.strictSame(tiles.requests, [], "no request was sent");
  await runCommand(page, "docmanager:save");
  await mark.getByRole("button", { name: /^Load from/ }).click();
  await map.locator(".wb-Stage[data-ground=maplibre]").waitFor({ timeout: 90_000 });
  await eventually.ok(t, async () => (await shareOf(map, TILE_COLOUR)) > 0.5, "the tiles are below the network");
  await eventually.equal(t, () => map.locator(".wb-Attribution").textContent(), "Tests & Co");
  t.ok(tiles.requests.length > 0);
  t.strictSame(complaints, []);
  await shutDownKernels(page);
  await page.close();

  const requests = tiles.requests.length;
  const again = await openNotebook(lab, "tiles.ipynb", "lab", "tiles");
  await again.page.locator(".wb-SavedMap-picture img").waitFor({ timeout: 60_000 });
  t.equal(tiles.requests.length, requests, "a saved notebook contacts no server, not even an allowed one");
  await again.page.close();
});

t.test("layers of the kernel lie below the network, and can be removed in the page", async (t) => {
  const area = "[[-106, 39], [-103, 39], [-103, 41], [-106, 41], [-106, 39]]";
  const layer = `m.add_layer({"type": "Polygon", "coordinates": [${area}]}, "Park", color="#00ff00", opacity=1)`;
  await writeFile(join(lab.folder, "layers.ipynb"), notebookOf(`${OPEN}m = study.map(height=420)\n${layer}`));
  const { page } = await openNotebook(lab, "layers.ipynb", "lab", "layers");
  await runCommand(page, "notebook:run-all-cells");
  await page.locator(".wb-Stage[data-placed]").waitFor({ timeout: 60_000 });
  const map = page.locator(".wb-Map").first();
  await eventually.match(t, () => map.locator(".wb-Legend").innerText(), "Park");
  await map.getByRole("button", { name: "Colours" }).click();
  await page.getByRole("menuitem", { name: /Layers and style/ }).click();
  await map.getByRole("button", { name: "Remove the layer Park" }).click();
  await eventually.notMatch(t, () => map.locator(".wb-Legend").innerText(), "Park");
  await eventually.equal(t, () => runCode(page, "print(len(m.layers))"), "0", "the kernel knows it");
  await page.close();
});

t.test("a file of the kernel is read through the kernel, and a bad one is refused in the cell", async (t) => {
  await writeFile(join(lab.folder, "file.ipynb"), notebookOf(`${OPEN}study.map(height=300, basemap="own.pmtiles")`));
  const { page } = await openNotebook(lab, "file.ipynb", "lab", "file");
  await runCommand(page, "notebook:run-all-cells");
  const map = await theMap(page);
  await map.locator(".wb-Stage[data-ground=maplibre]").waitFor({ timeout: 90_000 });
  await eventually.equal(t, () => map.locator(".wb-Attribution").textContent(), "Made with Natural Earth");
  const refused = await runCode(
    page,
    'try:\n    study.map(basemap="three_bus.m")\nexcept wb.InputError as e:\n    print(e)',
  );
  t.match(refused, "BASEMAP.UNKNOWN");
  await page.close();
});

t.test("the setting applies to maps without a basemap of their own", async (t) => {
  await writeFile(join(lab.folder, "setting.ipynb"), notebookOf(`${OPEN}study.map(height=300)`));
  const first = await openNotebook(lab, "setting.ipynb", "lab", "settings");
  const settings = { basemap: RASTER, attribution: "From the setting" };
  await saveSettings(first.page, "@service/jupyterlab:maps", settings);
  await shutDownKernels(first.page);
  await first.page.close();
  const { page } = await openNotebook(lab, "setting.ipynb", "lab", "settings");
  await runCommand(page, "notebook:run-all-cells");
  const map = await theMap(page);
  await map.locator(".wb-Stage[data-ground=maplibre]").waitFor({ timeout: 90_000 });
  await eventually.ok(t, async () => (await shareOf(map, TILE_COLOUR)) > 0.5);
  await eventually.equal(t, () => map.locator(".wb-Attribution").textContent(), "From the setting");
  await page.close();
});

/** The share of a map's picture with a colour, to within two steps of each channel. */
function shareOf(map: Locator, colour: readonly number[]): Promise<number> {
  return map.locator(".wb-Canvas").evaluate((canvas: HTMLCanvasElement, wanted) => {
    const { data = [] } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      count += wanted.every((part, c) => Math.abs((data[k + c] ?? 0) - part) <= 2) ? 1 : 0;
    }
    return count / (data.length / 4);
  }, colour);
}
