import type { CaseSession } from "../session/caseSession.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { type EditRange, keyedValue, snapped } from "./editRange.ts";
import { type CaseEdits, sameEdits } from "./edits.ts";

/** Successive key presses are one change, committed after this pause. */
const KEY_PAUSE_MS = 350;

/**
 * The slider of edits that have no element of their own to select, without its appearance: every move is a preview, the
 * release is one exact commit.
 */
export abstract class EditsSlider {
  protected readonly session: CaseSession;
  readonly #moved: (at: number | null) => void;
  readonly #commits = new LatestOnly<number>((at) => this.#commit(at));
  #at: number | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /** `moved` is called with the position of a move, and with null when it is at rest. */
  constructor(session: CaseSession, moved: (at: number | null) => void) {
    this.session = session;
    this.#moved = moved;
  }

  /** The ends of the slider. */
  abstract get range(): EditRange;

  /** The committed position. */
  abstract get committed(): number;

  /** What an arrow key moves it by. */
  protected abstract get step(): number;

  /** The live edits with a position. */
  protected abstract editsAt(at: number): CaseEdits;

  /** Solves and publishes a position. */
  protected abstract publish(at: number): Promise<void>;

  /** Previews a position. */
  slideTo(value: number): void {
    const at = snapped(this.range, value);
    this.#at = at;
    this.#moved(at);
    void this.session.editsPreview.show(this.editsAt(at), this.session.previewMode);
  }

  /** Commits the position of a move; nothing when the slider was only touched. */
  async release(value: number): Promise<void> {
    if (this.#at !== null) {
      await this.commit(snapped(this.range, value));
    }
  }

  /** Commits a position; resolves when it is settled. The session's status shows failures. */
  async commit(at: number): Promise<void> {
    clearTimeout(this.#pause);
    this.#at = null;
    await this.#commits.request(at);
  }

  /** Handles a key pressed on the slider; false for keys that do not move it. The position is committed after a pause. */
  key(key: string, shift: boolean): boolean {
    const at = keyedValue(this.range, this.#at ?? this.committed, key, shift, this.step);
    if (at === null) {
      return false;
    }
    this.slideTo(at);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.commitKeys(), KEY_PAUSE_MS);
    return true;
  }

  /** Commits the position reached by keys, without the pause. */
  commitKeys(): void {
    if (this.#at !== null) {
      void this.commit(this.#at);
    }
  }

  /** Drops a move that is not committed yet. */
  letGo(): void {
    clearTimeout(this.#pause);
    this.#at = null;
    this.#moved(null);
    this.session.editsPreview.end();
  }

  async #commit(at: number): Promise<void> {
    try {
      if (sameEdits(this.editsAt(at), this.session.live.edits)) {
        this.session.editsPreview.end();
      } else {
        await this.publish(at);
      }
    } catch {
      this.session.editsPreview.end(); // the status shows the reason
    } finally {
      this.#moved(this.#at);
    }
  }
}
