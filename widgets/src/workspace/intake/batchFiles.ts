import { trans } from "../../text/index.ts";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../solving/errorCode.ts";
import { mayBeCase } from "./fileClassification.ts";
import { type FileOffer, type FileOutcome, type OutcomeKind, refused } from "./fileOutcomes.ts";
import type { IntakeEngine, IntakeOptions, IntakeStage } from "./intakeWorkspace.ts";
import { type IntakeFile, MOST_BYTES } from "./intakeLimits.ts";

/** The files of a batch: reads them, and collects their outcomes. */
export class BatchFiles {
  readonly outcomes = new Map<IntakeFile, FileOutcome>();
  readonly #files: readonly IntakeFile[];
  readonly #engine: IntakeEngine;
  readonly #options: IntakeOptions;
  #bytesRead = 0;
  #caseRefused = false;

  constructor(files: readonly IntakeFile[], engine: IntakeEngine, options: IntakeOptions) {
    this.#files = files;
    this.#engine = engine;
    this.#options = options;
  }

  /** Whether a case of the batch was refused: its layers and drawings are then not applied to the case in front. */
  get caseRefused(): boolean {
    return this.#caseRefused;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get cancelled(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  /** Reads a file and processes it; a failure becomes its outcome. */
  async attempt(file: IntakeFile, work: (bytes: Uint8Array) => Promise<void> | void): Promise<void> {
    await this.attemptRead(file, async () => work(await unlessCancelled(this.#bytesOf(file), this.#options.signal)));
  }

  /** Processes a file without an outcome; a failure becomes its outcome. */
  async attemptRead(file: IntakeFile, work: () => Promise<void>): Promise<void> {
    if (this.cancelled || this.outcomes.has(file)) {
      return;
    }
    this.tell(file);
    try {
      await work();
    } catch (error) {
      this.refuse(file, error);
    }
  }

  refuse(file: IntakeFile, error: unknown): void {
    if (this.cancelled && codeOf(error) === "ABORTED") {
      return; // the remaining files get this outcome at the end
    }
    this.outcomes.set(file, refused(file.name, error));
    this.#caseRefused ||= mayBeCase(file.name, this.#engine);
  }

  say(
    file: IntakeFile,
    outcome: OutcomeKind,
    sentence: string,
    notes: string[] = [],
    code?: string,
    offer?: FileOffer,
  ): void {
    const { name } = file;
    this.outcomes.set(file, { name, outcome, sentence, notes, ...(code && { code }), ...(offer && { offer }) });
  }

  /** Reports the present file and stage. */
  tell(file: IntakeFile, stage: IntakeStage = "reading"): void {
    const { length: total } = this.#files;
    this.#options.onProgress?.({ stage, done: this.outcomes.size, total, file: file.name });
  }

  async #bytesOf(file: IntakeFile): Promise<Uint8Array> {
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch (cause) {
      throw coded(
        "INPUT.UNREADABLE",
        trans.__("The browser cannot read it. To open a folder, select its files."),
        cause,
      );
    }
    this.#bytesRead += bytes.length;
    if (this.#bytesRead > MOST_BYTES) {
      throw coded(
        "INPUT.TOO_LARGE",
        trans.__("With this file the batch exceeds its announced size; the rest is not read."),
      );
    }
    return bytes;
  }
}

/** An error with a code, like those of the engine. */
export function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
