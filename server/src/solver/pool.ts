import { fileURLToPath } from "node:url";
import workerpool from "workerpool";
import { fromEngine, internal, solverBusy, solveTimeout, stopping } from "../http/errors.ts";
import { FairLine, ITSELF } from "./fairLine.ts";
import type { Iterating, SolverThreadData, WorkAnswer, WorkName, Works } from "./work.ts";

/** How long a thread may take to end itself before it is ended; workerpool waits this long twice. */
const THREAD_END_MS = 200;
/** After this long a thread has certainly ended. */
const THREAD_ENDED_MS = 5000;
/** Works that may wait; each holds a connection and a little memory. */
const MOST_WAITING = 1000;

/** What the pool is made of. */
export interface SolverPoolOptions {
  /** The built worker file. */
  worker: URL;
  /** Threads, and so works at a time. */
  concurrency: number;
  /** Deadline of a work, waiting included. */
  timeoutSecs: number;
  /** Asked for with the first work. */
  data: () => Promise<SolverThreadData>;
}

/** How a work is submitted. */
export interface SubmitOptions {
  /** Whose work it is: clients take turns, and none holds all threads. Without one it is the server's own. */
  client?: string;
  /** Deadline in place of the pool's. */
  timeoutSecs?: number;
  /** False for the server's own works: they find a place in any line. */
  bounded?: boolean;
  /** Told each new position while the work waits: works ahead of it as things stand, plus one. It may rise, see {@link FairLine}. */
  onPosition?: (position: number) => void;
  /** Told where a solve is that iterates, until the work is settled. */
  onIteration?: (told: Iterating) => void;
}

/** A submitted work. */
export interface Submitted<K extends WorkName> {
  /** Place in the line when it was submitted; 0 starts at once. */
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
  client: string;
  /** Place in the line, from 1 on, as it was told last. */
  position: number;
  onPosition: ((position: number) => void) | undefined;
  /** Settled when the work has left its thread. */
  left: Promise<unknown>;
}

/**
 * Solver threads behind a line of our own, in which clients take turns (workerpool's is first come, first served, and tells no
 * positions). A thread with a cancelled work is ended by workerpool and replaced, and so is one that died.
 */
export class SolverPool {
  readonly #options: SolverPoolOptions;
  readonly #line: FairLine<Task>;
  readonly #running = new Set<Task>();
  /** Cancelled works whose threads have not ended yet, oldest first: each frees its place when its thread has. */
  readonly #ending: (() => void)[] = [];
  #threads: Promise<workerpool.Pool> | undefined;
  #ended = 0;
  #closing = false;
  #telling = false;

  constructor(options: SolverPoolOptions) {
    this.#options = options;
    this.#line = new FairLine(options.concurrency);
  }

  stats(): SolverStats {
    return { waiting: this.#line.length, running: this.#running.size, ended: this.#ended };
  }

  /** Compiles the engine, so that the first work finds it ready. */
  async warmUp(): Promise<void> {
    await this.#pool();
  }

  /**
   * Puts a work in the line. It rejects with `SOLVE.TIMEOUT` at the deadline. Throws a `ServiceError` where the line is full
   * or the server is stopping.
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
      const on = (told: Iterating): void => {
        if (!settled) onIteration?.(told);
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
            this.#tellPositionsSoon();
          }
          if (!call) return;
          this.#ended += 1;
          this.#ending.push(leave);
          call.cancel();
          // Should the end of the thread not be told, the place is free again all the same.
          setTimeout(leave, THREAD_ENDED_MS).unref();
        }),
    };
    const deadline = setTimeout(() => task.cancel(solveTimeout(timeoutSecs)), timeoutSecs * 1000);
    if (this.#line.admits(client)) task.start();
    else {
      this.#line.push(client, task);
      this.#tellPositions(task);
    }
    return { position: task.position, started: started.promise, result: result.promise, cancel: task.cancel };
  }

  /** Takes no more works, cancels those that wait, lets the others finish within `graceMs`, and ends the threads. */
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
    // A failure to make them is told to this work; the next one tries again.
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
      // The process may run with loaders and inspectors; a thread needs none of them.
      workerThreadOpts: { workerData: await data(), execArgv: [] },
    });
  }

  #advance(): void {
    for (let task = this.#line.shift(); task; task = this.#line.shift()) {
      task.start();
      this.#tellPositions();
    }
  }

  /** Once for all works that leave the line in a turn of the event loop, such as a thousand at their deadline. */
  #tellPositionsSoon(): void {
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      this.#tellPositions();
    });
  }

  /** Notes where the waiting works are now, and tells those that have moved; `newcomer` learns it from its submission. */
  #tellPositions(newcomer?: Task): void {
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
