import { type ISignal, Signal } from "@lumino/signaling";
import type { FileOutcome } from "./fileOutcomes.ts";
import { takeIn } from "./intake.ts";
import { WaitingFiles } from "./waitingFiles.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import type { IntakeProgress, IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";
import type { AcceptOpening } from "../session/localOpening.ts";
import { visibleText } from "../../text/index.ts";

/** A running batch of files with its progress. */
export class RunningBatch {
  progress: IntakeProgress;
  readonly #abort = new AbortController();

  constructor(files: readonly IntakeFile[]) {
    this.progress = { stage: "reading", done: 0, total: files.length, file: visibleText(files[0]?.name ?? "") };
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops it at once; what is not open yet stays closed. */
  cancel(): void {
    this.#abort.abort();
  }
}

/**
 * Processes batches of files and stores the report of the last one. Batches run side by side, so that a long one does
 * not delay others; only layers and drawings without a case wait for earlier batches, which may contain it.
 */
export class FileIntake {
  readonly #workspace: IntakeWorkspace;
  readonly #changed = new Signal<this, void>(this);
  readonly #waitingFiles = new WaitingFiles();
  #before: Promise<unknown> = Promise.resolve();
  #running: readonly RunningBatch[] = [];
  #outcomes: readonly FileOutcome[] = [];
  #onMap = false;

  constructor(workspace: IntakeWorkspace) {
    this.#workspace = workspace;
  }

  /** Emitted with progress and with a new report. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The running batches, in the order in which they were given. */
  get running(): readonly RunningBatch[] {
    return this.#running;
  }

  /**
   * The report of the batch that ended last, one line per file; empty before the first batch and after it was
   * dismissed.
   */
  get outcomes(): readonly FileOutcome[] {
    return this.#outcomes;
  }

  /** Whether the last batch was dropped on a map or viewer, which shows its report instead of the panel. */
  get onMap(): boolean {
    return this.#onMap;
  }

  /**
   * Processes a batch. Layers and drawings without a case go to `target`, the case of the map that received the files,
   * by default to the case in front. `origin` may show what is opened.
   */
  async take(
    files: readonly IntakeFile[],
    target?: IntakeTarget,
    origin: AcceptOpening | null = null,
  ): Promise<readonly FileOutcome[]> {
    const batch = new RunningBatch(files);
    const earlier = this.#before;
    this.#onMap = target !== undefined;
    this.#outcomes = [];
    this.#running = [...this.#running, batch];
    this.#changed.emit();
    const work = takeIn(files, this.#workspace, {
      origin,
      target: async () => {
        await earlier;
        return target ?? this.#workspace.active?.opened ?? this.#workspace.network;
      },
      signal: batch.signal,
      waitingFiles: this.#waitingFiles,
      onProgress: (progress) => {
        batch.progress = progress;
        this.#changed.emit();
      },
    });
    const settled = work.catch(() => undefined);
    this.#before = Promise.all([earlier, settled]);
    try {
      return (this.#outcomes = await work);
    } finally {
      this.#running = this.#running.filter((one) => one !== batch);
      this.#changed.emit();
    }
  }

  /** Dismisses the report. */
  dismiss(): void {
    this.#outcomes = [];
    this.#changed.emit();
  }
}
