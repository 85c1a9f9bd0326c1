// Basemaps of users: their notation, the hosts that may be contacted, and in Chromium the drawn and the refused ones.
import { readFileSync } from "node:fs";
import t from "tap";
import type { Locator, Page } from "playwright-core";
import {
  BasemapServers,
  basemapOf,
  basemapText,
  blobSource,
  ChosenBasemap,
  parseBasemap,
  rasterStyle,
  sameBasemap,
  serverOf,
  tileAt,
  vectorStyle,
} from "@service/widgets/map";
import type { Theme } from "@service/widgets/ui";
import { eventually } from "../../eventually.ts";
import { startTileServer, TILE_COLOUR } from "../../tileServer.ts";
import type { MapPage } from "../mapPage/main.ts";
import { openMap } from "../mapPage/threeBus.ts";

declare const window: Window & { mapPage: MapPage };

const TILES = "https://tiles.example.org/{z}/{x}/{y}.png";
const EARTH = new URL("../../../widgets/basemap/earth.pmtiles", import.meta.url);
const THEME = { land: "#eeeeee", water: "#0000ff", border: "#00ff00", muted: "#333333" } as unknown as Theme;

t.test("basemaps are parsed from their notation", (t) => {
  t.strictSame(parseBasemap(""), { kind: "natural_earth" });
  t.strictSame(parseBasemap(" plain "), { kind: "plain" });
  t.strictSame(parseBasemap("none"), { kind: "none" });
  t.strictSame(parseBasemap(TILES, "© Somebody"), { kind: "raster", url: TILES, attribution: "© Somebody" });
  t.equal(parseBasemap("https://example.org/style.json?key=1").kind, "style");
  t.equal(parseBasemap("https://example.org/A.PMTiles?v=2").kind, "pmtiles");
  for (const wrong of ["plane", "tiles.example.org", "https://example.org/{z}/{x}.png", "file:///etc/passwd"]) {
    t.throws(() => parseBasemap(wrong), { code: "BASEMAP.UNKNOWN" });
  }
  t.equal(basemapText(parseBasemap(TILES)), TILES);
  t.equal(basemapText(parseBasemap("")), "");
  t.ok(sameBasemap(parseBasemap(TILES), parseBasemap(TILES)));
  t.notOk(sameBasemap(parseBasemap(TILES), parseBasemap(TILES, "©")));
  t.end();
});

t.test("a basemap of a notebook is taken as specified there, or not at all", (t) => {
  t.strictSame(basemapOf({ kind: "none" }), { kind: "none" });
  t.strictSame(basemapOf({ kind: "raster", url: TILES, attribution: 3 }), { kind: "raster", url: TILES });
  for (const wrong of [
    null,
    "plain",
    { kind: "x" },
    { kind: "style" },
    { kind: "style", url: "javascript:alert(1)" },
  ]) {
    t.equal(basemapOf(wrong), null);
  }
  t.equal(basemapOf({ kind: "pmtiles", file: "a" }), null, "a file without a kernel that reads it");
  t.equal(serverOf("https://example.org:8443/a?b"), "https://example.org:8443");
  t.equal(serverOf("data:,x"), null);
  t.end();
});

t.test("servers that a person allowed are remembered, and no others", (t) => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const servers = new BasemapServers(storage);
  t.notOk(servers.allows("https://a.example"));
  servers.allow("https://a.example");
  t.ok(new BasemapServers(storage).allows("https://a.example"));
  t.notOk(new BasemapServers(storage).allows("https://b.example"));
  servers.name("https://b.example");
  t.ok(servers.allows("https://b.example"), "a named server may be contacted");
  t.strictSame(servers.all, ["https://a.example"], "but is listed once it has shown something");
  servers.shown("https://b.example");
  t.strictSame(servers.all, ["https://a.example", "https://b.example"]);
  servers.shown("https://c.example");
  t.notOk(servers.allows("https://c.example"), "nobody named it");
  servers.revoke("https://a.example");
  t.strictSame(new BasemapServers(storage).all, ["https://b.example"], "and forgotten");
  stored.forEach((_, key) => stored.set(key, "{"));
  t.notOk(new BasemapServers(storage).allows("https://b.example"), "what cannot be read allows nothing");
  t.end();
});

t.test("a dismissed basemap is opened only when it is chosen again", async (t) => {
  const [style, files] = [{ version: 8, sources: {}, layers: [] }, {} as Record<string, string>];
  const tiles = await startTileServer(files);
  t.teardown(() => tiles.stop());
  const chosen = new ChosenBasemap();
  t.teardown(() => chosen.dispose());
  const given = parseBasemap(`${tiles.url}/style.json`);
  const shown = async (): Promise<boolean> => !("kind" in chosen.shown);
  chosen.choose(given);
  t.strictSame(chosen.news, { server: tiles.url });
  chosen.dismiss();
  chosen.choose(given);
  t.equal(chosen.news, null, "the notebook says no more than before");

  chosen.chooseForAll(given);
  await eventually.match(t, async () => JSON.stringify(chosen.news), "BASEMAP.STYLE", "the address is requested");
  chosen.dismiss();
  files["/style.json"] = JSON.stringify(style);
  chosen.chooseForAll(given);
  await eventually.ok(t, shown, "a failure that was dismissed is tried again");
  t.equal(chosen.news, null);

  chosen.blocked("https://other.example");
  t.strictSame(chosen.news, { server: "https://other.example" });
  chosen.dismiss();
  chosen.blocked("https://other.example");
  t.equal(chosen.news, null, "each further tile does not ask again");
  chosen.chooseForAll(parseBasemap(""));
});

t.test("an archive is held only while a map shows it", async (t) => {
  const source = blobSource(new Blob([readFileSync(EARTH)]));
  const chosen = new ChosenBasemap();
  /** The address of the tile of the whole world; null while no archive is shown. */
  const world = async (): Promise<string | null> => {
    const { shown } = chosen;
    const [tiles] = "kind" in shown ? [] : Object.values(shown.style(THEME).sources);
    return tiles?.type === "vector" ? (tiles.tiles?.[0]?.replace("{z}/{x}/{y}", "0/0/0") ?? null) : null;
  };
  chosen.choose({ kind: "file", name: "earth.pmtiles", source });
  await eventually.ok(t, world);
  const first = (await world()) ?? "";
  t.ok((await tileAt(first))?.byteLength);
  chosen.choose({ kind: "none" });
  t.equal(await tileAt(first), null, "something else is shown");
  chosen.choose({ kind: "file", name: "earth.pmtiles", source });
  await eventually.ok(t, world);
  const second = (await world()) ?? "";
  t.ok((await tileAt(second))?.byteLength);
  chosen.dispose();
  t.equal(await tileAt(second), null, "the map has gone");
});

t.test("tiles without a style get one", (t) => {
  t.strictSame(rasterStyle({ tiles: TILES, maxzoom: 9 }).sources, {
    tiles: { type: "raster", tiles: [TILES], tileSize: 256, maxzoom: 9 },
  });
  const metadata = { vector_layers: [{ id: "water" }, { id: "earth" }, { id: "roads" }, "x"] };
  const { layers } = vectorStyle({ tiles: TILES, metadata }, THEME);
  t.strictSame(
    layers.map(({ id }) => id),
    ["background", "earth areas", "water areas", "roads areas", "water lines", "earth lines", "roads lines"],
  );
  t.match(layers[0], { paint: { "background-color": "#0000ff" } }, "the sea is what is not land");
  t.match(layers[2], { paint: { "fill-color": "#0000ff" } });
  t.end();
});

t.test("a person's tiles are drawn at once, a notebook's after permission", async (t) => {
  const tiles = await startTileServer();
  t.teardown(() => tiles.stop());
  const { page, complaints } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  await chooseHere(page, { kind: "raster", url: `${tiles.url}/{z}/{x}/{y}.png`, attribution: "© <b>Tests</b>" });
  const mark = page.locator(".wb-BasemapMark");
  await mark.waitFor();
  await eventually.match(t, () => mark.textContent(), tiles.url.replace("http://", ""));
  t.strictSame(tiles.requests, [], "no request was sent before");
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) === 0, "the ground before is there");
  await mark.getByRole("button", { name: /^Load from/ }).click();
  await page.locator(".wb-Stage[data-ground=maplibre]").waitFor({ timeout: 60_000 });
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) > 0.5, "the tiles are below the network");
  t.ok(await mark.isHidden());
  await eventually.equal(t, () => page.locator(".wb-Attribution").textContent(), "© <b>Tests</b>");
  await chooseHere(page, { kind: "none" });
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) === 0, "nothing lies below");
  await eventually.ok(t, () => page.locator(".wb-Attribution").isHidden());
  await chooseHere(page, { kind: "plain" });
  await eventually.match(t, () => page.locator(".wb-Attribution").textContent(), "Natural Earth");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("dismissed tiles are drawn after a person loads them, until their server is removed", async (t) => {
  const tiles = await startTileServer();
  t.teardown(() => tiles.stop());
  const { page, complaints } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  const url = `${tiles.url}/{z}/{x}/{y}.png`;
  await chooseHere(page, { kind: "raster", url });
  const mark = page.locator(".wb-BasemapMark");
  await mark.getByRole("button", { name: "Keep the map as it is" }).click();
  await mark.waitFor({ state: "hidden" });
  const panel = await openStylePanel(page);
  await panel.getByLabel("Address").fill(url);
  await panel.getByRole("button", { name: "Load" }).click();
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) > 0.5, "the tiles are below the network");
  t.ok(await mark.isHidden());

  const servers = panel.getByRole("group", { name: "Allowed servers" });
  t.match(await servers.innerText(), tiles.url);
  await servers.getByRole("button", { name: `Remove the server ${tiles.url}` }).click();
  await eventually.match(t, () => mark.textContent(), tiles.url.replace("http://", ""), "it is requested again");
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) === 0, "its tiles have gone");
  t.ok(await servers.isHidden());
  t.ok(await panel.evaluate((node) => node.contains(document.activeElement)), "the focus stays in the panel");
  const load = mark.getByRole("button", { name: "Load from" });
  await load.evaluate((button: HTMLElement) => button.click());
  await load.dispatchEvent("click");
  t.strictSame(await page.evaluate(() => window.mapPage.basemapServers.all), [], "a script allows no server");
  await load.click();
  await eventually.match(t, () => servers.innerText(), tiles.url, "the open panel lists what is allowed on the map");
  t.strictSame(complaints, []);
  await page.close();
});

t.test("an unusable basemap is refused with its code, and the previous ground stays", async (t) => {
  const style = { version: 8, sources: {}, layers: [{ id: "x", type: "nonsense" }] };
  const tiles = await startTileServer({
    "/text.json": "no JSON",
    "/wrong.json": JSON.stringify(style),
    "/a.pmtiles": "PNG",
  });
  t.teardown(() => tiles.stop());
  const { page } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  await page.evaluate((url) => window.mapPage.basemapServers.allow(url), tiles.url);
  const before = await shareOf(page, await landColour(page));
  t.ok(before > 0.3);
  const mark = page.locator(".wb-BasemapMark:not([hidden])");
  for (const [basemap, code] of [
    [{ kind: "style", url: `${tiles.url}/absent.json` }, "BASEMAP.STYLE"],
    [{ kind: "style", url: `${tiles.url}/text.json` }, "BASEMAP.STYLE"],
    [{ kind: "style", url: `${tiles.url}/wrong.json` }, "BASEMAP.STYLE"],
    [{ kind: "raster", url: `${tiles.url}/absent/{z}/{x}/{y}.png` }, "BASEMAP.TILES"],
    [{ kind: "pmtiles", url: `${tiles.url}/a.pmtiles` }, "BASEMAP.FILE"],
  ] as const) {
    await chooseHere(page, { kind: "natural_earth" });
    await page.locator(".wb-BasemapMark").waitFor({ state: "hidden" });
    await chooseHere(page, basemap);
    await mark.waitFor({ timeout: 60_000 });
    await eventually.match(t, () => mark.textContent(), `[${code}]`, basemap.url);
    await eventually.ok(t, async () => (await shareOf(page, await landColour(page))) > before - 0.02, "as before");
  }
  await mark.getByRole("button", { name: "Keep the map as it is" }).click();
  await page.locator(".wb-BasemapMark").waitFor({ state: "hidden" });
  await page.close();
});

t.test("servers that do not answer or that the policy forbids are reported; the previous basemap stays", async (t) => {
  const tiles = await startTileServer();
  const gone = await startTileServer();
  const silent = await startTileServer({}, { cors: false });
  t.teardown(() => Promise.all([tiles.stop(), silent.stop()]));
  await gone.stop();
  const { page } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  const panel = await openStylePanel(page);
  const mark = page.locator(".wb-BasemapMark:not([hidden])");
  const load = async (url: string): Promise<void> => {
    await panel.getByLabel("Address").fill(url);
    await panel.getByRole("button", { name: "Load" }).click();
  };
  await panel.getByLabel("Basemap", { exact: true }).selectOption("own");
  await load(`${tiles.url}/{z}/{x}/{y}.png`);
  const shown = async (): Promise<boolean> => (await shareOf(page, TILE_COLOUR)) > 0.5;
  await eventually.ok(t, shown);
  for (const [server, path, code] of [
    [gone.url, "/{z}/{x}/{y}.png", "BASEMAP.UNREACHABLE"],
    [gone.url, "/style.json", "BASEMAP.UNREACHABLE"],
    [gone.url, "/a.pmtiles", "BASEMAP.UNREACHABLE"],
    [silent.url, "/{z}/{x}/{y}.png", "BASEMAP.CORS"],
    ["https://forbidden.example", "/{z}/{x}/{y}.png", "BASEMAP.POLICY"],
    ["https://forbidden.example", "/style.json", "BASEMAP.POLICY"],
  ] as const) {
    if (code === "BASEMAP.POLICY") {
      await page.evaluate((allowed) => {
        const policy = document.createElement("meta");
        policy.httpEquiv = "Content-Security-Policy";
        policy.content = `connect-src 'self' blob: data: ${allowed}`;
        document.head.append(policy);
      }, tiles.url);
    }
    await load(server + path);
    await mark
      .filter({ hasText: `[${code}]` })
      .filter({ hasText: server })
      .waitFor({ timeout: 60_000 });
    await eventually.ok(t, shown, `${server}${path}: the tiles before are there`);
    const listed = await panel.getByRole("group", { name: "Allowed servers" }).innerText();
    t.match(listed, tiles.url);
    t.notMatch(listed, server, "who showed nothing is not listed");
    await mark.getByRole("button", { name: "Keep the map as it is" }).click();
  }
  await page.close();
});

t.test("requests of a style to a server without permission are blocked", async (t) => {
  const other = await startTileServer();
  t.teardown(() => other.stop());
  const source = {
    type: "raster",
    tiles: [`${other.url}/{z}/{x}/{y}.png`],
    tileSize: 256,
    attribution: "<i>Other</i>",
  };
  const style = { version: 8, sources: { other: source }, layers: [{ id: "o", type: "raster", source: "other" }] };
  const tiles = await startTileServer({ "/style.json": JSON.stringify(style) });
  t.teardown(() => tiles.stop());
  const { page } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  await page.evaluate((url) => window.mapPage.basemapServers.allow(url), tiles.url);
  await chooseHere(page, { kind: "style", url: `${tiles.url}/style.json` });
  const mark = page.locator(".wb-BasemapMark:not([hidden])");
  await mark.waitFor({ timeout: 60_000 });
  await eventually.match(t, () => mark.textContent(), other.url.replace("http://", ""));
  t.strictSame(other.requests, []);
  await mark.getByRole("button", { name: /^Load from/ }).click();
  await eventually.ok(t, async () => (await shareOf(page, TILE_COLOUR)) > 0.5);
  await eventually.equal(t, () => page.locator(".wb-Attribution").textContent(), "Other");
  await page.close();
});

t.test("a PMTiles file of this computer", async (t) => {
  const { page, hosts, complaints } = await openMap("light", () => (window.mapPage.mapSettings.ground = "auto"));
  const panel = await openStylePanel(page);
  await panel.getByLabel("Basemap", { exact: true }).selectOption("own");
  const file = { name: "mine.pmtiles", mimeType: "application/octet-stream", buffer: readFileSync(EARTH) };
  await panel.getByLabel("PMTiles file").setInputFiles(file);
  await page.locator(".wb-Stage[data-ground=maplibre]").waitFor({ timeout: 60_000 });
  await eventually.match(t, () => page.locator(".wb-Attribution").textContent(), "Made with Natural Earth");
  t.equal(hosts.size, 1, "only the server was contacted");
  t.strictSame(complaints, []);
  await page.close();
});

/** Opens the panel with the choice of a basemap. */
async function openStylePanel(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Colours" }).click();
  await page.getByRole("menuitem", { name: /Layers and style/ }).click();
  return page.getByRole("dialog", { name: "Layers and style" });
}

/** Chooses a basemap for the map, as its notebook does. */
async function chooseHere(page: Page, basemap: object): Promise<void> {
  await page.evaluate((given) => window.mapPage.latest()?.ground.choose(window.mapPage.basemapOf(given)), basemap);
}

/** The share of the picture with a colour, to within two steps of each channel. */
function shareOf(page: Page, colour: readonly number[]): Promise<number> {
  return page.evaluate((wanted) => {
    const canvas = document.querySelector(".wb-Canvas") as HTMLCanvasElement;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      count += wanted.every((part, c) => Math.abs((data[k + c] ?? 0) - part) <= 2) ? 1 : 0;
    }
    return count / (data.length / 4);
  }, colour);
}

function landColour(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.fillStyle = getComputedStyle(document.querySelector(".wb-Map") as Element).getPropertyValue("--wb-land");
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
}
