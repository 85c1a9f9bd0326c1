/** The objects of a PDF in the order in which they were added (PDF 1.4, ISO 32000-1, chapter 7). */
export class PdfFile {
  readonly #objects: Uint8Array[] = [];

  /** The number of the next object. */
  get next(): number {
    return this.#objects.length + 1;
  }

  /** Adds an object and gives its number. */
  add(text: string): number {
    this.#objects.push(latin(text));
    return this.#objects.length;
  }

  /** Adds bytes, which are compressed, with further entries of their dictionary. */
  async addStream(bytes: Uint8Array, entries = ""): Promise<number> {
    const packed = await deflated(bytes);
    const head = latin(`<< /Length ${packed.length} /Filter /FlateDecode ${entries} >>\nstream\n`);
    this.#objects.push(joined([head, packed, latin("\nendstream")]));
    return this.#objects.length;
  }

  /** The file, whose catalogue is the object of that number. */
  bytes(catalogue: number): Uint8Array {
    const parts = [latin("%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n")];
    let at = parts[0]?.length ?? 0;
    const places = this.#objects.map((content, k) => {
      const part = joined([latin(`${k + 1} 0 obj\n`), content, latin("\nendobj\n")]);
      const place = at;
      parts.push(part);
      at += part.length;
      return place;
    });
    const entries = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
    const size = this.#objects.length + 1;
    parts.push(latin(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`));
    parts.push(latin(`trailer\n<< /Size ${size} /Root ${catalogue} 0 R >>\nstartxref\n${at}\n%%EOF\n`));
    return joined(parts);
  }
}

/** A text of letters up to U+00FF, a byte each. */
export function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
