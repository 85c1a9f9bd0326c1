// An HTTP/1.1 client that sends bytes verbatim: Node's own refuses addresses that a hostile client would send.
import { connect, type Socket } from "node:net";

/** One answer. `body` is decoded from its chunks, not decompressed. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

/** A connection that sends one request at a time and reopens itself when the server has closed it. */
export class RawClient {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request head for `target` (Latin-1 bytes, no line feeds) and reads the answer. */
  async ask(method: string, target: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = (this.#socket ??= await this.#opened());
    const reading = readAnswer(socket, method === "HEAD");
    socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"));
    const answer = await reading;
    if (answer.headers.get("connection") === "close" || socket.destroyed) this.close();
    return answer;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #opened(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, "127.0.0.1", () => resolve(socket));
      socket.once("error", reject);
      socket.once("close", () => {
        if (this.#socket === socket) this.#socket = undefined;
      });
    });
  }
}

/** Reads one answer from a socket; rejects when the connection ends before it is complete. */
function readAnswer(socket: Socket, headOnly: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const stop = (): void => {
      socket.off("data", onData).off("close", onClose).off("error", onClose);
    };
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const answer = parsed(received, headOnly);
      if (!answer) return;
      stop();
      resolve(answer);
    };
    const onClose = (): void => {
      stop();
      reject(new Error(`the connection ended after "${received.toString("latin1").slice(0, 200)}"`));
    };
    socket.on("data", onData).on("close", onClose).on("error", onClose);
  });
}

/** The answer, once it is complete. */
function parsed(received: Buffer, headOnly: boolean): RawAnswer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (!status) throw new Error(`not an answer: ${first}`);
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = received.subarray(end + 4);
  const answer = (body: Buffer): RawAnswer => ({ status, headers, body });
  if (headOnly || status === 304 || status === 204) return answer(Buffer.alloc(0));
  if (headers.get("transfer-encoding") === "chunked") {
    const body = unchunked(rest);
    return body && answer(body);
  }
  const length = Number(headers.get("content-length") ?? 0);
  return rest.length < length ? undefined : answer(rest.subarray(0, length));
}

function unchunked(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = rest.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = parseInt(rest.toString("latin1", at, line), 16);
    if (rest.length < line + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
