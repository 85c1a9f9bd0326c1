import { trans } from "../../text/index.ts";

/** Bytes that can be read in ranges. */
export interface ByteSource {
  bytes(offset: number, length: number): Promise<ArrayBuffer>;
}

/** Offsets in an archive, from its header (PMTiles, version 3). */
export interface ArchiveHeader {
  leavesAt: number;
  dataAt: number;
  /** 0 unknown, 1 none, 2 gzip; other values are not supported. */
  directoryPacking: number;
  tilePacking: number;
  /** 1 for vector tiles, otherwise raster tiles. */
  kind: number;
  minZoom: number;
  maxZoom: number;
  /** West, south, east, north, degrees. */
  bounds: [number, number, number, number];
}

interface Entry {
  id: number;
  offset: number;
  length: number;
  /** Number of consecutive tiles with the same content; 0 for a directory. */
  run: number;
}

const HEADER_BYTES = 127;
const NONE = 1;
const GZIP = 2;
/** Largest depth of nested directories in the format. */
const MOST_DEPTH = 3;

/** A PMTiles archive: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. */
export class Archive {
  readonly header: ArchiveHeader;
  /** The archive's metadata, including its attribution. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly #source: ByteSource;
  readonly #root: readonly Entry[];
  readonly #leaves = new Map<number, Promise<readonly Entry[]>>();

  private constructor(
    source: ByteSource,
    header: ArchiveHeader,
    root: readonly Entry[],
    metadata: Record<string, unknown>,
  ) {
    this.#source = source;
    this.header = header;
    this.#root = root;
    this.metadata = metadata;
  }

  /** Reads header and root directory. Rejects when the bytes are not a PMTiles archive. */
  static async open(source: ByteSource): Promise<Archive> {
    const head = new DataView(await source.bytes(0, HEADER_BYTES));
    const magic = head.byteLength < HEADER_BYTES ? "" : String.fromCharCode(...new Uint8Array(head.buffer, 0, 7));
    if (magic !== "PMTiles" || head.getUint8(7) !== 3) {
      throw new Error(trans.__("This is not a PMTiles archive of version 3."));
    }
    const long = (at: number): number => Number(head.getBigUint64(at, true));
    const degrees = (at: number): number => head.getInt32(at, true) / 1e7;
    const header: ArchiveHeader = {
      leavesAt: long(40),
      dataAt: long(56),
      directoryPacking: head.getUint8(97),
      tilePacking: head.getUint8(98),
      kind: head.getUint8(99),
      minZoom: head.getUint8(100),
      maxZoom: head.getUint8(101),
      bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
    };
    const root = await source.bytes(long(8), long(16));
    const about = long(32) > 0 ? await source.bytes(long(24), long(32)) : null;
    const entries = entriesOf(await unpacked(root, header.directoryPacking));
    const text = about === null ? "{}" : new TextDecoder().decode(await unpacked(about, header.directoryPacking));
    const metadata: unknown = JSON.parse(text);
    return new Archive(source, header, entries, (metadata ?? {}) as Record<string, unknown>);
  }

  /** The content of a tile, decompressed; null if it is absent. */
  async tile(z: number, x: number, y: number): Promise<ArrayBuffer | null> {
    const id = tileId(z, x, y);
    let entries = this.#root;
    for (let depth = 0; depth <= MOST_DEPTH; depth += 1) {
      const entry = entryOf(entries, id);
      if (entry === null) {
        return null;
      }
      if (entry.run > 0) {
        const bytes = await this.#source.bytes(this.header.dataAt + entry.offset, entry.length);
        return unpacked(bytes, this.header.tilePacking);
      }
      entries = await this.#leaf(entry);
    }
    return null;
  }

  #leaf({ offset, length }: Entry): Promise<readonly Entry[]> {
    let leaf = this.#leaves.get(offset);
    if (leaf === undefined) {
      leaf = this.#source
        .bytes(this.header.leavesAt + offset, length)
        .then((bytes) => unpacked(bytes, this.header.directoryPacking))
        .then(entriesOf);
      this.#leaves.set(offset, leaf);
      leaf.catch(() => this.#leaves.delete(offset)); // the next tile tries again
    }
    return leaf;
  }
}

/** The id of a tile: by zoom, and within a zoom along a Hilbert curve. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let half = 2 ** z / 2; half >= 1; half /= 2) {
    const right = (column & half) > 0 ? 1 : 0;
    const low = (row & half) > 0 ? 1 : 0;
    id += half * half * ((3 * right) ^ low);
    if (low === 0) {
      if (right === 1) {
        [column, row] = [half - 1 - (column & (half - 1)), half - 1 - (row & (half - 1))];
      }
      [column, row] = [row, column];
    }
  }
  return id;
}

/** The entry of a tile, or of the directory that may contain it; null without either. */
function entryOf(entries: readonly Entry[], id: number): Entry | null {
  let [low, high] = [0, entries.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.id ?? Infinity) <= id) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  const entry = entries[high];
  return entry !== undefined && (entry.run === 0 || id < entry.id + entry.run) ? entry : null;
}

function entriesOf(bytes: ArrayBuffer): readonly Entry[] {
  const view = new Uint8Array(bytes);
  let at = 0;
  const next = (): number => {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = view[at] ?? 0;
      at += 1;
      number += (byte & 127) * factor;
      if (byte < 128) {
        return number;
      }
      factor *= 128;
    }
  };
  const count = next();
  const numbers = (): number[] => Array.from({ length: count }, next);
  let id = 0;
  const ids = numbers().map((step) => (id += step));
  const [runs, lengths, offsets] = [numbers(), numbers(), numbers()];
  const entries: Entry[] = [];
  ids.forEach((own, k) => {
    const before = entries[k - 1];
    const stored = offsets[k] ?? 0;
    const offset = stored === 0 && before !== undefined ? before.offset + before.length : stored - 1;
    entries.push({ id: own, offset, length: lengths[k] ?? 0, run: runs[k] ?? 0 });
  });
  return entries;
}

async function unpacked(bytes: ArrayBuffer, packing: number): Promise<ArrayBuffer> {
  if (packing <= NONE) {
    return bytes;
  }
  if (packing !== GZIP) {
    throw new Error(trans.__("The compression of these tiles is not supported; use gzip."));
  }
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** A source of bytes in memory, or in a file on disk. */
export function blobSource(blob: Blob): ByteSource {
  return { bytes: (offset, length) => blob.slice(offset, offset + length).arrayBuffer() };
}

/** A source at a URL whose server supports range requests. */
export function rangeSource(url: string): ByteSource {
  return {
    bytes: async (offset, length) => {
      const answer = await fetch(url, { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
      if (answer.status !== 206) {
        throw new Error(trans.__("%1 does not answer range requests, which PMTiles need.", new URL(url).host));
      }
      return answer.arrayBuffer();
    },
  };
}
