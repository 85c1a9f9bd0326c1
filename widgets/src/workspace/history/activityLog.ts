import type { ErrorBody, SensitivityHead } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { Selection } from "../cases/selection.ts";
import type { OutageScreen } from "../screening/outageScreen.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { SessionChange, SessionStatus, TriedChange } from "../session/sessionStatus.ts";
import type { Activity, ActivityEvent } from "./activityEvent.ts";
import type { CommittedState } from "./committedState.ts";
import type { LatestStep, StateHistory } from "./stateHistory.ts";
import type { StepEvent } from "./stepEvent.ts";

type FailedStatus = SessionStatus & { kind: "failed" };

/** Entries that are kept. */
const MOST = 500;

/** What the log reads of its session. */
interface LoggedSession {
  readonly caseName: string;
  /** The live state. */
  readonly live: PublishedState;
  readonly inspection: { readonly state: CommittedState | null };
  readonly series: { readonly shown: object | null; readonly error: ErrorBody | null };
  readonly status: SessionStatus;
  readonly history: StateHistory;
  readonly outages: OutageScreen;
  readonly selection: Selection | null;
  readonly column: SensitivityHead | null;
  readonly committedMw: number;
  readonly changed: ISignal<LoggedSession, SessionChange>;
}

/** Writes down what happens in a session, the latest last. */
export class ActivityLog {
  readonly #session: LoggedSession;
  readonly #changed = new Signal<this, void>(this);
  #entries: readonly Activity[] = [];
  #last = 0;
  /** Elements that are only passed by leave one line: that of the last. */
  #looking = false;
  /** The failure that was written down last, and what it would have made. */
  #failure: { tried: TriedChange | null; id: number } | null = null;
  /** When somebody chose the primary element, whose column is a look; null once another state has been published. */
  #asked: number | null = null;
  /** The saved state of which was written down last that it is shown; null for the live one. */
  #shown: number | null = null;
  /** The publication that was written down last. */
  #told: LatestStep;

  constructor(session: LoggedSession) {
    this.#session = session;
    this.#told = session.history.latest;
    this.#add({ kind: "opened", caseName: session.caseName });
    const { objective = null, solve_ms: ms = null } = session.live.solution;
    this.#add({ kind: "solved", step: { kind: "base" }, objective, change: null }, { ms });
    session.changed.connect(this.#changedHere, this);
    session.outages.changed.connect(this.#screened, this);
  }

  /** Tells of a new entry. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The entries, the oldest first. */
  get entries(): readonly Activity[] {
    return this.#entries;
  }

  /** Writes down what its session does not tell of. */
  note(event: ActivityEvent): void {
    this.#add(event);
  }

  /** Takes in the entries of a Study in place of those here. */
  restore(entries: readonly Activity[]): void {
    this.#entries = entries.slice(-MOST);
    this.#last = Math.max(0, ...entries.map(({ id }) => id));
    this.#looking = false;
    this.#shown = null;
    this.#told = this.#session.history.latest;
    this.#changed.emit();
  }

  dispose(): void {
    Signal.clearData(this);
  }

  #changedHere(session: LoggedSession, change: SessionChange): void {
    if (change === "selection") {
      this.#asked = performance.now();
    } else if (change === "column") {
      this.#looked(session);
    } else if (change === "state" && session.history.latest === this.#told) {
      this.#inspected(session);
    } else if (change === "state") {
      this.#told = session.history.latest;
      this.#published(session);
      this.#asked = null; // the column of a new state comes by itself
    } else if (change === "status" && session.status.kind === "failed") {
      this.#failed(session, session.status);
    }
  }

  /** Another state is shown. The steps of a series, which follow each other, are not written down. */
  #inspected({ inspection: { state }, series }: LoggedSession): void {
    const shown = state?.id ?? null;
    if (series.shown === null && shown !== this.#shown) {
      this.#shown = shown;
      this.#add({ kind: "inspected", state });
    }
  }

  #failed({ live, series }: LoggedSession, status: FailedStatus): void {
    const { code, message, sentence, details, tried } = status;
    if (tried === null && code === series.error?.code) {
      return; // that the step shown has no solution
    }
    const step = tried && stepOf(live, tried);
    const event: ActivityEvent = { kind: "failed", step, failure: { code, message, sentence, details } };
    if (tried !== null && tried === this.#failure?.tried) {
      const { id } = this.#failure;
      this.#entries = this.#entries.map((entry) => (entry.id === id ? { ...entry, event } : entry)); // found out since
      this.#changed.emit();
      return;
    }
    this.#add(event, { ms: tried?.ms ?? null });
    this.#failure = { tried, id: this.#last };
  }

  #looked({ selection, column, committedMw }: LoggedSession): void {
    if (selection === null || column === null || this.#asked === null) {
      return;
    }
    if (this.#looking) {
      this.#entries = this.#entries.slice(0, -1);
    }
    this.#add({ kind: "response", element: selection, column, committedMw }, { ms: performance.now() - this.#asked });
    this.#asked = null;
    this.#looking = true;
  }

  #published({ history, live }: LoggedSession): void {
    const { event: step, remote, held, before } = history.latest;
    const { objective = null, solve_ms: ms = null } = live.solution;
    const change = objective === null || before.objective === null ? null : objective - before.objective;
    const { revision } = live;
    this.#add({ kind: "edited", step, revision, held: held ? { objective, change } : null }, { remote });
    if (!held) {
      this.#add({ kind: "solved", step, objective, change }, { remote, ms });
    }
  }

  #screened(): void {
    const { state } = this.#session.outages;
    if (state.kind === "done") {
      this.#add({ kind: "screened", rows: state.rows }, { ms: state.ms });
    } else if (state.kind === "failed") {
      this.#add({ kind: "screeningFailed", message: state.message });
    }
  }

  #add(event: ActivityEvent, { ms = null, remote = false }: Partial<Pick<Activity, "ms" | "remote">> = {}): void {
    this.#looking = false;
    this.#last += 1;
    this.#entries = [...this.#entries.slice(1 - MOST), { id: this.#last, at: Date.now(), ms, remote, event }];
    this.#changed.emit();
  }
}

/** What a change would have done to a state. */
function stepOf({ edits, solution }: PublishedState, tried: TriedChange): StepEvent {
  return tried.formulation === solution.formulation
    ? { kind: "edit", before: edits, after: tried.edits, formulation: tried.formulation }
    : { kind: "formulation", before: solution.formulation, after: tried.formulation };
}
