// Makes the notices and writes them to their locations.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { at } from "../lib/paths.mjs";
import { BUNDLES, readRecord } from "./bundled.mjs";
import { crateNotices, standardLibraryNotices } from "./crates.mjs";
import { dataNotices } from "./data.mjs";
import { documentOf } from "./document.mjs";
import { npmNotice } from "./npm.mjs";
import { PLACES } from "./places.mjs";

/**
 * Writes the notices to all locations.
 *
 * @throws {import("../lib/fail.mjs").SetupError} when the licence of a bundled item is missing, unknown or not accepted
 */
export function writeNotices() {
  const text = notices();
  for (const place of PLACES) writeFileSync(place, place.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text);
}

/** The document, from the records of the builds and the answers of cargo. */
function notices() {
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const folders = new Set(BUNDLES.flatMap(readRecord));
  return documentOf(`Wattbook ${version}`, [
    { title: "npm packages", notices: [...folders].map(npmNotice) },
    { title: "Rust crates", notices: crateNotices() },
    { title: "Rust's standard library and the crates in it", notices: standardLibraryNotices() },
    { title: "Data", notices: dataNotices() },
  ]);
}
