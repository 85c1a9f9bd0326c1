import { trans } from "../../text/index.ts";
import { BasemapError } from "./basemapError.ts";
import type { ByteSource } from "../ground/pmtiles.ts";

/** One of the bundled grounds. */
export interface BundledBasemap {
  readonly kind: "natural_earth" | "plain" | "none";
}

/** A user's basemap: a URL, or a file that can be read in ranges. */
export type OwnBasemap =
  | (Credited & { readonly kind: "style" | "raster" | "pmtiles"; readonly url: string })
  | (Credited & { readonly kind: "file"; readonly name: string; readonly source: ByteSource });

/** The ground below a network. */
export type BasemapChoice = BundledBasemap | OwnBasemap;

interface Credited {
  /** Its attribution; by default that of the tiles. */
  readonly attribution?: string;
}

/** Reads part of a kernel's file that a notebook names by `file`. */
export type ReadFile = (file: string, offset: number, length: number) => Promise<ArrayBuffer>;

export const NATURAL_EARTH: BasemapChoice = { kind: "natural_earth" };

/** Placeholders of tile templates. */
const TILE = ["{z}", "{x}", "{y}"] as const;

/**
 * Parses a basemap from Python (widgets/python/wattbook/map/basemap.py) or from this page's storage; null for an
 * unknown one.
 */
export function basemapOf(given: unknown, readFile?: ReadFile): BasemapChoice | null {
  const from = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const { kind, url, file, name, attribution } = from;
  const credit = typeof attribution === "string" ? { attribution } : {};
  if (kind === "natural_earth" || kind === "plain" || kind === "none") {
    return { kind };
  }
  if (kind === "pmtiles" && typeof file === "string" && readFile !== undefined) {
    const source = { bytes: (offset: number, length: number) => readFile(file, offset, length) };
    return { kind: "file", name: String(name), source, ...credit };
  }
  const known = kind === "style" || kind === "raster" || kind === "pmtiles";
  return known && typeof url === "string" && serverOf(url) !== null ? { kind, url, ...credit } : null;
}

/**
 * Parses a typed basemap: a word, the URL of a style or of a PMTiles archive, or a template of tiles.
 *
 * @throws BasemapError `BASEMAP.UNKNOWN`.
 */
export function parseBasemap(text: string, attribution = ""): BasemapChoice {
  const entered = text.trim();
  if (entered === "" || entered === "natural_earth") {
    return NATURAL_EARTH;
  }
  if (entered === "plain" || entered === "none") {
    return { kind: entered };
  }
  const credit = attribution.trim() === "" ? {} : { attribution: attribution.trim() };
  const named = TILE.filter((part) => entered.includes(part)).length;
  if (serverOf(entered) === null || (named > 0 && named < TILE.length)) {
    throw new BasemapError(
      "BASEMAP.UNKNOWN",
      trans.__(
        "Enter the address of a style (https://...), a template of tiles (https://.../{z}/{x}/{y}.png) or a .pmtiles file.",
      ),
    );
  }
  const archive = new URL(entered).pathname.toLowerCase().endsWith(".pmtiles");
  return { kind: named > 0 ? "raster" : archive ? "pmtiles" : "style", url: entered, ...credit };
}

/** A choice as typed; empty for the default. */
export function basemapText(choice: BasemapChoice): string {
  switch (choice.kind) {
    case "natural_earth":
      return "";
    case "plain":
    case "none":
      return choice.kind;
    case "file":
      return choice.name;
    default:
      return choice.url;
  }
}

/** The origin of a network URL; null for other URLs. */
export function serverOf(url: string): string | null {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: "", origin: "" };
  return /^https?:$/.test(protocol) ? origin : null;
}

export function isBundled(choice: BasemapChoice): choice is BundledBasemap {
  return choice.kind === "natural_earth" || choice.kind === "plain" || choice.kind === "none";
}

/** Whether two choices are the same ground. */
export function sameBasemap(a: BasemapChoice, b: BasemapChoice): boolean {
  return a === b || (a.kind !== "file" && JSON.stringify(a) === JSON.stringify(b));
}
