import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { VENV, at } from "../lib/paths.mjs";
import { exportLines } from "./exports.mjs";
import { serviceLines } from "./service.mjs";

/** The public interface as sorted lines: TypeScript, Python, command line, HTTP, events, tools, environment. */
export async function currentContract() {
  const python = execFileSync(join(VENV, "bin", "python"), [at("binder/contract/package.py")], { encoding: "utf8" });
  const lines = [...exportLines(), ...(await serviceLines()), ...python.trim().split("\n")];
  return [...new Set(lines)].sort();
}
