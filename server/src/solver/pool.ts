import { fileURLToPath } from "node:url";
import workerpool from "workerpool";
import { fromEngine, solveTimeout, stopping } from "../errors.ts";
import type { SolverThreadData, WorkAnswer, WorkName, Works } from "./work.ts";

/** How long a thread may take to end itself before it is ended; workerpool waits this long twice. */
const THREAD_END_MS = 200;

/** What the pool is made of. */
export interface SolverPoolOptions {
  /** The built worker file. */
  worker: URL;
  /** Threads, and so works at a time. */
  concurrency: number;
  /** Deadline of a work, waiting included; works may be submitted without it. */
  timeoutSecs: number;
  data: SolverThreadData;
}

/** A submitted work. */
export interface Submitted<K extends WorkName> {
  /** Works ahead of this one when it was submitted; 0 starts at once. */
  position: number;
  /** Fulfilled when a thread begins with it; rejects like the result when it is cancelled before. */
  started: Promise<unknown>;
  /** The result, or a `ServiceError`. */
  result: Promise<Works[K]["result"]>;
  /** Takes it out of the line or ends its thread; the result rejects with `reason`. Later calls do nothing. */
  cancel(reason: Error): void;
}

/** Counts of the pool. */
export interface SolverStats {
  waiting: number;
  running: number;
  /** Works that were cancelled while a thread worked on them: each cost a thread. */
  ended: number;
}

interface Task {
  start(): void;
  cancel(reason: Error): void;
}

/**
 * Solver threads behind a line of our own (workerpool's own line tells no positions). A thread with a cancelled work is
 * ended by workerpool and replaced.
 */
export class SolverPool {
  readonly #pool: workerpool.Pool;
  readonly #concurrency: number;
  readonly #timeoutSecs: number;
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Task>();
  /** Cancelled works whose threads have not ended yet, oldest first: each frees its place when its thread has. */
  readonly #ending: (() => void)[] = [];
  #ended = 0;

  constructor({ worker, concurrency, timeoutSecs, data }: SolverPoolOptions) {
    this.#concurrency = concurrency;
    this.#timeoutSecs = timeoutSecs;
    this.#pool = workerpool.pool(fileURLToPath(worker), {
      workerType: "thread",
      maxWorkers: concurrency,
      workerTerminateTimeout: THREAD_END_MS,
      onTerminateWorker: () => this.#ending.shift()?.(),
      // The process may run with loaders and inspectors; a thread needs none of them.
      workerThreadOpts: { workerData: data, execArgv: [] },
    });
  }

  stats(): SolverStats {
    return { waiting: this.#waiting.length, running: this.#running.size, ended: this.#ended };
  }

  /** Puts a work in the line. `timed` works reject with `SOLVE.TIMEOUT` at the deadline. */
  submit<K extends WorkName>(name: K, request: Works[K]["request"], timed = true): Submitted<K> {
    const started = deferred<undefined>();
    const result = deferred<Works[K]["result"]>();
    let call: workerpool.Promise<WorkAnswer<K>> | undefined;
    let settled = false;

    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      act();
    };
    const leave = (): void => {
      this.#running.delete(task);
      this.#advance();
    };
    const task: Task = {
      start: () => {
        this.#running.add(task);
        started.resolve(undefined);
        call = this.#pool.exec(name, [request]) as workerpool.Promise<WorkAnswer<K>>;
        call.then(
          (answer) => {
            settle(() => (answer.ok ? result.resolve(answer.result) : result.reject(fromEngine(answer.error))));
            leave();
          },
          (error: unknown) => {
            if (settled) return;
            settle(() => result.reject(error));
            leave();
          },
        );
      },
      cancel: (reason) =>
        settle(() => {
          started.reject(reason);
          result.reject(reason);
          const place = this.#waiting.indexOf(task);
          if (place >= 0) this.#waiting.splice(place, 1);
          if (!call) return;
          this.#ended += 1;
          this.#ending.push(leave);
          call.cancel();
        }),
    };
    const deadline = timed
      ? setTimeout(() => task.cancel(solveTimeout(this.#timeoutSecs)), this.#timeoutSecs * 1000)
      : undefined;
    const free = this.#running.size < this.#concurrency;
    const position = free ? 0 : this.#waiting.length + 1;
    if (free) task.start();
    else this.#waiting.push(task);
    return { position, started: started.promise, result: result.promise, cancel: task.cancel };
  }

  /** Cancels everything and ends the threads. */
  async close(): Promise<void> {
    for (const task of [...this.#waiting, ...this.#running]) task.cancel(stopping());
    await this.#pool.terminate(true);
  }

  #advance(): void {
    while (this.#running.size < this.#concurrency) {
      const task = this.#waiting.shift();
      if (!task) return;
      task.start();
    }
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** A promise to be settled from outside. A rejection that nobody waits for any more (its client has left) is no failure. */
function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
