import type { Diagnostic } from "@service/engine";
import { visibleText } from "../../text/index.ts";
import { codeOf } from "../solving/errorCode.ts";

/** Commands of OpenDSS whose argument is another file. */
const REFERENCE =
  /^\s*(?:redirect|compile|buscoords|latlongcoords)\s+\(?\s*(?:file\s*=\s*)?("[^"]+"|'[^']+'|\[[^\]]+\]|\([^)]+\)|[^\s!()]+)/i;
const OPTION = /\b(?:csvfile|file|sngfile|dblfile)\s*=\s*\(?\s*(?:file\s*=\s*)?("[^"]+"|'[^']+'|[^\s,!()]+)/gi;

/** Names of the files that an OpenDSS script refers to, without folders and in lower case. */
export function referredNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const code = line.replace(/(!|\/\/).*$/, "");
    const found = [REFERENCE.exec(code), ...code.matchAll(OPTION)];
    for (const match of found) {
      if (match?.[1] !== undefined) {
        names.add(baseName(match[1].replace(/^["'([]|["')\]]$/g, "")));
      }
    }
  }
  return names;
}

/**
 * Whether a script reads a file, given by its name without folders in lower case, as positions with the latitude first.
 */
export function hasLatitudeFirst(text: string, name: string): boolean {
  return text.split(/\r?\n/).some((line) => /^\s*la/i.test(line) && referredNames(line).has(name));
}

/** Whether a script defines a circuit, rather than only adding to one. */
export function makesCircuit(text: string): boolean {
  return /^\s*new\s+(?:object\s*=\s*)?["']?circuit\./im.test(text);
}

/** The last component of a path in lower case, with slashes or backslashes. */
export function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).trim().toLowerCase();
}

/** An OpenDSS script of a batch. */
export interface DssScript {
  name: string;
  bytes: Uint8Array;
}

/**
 * The scripts of a batch that no other script refers to. Scripts in a reference cycle are all returned; the engine then
 * reports the error.
 */
export function rootScripts<S extends DssScript>(scripts: readonly S[]): { roots: S[]; referred: Set<string> } {
  const references = scripts.map((script) => ({ script, names: referredNames(decode(script.bytes)) }));
  const referred = new Set(
    references.flatMap(({ script, names }) => [...names].filter((n) => n !== baseName(script.name))),
  );
  const roots = scripts.filter(({ name }) => !referred.has(baseName(name)));
  return { roots: roots.length > 0 ? roots : [...scripts], referred };
}

/** The text of a script. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Scripts that a script refers to and that are missing. */
export function missingFiles(error: unknown): string[] {
  const details = error instanceof Error && "details" in error ? error.details : undefined;
  const { missing } = (details ?? {}) as { missing?: unknown };
  return codeOf(error) === "INPUT.COMPANION" && Array.isArray(missing)
    ? missing.map((name) => visibleText(String(name)))
    : [];
}

/** Position files that a script refers to and that are missing. */
export function lackingPositions(warnings: readonly Diagnostic[]): string[] {
  return warnings.flatMap(({ sentence: { key, values } }) => {
    const file = key === "feeder.positions_missing" ? values?.["file"] : undefined;
    return typeof file === "object" && "text" in file ? [file.text] : [];
  });
}
