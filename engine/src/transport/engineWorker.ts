import { EngineError, internalError } from "../contract/errors.ts";
import type { Answer, Call, FromWorker, ToWorker } from "../contract/protocol.ts";
import { inPieces } from "./longTexts.ts";
import type { EngineCode, ModuleSource } from "./moduleSource.ts";
import { nextTurn } from "./turn.ts";

/** How long a worker may continue with an aborted call before it is terminated. */
const ABORT_GRACE_MS = 1000;

/**
 * How long a worker may take to start its script: a worker that the browser or its policy blocks sends nothing at all.
 */
const START_MS = 60_000;

/** A call that a worker runs or will run. */
export interface Job {
  readonly call: Call;
  /** The owner of the objects that it uses; see `ownerOf`. */
  readonly owner: string | undefined;
  /** The worker that runs it. */
  worker?: EngineWorker;
  resolve(answer: Answer): void;
  reject(error: EngineError): void;
}

/**
 * One dedicated worker, which runs calls one at a time. The queue stays on this side, so that an aborted call that has
 * not started is simply removed. A running call is answered `ABORTED` at once, and the worker is replaced if it does
 * not respond soon. Its objects are then lost: handles rebuild their Studies, and jobs start again.
 */
export class EngineWorker {
  /** Owners with objects in this worker. */
  readonly owners = new Set<string>();
  /** Hashes of the cases of which Studies were made here: the engine probably still has their networks open. */
  readonly cases = new Set<string>();
  readonly #create: () => Worker;
  readonly #source: ModuleSource;
  readonly #rested: (worker: EngineWorker) => void;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #since = 0;
  #worker: Promise<Worker> | undefined;
  /** The worker once it has responded: a call is then posted at once and not behind other tasks of the page. */
  #live: Worker | undefined;

  /** `create` starts the worker script, `source` provides the engine; `rested` is called when the queue is empty. */
  constructor(create: () => Worker, source: ModuleSource, rested: (worker: EngineWorker) => void = () => undefined) {
    this.#create = create;
    this.#source = source;
    this.#rested = rested;
  }

  /** Number of calls that run or wait. */
  get load(): number {
    return this.#queue.length + (this.#running ? 1 : 0);
  }

  /** The running call. */
  get running(): Job | undefined {
    return this.#running;
  }

  /** How long the current call has been running, ms. */
  get busyMs(): number {
    return this.#running ? performance.now() - this.#since : 0;
  }

  /** The waiting calls, in order. */
  get waiting(): readonly Job[] {
    return this.#queue;
  }

  /** Starts the worker if it is not running; otherwise the first call starts it. */
  async start(): Promise<void> {
    await (this.#worker ??= this.#spawn());
  }

  /** Queues a call. */
  add(job: Job): void {
    job.worker = this;
    this.#queue.push(job);
    this.#next();
  }

  /** Removes waiting calls from the queue. */
  withdraw(which: (job: Job) => boolean): Job[] {
    const out = this.#queue.filter(which);
    for (const job of out) this.#queue.splice(this.#queue.indexOf(job), 1);
    return out;
  }

  /** Answers a call with `error` at once. */
  abort(job: Job, error: EngineError): void {
    this.withdraw((waiting) => waiting === job);
    job.reject(error);
    if (this.#running !== job) return;
    setTimeout(() => {
      if (this.#running === job) this.#replace(error);
    }, ABORT_GRACE_MS);
  }

  /** Terminates the worker; the next call starts another. */
  end(): void {
    const worker = this.#worker;
    this.#worker = this.#live = undefined;
    this.cases.clear();
    worker?.then(
      (running) => running.terminate(),
      () => undefined, // the worker never started
    );
  }

  #next(): void {
    if (this.#running) return;
    const job = (this.#running = this.#queue.shift());
    if (!job) return this.#rested(this);
    this.#since = performance.now();
    const failed = (error: unknown) => {
      this.#worker = this.#live = undefined;
      this.#finish((one) => one.reject(error instanceof EngineError ? error : internalError(error)));
    };
    const post = (worker: Worker | undefined) => {
      if (this.#running !== job || !worker) return;
      const long = inPieces(job.call);
      if (long) void this.#postPieces(worker, job, long).catch(failed);
      else worker.postMessage({ kind: "call", call: job.call } satisfies ToWorker);
    };
    if (!this.#live) {
      void this.start()
        .then(() => this.#worker)
        .then(post)
        .catch(failed);
      return;
    }
    try {
      post(this.#live);
    } catch (error) {
      failed(error); // the call cannot be cloned
    }
  }

  /** Posts a call with a long text in pieces, so that frames and input run in between. */
  async #postPieces(
    worker: Worker,
    job: Job,
    { call, pieces }: NonNullable<ReturnType<typeof inPieces>>,
  ): Promise<void> {
    for (const text of pieces) {
      worker.postMessage({ kind: "text", text } satisfies ToWorker);
      await nextTurn();
      if (this.#running !== job) return; // the worker was terminated meanwhile
    }
    worker.postMessage({ kind: "call", call } satisfies ToWorker);
  }

  #finish(settle: (job: Job) => void): void {
    const job = this.#running;
    this.#running = undefined;
    if (job) settle(job);
    this.#next();
  }

  #replace(error: EngineError): void {
    this.end();
    this.#finish((job) => job.reject(error));
  }

  async #spawn(): Promise<Worker> {
    const worker = this.#create();
    const engine = await this.#source.forWorker().catch((error: unknown) => {
      worker.terminate();
      throw error;
    });
    const lock = `wattbook-worker-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    const locked = await new Promise<boolean>((resolve, reject) => {
      let ready = false;
      let compiles = typeof engine === "string";
      const begin = (code: EngineCode) => worker.postMessage({ kind: "init", engine: code, lock } satisfies ToWorker);
      const unstarted = setTimeout(() => fail(internalError("The worker does not start.")), START_MS);
      const fail = (error: Error) => {
        clearTimeout(unstarted);
        worker.terminate();
        if (compiles) this.#source.lost();
        reject(error);
      };
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        switch (data.kind) {
          case "started":
            return clearTimeout(unstarted);
          case "compiled":
            compiles = false;
            return this.#source.compiled(data.module);
          case "ready":
            ready = true;
            return resolve(data.locked);
          case "failed":
            if (!compiles) return fail(new EngineError(data.error));
            compiles = false; // this worker may not compile, but the page may
            this.#source.lost();
            return void this.#source.here().then(begin, fail);
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
        fail(error);
      };
      begin(engine);
    });
    if (locked) void this.#watch(worker, lock);
    this.#live = worker;
    return worker;
  }

  /**
   * A terminated thread sends nothing. The worker holds a lock while it lives, so that this side gets the lock when the
   * thread ends.
   */
  async #watch(worker: Worker, lock: string): Promise<void> {
    await navigator.locks.request(lock, () => undefined);
    const present = await this.#worker?.catch(() => undefined);
    if (present === worker) this.#replace(internalError("The thread of the worker was ended."));
  }
}
