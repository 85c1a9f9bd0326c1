// Crates compiled into the engine, and Rust's standard library.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../lib/fail.mjs";
import { at } from "../lib/paths.mjs";
import { chosenLicences, isOfAnother, licenceTexts, normalised, shippedOrStandard, standardText } from "./licences.mjs";

/** The two forms of the engine: crate, and the build arguments besides the target. */
const WASM = "wasm32-unknown-unknown";
const FORMS = [
  { crate: "wattbook-wasm", target: () => WASM, features: [] },
  { crate: "wattbook-python", target: host, features: ["--features", "extension-module"] },
];

/**
 * Notices of all crates linked into the WebAssembly or the Python module. Procedural macros and build scripts run only
 * at compile time.
 *
 * @returns {import("./licences.mjs").Notice[]}
 */
export function crateNotices() {
  const linked = linkedCrates();
  const platforms = FORMS.flatMap(({ target }) => ["--filter-platform", target()]);
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1", "--locked", ...platforms));
  return packages
    .filter(({ name, version, source }) => source !== null && linked.has(`${name} ${version}`))
    .map(crateNotice);
}

/** Names and versions of the linked crates, `name version`, including our own. */
export function linkedCrates() {
  const lines = FORMS.flatMap(({ crate, target, features }) => {
    const which = ["--locked", "--package", crate, "--target", target(), ...features];
    const form = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
    return cargo("tree", ...which, ...form).split("\n");
  });
  return new Set(lines.map((line) => line.split(" ").slice(0, 2).join(" ").replace(" v", " ")).filter(Boolean));
}

function crateNotice({ name, version, license, authors, manifest_path: manifest }) {
  const chosen = chosenLicences(license, `crate ${name} ${version}`);
  const people = authors.map((author) => author.replace(/\s*<.*/, ""));
  const holders = people.length > 0 ? people.join(", ") : `the authors of ${name}`;
  return {
    name,
    version,
    licence: license,
    ...shippedOrStandard(licenceTexts(dirname(manifest), chosen), chosen, holders),
  };
}

/**
 * Notices of Rust's standard library and its crates, where the toolchain includes their list.
 *
 * @returns {import("./licences.mjs").Notice[]}
 */
export function standardLibraryNotices() {
  const holders = "The Rust Project Developers (see https://thanks.rust-lang.org)";
  const own = {
    name: "Rust standard library",
    version: rustc("--version").split(" ")[1],
    licence: "(MIT OR Apache-2.0) AND Unicode-3.0",
    texts: [standardText("MIT", holders), standardText("Unicode-3.0", "Unicode, Inc.")],
  };
  const list = join(rustc("--print", "sysroot"), "share", "doc", "rust", "COPYRIGHT-library.html");
  return [own, ...(existsSync(list) ? libraryCrates(readFileSync(list, "utf8"), compiledLibraries()) : [])];
}

/** Names of the crates, with underscores, that form the standard library for our targets. */
function compiledLibraries() {
  const files = FORMS.flatMap(({ target }) => readdirSync(rustc("--print", "target-libdir", "--target", target())));
  return new Set(files.flatMap((file) => /^lib(\w+)-[0-9a-f]+\.rlib$/.exec(file)?.[1] ?? []));
}

/** The crates in `COPYRIGHT-library.html`, which lists those of every platform, that are among `compiled`. */
export function libraryCrates(html, compiled) {
  const [, ...sections] = html.split(/<h3>\s*\u{1F4E6}\s*/u);
  return sections.flatMap((section) => {
    const [, name, version] = /^(.+?)-(\d[^<]*)<\/h3>/.exec(section) ?? [];
    if (!compiled.has(name?.replaceAll("-", "_"))) return [];
    const licence = plain(/<b>License:<\/b>(.*?)<\/p>/s.exec(section)?.[1] ?? "").trim();
    const chosen = chosenLicences(licence, `crate ${name} ${version} of Rust's standard library`);
    const texts = [...section.matchAll(/<summary><code>(.*?)<\/code><\/summary>\s*<pre>(.*?)<\/pre>/gs)]
      .filter(([, file]) => !isOfAnother(file, chosen))
      .map(([, , text]) => normalised(plain(text)));
    return [{ name, version, licence, ...shippedOrStandard(texts, chosen, `the authors of ${name}`) }];
  });
}

const NAMED_ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text of a piece of HTML. */
function plain(html) {
  return html.replace(/<[^>]+>/g, "").replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED_ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function host() {
  return /^host: (.*)$/m.exec(rustc("-vV"))[1];
}

const rustc = (...args) => output("rustc", args);
const cargo = (...args) => output("cargo", args);

function output(program, args) {
  try {
    const stdio = ["ignore", "pipe", "inherit"];
    return execFileSync(program, args, { cwd: at("engine"), encoding: "utf8", maxBuffer: 2 ** 28, stdio }).trim();
  } catch {
    throw new SetupError(`\`${program} ${args.join(" ")}\` failed; its output is above.`);
  }
}
