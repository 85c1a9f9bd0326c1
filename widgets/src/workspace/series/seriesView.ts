import { EngineError, type ErrorBody } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { SelectedElements } from "../edits/selectedElements.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { PublishedState } from "../session/sessionState.ts";
import { failedStatus } from "../session/sessionStatus.ts";
import { type NextFrame, nextTask } from "../concurrency/frames.ts";
import type { ShownStep, SolvedSeries } from "./solvedSeries.ts";

/** Delay after the last step until views other than the picture follow, ms. */
const SETTLED_MS = 200;

/** Maximum number of steps sampled for colour ranges. */
const SAMPLED = 48;

/** The state of a step. Edits and solution are computed when they are read, which pictures never do. */
class StepState implements PublishedState {
  readonly iterations = [];
  readonly reconciled = null;
  readonly otherSha256 = null;
  readonly #series: SolvedSeries;
  readonly #step: number;
  readonly #revision: () => number;
  #edits: PublishedState["edits"] | null = null;
  #solution: PublishedState["solution"] | null = null;

  constructor(series: SolvedSeries, step: number, revision: () => number) {
    this.#series = series;
    this.#step = step;
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision();
  }

  get edits(): PublishedState["edits"] {
    return (this.#edits ??= this.#series.edits(this.#step));
  }

  get solution(): PublishedState["solution"] {
    return (this.#solution ??= this.#series.solution(this.#step));
  }
}

/** Playback speeds, steps per second. */
export const SPEEDS = [2, 5, 10, 30, 60] as const;

/**
 * Shows the steps of a series in the views of a session without changing the live state. During playback only pictures
 * follow each step; everything else follows when it stops.
 */
export class SeriesView {
  readonly #core: SessionCore;
  readonly #elements: SelectedElements;
  readonly #changed = new Signal<this, void>(this);
  #shown: ShownStep | null = null;
  /** Cancels the next step; null unless it plays. */
  #playing: (() => void) | null = null;
  #settling: ReturnType<typeof setTimeout> | null = null;
  #samples = new Map<string, { series: SolvedSeries; values: Float64Array }>();

  #speed: number = SPEEDS[2];
  /** Runs a callback before the next picture; maps set the scheduler of their page. */
  frames: NextFrame = nextTask;

  constructor(core: SessionCore, elements: SelectedElements) {
    this.#core = core;
    this.#elements = elements;
  }

  /** Emitted when another step is shown, when the view ends, and when playback starts or stops. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The step on screen; null while the live state is shown. */
  get shown(): ShownStep | null {
    return this.#shown;
  }

  /** The error of the step on screen; null where it has a solution. */
  get error(): ErrorBody | null {
    return this.#shown === null ? null : this.#shown.series.error(this.#shown.step);
  }

  get playing(): boolean {
    return this.#playing !== null;
  }

  /** Playback speed, steps per second. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = speed;
    if (this.#playing !== null) {
      this.play(); // continues at the new speed
    }
    this.#changed.emit();
  }

  /** Shows a step, clamped to the solved ones. */
  show(series: SolvedSeries, step: number): void {
    const at = Math.max(0, Math.min(series.length - 1, step));
    const first = this.#shown === null;
    if (this.#shown?.series === series && this.#shown.step === at) {
      return;
    }
    const columns = series.table(at);
    const { states, signals } = this.#core;
    const state = new StepState(series, at, () => states.now.revision);
    this.#place({ series, step: at, state, columns });
    this.#changed.emit();
    if (first) {
      this.#settle();
    } else {
      signals.tell("step");
      this.#settleSoon();
    }
  }

  /** Moves by a number of steps, forwards or back. */
  move(steps: number): void {
    if (this.#shown !== null) {
      this.pause();
      this.show(this.#shown.series, this.#shown.step + steps);
    }
  }

  /** Plays from the step on screen, or from the first one at the end. */
  play(): void {
    if (this.#shown === null) {
      return;
    }
    this.#stop();
    const { series, step } = this.#shown;
    const from = step >= series.length - 1 ? 0 : step;
    const begun = performance.now();
    const advance = (): void => {
      const at = from + Math.floor(((performance.now() - begun) * this.#speed) / 1000);
      if (at >= series.length - 1) {
        this.#playing = null;
        this.show(series, series.length - 1);
        this.#changed.emit();
        this.#settleSoon();
        return;
      }
      this.show(series, Math.max(from, at));
      if (this.#playing !== null) {
        this.#playing = this.frames(advance);
      }
    };
    this.#playing = this.frames(advance);
    this.#changed.emit();
  }

  /** Stops at the step on screen. */
  pause(): void {
    if (this.#playing !== null) {
      this.#stop();
      this.#changed.emit();
      this.#settleSoon();
    }
  }

  /** Shows the live state again. */
  end(): void {
    if (this.#shown === null) {
      return;
    }
    this.#stop();
    this.#forgetSettling();
    this.#samples.clear();
    this.#place(null);
    this.#changed.emit();
    this.#settle();
  }

  /**
   * The values of a quantity in sampled steps of the series on screen, for colour ranges common to all steps; null
   * while the live state is shown. `read` reads the quantity from the numbers on screen.
   */
  sample(name: string, read: () => Float64Array | null): Float64Array | null {
    if (this.#shown === null) {
      return null;
    }
    const { series } = this.#shown;
    const known = this.#samples.get(name);
    if (known?.series === series) {
      return known.values;
    }
    const count = Math.min(SAMPLED, series.length);
    const parts = Array.from({ length: count }, (_, k) => {
      const step = count === 1 ? 0 : Math.round((k * (series.length - 1)) / (count - 1));
      return this.#core.states.store.reading(series.table(step), read) ?? new Float64Array();
    });
    const values = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      values.set(part, at);
      at += part.length;
    }
    this.#samples.set(name, { series, values });
    return values;
  }

  dispose(): void {
    this.#stop();
    this.#forgetSettling();
    Signal.clearData(this);
  }

  #stop(): void {
    this.#playing?.();
    this.#playing = null;
  }

  /** Shows a step in place of the live state; null shows the live state again. */
  #place(step: ShownStep | null): void {
    this.#shown = step;
    this.#elements.preview.cancel();
    this.#core.states.showStep(step);
  }

  /** Updates what follows the picture: columns of the elements, tables and panels. */
  #settle(): void {
    this.#forgetSettling();
    this.#elements.shownChanged();
    const { error } = this;
    if (error !== null) {
      this.#core.signals.setStatus(failedStatus(new EngineError(error), null));
    }
  }

  #settleSoon(): void {
    this.#forgetSettling();
    if (this.#playing === null) {
      this.#settling = setTimeout(() => this.#settle(), SETTLED_MS);
    }
  }

  #forgetSettling(): void {
    clearTimeout(this.#settling ?? undefined);
    this.#settling = null;
  }
}
