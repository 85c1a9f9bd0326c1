import { readFileSync } from "node:fs";
import { at } from "../lib/paths.mjs";
import { run } from "../lib/run.mjs";

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, "utf8")).packages;

/** Whether node_modules matches the lock file, by npm's own record of its installation. */
function installed() {
  let present;
  try {
    present = packagesOf(at("node_modules", ".package-lock.json"));
  } catch {
    return false; // never installed, or interrupted
  }
  return Object.entries(packagesOf(at("package-lock.json"))).every(
    ([path, wanted]) =>
      path === "" ||
      !path.includes("node_modules/") || // our own packages
      wanted.optional || // binaries for other platforms
      wanted.link ||
      present[path]?.version === wanted.version,
  );
}

/** The npm packages, at the versions of package-lock.json. */
export const nodePackages = {
  name: "node-packages",
  title: "npm packages",
  current: installed,
  run: async () => {
    await run("npm", ["ci", "--no-audit", "--no-fund"]);
    await run(at("node_modules", ".bin", "tap"), ["build"]); // with the plugins of .taprc, which the first run of tests needs
  },
};
