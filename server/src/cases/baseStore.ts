import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { Body, sha256Of } from "../http/bodies.ts";

/** The data of a case that are computed at the start: its answers, and its rows for the compute routes. */
export interface Base {
  module: Body;
  network: Body;
  solution: Body;
  /** The engine's topology as JSON text, brotli. */
  topology: Buffer;
}

/** The case of a base. `name` and `id` appear in its bodies. */
export interface BaseKey {
  id: string;
  name: string;
  /** SHA-256 of the module text. */
  module: string;
}

/** Folder of the bases beside a catalogue. */
export const BASE_FOLDER = "base";

const SUFFIX = ".base";
/** Entries of other engines are removed after this time, so that updates do not fill the disk. */
const STALE_MS = 30 * 24 * 3600 * 1000;

/** The parts that only the engine can compute from the module. All others are compressed on demand. */
const PARTS = ["network.br", "solution.br", "topology.br"] as const;
type Part = (typeof PARTS)[number];

/**
 * Second line of an entry; the first is the SHA-256 of everything after it, and the parts follow in this order.
 * `version` rises when the shape of a body changes that is made here and not by the engine.
 */
const Header = Type.Object({
  schema: Type.Literal("wattbook-base"),
  version: Type.Literal(2),
  id: Type.String(),
  name: Type.String(),
  module: Type.String(),
  engine: Type.String(),
  network: Type.String(),
  solution: Type.String(),
  bytes: Type.Array(Type.Integer({ minimum: 0 }), { minItems: PARTS.length, maxItems: PARTS.length }),
});
type Header = Static<typeof Header>;
const HeaderCheck = Compile(Header);

/** The result of a read: the base, or why there is none. */
export type BaseFound = Base | "missing" | "damaged";

/**
 * Base solutions stored beside the data by the content hashes of module and engine, so that a start does not have to
 * solve. Entries carry their own checksum; a damaged entry counts as missing and is rewritten.
 */
export class BaseStore {
  readonly #folder: string;
  readonly #engine: string;

  /** `data` is the folder of the catalogue, `engine` the SHA-256 of the wasm file. */
  constructor(data: string, engine: string) {
    this.#folder = join(data, BASE_FOLDER);
    this.#engine = engine;
  }

  /** File name of an entry. */
  fileOf({ id, module }: BaseKey): string {
    return `${id}-${module}-${this.#engine}${SUFFIX}`;
  }

  /** `module` is the text of the module, which an entry does not repeat. */
  async read(key: BaseKey, module: Buffer): Promise<BaseFound> {
    try {
      const file = await readFile(join(this.#folder, this.fileOf(key)));
      return this.#decoded(file, key, module) ?? "damaged";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "damaged";
    }
  }

  #decoded(file: Buffer, key: BaseKey, module: Buffer): Base | undefined {
    const sum = lineAt(file, 0);
    if (sum === undefined || sha256Of(file.subarray(sum.end)) !== sum.text) return undefined;
    const line = lineAt(file, sum.end);
    const header: unknown = line && JSON.parse(line.text);
    if (!line || !HeaderCheck.Check(header)) return undefined;
    const { id, name, module: of, engine } = header;
    if (id !== key.id || name !== key.name || of !== key.module || engine !== this.#engine) return undefined;
    const part = partsOf(file.subarray(line.end), header.bytes);
    return {
      module: new Body({ sha256: of, plain: module }),
      network: new Body({ sha256: header.network, br: part["network.br"] }),
      solution: new Body({ sha256: header.solution, br: part["solution.br"] }),
      topology: part["topology.br"],
    };
  }

  /** Writes an entry to a temporary file and renames it. Rejects if the folder is not writable. */
  async write(key: BaseKey, base: Base): Promise<void> {
    const parts: Record<Part, Buffer> = {
      "network.br": await base.network.compressed("br"),
      "solution.br": await base.solution.compressed("br"),
      "topology.br": base.topology,
    };
    const bodies = PARTS.map((name) => parts[name]);
    const header: Header = {
      ...{ schema: "wattbook-base", version: 2, ...key, engine: this.#engine },
      ...{ network: base.network.sha256, solution: base.solution.sha256 },
      bytes: bodies.map(({ byteLength }) => byteLength),
    };
    const rest = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...bodies]);
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, this.fileOf(key));
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, Buffer.concat([Buffer.from(`${sha256Of(rest)}\n`), rest]));
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.#prune();
  }

  /** Removes entries that have not been written for a long time. */
  async #prune(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(SUFFIX) || name.endsWith(`-${this.#engine}${SUFFIX}`)) continue;
      await removeOlder(join(this.#folder, name), STALE_MS);
    }
  }
}

/** Removes a file older than `ms`. It is no error if another process removes it first. */
export async function removeOlder(path: string, ms: number): Promise<void> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs > ms) await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** The line that begins at an offset, and the offset after its line feed. */
function lineAt(file: Buffer, start: number): { text: string; end: number } | undefined {
  const feed = file.indexOf(0x0a, start);
  return feed < 0 ? undefined : { text: file.toString("utf8", start, feed), end: feed + 1 };
}

function partsOf(rest: Buffer, bytes: readonly number[]): Record<Part, Buffer> {
  let from = 0;
  const parts = PARTS.map((name, k) => {
    const to = from + (bytes[k] ?? 0);
    const part = rest.subarray(from, to);
    from = to;
    return [name, part] as const;
  });
  return Object.fromEntries(parts) as Record<Part, Buffer>;
}
