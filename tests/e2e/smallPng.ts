// Pictures for the documentation as PNG with a palette: a third of the size of a screenshot with no visible difference.
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

const COLOURS = 256;

/** A screenshot reduced to at most 256 colours that approximate its own. `page` decodes it. */
export async function smallPng(page: Page, screenshot: Buffer): Promise<Buffer> {
  const { width, height, data } = await page.evaluate(async (encoded) => {
    const image = new Image();
    image.src = `data:image/png;base64,${encoded}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const colours: number[] = [];
    for (let k = 0; k < pixels.length; k += 4)
      colours.push(((pixels[k] ?? 0) << 16) | ((pixels[k + 1] ?? 0) << 8) | (pixels[k + 2] ?? 0));
    return { width: image.width, height: image.height, data: colours };
  }, screenshot.toString("base64"));
  const { palette, indexOf } = reduced(data);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter type, 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(data[y * width + x] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // eight bits, by palette
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * Frequent colours with a minimum mutual distance, the smallest for which 256 suffice; other colours map to the nearest
 * of them.
 */
function reduced(colours: readonly number[]): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const known = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  let palette: number[];
  let apart = 0;
  do {
    palette = [];
    for (const colour of known) {
      if (palette.length > COLOURS) break;
      if (palette.every((other) => distance(other, colour) > apart ** 2)) palette.push(colour);
    }
    apart += 2;
  } while (palette.length > COLOURS);
  return { palette, indexOf: new Map(known.map((colour) => [colour, nearest(palette, colour)])) };
}

function nearest(palette: readonly number[], colour: number): number {
  return palette.reduce(
    (best, other, k) => (distance(other, colour) < distance(palette[best] ?? 0, colour) ? k : best),
    0,
  );
}

/** The squared distance of two colours. */
function distance(a: number, b: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The checksum of a chunk (PNG specification, annex D). */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
