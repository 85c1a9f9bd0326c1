/** Leading bytes of an XML document in which its root element is. */
const ROOT_WITHIN = 4096;

const LINE_END = new Uint8Array([10]);

/** Whether a file may be a profile of CGMES by its name; the content decides. */
export function isXml(name: string): boolean {
  return /\.xml$/i.test(name);
}

/** Whether a document is a profile of CGMES by its root element. */
export function isProfileOfCgmes(bytes: Uint8Array): boolean {
  return /<(?:\w+:)?RDF[\s>]/.test(new TextDecoder().decode(bytes.subarray(0, ROOT_WITHIN)));
}

/** Documents one after another, as the engine reads the profiles of a case. */
export function joinedDocuments(documents: readonly Uint8Array[]): Uint8Array {
  const parts = documents.flatMap((bytes) => [bytes, LINE_END]);
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
