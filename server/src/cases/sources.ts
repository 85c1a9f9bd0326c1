import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asset } from "../assets.ts";
import { BaseStore } from "./baseStore.ts";
import { CATALOGUE_FILE, readCatalogue, type CatalogueCase } from "./catalogue.ts";
import { ConfigError, type ServerConfig } from "../config.ts";
import { engineFile } from "../solver/engineFile.ts";

/** Folder of the two public benchmark cases, made when the server is built. */
export const FALLBACK_FOLDER = asset("fallback");

/** The cases to serve. */
export interface Found {
  catalogue: CatalogueCase[];
  bases: BaseStore | undefined;
  fallback: boolean;
}

/** The staged cases, or in fallback mode the two public benchmark cases. Throws if neither exists. */
export async function findCases(config: ServerConfig): Promise<Found> {
  const folder = config.data === undefined ? undefined : resolve(config.data);
  if (folder !== undefined && existsSync(join(folder, CATALOGUE_FILE))) {
    const bases = new BaseStore(folder, (await engineFile()).sha256);
    return { catalogue: await readCatalogue(folder), bases, fallback: false };
  }
  if (config.allowFallback) {
    const catalogue = await readCatalogue(fileURLToPath(FALLBACK_FOLDER));
    return { catalogue, bases: undefined, fallback: true };
  }
  const missing =
    folder === undefined
      ? "SERVICE_DATA names no folder of staged cases"
      : `SERVICE_DATA: ${folder} holds no staged cases`;
  throw new ConfigError(
    `${missing}; run \`wattbook-server stage-data DIR\` and set SERVICE_DATA to that folder, or set ` +
      "SERVICE_ALLOW_FALLBACK=1 to serve two public benchmark cases.",
  );
}
