/** What two bytes of UTF-8 stand for, as `characters` in widgets/python/wattbook/map/page_file.py has it. */
const REPLACED = [0x00, 0x0d, 0x1a, 0x1b, 0x26, 0x3c];
const BITS = 7;

/** The first `length` bytes that a text of `characters` (page_file.py) stands for: seven bits a character, the highest first. */
export function bytesOf(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let [at, held, bits] = [0, 0, 0];
  const take = (symbol: number): void => {
    held = ((held << BITS) | symbol) & 0x3fff;
    bits += BITS;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = held >> bits;
      at += 1;
    }
  };
  for (let k = 0; k < text.length; k += 1) {
    const code = text.charCodeAt(k);
    if (code > 0x7f) {
      take(REPLACED[(code >> BITS) & 7] ?? 0);
    }
    take(code & 0x7f);
  }
  return bytes;
}
