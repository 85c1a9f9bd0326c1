import { trans } from "../../text/index.ts";
import { baseName } from "./dssFiles.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { Geography } from "../geography/geography.ts";

/** A file of an earlier batch. */
export interface WaitingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file as a batch reads it. */
  readonly file: IntakeFile;
  /** Base names of the files that a script waits for; null for a file that a script waits for. */
  readonly missing: readonly string[] | null;
}

/** A feeder on screen. */
interface Shown {
  readonly name: string;
  readonly geography: Geography;
}

/** A feeder on screen whose script refers to a missing position file. */
interface Unplaced {
  readonly target: Shown;
  /** Whether the file has the latitude first. */
  readonly latitudeFirst: boolean;
}

/** Maximum total size, bytes; the oldest files are dropped first. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Files of earlier batches that wait for other files of their feeder: scripts with missing files, files that a script
 * may refer to, and feeders without positions. The files of a feeder may arrive in any order.
 */
export class WaitingFiles {
  readonly #files = new Map<string, WaitingFile>();
  readonly #unplaced = new Map<string, Unplaced>();

  /** The files, the oldest first. */
  get all(): readonly WaitingFile[] {
    return [...this.#files.values()];
  }

  /** Stores a file in place of one of the same name. */
  keep(file: IntakeFile, bytes: Uint8Array, missing: readonly string[] | null): void {
    const { name } = file;
    const key = baseName(name);
    this.#files.delete(key);
    this.#files.set(key, { name, bytes, file, missing });
    let size = this.all.reduce((sum, waiting) => sum + waiting.bytes.length, 0);
    for (const [oldest, waiting] of this.#files) {
      if (size > MOST_BYTES) {
        this.#files.delete(oldest);
        size -= waiting.bytes.length;
      }
    }
  }

  /** Drops files. */
  drop(names: Iterable<string>): void {
    for (const name of names) {
      this.#files.delete(baseName(name));
    }
  }

  /** Records that a feeder lacks the positions in a file. */
  lacks(name: string, target: Shown, latitudeFirst: boolean): void {
    this.#unplaced.set(baseName(name), { target, latitudeFirst });
  }

  /** The feeder that lacks the positions in a file of this name; it is returned once. */
  placedBy(name: string): Unplaced | null {
    const key = baseName(name);
    const found = this.#unplaced.get(key) ?? null;
    this.#unplaced.delete(key);
    return found;
  }
}

/** A script that waits for files. */
export interface WaitingScript {
  readonly name: string;
  readonly missing: readonly string[];
  /** Whether it came in an earlier batch, whose report may be dismissed. */
  readonly earlier: boolean;
}

/**
 * The sentence on scripts that a file waits for: those read `now`, and those read `before` with their missing files.
 * Empty where no script waits.
 */
export function waitingSentence(now: readonly WaitingScript[], before: readonly WaitingFile[]): string {
  const others = before.flatMap(({ name, missing }): WaitingScript[] =>
    missing === null || now.some((one) => one.name === name) ? [] : [{ name, missing, earlier: true }],
  );
  const names = [...now, ...others].map(({ name }) => name).join(", ");
  const missing = [...now, ...others].flatMap((one) => (one.earlier ? one.missing : [])).join(", ");
  return names === ""
    ? ""
    : missing === ""
      ? trans.__("Kept for %1.", names)
      : trans.__("Kept for %1, which still waits for %2.", names, missing);
}

/** Records of bus, latitude and longitude, rewritten with the longitude first. */
export function longitudeFirst(bytes: Uint8Array): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const turned = lines.map((line) => {
    const [bus = "", latitude = "", longitude = ""] = line.trim().split(/\s*[,;\t]\s*|\s+/);
    return longitude === "" ? line : `${bus},${longitude},${latitude}`;
  });
  return new TextEncoder().encode(turned.join("\n"));
}
