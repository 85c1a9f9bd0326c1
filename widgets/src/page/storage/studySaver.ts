import { type ISignal, Signal } from "@lumino/signaling";
import { trans } from "../../text/index.ts";
import { whenIdle } from "../../ui/index.ts";
import {
  aboutOf,
  type CaseSession,
  type GeographyChange,
  openedAs,
  randomId,
  studyRecord,
  StudyWriter,
  type WorkspaceEngine,
  editsOf,
} from "../../workspace/index.ts";
import { type StoredStudy, StudyChangedError, type StudyStore, type WindowNote } from "./studyStore.ts";

/** Whether the current state of a Study is stored. */
export type SaveState =
  /** Opened elsewhere and unchanged since: there is nothing to store. */
  { kind: "unchanged" } | { kind: "changed" | "saving" | "stored" } | { kind: "failed"; error: Error };

/** Delay from the last change until the Study is stored, ms; quick changes are stored once. */
const REST_MS = 1500;

/** How long storing waits for an idle moment of the page, ms. */
const IDLE_MS = 2000;

/** Delay from a change of the session until it is compared with the stored Study, ms. */
const COMPARED_MS = 100;

/**
 * Stores the Study of a session in the browser whenever it changes: states, plans, positions and activity. The numbers
 * of the results are not stored, because solving reproduces them and their hashes verify it. A Study that another
 * window, or a session of another file of the same Study, has stored is never overwritten: this one becomes a copy.
 */
export class StudySaver {
  readonly session: CaseSession;
  readonly #store: StudyStore;
  readonly #engine: Pick<WorkspaceEngine, "writeStudyBundle">;
  readonly #writer: StudyWriter;
  readonly #changed = new Signal<this, void>(this);
  /** The content that was stored or opened last, to recognise real changes. */
  #content: string;
  #stored: StoredStudy | null;
  #state: SaveState;
  #notice: string | null = null;
  /** Whether another window has changed the stored Study. */
  #overtaken = false;
  /** Counts changes, to detect one that happens while the Study is being stored. */
  #changes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Cancels the pending store; null if none is pending. */
  #callOff: (() => void) | null = null;
  /** Whether the Study is to be stored as soon as the session is idle. */
  #due = false;
  /** The pending comparison with the stored Study. */
  #comparison: ReturnType<typeof setTimeout> | null = null;
  #saving: Promise<void> | null = null;
  #disposed = false;

  /** `stored` is the Study from which the session was opened; null for a case or a file. */
  constructor(
    session: CaseSession,
    store: StudyStore,
    engine: Pick<WorkspaceEngine, "writeStudyBundle">,
    stored: StoredStudy | null,
  ) {
    this.session = session;
    this.#store = store;
    this.#engine = engine;
    this.#stored = stored;
    this.#writer = new StudyWriter(session);
    this.#content = contentOf(session);
    this.#state = stored === null ? { kind: "unchanged" } : { kind: "stored" };
    session.changed.connect(this.#rested, this);
    session.history.changed.connect(this.#mayHaveChanged, this);
    session.plans.changed.connect(this.#mayHaveChanged, this);
    session.geography.changed.connect(this.#placed, this);
    store.received.connect(this.#hears, this);
    if (stored !== null) {
      store.send({ kind: "open", id: stored.id });
    }
  }

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): SaveState {
    return this.#state;
  }

  /**
   * A note for the user: another window has the Study open too, or this one became a copy and why. Null without a note.
   */
  get notice(): string | null {
    return this.#notice;
  }

  /** Whether everything is stored, or there is nothing to store. */
  get safe(): boolean {
    this.#compareNow();
    return this.#state.kind === "unchanged" || this.#state.kind === "stored";
  }

  /** Stores unsaved changes now. Never rejects; the state reports failures. */
  async save(): Promise<void> {
    this.#waitNoMore();
    while (this.#saving !== null) {
      await this.#saving;
    }
    if (this.safe || this.#disposed) {
      return;
    }
    this.#saving = this.#save();
    await this.#saving;
    this.#saving = null;
  }

  /** The stored Study; null if it was never stored. */
  get stored(): StoredStudy | null {
    return this.#stored;
  }

  /** Takes over the title that the Study was given in a list. */
  async retitle(): Promise<void> {
    const study = this.#stored === null ? null : await this.#store.about(this.#stored.id);
    if (study !== null && this.#stored !== null) {
      this.#stored = { ...this.#stored, title: study.title };
      openedAs(this.session, { ...aboutOf(this.session), title: study.title });
      this.#changed.emit();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#waitNoMore();
    clearTimeout(this.#comparison ?? undefined);
    Signal.clearData(this);
  }

  /** Compares later, so that the frame with new prices is not delayed. */
  #mayHaveChanged(): void {
    this.#comparison ??= setTimeout(() => this.#compareNow(), COMPARED_MS);
  }

  #compareNow(): void {
    if (this.#comparison === null || this.#disposed) {
      return;
    }
    clearTimeout(this.#comparison);
    this.#comparison = null;
    if (contentOf(this.session) !== this.#content) {
      this.#wait();
    }
  }

  #placed(_: unknown, change: GeographyChange): void {
    if (change !== "layout") {
      this.#wait();
    }
  }

  #wait(): void {
    this.#changes += 1;
    this.#waitNoMore();
    this.#timer = setTimeout(() => this.#saveAtRest(), REST_MS);
    if (this.#state.kind !== "failed") {
      this.#setState({ kind: "changed" });
    }
  }

  #waitNoMore(): void {
    clearTimeout(this.#timer);
    this.#callOff?.();
    this.#callOff = null;
    this.#due = false;
  }

  /** Stores when no slider is dragged and nothing is solved, because assembling a Study would cost a drag frames. */
  #saveAtRest(): void {
    this.#callOff = null;
    this.#due = isBusy(this.session);
    if (!this.#due) {
      this.#callOff = whenIdle(() => (isBusy(this.session) ? this.#saveAtRest() : void this.save()), IDLE_MS);
    }
  }

  /** The session may be idle now. */
  #rested(): void {
    if (this.#due && !isBusy(this.session)) {
      this.#saveAtRest();
    }
  }

  async #save(): Promise<void> {
    const [content, changes] = [contentOf(this.session), this.#changes];
    this.#setState({ kind: "saving" });
    try {
      let study: StoredStudy;
      try {
        study = await this.#write();
      } catch (error) {
        if (!(error instanceof StudyChangedError)) {
          throw error;
        }
        study = await this.#writeCopy();
      }
      this.#stored = study;
      this.#content = content;
      this.#setState({ kind: changes === this.#changes ? "stored" : "changed" });
      this.#store.send({ kind: "open", id: study.id });
    } catch (error) {
      this.#setState({ kind: "failed", error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async #write(): Promise<StoredStudy> {
    const bundle = await this.#writer.bundle(aboutOf(this.session), { solutions: false });
    const bytes = await this.#engine.writeStudyBundle(bundle, { gzip: true });
    const { id, title, case: about, states } = bundle.document;
    const caseName = about.name ?? about.id;
    const known = this.#stored?.id === id ? this.#stored.version : null;
    return this.#store.write({ id, title, caseName, states: Object.keys(states).length }, bytes, known);
  }

  /**
   * Another window has stored this Study meanwhile, or a file was opened whose Study is stored already: this one
   * continues under a new name.
   */
  async #writeCopy(): Promise<StoredStudy> {
    const about = aboutOf(this.session);
    const title = trans.__("%1 (copy)", about.title);
    openedAs(this.session, { ...about, id: randomId(), title });
    const ofFile = this.#stored === null;
    this.#stored = null;
    const study = await this.#write();
    this.#overtaken = false;
    this.#notice = ofFile
      ? trans.__("This browser already keeps %1. What you changed here is kept as %2.", about.title, title)
      : trans.__("Another window has changed %1. What you changed here is kept as %2.", about.title, title);
    return study;
  }

  #hears(_: StudyStore, { kind, id }: WindowNote): void {
    if (id !== this.#stored?.id) {
      return;
    }
    if (kind === "renamed") {
      void this.retitle();
      return;
    }
    if (kind === "open") {
      this.#store.send({ kind: "also-open", id });
    }
    this.#overtaken ||= kind === "stored" || kind === "deleted";
    const { title } = this.#stored;
    if (kind === "deleted") {
      this.#note(trans.__("%1 was deleted in another window. What you change here is kept as a copy.", title));
    } else if (this.#overtaken) {
      this.#note(trans.__("Another window has changed %1. What you change here is kept as a copy.", title));
    } else {
      this.#note(trans.__("%1 is open in another window too.", title));
    }
  }

  #note(notice: string): void {
    if (notice !== this.#notice) {
      this.#notice = notice;
      this.#changed.emit();
    }
  }

  #setState(state: SaveState): void {
    this.#state = state;
    this.#changed.emit();
  }
}

/** Whether a slider is dragged or a state is solved. */
function isBusy({ status }: CaseSession): boolean {
  return status.kind === "previewing" || status.kind === "solving";
}

/** The content in which two Studies can differ, without hashes and times, which follow from it. */
function contentOf(session: CaseSession): string {
  const { states, goals, recommended_state, applied_state, inspected_state } = studyRecord(session);
  const edits = Object.entries(states).map(([id, state]) => {
    const { name, note, formulation } = state;
    return { id, name, note, formulation, ...editsOf(state) };
  });
  return JSON.stringify({ edits, goals, recommended_state, applied_state, inspected_state });
}
