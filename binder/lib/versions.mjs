import { SetupError } from "./fail.mjs";

const WORKSPACES = ["engine", "server", "widgets", "widgets/svelte", "extension/webmcp", "extension"];

/** Every file with the version, and its texts that contain it, of our own packages only. */
const PLACES = [
  ["package.json", /^ {2}"version": "(.*)"/gm],
  ...WORKSPACES.map((folder) => [`${folder}/package.json`, /^ {2}"version": "(.*)"|^ {4}"@service\/\w+": "(.*)"/gm]),
  ["pyproject.toml", /^version = "(.*)"/gm],
  ["CITATION.cff", /^version: (.*)/gm],
  ["engine/Cargo.toml", /^version = "(.*)"/gm],
  ["engine/src/contract.generated.ts", /CONTRACT_VERSION = "(.*)"/g],
  ["widgets/python/wattbook/version.py", /VERSION = "(.*)"|__version__ = "(.*)"/g],
  ["server/src/version.ts", /VERSION = "(.*)"/g],
  ["extension/src/widgetPlugin.ts", /^ {6}version: "(.*)"/gm],
];
/** Lock files also list our packages; here a version follows the name. */
const LOCKED = [
  ["engine/Cargo.lock", /^name = "wattbook-[\w-]+"\nversion = "(.*)"/gm],
  [
    "package-lock.json",
    new RegExp(
      `^ {4}"(?:${WORKSPACES.join("|")})?": \\{(?:\\n {6}"name": ".*",)?\\n {6}"version": "(.*)"|^ {8}"@service/\\w+": "(.*)"`,
      "gm",
    ),
  ],
];

/** The versions in all places, each at least once: `{path, version}`. */
export function versionsElsewhere(read) {
  return [...PLACES, ...LOCKED].flatMap(([path, pattern]) => {
    const found = [...read(path).matchAll(pattern)].map(([, ...groups]) => groups.find((group) => group !== undefined));
    if (found.length === 0) throw new SetupError(`${path} names no version any more.`);
    return found.map((version) => ({ path, version }));
  });
}

/** Writes a version into all places. */
export function setVersion(version, { read, write }) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new SetupError(`\`${version}\` is not a version of three numbers.`);
  for (const [path, pattern] of [...PLACES, ...LOCKED]) {
    const changed = (whole, ...groups) => {
      const old = groups.find((group) => group !== undefined);
      const end = whole.lastIndexOf(old);
      return `${whole.slice(0, end)}${version}${whole.slice(end + old.length)}`;
    };
    write(path, read(path).replace(pattern, changed));
  }
}
