import { at } from "../../tools/lib/paths.mjs";
import { run } from "../../tools/lib/run.mjs";
import { hashOf } from "../../tools/lib/stamps.mjs";
import { PLACES } from "../../tools/notices/places.mjs";
import { RUST } from "./engine.mjs";

const INPUTS = ["package.json", "package-lock.json", ".setup/bundled", "tools/notices"];

/** The notices of all third-party software and data, from what the builds before it have noted and from cargo. */
export const notices = {
  name: "notices",
  title: "licence notices",
  after: ["server", "page", "labextension"],
  key: () => hashOf([...INPUTS, ...RUST]),
  outputs: () => PLACES,
  run: () => run(process.execPath, [at("tools/notices/main.mjs")]),
};
