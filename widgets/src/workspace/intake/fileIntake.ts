import { type ISignal, Signal } from "@lumino/signaling";
import { takeIn, type IntakeProgress, type IntakeTarget } from "./intake.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import { MutationQueue } from "../session/mutationQueue.ts";
import type { FileOutcome } from "./fileOutcomes.ts";
import type { LocalOpening, Workspace } from "../workspace.ts";

/** Where a batch came from, when that may show what it opens. */
export interface OpeningHost {
  /** Takes what was opened; false leaves it to the others. */
  accept(opening: LocalOpening): boolean;
}

/** Takes in batches of files one after another and keeps the report of the last for those who show it. */
export class FileIntake {
  readonly #workspace: Workspace;
  readonly #queue = new MutationQueue();
  readonly #changed = new Signal<this, void>(this);
  #progress: IntakeProgress | null = null;
  #outcomes: readonly FileOutcome[] = [];
  #abort: AbortController | null = null;
  #onMap = false;
  #origin: OpeningHost | null = null;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Tells of progress and of a new report. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** How far the batch under way is; null at rest. */
  get progress(): IntakeProgress | null {
    return this.#progress;
  }

  /** The report of the last batch, a line for each file; empty before the first and after it was put away. */
  get outcomes(): readonly FileOutcome[] {
    return this.#outcomes;
  }

  /** Whether the last batch was given to a map or viewer, which shows its report, and not to the panel. */
  get onMap(): boolean {
    return this.#onMap;
  }

  /** Where the batch under way came from, null for one that was dropped or chosen. */
  get origin(): OpeningHost | null {
    return this.#origin;
  }

  /**
   * Takes in a batch after those before it. Layers and drawings without a case go to `target`, the case of the map that was
   * given the files; without one to the case in front.
   */
  take(
    files: readonly IntakeFile[],
    target?: IntakeTarget,
    origin: OpeningHost | null = null,
  ): Promise<readonly FileOutcome[]> {
    return this.#queue.run(async () => {
      this.#origin = origin;
      this.#onMap = target !== undefined;
      const abort = (this.#abort = new AbortController());
      this.#outcomes = [];
      this.#tell({ done: 0, total: files.length, file: files[0]?.name ?? "" });
      try {
        this.#outcomes = await takeIn(files, this.#workspace, {
          target: target ?? this.#workspace.active?.opened ?? this.#workspace.network,
          signal: abort.signal,
          onProgress: (progress) => this.#tell(progress),
        });
      } finally {
        this.#abort = this.#origin = null;
        this.#tell(null);
      }
      return this.#outcomes;
    });
  }

  /** Stops the batch under way: what is not open yet is not opened. */
  cancel(): void {
    this.#abort?.abort();
  }

  /** Puts the report away. */
  dismiss(): void {
    this.#outcomes = [];
    this.#changed.emit();
  }

  #tell(progress: IntakeProgress | null): void {
    this.#progress = progress;
    this.#changed.emit();
  }
}
