import { TILE_SCHEME, tileAt } from "./tileArchives.ts";

export type Library = typeof import("@service/widgets/maplibre");

let library: Promise<Library> | null = null;

/** Loads MapLibre GL with the first map on a graphics card; after a failure the next map tries again. */
export function loadLibrary(): Promise<Library> {
  library ??= load().catch((error: unknown) => {
    library = null;
    throw error;
  });
  return library;
}

async function load(): Promise<Library> {
  const loaded = await import("@service/widgets/maplibre");
  const { href, protocol } = new URL("../../../dist/maplibreWorker.js", import.meta.url);
  // MapLibre takes a blob of a page from the disk for another origin and starts a module that imports it, which browsers refuse. With
  // this ending it starts a copy of the file.
  loaded.setWorkerUrl(protocol === "blob:" ? `${href}#.cjs` : href);
  loaded.setWorkerCount(1);
  loaded.addProtocol(TILE_SCHEME, async ({ url }) => ({ data: (await tileAt(url)) ?? new ArrayBuffer(0) }));
  return loaded;
}
