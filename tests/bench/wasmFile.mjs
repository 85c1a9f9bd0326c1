// The functions of a WebAssembly file with their names (core specification, 5.5 and appendix 7.4).

/** Reads unsigned LEB128 numbers and length-prefixed data. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = this.bytes[this.at];
      this.at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text() {
    return Buffer.from(this.take(this.number())).toString("utf8");
  }
}

const [CUSTOM, IMPORT, CODE] = [0, 2, 10];
const FUNCTION_NAMES = 1;

/**
 * The functions that the file defines: `{name, body}`.
 *
 * @param {Uint8Array} bytes
 * @throws {Error} where the file carries no names.
 */
export function functionsOf(bytes) {
  const reader = new Reader(bytes, 8);
  let [imported, bodies, names] = [0, [], undefined];
  while (reader.at < bytes.length) {
    const id = reader.take(1)[0];
    const section = new Reader(reader.take(reader.number()));
    if (id === IMPORT) imported = importedFunctions(section);
    if (id === CODE) bodies = Array.from({ length: section.number() }, () => section.take(section.number()));
    if (id === CUSTOM && section.text() === "name") names = functionNames(section);
  }
  if (names === undefined) throw new Error("The WebAssembly file carries no function names.");
  return bodies.map((body, k) => ({ name: names.get(imported + k) ?? "", body }));
}

function importedFunctions(section) {
  let functions = 0;
  for (let left = section.number(); left > 0; left -= 1) {
    section.text();
    section.text();
    const kind = section.take(1)[0];
    if (kind !== 0) throw new Error("Only functions are expected to be imported.");
    section.number();
    functions += 1;
  }
  return functions;
}

function functionNames(section) {
  const names = new Map();
  while (section.at < section.bytes.length) {
    const id = section.take(1)[0];
    const part = new Reader(section.take(section.number()));
    if (id !== FUNCTION_NAMES) continue;
    for (let left = part.number(); left > 0; left -= 1) {
      const index = part.number();
      names.set(index, part.text());
    }
  }
  return names;
}
