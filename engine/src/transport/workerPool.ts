import { EngineWorker, type Job } from "./engineWorker.ts";
import { abortedError } from "../contract/errors.ts";
import { isLast, onlyFrees, ownerOf, type Purpose, purposeOf } from "../contract/owners.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import type { ModuleSource } from "./moduleSource.ts";
import type { Transport } from "./transport.ts";

/** Workers of each purpose. Further Studies share workers. */
const MOST: Record<Purpose, number> = { files: 3, studies: 5, feeders: 3 };

/** How long a call waits behind one of another owner before it moves to another worker. */
const PATIENCE_MS = 1000;

/** Idle time after which an empty worker is terminated, because WebAssembly memory never shrinks. */
const IDLE_MS = 30_000;

/**
 * Distributes calls over workers. The Studies of each case have a worker of their own while there are enough, and files
 * and modules have another, so that a call that is slow or hangs delays only the Studies of its own case. A Study
 * starts in the worker that read its case if that worker is free, so that no case is read twice. Workers start when
 * they are needed. A call that waits behind another owner moves to another worker with its Study, whose handle rebuilds
 * it there.
 */
export class WorkerPool implements Transport {
  readonly #create: () => Worker;
  readonly #source: ModuleSource;
  readonly #workers: Record<Purpose, EngineWorker[]> = { files: [], studies: [], feeders: [] };
  /** The worker with the objects of each owner. */
  readonly #homes = new Map<string, EngineWorker>();
  readonly #watched = new Set<EngineWorker>();
  readonly #ends = new Map<EngineWorker, ReturnType<typeof setTimeout>>();
  /** The worker that gave each answer. */
  readonly #from = new WeakMap<Answer, EngineWorker>();

  /** `create` starts the worker script; `source` provides the engine, which all workers share. */
  constructor(create: () => Worker, source: ModuleSource) {
    this.#create = create;
    this.#source = source;
  }

  /** Starts the worker that will read and solve the first case. */
  async start(): Promise<void> {
    await (this.#workers.studies[0] ?? this.#add("studies")).start();
  }

  /** Starts one worker; rejects if the page cannot have workers. */
  async probe(): Promise<void> {
    await (this.#workers.files[0] ?? this.#add("files")).start();
  }

  request(call: Call, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortedError(signal));
        return;
      }
      const owner = ownerOf(call);
      if (onlyFrees(call) && owner !== undefined && !this.#homes.has(owner)) {
        resolve({ ms: 0 }); // no worker holds any object of it
        return;
      }
      const onAbort = () => job.worker?.abort(job, abortedError(signal as AbortSignal));
      const done = () => {
        signal?.removeEventListener("abort", onAbort);
        if (isLast(call)) this.#leaves(job.owner);
      };
      const job: Job = {
        call,
        owner,
        resolve: (answer) => {
          if (job.worker) this.#from.set(answer, job.worker);
          done();
          resolve(answer);
        },
        reject: (error) => (done(), reject(error)),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#assign(job, this.#homeOf(job));
    });
  }

  opened(answer: Answer, sha256: string): void {
    this.#from.get(answer)?.cases.add(sha256);
  }

  #assign(job: Job, worker: EngineWorker): void {
    worker.add(job);
    this.#watch(worker);
  }

  #homeOf({ owner, call }: Job): EngineWorker {
    const purpose = purposeOf(call);
    const sha256 = "sha256" in call ? call.sha256 : undefined;
    const known = owner === undefined ? undefined : this.#homes.get(owner);
    const home = known ?? this.#withCase(sha256) ?? this.#choose(purpose);
    if (owner !== undefined) this.#settles(owner, home);
    if (sha256 !== undefined) home.cases.add(sha256);
    return home;
  }

  /**
   * An idle worker that has the case open, or one that is reading the case for its first Study. A worker for files
   * serves Studies from then on; the next file starts another.
   */
  #withCase(sha256: string | undefined): EngineWorker | undefined {
    if (sha256 === undefined) return undefined;
    const { files, studies } = this.#workers;
    const home = studies.find(({ load, owners, cases }) => cases.has(sha256) && (load === 0 || owners.size === 0));
    if (home || studies.length >= MOST.studies) return home;
    const reader = files.find(({ load, owners, cases }) => cases.has(sha256) && load === 0 && owners.size === 0);
    if (reader) {
      files.splice(files.indexOf(reader), 1);
      studies.push(reader);
    }
    return reader;
  }

  #settles(owner: string, home: EngineWorker): void {
    this.#homes.get(owner)?.owners.delete(owner);
    this.#homes.set(owner, home);
    home.owners.add(owner);
  }

  #leaves(owner: string | undefined): void {
    if (owner === undefined) return;
    const home = this.#homes.get(owner);
    this.#homes.delete(owner);
    home?.owners.delete(owner);
    if (home) this.#rested(home);
  }

  /**
   * A worker for a new owner: Studies get one of their own while there are workers, other calls get one that already
   * runs.
   */
  #choose(purpose: Purpose): EngineWorker {
    const workers = this.#workers[purpose];
    const vacant = workers.find(({ load, owners }) => load === 0 && owners.size === 0);
    if (vacant) return vacant;
    const more = purpose === "files" ? workers.length === 0 : workers.length < MOST[purpose];
    return more ? this.#add(purpose) : (this.#leastBusy(workers) as EngineWorker);
  }

  #leastBusy(workers: readonly EngineWorker[]): EngineWorker | undefined {
    return [...workers].sort((a, b) => a.load - b.load || a.owners.size - b.owners.size)[0];
  }

  #add(purpose: Purpose): EngineWorker {
    const worker = new EngineWorker(this.#create, this.#source, (rested) => this.#rested(rested));
    this.#workers[purpose].push(worker);
    return worker;
  }

  /** Checks a worker again later if calls wait in it. */
  #watch(worker: EngineWorker): void {
    if (this.#watched.has(worker) || worker.waiting.length === 0) return;
    this.#watched.add(worker);
    const due = Math.max(PATIENCE_MS - worker.busyMs, PATIENCE_MS / 10);
    setTimeout(() => {
      this.#watched.delete(worker);
      if (worker.busyMs >= PATIENCE_MS) this.#relieve(worker);
      this.#watch(worker);
    }, due);
  }

  /** Moves calls of other owners from a busy worker to idle ones. */
  #relieve(worker: EngineWorker): void {
    const busyWith = worker.running?.owner;
    for (const job of [...worker.waiting]) {
      const { owner } = job;
      if (job.call.op === "leave" || job.worker !== worker || (owner !== undefined && owner === busyWith)) continue;
      const other = this.#elsewhere(worker);
      if (!other) return;
      const moved = worker.withdraw((waiting) => waiting === job || (owner !== undefined && waiting.owner === owner));
      if (owner !== undefined) {
        this.#settles(owner, other);
        const ignored = () => undefined; // nobody waits for this answer
        worker.add({ call: { op: "leave", owner }, owner, resolve: ignored, reject: ignored });
      }
      for (const one of moved) other.add(one);
    }
  }

  #elsewhere(worker: EngineWorker): EngineWorker | undefined {
    const all = Object.entries(this.#workers) as [Purpose, EngineWorker[]][];
    const purpose = all.find(([, workers]) => workers.includes(worker))?.[0] ?? "files";
    const workers = this.#workers[purpose];
    const idle = this.#leastBusy(workers.filter(({ load }) => load === 0));
    return idle ?? (workers.length < MOST[purpose] ? this.#add(purpose) : undefined);
  }

  #rested(worker: EngineWorker): void {
    clearTimeout(this.#ends.get(worker));
    const end = setTimeout(() => {
      this.#ends.delete(worker);
      if (worker.load > 0 || worker.owners.size > 0) return;
      worker.end();
      for (const workers of Object.values(this.#workers)) {
        if (workers.includes(worker)) workers.splice(workers.indexOf(worker), 1);
      }
    }, IDLE_MS);
    (end as { unref?: () => void }).unref?.(); // in Node the timer must not keep the process alive
    this.#ends.set(worker, end);
  }
}
