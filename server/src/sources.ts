import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asset } from "./assets.ts";
import { CATALOGUE_FILE, readCatalogue, type CatalogueCase } from "./catalogue.ts";
import { ConfigError, type ServerConfig } from "./config.ts";

/** Folder of the two public benchmark cases, made when the server is built. */
export const FALLBACK_FOLDER = asset("fallback");

/** The cases to serve: the staged ones, or in fallback mode the two public benchmark cases. Otherwise there is nothing to start with. */
export async function findCases(config: ServerConfig): Promise<{ catalogue: CatalogueCase[]; fallback: boolean }> {
  if (config.data !== undefined && existsSync(join(config.data, CATALOGUE_FILE))) {
    return { catalogue: await readCatalogue(config.data), fallback: false };
  }
  if (config.allowFallback) return { catalogue: await readCatalogue(fileURLToPath(FALLBACK_FOLDER)), fallback: true };
  const missing =
    config.data === undefined ? "SERVICE_DATA names no folder of staged cases" : `${config.data} holds no staged cases`;
  throw new ConfigError(
    `${missing}: point SERVICE_DATA at a staged folder, or set SERVICE_ALLOW_FALLBACK=1 to serve two public benchmark cases.`,
  );
}
