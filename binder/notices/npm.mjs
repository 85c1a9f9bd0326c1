// Bundled npm packages: their licences and licence texts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/paths.mjs";
import { chosenLicences, licenceTexts, shippedOrStandard } from "./licences.mjs";

/**
 * The notice of the npm package in a folder, relative to the repository's top folder.
 *
 * @returns {import("./licences.mjs").Notice}
 * @throws {import("../lib/fail.mjs").SetupError} when its licence is missing, unknown or not accepted
 */
export function npmNotice(folder) {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  const { name, version } = manifest;
  const licence = expressionOf(manifest);
  const chosen = chosenLicences(licence, `npm package ${name} ${version}`);
  const texts = licenceTexts(join(ROOT, folder), chosen);
  return { name, version, licence, ...shippedOrStandard(texts, chosen, holdersOf(manifest)) };
}

/** The licence of a manifest: today's expression, or the object or list of older packages. */
function expressionOf({ license, licenses }) {
  if (Array.isArray(licenses) && license === undefined) return licenses.map((one) => one.type ?? one).join(" OR ");
  return license?.type ?? license;
}

function holdersOf({ name, author, contributors = [] }) {
  const people = [author, ...contributors]
    .filter(Boolean)
    .map((one) => one.name ?? String(one).replace(/\s*[<(].*/, ""));
  return people.length > 0 ? [...new Set(people)].join(", ") : `the authors of ${name}`;
}
