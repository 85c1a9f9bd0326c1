// Packed modules: gzip with a header that is the same on every machine.
import { constants, gzipSync } from "node:zlib";

/** Index of the header's byte that names the operating system, and its value for "unknown" (RFC 1952). */
const SYSTEM = 9;
const UNKNOWN = 255;

/** The packed text; its header has no time, name or system. */
export function packed(text: string): Buffer {
  const bytes = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
  bytes[SYSTEM] = UNKNOWN;
  return bytes;
}
