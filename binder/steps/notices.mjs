import { at } from "../lib/paths.mjs";
import { run } from "../lib/run.mjs";
import { hashOf } from "../lib/stamps.mjs";
import { PLACES } from "../notices/places.mjs";
import { RUST } from "./engine.mjs";

const INPUTS = ["package.json", "package-lock.json", ".setup/bundled", "binder/notices"];

/** The notices of all third-party software and data, from the records of earlier builds and from cargo. */
export const notices = {
  name: "notices",
  title: "licence notices",
  after: ["server", "page", "labextension"],
  key: () => hashOf([...INPUTS, ...RUST]),
  outputs: () => PLACES,
  run: () => run(process.execPath, [at("binder/notices/main.mjs")]),
};
