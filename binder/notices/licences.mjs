// Licence expressions, and the licence files of packages.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import parse from "spdx-expression-parse";
import { SetupError } from "../lib/fail.mjs";

const require = createRequire(import.meta.url);

/**
 * The notice of one bundled item.
 *
 * @typedef {object} Notice
 * @property {string} name
 * @property {string} version
 * @property {string} licence     SPDX expression, or another statement such as "public domain"
 * @property {string[]} texts     licence texts
 * @property {string} [about]     its origin and our changes to it
 * @property {string} [standard]  identifier of the licence whose standard text replaces a missing one
 */

/** Accepted licences of bundled packages; of alternatives the first one in this order applies. */
export const ACCEPTED = [
  "MIT",
  "MIT-0",
  "0BSD",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Zlib",
  "BlueOak-1.0.0",
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "Unicode-3.0",
  "CC0-1.0",
  "Unlicense",
  "CC-BY-4.0",
];

/**
 * The licences that apply to a package with this SPDX expression: of alternatives the first in `ACCEPTED`.
 *
 * @param {string} expression  "/" between names means OR, as in older crates
 * @param {string} owner       names the package in the message
 * @returns {string[]} SPDX identifiers
 * @throws {SetupError} for a missing or invalid expression, and for a licence that is not accepted
 */
export function chosenLicences(expression, owner) {
  if (typeof expression !== "string" || expression.trim() === "") throw new SetupError(`${owner} names no licence.`);
  let tree;
  try {
    tree = parse(expression.replaceAll("/", " OR "));
  } catch {
    throw new SetupError(`${owner} has an unknown licence: "${expression}" is not an SPDX expression.`);
  }
  const chosen = choose(tree);
  if (chosen === null) {
    throw new SetupError(
      `${owner} is licensed under ${expression}, which binder/notices/licences.mjs does not accept for bundling.`,
    );
  }
  return [...new Set(chosen)];
}

/** The accepted licences of a parsed expression, or null. */
function choose(node) {
  if (node.license !== undefined) {
    const id = node.exception === undefined ? node.license : `${node.license} WITH ${node.exception}`;
    return ACCEPTED.includes(id) ? [id] : null;
  }
  const [left, right] = [choose(node.left), choose(node.right)];
  if (node.conjunction === "and") return left === null || right === null ? null : [...left, ...right];
  if (left === null || right === null) return left ?? right;
  return rank(left) <= rank(right) ? left : right;
}

const rank = (ids) => Math.max(...ids.map((id) => ACCEPTED.indexOf(id)));

const LICENCE_FILE = /^((un)?licen[cs]es?|copying|copyright|notices?|third-?party-?(notices|licen[cs]es))([-_.].*)?$/i;
const SOURCE_FILE = /\.(c?js|mjs|ts|json|html|css|map|rs|py|toml|spdx)$/i;

/** Endings of the names of licence files, by licence. */
const NAMED = [
  [/^licen[cs]e[-_.]mit\b/i, "MIT"],
  [/^licen[cs]e[-_.]apache\b/i, "Apache-2.0"],
  [/^licen[cs]e[-_.]zlib\b/i, "Zlib"],
  [/^(unlicense|licen[cs]e[-_.]unlicense)\b/i, "Unlicense"],
];

/** Whether the file belongs to a licence that was not chosen. */
export function isOfAnother(name, chosen) {
  const id = NAMED.find(([pattern]) => pattern.test(name))?.[1];
  return id !== undefined && !chosen.some((one) => one.startsWith(id));
}

/** Texts of the applicable licence files in a package's top folder, by file name. */
export function licenceTexts(folder, chosen) {
  return licenceFiles(folder)
    .filter((name) => !isOfAnother(name, chosen))
    .map((name) => normalised(readFileSync(join(folder, name), "utf8")))
    .filter((text) => text !== "");
}

function licenceFiles(folder) {
  return readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name) && !SOURCE_FILE.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? readdirSync(path).map((inner) => join(name, inner)) : [name];
    })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

/** A text with plain line ends, without blank lines around it and blanks at line ends. */
export function normalised(text) {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t\f]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
}

/** The texts of a package, or where it has none the standard texts of its licences. */
export function shippedOrStandard(texts, chosen, holders) {
  if (texts.length > 0) return { texts };
  return { texts: chosen.map((id) => standardText(id, holders)), standard: chosen.join(" and ") };
}

/** Licences whose text begins with the holders' copyright. */
const WITH_HOLDERS = ["MIT", "MIT-0", "0BSD", "ISC", "BSD-2-Clause", "BSD-3-Clause"];

/**
 * The standard text of a licence, from SPDX, with the names of the copyright holders.
 *
 * @throws {SetupError} when SPDX has no text for it
 */
export function standardText(id, holders) {
  let text;
  try {
    text = normalised(require(`spdx-license-list/licenses/${id}.json`).licenseText);
  } catch {
    throw new SetupError(`There is no standard text of ${id}; the package has to ship one.`);
  }
  return WITH_HOLDERS.includes(id) ? text.replace(/^(copyright .*\n)+/im, () => `Copyright (c) ${holders}\n`) : text;
}
