import type { StyleSpecification } from "@service/widgets/maplibre";
import type { Theme } from "../../ui/theme.ts";
import { trans } from "../../text/index.ts";
import type { OwnBasemap } from "./basemapChoice.ts";
import { BasemapError } from "./basemapError.ts";
import { rasterStyle, vectorStyle } from "./archiveStyle.ts";
import { isUnanswered, unanswered } from "./unanswered.ts";
import { Archive, rangeSource } from "../ground/pmtiles.ts";
import { serveTiles } from "../ground/tileArchives.ts";

/** A ground that MapLibre can draw. */
export interface OpenBasemap {
  style(theme: Theme): StyleSpecification;
  /** Its attribution; null where the sources of the style have it. */
  readonly attribution: string | null;
  /** Frees the archive of its tiles. Absent without an archive. */
  readonly release?: () => void;
}

/** The PMTiles type of vector tiles; other types are raster tiles. */
const VECTORS = 1;

/**
 * Opens a user's basemap: fetches its style, or reads the header of its archive.
 *
 * @throws BasemapError `BASEMAP.STYLE`, `BASEMAP.FILE`, and those of `unanswered`.
 */
export async function openBasemap(choice: OwnBasemap): Promise<OpenBasemap> {
  const { attribution = null } = choice;
  if (choice.kind === "raster") {
    const style = rasterStyle({ tiles: choice.url });
    return { style: () => style, attribution };
  }
  if (choice.kind === "style") {
    const style = await fetchStyle(choice.url);
    return { style: () => style, attribution };
  }
  const { name, source, url } =
    choice.kind === "file"
      ? { ...choice, url: null }
      : { name: choice.url, source: rangeSource(choice.url), url: choice.url };
  let archive: Archive;
  try {
    archive = await Archive.open(source);
  } catch (cause) {
    if (url !== null && isUnanswered(cause)) {
      throw await unanswered(url);
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BasemapError("BASEMAP.FILE", trans.__("%1 could not be read: %2", name, reason), { cause });
  }
  return basemapOf(archive, attribution);
}

async function fetchStyle(url: string): Promise<StyleSpecification> {
  const { host } = new URL(url);
  let style: unknown;
  try {
    const answer = await fetch(url, { credentials: "omit" });
    if (!answer.ok) {
      throw new Error(trans.__("the server answered %1", answer.status));
    }
    style = await answer.json();
  } catch (cause) {
    if (isUnanswered(cause)) {
      throw await unanswered(url);
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BasemapError("BASEMAP.STYLE", trans.__("The style of %1 could not be read: %2", host, reason), { cause });
  }
  if (!isStyle(style)) {
    throw new BasemapError("BASEMAP.STYLE", trans.__("What %1 sent is not a MapLibre style of version 8.", host));
  }
  return style;
}

function isStyle(value: unknown): value is StyleSpecification {
  const { version, sources, layers } = (value ?? {}) as Partial<StyleSpecification>;
  return version === 8 && typeof sources === "object" && Array.isArray(layers);
}

function basemapOf(archive: Archive, attribution: string | null): OpenBasemap {
  const { header, metadata } = archive;
  const { tiles, release } = serveTiles(archive);
  const declared = metadata["attribution"];
  const credit = attribution ?? (typeof declared === "string" ? declared : null);
  const zooms = { minzoom: header.minZoom, maxzoom: header.maxZoom };
  if (header.kind === VECTORS) {
    return { style: (theme) => vectorStyle({ tiles, ...zooms, metadata }, theme), attribution: credit, release };
  }
  const style = rasterStyle({ tiles, ...zooms });
  return { style: () => style, attribution: credit, release };
}
