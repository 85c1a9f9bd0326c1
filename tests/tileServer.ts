// A server of tiles of one colour on its own port, which records requests.
import { createServer, type Server } from "node:http";
import { deflateSync } from "node:zlib";

/** The colour of every tile. */
export const TILE_COLOUR = [180, 60, 200] as const;

export interface TileServer {
  readonly url: string;
  /** The paths requested so far. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Serves `/Z/X/Y.png`, and files given by path; without `cors` no other site may read them. */
export async function startTileServer(
  files: Record<string, string | Buffer> = {},
  { cors = true } = {},
): Promise<TileServer> {
  const requests: string[] = [];
  const tile = pngOf(TILE_COLOUR);
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    requests.push(pathname);
    if (cors) {
      response.setHeader("access-control-allow-origin", "*");
    }
    response.setHeader("access-control-allow-headers", "range");
    const content = /^\/\d+\/\d+\/\d+\.png$/.test(pathname) ? tile : files[pathname];
    response.statusCode = content === undefined ? 404 : 200;
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A PNG of 256 by 256 pixels of one colour. */
export function pngOf(colour: readonly [number, number, number]): Buffer {
  const [size, row] = [256, Buffer.alloc(1 + 3 * 256)];
  for (let k = 0; k < size; k += 1) {
    row.set(colour, 1 + 3 * k);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const magic = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([magic, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The checksum of PNG: https://www.w3.org/TR/png-3/#samplecrc. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k += 1) {
      crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}
