import { abortedError, EngineError, internalError } from "./errors.ts";
import type { Answer, Call, FromWorker, ToWorker } from "./protocol.ts";
import type { Transport } from "./transport.ts";

/** How long a worker may go on with a call that was aborted before it is ended. */
const ABORT_GRACE_MS = 1000;

interface Job {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: EngineError) => void;
}

/**
 * Runs calls in a dedicated worker, one at a time. The queue stays on this side so that an aborted call that has not begun is
 * simply taken out of it; a running one is answered `ABORTED` at once, and if the worker does not come back soon it is
 * replaced. Studies lost that way are built again by their handles.
 */
export class WorkerTransport implements Transport {
  readonly #create: () => Worker;
  readonly #wasmUrl: string;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #worker: Promise<Worker> | undefined;

  /** `create` starts the worker script; `wasmUrl` is absolute. */
  constructor(create: () => Worker, wasmUrl: string) {
    this.#create = create;
    this.#wasmUrl = wasmUrl;
  }

  async start(): Promise<void> {
    await (this.#worker ??= this.#spawn());
  }

  request(call: Call, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortedError(signal));
        return;
      }
      const onAbort = () => this.#abort(job, abortedError(signal as AbortSignal));
      const done = () => signal?.removeEventListener("abort", onAbort);
      const job: Job = {
        call,
        resolve: (answer) => (done(), resolve(answer)),
        reject: (error) => (done(), reject(error)),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#queue.push(job);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running) return;
    const job = (this.#running = this.#queue.shift());
    if (!job) return;
    this.start()
      .then(() => this.#worker)
      .then((worker) => {
        if (this.#running === job) worker?.postMessage({ kind: "call", call: job.call } satisfies ToWorker);
      })
      .catch((error: unknown) => {
        this.#worker = undefined;
        this.#finish((failed) => failed.reject(error instanceof EngineError ? error : internalError(error)));
      });
  }

  #finish(settle: (job: Job) => void): void {
    const job = this.#running;
    this.#running = undefined;
    if (job) settle(job);
    this.#next();
  }

  #abort(job: Job, error: EngineError): void {
    const waiting = this.#queue.indexOf(job);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    job.reject(error);
    if (this.#running !== job) return;
    setTimeout(() => {
      if (this.#running === job) this.#replace(error);
    }, ABORT_GRACE_MS);
  }

  /** Ends the worker; the next call starts another. */
  #replace(error: EngineError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.then((running) => running.terminate());
    this.#finish((job) => job.reject(error));
  }

  #spawn(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = this.#create();
      let ready = false;
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        switch (data.kind) {
          case "ready":
            ready = true;
            return resolve(worker);
          case "failed":
            worker.terminate();
            return reject(new EngineError(data.error));
          case "answer":
            return this.#finish((job) => job.resolve(data.answer));
          case "error":
            return this.#finish((job) => job.reject(new EngineError(data.error)));
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        const error = internalError(event.message);
        if (ready) return this.#replace(error);
        worker.terminate();
        reject(error);
      };
      worker.postMessage({ kind: "init", wasmUrl: this.#wasmUrl } satisfies ToWorker);
    });
  }
}
