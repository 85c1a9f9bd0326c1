import { capitalised, type EditUnit, isEstimate, parsePower } from "../../text/index.ts";
import type { CaseSession } from "../session/caseSession.ts";
import { type EditRange, keyedValue, keyStep, snapped } from "./editRange.ts";
import { changeTo, deltaOf, replacedValue } from "./edits.ts";
import { type EditedValue, editedValue, sameSelection, type Selection } from "../cases/selection.ts";
import type { NextFrame } from "../concurrency/frames.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { StaleRevisionError } from "../mutations/mutationQueue.ts";
import { isAssumed } from "../cases/answerNotices.ts";
import { hasAssumedCosts } from "../cases/assumedCosts.ts";
import { unitOf } from "../quantities/branchPower.ts";

/** Successive key presses on a slider form one change, committed after this pause. */
const KEY_PAUSE_MS = 350;

/** Keys that go to the ends of the range. */
const ENDS: ReadonlySet<string> = new Set(["Home", "End"]);

/**
 * The meaning of a typed number, MW: the change from the base case, the value itself, or an increment of the present
 * value.
 */
export type EntryMode = "change" | "value" | "add";

interface Release {
  element: Selection;
  deltaMw: number;
}

/**
 * Edits one selected element, or the primary one, the way a drag does: every move is a preview, the release is one
 * exact commit. A release during a running commit waits for it, and only the latest one counts.
 */
export class ElementEdit {
  readonly #session: CaseSession;
  readonly #element: Selection | null;
  readonly #releases = new LatestOnly<Release>((release) => this.#commit(release));

  /** Without `element` it edits the present primary. */
  constructor(session: CaseSession, element: Selection | null = null) {
    this.#session = session;
    this.#element = element;
  }

  /** Previews a change of `deltaMw` from the base case (for a cost $/MWh) and makes the element the primary. */
  move(deltaMw: number): void {
    const session = this.#session;
    if (this.#element !== null && !sameSelection(this.#element, session.selection)) {
      void session.makePrimary(this.#element);
      if (!sameSelection(this.#element, session.selection)) {
        return; // the element is no longer selected
      }
    }
    session.preview(deltaMw);
  }

  /**
   * Commits a change of `deltaMw` from the base case; resolves when everything released so far is settled. The
   * session's status shows failures.
   */
  async release(deltaMw: number): Promise<void> {
    const element = this.#element ?? this.#session.selection;
    if (element !== null) {
      await this.#releases.request({ element, deltaMw });
    }
  }

  async #commit({ element, deltaMw }: Release): Promise<void> {
    try {
      await this.#session.commitElement(element, deltaMw);
    } catch (error) {
      if (error instanceof StaleRevisionError) {
        this.#releases.drop(); // the release was for an earlier state
      }
    }
  }
}

/**
 * The slider of one selected element without its appearance: position, range, and the effect of drags and keys. The
 * edit bar and the panel build their rows from it. Positions are changes from the base case in the unit of the edited
 * value.
 */
export class ElementSlider {
  readonly element: Selection;
  readonly #session: CaseSession;
  readonly #edit: ElementEdit;
  readonly #nextFrame: NextFrame;
  #sliding = false;
  #cancelFrame: (() => void) | null = null;
  #keyTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(session: CaseSession, element: Selection, nextFrame: NextFrame) {
    this.element = element;
    this.#session = session;
    this.#edit = new ElementEdit(session, element);
    this.#nextFrame = nextFrame;
  }

  /** `Bus 12 (Ash)`. */
  get name(): string {
    return capitalised(this.#session.opened.nameOf(this.element.kind, this.element.id));
  }

  /** The value that is edited. */
  get what(): EditedValue {
    return editedValue(this.element);
  }

  /** The unit of the edit, given by the formulation of the published state. */
  get unit(): EditUnit {
    return unitOf(this.element, this.#session.formulation);
  }

  /** Whether previews follow this element. */
  get primary(): boolean {
    return sameSelection(this.element, this.#session.selection);
  }

  /** The edited value in the base case, in its unit. */
  get baseMw(): number {
    return this.#session.opened.baseMw(this.element, this.#session.state.edits);
  }

  /** As `baseMw`; null where the case has no value. */
  get baseOrNone(): number | null {
    return this.#session.opened.baseOrNone(this.element, this.#session.state.edits);
  }

  /** Whether the rating or cost of the case is assumed. */
  get assumed(): boolean {
    const { opened } = this.#session;
    const { element, what } = this;
    const branch = element.kind === "branch" ? opened.branches[opened.branchRow(element.id)] : undefined;
    const isReplaced = this.#session.state.edits.branches?.[String(element.id)]?.rating !== undefined;
    return branch !== undefined
      ? what === "rating" && isAssumed(branch) && !isReplaced
      : what === "cost" && hasAssumedCosts(opened.ingested);
  }

  /** The change in the published state. */
  get committedMw(): number {
    return deltaOf(this.#session.state.edits, this.element, this.#session.opened);
  }

  /** Whether the published value differs from that of the case. */
  get edited(): boolean {
    return this.committedMw !== 0 || replacedValue(this.#session.state.edits, this.element) !== undefined;
  }

  /** The change on screen: the position of a drag, or the published change. */
  get mw(): number {
    return (this.primary ? this.#session.previewMw : null) ?? this.committedMw;
  }

  get range(): EditRange {
    return this.#session.rangeOf(this.element);
  }

  /** The reason why it cannot be moved; null when it can. */
  get problem(): string | null {
    return this.#session.problemOf(this.element);
  }

  /**
   * The interval in which the linear estimate is exact, with null for a side without an end; null until it is known.
   */
  get exact(): { low: number | null; high: number | null } | null {
    const column = this.#session.responseOf(this.element)?.dense?.column;
    if (column === undefined || isEstimate(column) || this.#session.curved || column.warrant.point_only === true) {
      return null; // exact at this point only
    }
    const at = (mw: number | undefined): number | null => (mw === undefined ? null : this.committedMw + mw);
    const [low, high] = column.warrant.ends;
    return { low: at(low?.mw), high: at(high?.mw) };
  }

  /** A position of the slider as a round number, or the exact end of its range. */
  snapped(mw: number): number {
    return snapped(this.range, mw);
  }

  /** Previews a position of the slider before the next picture, at most once a frame. */
  slideTo(mw: number): void {
    this.#sliding = true;
    this.#cancelFrame?.();
    const at = this.snapped(mw);
    this.#cancelFrame = this.#nextFrame(() => this.#edit.move(at));
  }

  /**
   * Commits the position of the release; nothing when the slider was only touched, because rounding would change the
   * value.
   */
  async release(mw: number): Promise<void> {
    if (this.#sliding) {
      await this.commit(this.snapped(mw));
    }
  }

  /** Moves to a change and commits it; resolves when that is settled. The session's status shows failures. */
  async commit(mw: number): Promise<void> {
    this.letGo();
    this.#edit.move(mw);
    await this.#edit.release(mw);
  }

  /** Handles a key pressed on the slider; false for keys that do not move it. The position is committed after a pause. */
  key(key: string, shift: boolean): boolean {
    const mw = keyedValue(this.range, this.mw, key, shift, keyStep(this.what, this.baseMw));
    if (mw === null) {
      return false;
    }
    if (ENDS.has(key)) {
      void this.#toEnd(key);
    } else {
      this.#keyedTo(mw);
    }
    return true;
  }

  /** Commits the position reached by keys, without the pause. */
  commitKeys(): void {
    if (this.#keyTimer !== null) {
      void this.commit(this.mw);
    }
  }

  /** The change that a typed power means; null when the text is not a power. */
  typedMw(text: string, mode: EntryMode): number | null {
    const typed = parsePower(text, this.unit);
    if (typed === null) {
      return null;
    }
    switch (mode) {
      case "change":
        return typed;
      case "value":
        return changeTo(typed, this.baseMw, this.element);
      case "add":
        return changeTo(this.committedMw + typed, 0, this.element);
    }
  }

  /** Drops a move or key press that is not committed yet. */
  letGo(): void {
    this.#sliding = false;
    this.#cancelFrame?.();
    this.#cancelFrame = null;
    this.#stopKeys();
  }

  #keyedTo(mw: number): void {
    this.#edit.move(mw);
    this.#stopKeys();
    this.#keyTimer = setTimeout(() => this.commitKeys(), KEY_PAUSE_MS);
  }

  /** Moves to an end of the range once it is known where the problem has no solution. */
  async #toEnd(key: string): Promise<void> {
    if (!this.primary) {
      await this.#session.makePrimary(this.element);
    }
    await this.#session.pathSettled;
    const mw = this.primary ? keyedValue(this.range, this.mw, key, false) : null;
    if (mw !== null) {
      this.#keyedTo(mw);
    }
  }

  #stopKeys(): void {
    if (this.#keyTimer !== null) {
      clearTimeout(this.#keyTimer);
      this.#keyTimer = null;
    }
  }
}
