// Writes PMTiles archives (version 3 of the format): https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

const HEADER_BYTES = 127;
/** Maximum size of header and root directory. */
const ROOT_BYTES = 16_384;
const GZIP = 2;
const MVT = 1;

/** The number of a tile: by zoom, and within a zoom along a Hilbert curve. */
export function tileId(z, x, y) {
  let id = (4 ** z - 1) / 3;
  for (let half = 2 ** z / 2; half >= 1; half /= 2) {
    const rx = (x & half) > 0 ? 1 : 0;
    const ry = (y & half) > 0 ? 1 : 0;
    id += half * half * ((3 * rx) ^ ry);
    if (ry === 0) {
      if (rx === 1) [x, y] = [half - 1 - (x & (half - 1)), half - 1 - (y & (half - 1))];
      [x, y] = [y, x];
    }
  }
  return id;
}

/** Integers in seven bits per byte, the lowest first. */
function varints(numbers) {
  const bytes = [];
  for (let number of numbers) {
    for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
    bytes.push(number);
  }
  return Buffer.from(bytes);
}

/**
 * An archive of vector tiles.
 *
 * @param {{z: number, x: number, y: number, data: Uint8Array}[]} tiles  not compressed
 * @param {{bounds: [number, number, number, number], metadata: object}} about  degrees: west, south, east, north
 * @returns {Buffer}
 */
export function archive(tiles, { bounds, metadata }) {
  const sorted = tiles.map((tile) => ({ ...tile, id: tileId(tile.z, tile.x, tile.y) })).sort((a, b) => a.id - b.id);
  const [entries, contents, places] = [[], [], new Map()];
  let length = 0;
  for (const { id, data } of sorted) {
    const packed = gzipSync(data, { level: 9 });
    const hash = createHash("sha256").update(packed).digest("hex");
    if (!places.has(hash)) {
      places.set(hash, { offset: length, length: packed.length });
      contents.push(packed);
      length += packed.length;
    }
    const place = places.get(hash);
    const last = entries.at(-1);
    if (last?.offset === place.offset && last.id + last.run === id) last.run += 1;
    else entries.push({ id, run: 1, ...place });
  }
  const directory = gzipSync(
    varints([
      entries.length,
      ...entries.map(({ id }, k) => id - (entries[k - 1]?.id ?? 0)),
      ...entries.map(({ run }) => run),
      ...entries.map((entry) => entry.length),
      ...entries.map(({ offset }, k) => {
        const before = entries[k - 1];
        return before !== undefined && before.offset + before.length === offset ? 0 : offset + 1;
      }),
    ]),
    { level: 9 },
  );
  if (HEADER_BYTES + directory.length > ROOT_BYTES) throw new Error("The directory of the tiles has become too long.");
  const about = gzipSync(JSON.stringify(metadata), { level: 9 });
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", "latin1");
  header.writeUInt8(3, 7);
  const [rootAt, aboutAt] = [HEADER_BYTES, HEADER_BYTES + directory.length];
  const dataAt = aboutAt + about.length;
  [rootAt, directory.length, aboutAt, about.length, dataAt, 0, dataAt, length].forEach((number, k) =>
    header.writeBigUInt64LE(BigInt(number), 8 + 8 * k),
  );
  [sorted.length, entries.length, contents.length].forEach((n, k) => header.writeBigUInt64LE(BigInt(n), 72 + 8 * k));
  const zooms = sorted.map(({ z }) => z);
  [1, GZIP, GZIP, MVT, Math.min(...zooms), Math.max(...zooms)].forEach((byte, k) => header.writeUInt8(byte, 96 + k));
  const [west, south, east, north] = bounds;
  [west, south, east, north].forEach((degrees, k) => header.writeInt32LE(Math.round(1e7 * degrees), 102 + 4 * k));
  header.writeInt32LE(Math.round((1e7 * (west + east)) / 2), 119);
  header.writeInt32LE(Math.round((1e7 * (south + north)) / 2), 123);
  return Buffer.concat([header, directory, about, ...contents]);
}
