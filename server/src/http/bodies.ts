import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const unbrotli = promisify(brotliDecompress);
const gzipped = promisify(gzip);

/** Content codings that bodies are kept in, preferred first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Brotli at this level is as fast as gzip and a fifth smaller; the highest ones take minutes for a large module. */
const BROTLI_QUALITY = 5;

/** What is known of a body that was compressed before. */
export interface StoredBody extends Record<Encoding, Buffer> {
  /** SHA-256 of the plain text. */
  sha256: string;
  plain?: Buffer;
}

/** A large answer that never changes: compressed once, its entity tag the SHA-256 of its text. */
export class Body {
  readonly sha256: string;
  /** Strong entity tag; the same for each coding, because it names the text. */
  readonly etag: string;
  readonly #stored: Readonly<Record<Encoding, Buffer>>;
  #plain: Promise<Buffer> | undefined;

  constructor({ sha256, br, gzip, plain }: StoredBody) {
    this.sha256 = sha256;
    this.etag = `"${sha256}"`;
    this.#stored = { br, gzip };
    this.#plain = plain && Promise.resolve(plain);
  }

  /** Compresses a text, off the main thread. */
  static async of(plain: Buffer): Promise<Body> {
    const [br, gzip] = await Promise.all([compressed(plain), gzipped(plain)]);
    return new Body({ sha256: sha256Of(plain), br, gzip, plain });
  }

  compressed(encoding: Encoding): Buffer {
    return this.#stored[encoding];
  }

  /** The text itself, for the few clients that take nothing compressed; unpacked when first asked for. */
  plain(): Promise<Buffer> {
    return (this.#plain ??= unbrotli(this.#stored.br));
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
