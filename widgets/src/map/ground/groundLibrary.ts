import { Archive, blobSource } from "./pmtiles.ts";
import { trans } from "../../text/index.ts";

export type Library = typeof import("@service/widgets/maplibre");

/** The scheme of addresses that the page itself answers: `wattbook-tiles://ARCHIVE/Z/X/Y`. */
const SCHEME = "wattbook-tiles";
const OWN = "earth";

const archives = new Map<string, Promise<Archive>>();
let library: Promise<Library> | null = null;

/** MapLibre GL, which the first map with a graphics card loads. */
export function loadLibrary(): Promise<Library> {
  return (library ??= load());
}

/** The address of the tiles of an archive. The baked one is read whole, once, and shared by all maps. */
export function tilesOf(name = OWN, open: () => Promise<Archive> = openOwn): string {
  if (!archives.has(name)) {
    archives.set(name, open());
  }
  return `${SCHEME}://${name}/{z}/{x}/{y}`;
}

async function load(): Promise<Library> {
  const loaded = await import("@service/widgets/maplibre");
  loaded.setWorkerUrl(new URL("../../../dist/maplibreWorker.js", import.meta.url).href);
  loaded.setWorkerCount(1);
  loaded.addProtocol(SCHEME, async ({ url }) => {
    const [name = "", z, x, y] = url.slice(SCHEME.length + 3).split("/");
    const archive = await archives.get(name);
    const tile = await archive?.tile(Number(z), Number(x), Number(y));
    return { data: tile ?? new ArrayBuffer(0) };
  });
  return loaded;
}

async function openOwn(): Promise<Archive> {
  const answer = await fetch(new URL("../../../basemap/earth.pmtiles", import.meta.url));
  if (!answer.ok) {
    throw new Error(trans.__("the server answered %1", answer.status));
  }
  return Archive.open(blobSource(await answer.blob()));
}
