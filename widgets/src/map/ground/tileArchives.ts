import { trans } from "../../text/index.ts";
import type { TileExtract } from "./groundStyle.ts";
import { Archive, blobSource } from "./pmtiles.ts";

/** The scheme of URLs that the page itself serves: `wattbook-tiles://ARCHIVE/Z/X/Y`. */
export const TILE_SCHEME = "wattbook-tiles";
const OWN = "earth";

/** The archives of displayed basemaps, by the names in their URLs. */
const archives = new Map<string, Archive>();
let served = 0;
let own: Promise<Archive> | null = null;
let extract: TileExtract | null = null;

/** The extract of the bundled archive that the page has; null for all of it. */
export function ownExtract(): TileExtract | null {
  return extract;
}

/** Sets the extract that the page has; must be called before the first map is drawn. */
export function setTileExtract(tiles: TileExtract): void {
  extract = tiles;
}

/** The URL of the bundled tiles; starts to read them. */
export function ownTiles(): string {
  ownArchive().catch(() => undefined); // requests for tiles report the error
  return addressOf(OWN);
}

/** The URL at which the page serves the tiles of an archive, until they are released. */
export function serveTiles(archive: Archive): { tiles: string; release: () => void } {
  served += 1;
  const name = `archive-${served}`;
  archives.set(name, archive);
  return { tiles: addressOf(name), release: () => void archives.delete(name) };
}

/** The tile at a URL of the page; null if it is absent. */
export async function tileAt(url: string): Promise<ArrayBuffer | null> {
  const [name = "", z, x, y] = url.slice(TILE_SCHEME.length + 3).split("/");
  const archive = name === OWN ? await ownArchive() : archives.get(name);
  return (await archive?.tile(Number(z), Number(x), Number(y))) ?? null;
}

/** The bundled archive, read whole once and shared by all maps; after a failure it is read again. */
function ownArchive(): Promise<Archive> {
  own ??= readOwn().catch((error: unknown) => {
    own = null;
    throw error;
  });
  return own;
}

async function readOwn(): Promise<Archive> {
  const answer = await fetch(new URL("../../../basemap/earth.pmtiles", import.meta.url));
  if (!answer.ok) {
    throw new Error(trans.__("the server answered %1", answer.status));
  }
  return Archive.open(blobSource(await answer.blob()));
}

function addressOf(name: string): string {
  return `${TILE_SCHEME}://${name}/{z}/{x}/{y}`;
}
