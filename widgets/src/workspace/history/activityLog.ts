import { type ISignal, Signal } from "@lumino/signaling";
import type { SelectedElements } from "../edits/selectedElements.ts";
import type { OutageScreen } from "../screening/outageScreen.ts";
import type { SeriesView } from "../series/seriesView.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { PublishedState } from "../session/sessionState.ts";
import type { SessionChange, SessionStatus, TriedChange } from "../session/sessionStatus.ts";
import type { Activity, ActivityEvent } from "./activityEvent.ts";
import type { LatestStep } from "./stateHistory.ts";
import type { StepEvent } from "./stepEvent.ts";

type FailedStatus = SessionStatus & { kind: "failed" };

/** Maximum number of entries; older ones are dropped. */
const MOST = 500;

/** The log of a session, the latest entry last. */
export class ActivityLog {
  readonly #core: SessionCore;
  readonly #elements: SelectedElements;
  readonly #series: SeriesView;
  readonly #changed = new Signal<this, void>(this);
  #entries: readonly Activity[] = [];
  #last = 0;
  /** Whether the last entry is a selection, which the next selection replaces. */
  #looking = false;
  /** The failure logged last, and the attempted change. */
  #failure: { tried: TriedChange | null; id: number } | null = null;
  /** When the primary element was selected, so that its column is logged; null once another state has been published. */
  #selectedAt: number | null = null;
  /** Id of the saved state whose inspection was logged last; null for the live state. */
  #shown: number | null = null;
  /** The publication that was logged last. */
  #logged: LatestStep;

  constructor(
    caseName: string,
    core: SessionCore,
    elements: SelectedElements,
    series: SeriesView,
    outages: OutageScreen,
  ) {
    const { states, signals } = core;
    this.#core = core;
    this.#elements = elements;
    this.#series = series;
    this.#logged = states.history.latest;
    this.#add({ kind: "opened", caseName });
    const { objective = null, solve_ms: ms = null } = states.now.solution;
    this.#add({ kind: "solved", step: { kind: "base" }, objective, change: null }, { ms });
    signals.changed.connect((_, change) => this.#sessionChanged(change));
    outages.changed.connect(() => this.#screened(outages));
  }

  /** Emitted with a new entry. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The entries, the oldest first. */
  get entries(): readonly Activity[] {
    return this.#entries;
  }

  /** Adds an entry for an event that the session's signal does not announce. */
  note(event: ActivityEvent): void {
    this.#add(event);
  }

  /** Replaces the entries with those of a Study. */
  restore(entries: readonly Activity[]): void {
    this.#entries = entries.slice(-MOST);
    this.#last = Math.max(0, ...entries.map(({ id }) => id));
    this.#looking = false;
    this.#shown = null;
    this.#logged = this.#core.states.history.latest;
    this.#changed.emit();
  }

  dispose(): void {
    Signal.clearData(this);
  }

  #sessionChanged(change: SessionChange): void {
    const { states, signals } = this.#core;
    const { latest } = states.history;
    if (change === "selection") {
      this.#selectedAt = performance.now();
    } else if (change === "column") {
      this.#columnCame();
    } else if (change === "state" && latest === this.#logged) {
      this.#inspected();
    } else if (change === "state") {
      this.#logged = latest;
      this.#published(latest);
      this.#selectedAt = null; // the column of a new state follows no selection
    } else if (change === "status" && signals.status.kind === "failed") {
      this.#failed(signals.status);
    }
  }

  /** Logs that another state is shown. Steps of a series follow each other quickly and are not logged. */
  #inspected(): void {
    const state = this.#core.states.inspected;
    const shown = state?.id ?? null;
    if (this.#series.shown === null && shown !== this.#shown) {
      this.#shown = shown;
      this.#add({ kind: "inspected", state });
    }
  }

  #failed(status: FailedStatus): void {
    const { code, message, sentence, details, tried } = status;
    if (tried === null && code === this.#series.error?.code) {
      return; // the step shown has no solution
    }
    const step = tried && stepOf(this.#core.states.now, tried);
    const event: ActivityEvent = { kind: "failed", step, failure: { code, message, sentence, details } };
    if (tried !== null && tried === this.#failure?.tried) {
      const { id } = this.#failure;
      this.#entries = this.#entries.map((entry) => (entry.id === id ? { ...entry, event } : entry)); // with the explanation found since
      this.#changed.emit();
      return;
    }
    this.#add(event, { ms: tried?.ms ?? null });
    this.#failure = { tried, id: this.#last };
  }

  #columnCame(): void {
    const { primary } = this.#elements;
    const column = this.#core.states.store.dense?.column;
    if (primary === null || column === undefined || this.#selectedAt === null) {
      return;
    }
    const committedMw = this.#elements.committedMw(primary, this.#core.states.shown);
    if (this.#looking) {
      this.#entries = this.#entries.slice(0, -1);
    }
    this.#add(
      { kind: "response", element: primary, column, committedMw },
      { ms: performance.now() - this.#selectedAt },
    );
    this.#selectedAt = null;
    this.#looking = true;
  }

  #published({ event: step, remote, held, before }: LatestStep): void {
    const { revision, solution } = this.#core.states.now;
    const { objective = null, solve_ms: ms = null } = solution;
    const change = objective === null || before.objective === null ? null : objective - before.objective;
    this.#add({ kind: "edited", step, revision, held: held ? { objective, change } : null }, { remote });
    if (!held) {
      this.#add({ kind: "solved", step, objective, change }, { remote, ms });
    }
  }

  #screened({ state }: OutageScreen): void {
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

/** The step that a failed change would have made from a state. */
function stepOf({ edits, solution }: PublishedState, tried: TriedChange): StepEvent {
  return tried.formulation === solution.formulation
    ? { kind: "edit", before: edits, after: tried.edits, formulation: tried.formulation }
    : { kind: "formulation", before: solution.formulation, after: tried.formulation };
}
