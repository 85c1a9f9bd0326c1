import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const unbrotli = promisify(brotliDecompress);
const gzipped = (plain: Buffer): Promise<Buffer> => promisify(gzip)(plain);

/** Content codings of stored bodies, preferred first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Brotli at this level is as fast as gzip and a fifth smaller; the highest ones take minutes for a large module. */
const BROTLI_QUALITY = 5;

/** A body that was computed earlier: its text, or its Brotli form. */
export type StoredBody = { sha256: string } & ({ plain: Buffer } | { br: Buffer });

/**
 * A large answer that never changes, compressed once on the first request; its entity tag is the SHA-256 of its text.
 */
export class Body {
  readonly sha256: string;
  /** Strong entity tag; the same for each coding, because it names the text. */
  readonly etag: string;
  #plain: Promise<Buffer> | undefined;
  readonly #compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};

  constructor({ sha256, ...known }: StoredBody) {
    this.sha256 = sha256;
    this.etag = `"${sha256}"`;
    if ("plain" in known) this.#plain = Promise.resolve(known.plain);
    else this.#compressed.br = Promise.resolve(known.br);
  }

  /** The body of a text. */
  static of(plain: Buffer): Body {
    return new Body({ sha256: sha256Of(plain), plain });
  }

  /** The body in a content coding; compresses off the main thread. */
  compressed(encoding: Encoding): Promise<Buffer> {
    return (this.#compressed[encoding] ??= this.plain().then(encoding === "br" ? compressed : gzipped));
  }

  /** The text of the body, decompressed on the first request. */
  plain(): Promise<Buffer> {
    return (this.#plain ??= this.compressed("br").then(decompressed));
  }
}

/** Brotli form of a text. */
export function compressed(plain: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength,
  };
  return brotli(plain, { params });
}

/** The text of a brotli form. */
export function decompressed(br: Buffer): Promise<Buffer> {
  return unbrotli(br);
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
