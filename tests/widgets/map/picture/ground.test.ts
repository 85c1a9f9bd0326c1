// The ground by MapLibre: the archive of tiles, its style, and in Chromium the picture below the network.
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import t from "tap";
import { Archive, blobSource, ownStyle, type TileExtract, tileId, zoomOf } from "@service/widgets/map";
import type { Theme } from "@service/widgets/ui";
import { pageText } from "../../catalogue.ts";
import { checkBuses, openMap } from "../../mapPage/threeBus.ts";
import type { MapPage } from "../../mapPage/main.ts";

declare const window: Window & { mapPage: MapPage };

const EARTH = new URL("../../../../widgets/basemap/earth.pmtiles", import.meta.url);

t.test("tiles have the ids of the PMTiles specification", (t) => {
  // Its own examples: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md#41-directory-entries
  t.equal(tileId(0, 0, 0), 0);
  t.strictSame([tileId(1, 0, 0), tileId(1, 0, 1), tileId(1, 1, 1), tileId(1, 1, 0)], [1, 2, 3, 4]);
  t.equal(tileId(2, 0, 0), 5);
  t.equal(tileId(12, 3423, 1763), 19_078_479);
  t.end();
});

t.test("bytes that are no archive are refused", async (t) => {
  await t.rejects(Archive.open(blobSource(new Blob(["PNG"]))), { message: /PMTiles/ });
  await t.rejects(Archive.open(blobSource(new Blob([new Uint8Array(200)]))), { message: /PMTiles/ });
});

t.test("an archive with leaf directories is read", async (t) => {
  // By hand: a root directory that leads to one leaf, whose only entry covers two consecutive tiles.
  const leaf = gzipSync(Uint8Array.of(1, 1, 2, 5, 1));
  const root = gzipSync(Uint8Array.of(1, 1, 0, leaf.length, 1));
  const tile = gzipSync("tile!");
  const leafWithLength = gzipSync(Uint8Array.of(1, 1, 2, tile.length, 1));
  t.equal(leafWithLength.length, leaf.length);
  const head = new DataView(new ArrayBuffer(127));
  [..."PMTiles"].forEach((letter, k) => head.setUint8(k, letter.charCodeAt(0)));
  head.setUint8(7, 3);
  const [rootAt, leafAt] = [127, 127 + root.length];
  const dataAt = leafAt + leaf.length;
  [rootAt, root.length, 0, 0, leafAt, leaf.length, dataAt, tile.length].forEach((number, k) =>
    head.setBigUint64(8 + 8 * k, BigInt(number), true),
  );
  [0, 2, 2, 1, 0, 1].forEach((byte, k) => head.setUint8(96 + k, byte));
  const source = blobSource(new Blob([head, root, leafWithLength, tile]));
  const cut = new Set<number>();
  const archive = await Archive.open({
    bytes: (offset, length) => (cut.has(offset) ? Promise.reject(new Error("cut")) : source.bytes(offset, length)),
  });
  const text = async (z: number, x: number, y: number): Promise<string | null> => {
    const found = await archive.tile(z, x, y);
    return found === null ? null : new TextDecoder().decode(found);
  };
  cut.add(leafAt);
  await t.rejects(text(1, 0, 0), { message: "cut" });
  cut.clear();
  t.equal(await text(1, 0, 0), "tile!", "a directory that could not be read is read again");
  t.equal(await text(1, 0, 1), "tile!", "the second of the run");
  t.equal(await text(1, 1, 1), null);
  t.equal(await text(0, 0, 0), null);
});

t.test("the baked tiles", { skip: existsSync(EARTH) ? false : "not baked" }, async (t) => {
  const bytes = readFileSync(EARTH);
  t.ok(bytes.length < 3 * 1024 ** 2, `the wheel carries them twice, at most 6 MiB: ${bytes.length}`);
  const archive = await Archive.open(blobSource(new Blob([bytes])));
  t.match(archive.metadata, { attribution: /Natural Earth/ });
  t.strictSame([archive.header.minZoom, archive.header.maxZoom, archive.header.kind], [0, 7, 1]);
  const style = ownStyle(THEME, "wattbook-tiles://earth/{z}/{x}/{y}");
  const layers = new Set(style.layers.flatMap((layer) => ("source-layer" in layer ? [layer["source-layer"]] : [])));
  // Names of layers are plain text within a tile. Houston at zoom 7, and the world.
  const houston = Buffer.from((await archive.tile(7, 30, 52)) ?? new ArrayBuffer(0)).toString("latin1");
  const world = Buffer.from((await archive.tile(0, 0, 0)) ?? new ArrayBuffer(0)).toString("latin1");
  for (const layer of ["us_sea", "us_land", "us_urban", "us_river", "us_coast", "us_county", "us_rail", "us_road"]) {
    t.ok(houston.includes(layer) && layers.has(layer), layer);
  }
  t.ok(world.includes("land") && world.includes("coast"));
  t.equal(await archive.tile(7, 64, 42), null, "no finer tile of Europe");
});

t.test("the style of an extract requests only its tiles", (t) => {
  const box: [number, number, number, number] = [-110, 22, -90, 41];
  const sources = (extract?: TileExtract): unknown => ownStyle(THEME, "tiles", extract).sources;
  t.match(sources(), { world: { maxzoom: 5 }, us: { minzoom: 4, maxzoom: 7, bounds: [-130, 14, -60, 54] } });
  t.match(sources({ zoom: 4, box }), { world: { maxzoom: 4 }, us: { minzoom: 4, maxzoom: 7, bounds: box } });
  t.match(sources({ zoom: 4, box: null }), { world: { maxzoom: 4 }, us: { maxzoom: 4, bounds: [-130, 14, -60, 54] } });
  t.end();
});

t.test("zoom 0 shows 360 degrees on 512 pixels", (t) => {
  t.equal(zoomOf(512 / 360), 0);
  t.equal(zoomOf(1024 / 360), 1);
  t.end();
});

t.test("MapLibre's camera equals ours when turned, tilted and on a globe", async (t) => {
  const { page } = await openMap("light");
  const poses = [
    { bearing: 0 },
    { bearing: 37 },
    { bearing: -120 },
    { bearing: 0, pitch: 45 },
    { bearing: -120, pitch: 60 },
    { bearing: 0, globe: true },
    { bearing: 75, pitch: 35, globe: true },
  ];
  for (const pose of poses) {
    for (const scale of [4, 90, 2800, 60_000]) {
      const at = { lon: -98, lat: 31, scale, ...pose };
      const { worst, compared } = await page.evaluate((view) => window.mapPage.cameraError(view), at);
      t.ok(worst < 0.001, `${worst} px at ${JSON.stringify(at)}`);
      t.ok(compared >= (pose.globe && scale < 10 ? 5 : 49), `${compared} points`);
    }
  }
  const south = { lon: 150, lat: -72, scale: 6, bearing: 10, pitch: 20, globe: true };
  const { worst } = await page.evaluate((view) => window.mapPage.cameraError(view), south);
  t.ok(worst < 0.001, `${worst} px far south`);
  await page.close();
});

t.test("without a graphics card nothing of MapLibre is requested", async (t) => {
  const { page, complaints } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  t.ok(loaded.some((url) => url.endsWith("basemap.json")));
  t.strictSame(
    loaded.filter((url) => /maplibre|pmtiles/i.test(url)),
    [],
  );
  t.strictSame(complaints, []);
  await page.close();
});

for (const theme of ["light", "dark"] as const) {
  t.test(`the ground in ${theme}, turned, moved and given back`, async (t) => {
    const { page, complaints, hosts } = await openMap(theme, () => (window.mapPage.mapSettings.ground = "always"));
    const stage = page.locator(".wb-Stage[data-ground=maplibre]");
    await stage.waitFor({ timeout: 60_000 });
    t.strictSame(complaints, []);
    t.equal(hosts.size, 1, "only the server was contacted");
    await checkBuses(t, page, theme === "dark");
    const land = await page.evaluate(() => {
      const canvas = document.querySelector(".wb-Canvas") as HTMLCanvasElement;
      const context = canvas.getContext("2d") as CanvasRenderingContext2D;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const wanted = getComputedStyle(document.querySelector(".wb-Map") as Element).getPropertyValue("--wb-land");
      const [probe] = [new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D];
      probe.fillStyle = wanted;
      probe.fillRect(0, 0, 1, 1);
      const colour = probe.getImageData(0, 0, 1, 1).data;
      let count = 0;
      for (let k = 0; k < data.length; k += 4) {
        count += [0, 1, 2].every((c) => Math.abs((data[k + c] ?? 0) - (colour[c] ?? 0)) <= 2) ? 1 : 0;
      }
      return count / (data.length / 4);
    });
    t.ok(land > 0.4, `most of Colorado is land: ${land}`);
    const saved = await savedGround(page);
    t.strictSame(
      saved.size,
      saved.screen.map((pixels) => 2 * pixels),
      "the ground of MapLibre, twice as sharp",
    );
    t.ok(Math.abs(saved.land - land) < 0.25, `the same land below the network that was saved: ${saved.land}`);
    await page.evaluate(() => (window.mapPage.mapSettings.ground = "never"));
    await page.locator(".wb-Stage[data-ground=canvas]").waitFor();
    t.equal(await page.locator(".wb-Ground canvas").count(), 0, "the context was given back");
    await page.close();
  });
}

t.test("six of many maps hold a context; the others show their picture until they are moved", async (t) => {
  const { page, complaints } = await openMap("light", () => (window.mapPage.mapSettings.ground = "always"));
  await page.evaluate(() => {
    const [session] = window.mapPage.workspace.sessions;
    for (let k = 0; k < 8 && session !== undefined; k += 1) {
      window.mapPage.showMap(session, { height: 120 });
    }
    document.querySelectorAll<HTMLElement>(".wb-Map").forEach((map) => (map.style.width = "300px"));
    Object.assign(document.body.style, { display: "grid", gridTemplateColumns: "repeat(3, 300px)" });
  });
  await page.setViewportSize({ width: 1000, height: 900 });
  const live = (): Promise<number> => page.locator(".wb-Ground canvas").count();
  await page.waitForFunction(
    () => document.querySelectorAll(".wb-Stage[data-ground=maplibre]").length === 9,
    undefined,
    { timeout: 90_000 },
  );
  t.ok((await live()) <= 6, `${await live()} contexts`);
  const asleep = page.locator(".wb-Stage", { has: page.locator(".wb-Ground:not([data-ready])") });
  t.equal(await asleep.count(), 3);
  const first = await asleep.first().evaluate((stage) => [...document.querySelectorAll(".wb-Stage")].indexOf(stage));
  const stage = page.locator(".wb-Stage").nth(first);
  await stage.locator("canvas").first().focus();
  await page.keyboard.press("+");
  await stage.locator(".wb-Ground[data-ready]").waitFor({ state: "attached", timeout: 60_000 });
  t.equal(await live(), 6, "another one sleeps in its place");
  t.strictSame(complaints, []);
  await page.close();
});

/** The image of the ground in a saved SVG: its pixels, those of the screen, and the share with the colour of land. */
async function savedGround(page: Page): Promise<{ size: number[]; screen: number[]; land: number }> {
  await page.getByRole("button", { name: pageText("menu") }).click();
  await page.getByRole("menuitem", { name: pageText("savePictures") }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: pageText("savePicture", "SVG") }).click(),
  ]);
  const svg = readFileSync(await download.path(), "utf8");
  return page.evaluate(async (text) => {
    const found = new DOMParser().parseFromString(text, "image/svg+xml").querySelector("image#basemap");
    const image = new Image();
    image.src = found?.getAttribute("href") ?? "";
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.fillStyle = getComputedStyle(document.querySelector(".wb-Map") as Element).getPropertyValue("--wb-land");
    context.fillRect(0, 0, 1, 1);
    const wanted = context.getImageData(0, 0, 1, 1).data;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      count += [0, 1, 2].every((c) => Math.abs((data[k + c] ?? 0) - (wanted[c] ?? 0)) <= 2) ? 1 : 0;
    }
    const { clientWidth, clientHeight } = document.querySelector(".wb-Canvas") as Element;
    return { size: [width, height], screen: [clientWidth, clientHeight], land: count / (width * height) };
  }, svg);
}

const THEME = Object.fromEntries(
  ["land", "water", "border", "county", "muted"].map((name) => [name, "#888888"]),
) as unknown as Theme;
