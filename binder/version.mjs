// The version of all packages, which the package.json at the top defines:
//
// node binder/version.mjs            compares all other places with it
// node binder/version.mjs 1.2.3      writes 1.2.3 everywhere; a build then renews generated files
import { readFileSync, writeFileSync } from "node:fs";
import { main, SetupError } from "./lib/fail.mjs";
import { at } from "./lib/paths.mjs";
import { setVersion, versionsElsewhere } from "./lib/versions.mjs";

await main(() => {
  const [wanted] = process.argv.slice(2);
  if (wanted !== undefined) setVersion(wanted, { read, write });
  const { version } = JSON.parse(read("package.json"));
  const differing = versionsElsewhere(read).filter((place) => place.version !== version);
  if (differing.length > 0) {
    const list = differing.map((place) => `${place.path}: ${place.version}`).join("\n");
    throw new SetupError(`package.json has version ${version}, others have another one:\n${list}`);
  }
  console.log(version);
});

function read(path) {
  return readFileSync(at(path), "utf8");
}

function write(path, text) {
  writeFileSync(at(path), text);
}
