// A worker whose answers each test defines.
/** The smallest WebAssembly module. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
export const EMPTY_MODULE = new WebAssembly.Module(EMPTY);

type Message =
  | { kind: "init"; engine: unknown }
  | { kind: "text"; text: string }
  | { kind: "call"; call: { op: string; module?: string } };
export type Handler = (worker: DoubleWorker, call: { op: string }) => void;

/** Stands for `Worker`: records its messages and answers as the test defines. */
export class DoubleWorker {
  static made: DoubleWorker[] = [];
  /** Whether workers can compile. */
  static compiles = true;
  static handler: Handler = (worker) => worker.answer("{}");
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: (event: { message: string; preventDefault(): void }) => void = () => undefined;
  readonly url: string;
  readonly calls: string[] = [];
  /** Pieces of long texts. */
  readonly texts: string[] = [];
  /** The received parts of the engine. */
  engine: unknown;
  ended = false;

  constructor(url: string) {
    this.url = url;
    DoubleWorker.made.push(this);
  }

  postMessage(message: Message): void {
    if (message.kind === "init") {
      this.engine = message.engine;
      this.tell({ kind: "started" });
      if (typeof message.engine === "string" && !DoubleWorker.compiles) {
        return this.tell({ kind: "failed", error: { code: "INTERNAL", message: "refused" } });
      }
      if (typeof message.engine === "string") this.tell({ kind: "compiled", module: EMPTY_MODULE });
      return this.tell({ kind: "ready", locked: false });
    }
    if (message.kind === "text") return void this.texts.push(message.text);
    this.calls.push(message.call.op);
    DoubleWorker.handler(this, message.call);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(json: string): void {
    this.tell({ kind: "answer", answer: { json, ms: 0 } });
  }

  lost(): void {
    this.tell({ kind: "error", error: { code: "STUDY.LOST", message: "" } });
  }

  die(): void {
    this.onerror({ message: "crashed", preventDefault: () => undefined });
  }

  tell(data: unknown): void {
    setImmediate(() => !this.ended && this.onmessage({ data }));
  }
}

export const assets = { wasmUrl: "http://host/engine.wasm", workerUrl: "http://host/worker.js" };
export const silent: Handler = () => undefined;
/** Files of the server, by address. */
export const served = new Map<string, { type: string; body: Uint8Array<ArrayBuffer> }>();
const { fetch: ownFetch } = globalThis;

/** Gives the tests of a file double workers and their own server. */
export function useDoubleWorkers(test: { beforeEach(run: () => void): void; teardown(run: () => void): void }): void {
  test.beforeEach(() => {
    DoubleWorker.made = [];
    DoubleWorker.compiles = true;
    DoubleWorker.handler = (worker) => worker.answer("{}");
    served.clear();
    served.set(assets.wasmUrl, { type: "application/wasm", body: EMPTY });
    served.set(assets.workerUrl, { type: "text/javascript", body: Uint8Array.of(59) });
    const fetch = (url: string) => {
      const file = served.get(url);
      const headers = { "content-type": file?.type ?? "text/plain" };
      return Promise.resolve(new Response(file?.body ?? null, { status: file ? 200 : 404, headers }));
    };
    Object.assign(globalThis, { Worker: DoubleWorker, fetch });
  });
  test.teardown(() => {
    delete (globalThis as { Worker?: unknown }).Worker;
    globalThis.fetch = ownFetch;
  });
}

export const only = () => DoubleWorker.made.findLast(({ calls }) => calls.length > 0) as DoubleWorker;
export const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export const soon = async () => {
  while (!only()?.calls.length) await after(5);
  await after(20);
};
export const inspect = { op: "inspectModule", module: "" } as const;
export const create = (study: number) =>
  ({ op: "createStudy", study, module: "", formulation: "dcopf", options: "{}" }) as const;
export const ask = (study: number) => ({ op: "currentSolution", study }) as const;
