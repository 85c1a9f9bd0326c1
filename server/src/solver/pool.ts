import { fileURLToPath } from "node:url";
import workerpool from "workerpool";
import { fromEngine, internal, solverBusy, solveTimeout, stopping } from "../http/errors.ts";
import { FairLine, ITSELF } from "./fairLine.ts";
import type { Iterating, SolverThreadData, WorkAnswer, WorkName, Works } from "./work.ts";

/** How long a thread may take to end itself before it is terminated; workerpool waits twice this long. */
const THREAD_END_MS = 200;
/** After this time a thread has certainly ended. */
const THREAD_ENDED_MS = 5000;
/** Largest number of waiting works; each holds a connection and a little memory. */
const MOST_WAITING = 1000;

/** Options of the pool. */
export interface SolverPoolOptions {
  /** The built worker file. */
  worker: URL;
  /** Number of threads, and so of concurrent works. */
  concurrency: number;
  /** Time limit of a work, waiting included. */
  timeoutSecs: number;
  /** Called with the first work. */
  data: () => Promise<SolverThreadData>;
}

/** Options of a work. */
export interface SubmitOptions {
  /** The client, for the fair queue; absent for the server's own works. */
  client?: string;
  /** Time limit in place of the pool's. */
  timeoutSecs?: number;
  /** False for the server's own works, which are queued even if the queue is full. */
  bounded?: boolean;
  /**
   * Called with each new position while the work waits: the number of works that would start before it, plus one. It
   * may rise, see {@link FairLine}.
   */
  onPosition?: (position: number) => void;
  /** Called with the progress of an iterative solve until the work is settled. */
  onIteration?: (iterating: Iterating) => void;
}

/** A submitted work. */
export interface Submitted<K extends WorkName> {
  /** Position in the queue at submission; 0 starts at once. */
  position: number;
  /** Fulfilled when a thread starts the work; rejects like the result if the work is cancelled before. */
  started: Promise<unknown>;
  /** The result, or a `ServiceError`. */
  result: Promise<Works[K]["result"]>;
  /**
   * Removes the work from the queue or ends its thread; the result rejects with `reason`. Later calls have no effect.
   */
  cancel(reason: Error): void;
}

/** Counts of the pool. */
export interface SolverStats {
  waiting: number;
  running: number;
  /** Number of works that were cancelled on a thread: each cost a thread. */
  ended: number;
}

interface Task {
  start(): void;
  cancel(reason: Error): void;
  client: string;
  /** Last reported position in the queue, from 1. */
  position: number;
  onPosition: ((position: number) => void) | undefined;
  /** Settles when the work has left its thread. */
  left: Promise<unknown>;
}

/**
 * Solver threads behind a fair queue of our own; workerpool's queue is first come, first served, and reports no
 * positions. workerpool terminates and replaces a thread with a cancelled work, and a thread that died.
 */
export class SolverPool {
  readonly #options: SolverPoolOptions;
  readonly #line: FairLine<Task>;
  readonly #running = new Set<Task>();
  /** Cancelled works whose threads have not ended yet, oldest first: each frees its slot when its thread has ended. */
  readonly #ending: (() => void)[] = [];
  #threads: Promise<workerpool.Pool> | undefined;
  #ended = 0;
  #closing = false;
  #reporting = false;

  constructor(options: SolverPoolOptions) {
    this.#options = options;
    this.#line = new FairLine(options.concurrency);
  }

  stats(): SolverStats {
    return { waiting: this.#line.length, running: this.#running.size, ended: this.#ended };
  }

  /** Compiles the engine before the first work. */
  async warmUp(): Promise<void> {
    await this.#pool();
  }

  /**
   * Queues a work. Its result rejects with `SOLVE.TIMEOUT` at the time limit. Throws a `ServiceError` if the queue is
   * full or the server is stopping.
   */
  submit<K extends WorkName>(name: K, request: Works[K]["request"], options: SubmitOptions = {}): Submitted<K> {
    const {
      timeoutSecs = this.#options.timeoutSecs,
      bounded = true,
      client = ITSELF,
      onPosition,
      onIteration,
    } = options;
    if (this.#closing) throw stopping();
    if (bounded && this.#line.length >= MOST_WAITING) throw solverBusy(MOST_WAITING);
    const started = deferred<undefined>();
    const result = deferred<Works[K]["result"]>();
    const left = deferred<undefined>();
    let call: workerpool.Promise<WorkAnswer<K>> | undefined;
    let settled = false;

    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      act();
    };
    let gone = false;
    const leave = (): void => {
      if (gone) return;
      gone = true;
      this.#running.delete(task);
      this.#line.end(client);
      left.resolve(undefined);
      this.#advance();
    };
    const run = async (): Promise<void> => {
      const pool = await this.#pool();
      if (settled) return leave();
      const on = (iterating: Iterating): void => {
        if (!settled) onIteration?.(iterating);
      };
      call = pool.exec(name, [request], { on }) as workerpool.Promise<WorkAnswer<K>>;
      call.then(
        (answer) => {
          settle(() => (answer.ok ? result.resolve(answer.result) : result.reject(fromEngine(answer.error))));
          leave();
        },
        (error: unknown) => {
          if (settled) return;
          settle(() => result.reject(internal(error)));
          leave();
        },
      );
    };
    const task: Task = {
      client,
      position: 0,
      onPosition,
      left: left.promise,
      start: () => {
        this.#running.add(task);
        this.#line.begin(client);
        started.resolve(undefined);
        run().catch((error: unknown) => {
          settle(() => result.reject(internal(error)));
          leave();
        });
      },
      cancel: (reason) =>
        settle(() => {
          started.reject(reason);
          result.reject(reason);
          if (this.#line.remove(client, task)) {
            left.resolve(undefined);
            this.#reportPositionsSoon();
          }
          if (!call) return;
          this.#ended += 1;
          this.#ending.push(leave);
          call.cancel();
          // Frees the slot even if the end of the thread is never reported.
          setTimeout(leave, THREAD_ENDED_MS).unref();
        }),
    };
    const deadline = setTimeout(() => task.cancel(solveTimeout(timeoutSecs)), timeoutSecs * 1000);
    if (this.#line.admits(client)) task.start();
    else {
      this.#line.push(client, task);
      this.#reportPositions(task);
    }
    return { position: task.position, started: started.promise, result: result.promise, cancel: task.cancel };
  }

  /** Accepts no more works, cancels waiting ones, lets the others finish within `graceMs`, and ends the threads. */
  async close(graceMs = 0): Promise<void> {
    this.#closing = true;
    for (const task of this.#line.order()) task.cancel(stopping());
    const running = [...this.#running];
    let bound: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.all(running.map(({ left }) => left)),
      new Promise((resolve) => (bound = setTimeout(resolve, graceMs))),
    ]);
    clearTimeout(bound);
    for (const task of running) task.cancel(stopping());
    const threads = await this.#threads?.catch(() => undefined);
    await threads?.terminate(true);
  }

  #pool(): Promise<workerpool.Pool> {
    this.#threads ??= this.#create();
    // A failure to create the threads is reported to this work; the next one tries again.
    this.#threads.catch(() => (this.#threads = undefined));
    return this.#threads;
  }

  async #create(): Promise<workerpool.Pool> {
    const { worker, concurrency, data } = this.#options;
    return workerpool.pool(fileURLToPath(worker), {
      workerType: "thread",
      maxWorkers: concurrency,
      workerTerminateTimeout: THREAD_END_MS,
      onTerminateWorker: () => this.#ending.shift()?.(),
      // The process may run with loaders and inspectors, which a thread does not need.
      workerThreadOpts: { workerData: await data(), execArgv: [] },
    });
  }

  #advance(): void {
    for (let task = this.#line.shift(); task; task = this.#line.shift()) {
      task.start();
      this.#reportPositions();
    }
  }

  /**
   * Runs once for all works that leave the queue in one turn of the event loop, such as a thousand at their time limit.
   */
  #reportPositionsSoon(): void {
    if (this.#reporting) return;
    this.#reporting = true;
    setImmediate(() => {
      this.#reporting = false;
      this.#reportPositions();
    });
  }

  /**
   * Updates the positions of the waiting works and reports those that changed; `newcomer` gets its position from its
   * submission.
   */
  #reportPositions(newcomer?: Task): void {
    for (const [place, task] of this.#line.order().entries()) {
      const moved = task.position !== place + 1;
      task.position = place + 1;
      if (moved && task !== newcomer) task.onPosition?.(place + 1);
    }
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/**
 * A promise that is settled from outside. A rejection that nobody waits for any more (its client has left) is no
 * failure.
 */
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
