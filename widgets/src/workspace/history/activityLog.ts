import type { ContingencyRow, SensitivityHead } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { Selection } from "../cases/selection.ts";
import type { OutageScreen } from "../screening/outageScreen.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { SessionChange, SessionStatus, TriedChange } from "../session/sessionStatus.ts";
import type { StateHistory } from "./stateHistory.ts";
import type { StepEvent } from "./stepEvent.ts";

type FailedStatus = SessionStatus & { kind: "failed" };

/** What happened, without words: `activityText` makes them where it is shown. */
export type ActivityEvent =
  | { readonly kind: "opened"; readonly caseName: string }
  /** The response of prices to an element was looked at. */
  | {
      readonly kind: "response";
      readonly element: Selection;
      readonly column: SensitivityHead;
      readonly committedMw: number;
    }
  /** A state was published; `held` is its objective and the change of it, $/h, where nothing had to be solved; null without a cost. */
  | {
      readonly kind: "edited";
      readonly step: StepEvent;
      readonly revision: number;
      readonly held: { readonly objective: number | null; readonly change: number | null } | null;
    }
  /** An exact state was found; `objective` is null where it has no cost, `change` also where the state before has none, $/h. */
  | {
      readonly kind: "solved";
      readonly step: StepEvent;
      readonly objective: number | null;
      readonly change: number | null;
    }
  /** A change failed; `step` is what it would have done, null where that is not known. */
  | {
      readonly kind: "failed";
      readonly step: StepEvent | null;
      readonly failure: Pick<FailedStatus, "code" | "message" | "sentence" | "details">;
    }
  | { readonly kind: "screened"; readonly rows: readonly ContingencyRow[] }
  | { readonly kind: "screeningFailed"; readonly message: string };

/** One thing that happened in a session. */
export interface Activity {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How long it took, ms; null for what takes no time or was not measured. */
  readonly ms: number | null;
  /** Whether it was done elsewhere, in a cell for instance. */
  readonly remote: boolean;
  readonly event: ActivityEvent;
}

/** Entries that are kept. */
const MOST = 500;

/** What the log reads of its session. */
interface LoggedSession {
  readonly caseName: string;
  readonly state: PublishedState;
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

  constructor(session: LoggedSession) {
    this.#session = session;
    this.#add({ kind: "opened", caseName: session.caseName });
    const { objective = null, solve_ms: ms = null } = session.state.solution;
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

  dispose(): void {
    Signal.clearData(this);
  }

  #changedHere(session: LoggedSession, change: SessionChange): void {
    if (change === "selection") {
      this.#asked = performance.now();
    } else if (change === "column") {
      this.#looked(session);
    } else if (change === "state") {
      this.#published(session);
      this.#asked = null; // the column of a new state comes by itself
    } else if (change === "status" && session.status.kind === "failed") {
      this.#failed(session, session.status);
    }
  }

  #failed({ state }: LoggedSession, status: FailedStatus): void {
    const { code, message, sentence, details, tried } = status;
    const step = tried && stepOf(state, tried);
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

  #published({ history, state }: LoggedSession): void {
    const { event: step, remote, held, before } = history.latest;
    const { objective = null, solve_ms: ms = null } = state.solution;
    const change = objective === null || before.objective === null ? null : objective - before.objective;
    const { revision } = state;
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
