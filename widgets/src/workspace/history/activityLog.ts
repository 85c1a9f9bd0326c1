import type { SensitivityHead } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { formatMoney, intervalSentence, noSolutionSentence, outagesSentence, trans } from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { Selection } from "../cases/selection.ts";
import type { OutageScreen } from "../screening/outageScreen.ts";
import type { PublishedState } from "../session/sessionState.ts";
import { countOutages, worstOutage } from "../screening/outages.ts";
import type { SessionChange, SessionStatus, TriedChange } from "../session/sessionStatus.ts";
import type { StateHistory } from "./stateHistory.ts";
import { stepLabel } from "./stepLabel.ts";

/** What happened: something was looked at, changed, or solved. The words are shown as they are. */
export type ActivityKind = "observation" | "edit" | "solve";

/** One thing that happened in a session. */
export interface Activity {
  readonly id: number;
  readonly kind: ActivityKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly label: string;
  /** What came of it, in words; empty where there is nothing to say. */
  readonly result: string;
  readonly failed: boolean;
  /** How long it took, ms; null for what takes no time or was not measured. */
  readonly ms: number | null;
  /** Whether it was done elsewhere, in a cell for instance. */
  readonly remote: boolean;
}

/** Entries that are kept. */
const MOST = 500;

type Entry = Pick<Activity, "kind" | "label"> & Partial<Activity>;

/** What the log reads of its session. */
interface LoggedSession {
  readonly opened: OpenedCase;
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
    const { solution } = session.state;
    this.#add({ kind: "observation", label: trans.__("%1 opened", session.caseName) });
    const { objective, solve_ms: ms = null } = solution;
    this.#add({ kind: "solve", label: trans.__("Base case"), result: solved(objective), ms });
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

  #failed({ state, opened }: LoggedSession, status: SessionStatus & { kind: "failed" }): void {
    const { code, tried } = status;
    const result = noSolutionSentence(status, opened);
    if (tried !== null && tried === this.#failure?.tried) {
      const { id } = this.#failure;
      this.#entries = this.#entries.map((entry) => (entry.id === id ? { ...entry, result } : entry)); // found out since
      this.#changed.emit();
      return;
    }
    this.#add({
      kind: code === "REVISION.STALE" ? "edit" : "solve",
      label: tried === null ? trans.__("Not done") : stepLabel(state.edits, tried.edits, opened),
      result,
      failed: true,
      ms: tried?.ms ?? null,
    });
    this.#failure = { tried, id: this.#last };
  }

  #looked({ selection, column, opened, committedMw }: LoggedSession): void {
    if (selection === null || column === null || this.#asked === null) {
      return;
    }
    if (this.#looking) {
      this.#entries = this.#entries.slice(0, -1);
    }
    const label = trans.__("Response of prices to %1", opened.nameOf(selection.kind, selection.id));
    const atBreakpoint = column.warrant.kind !== "regular";
    const result = atBreakpoint ? trans.__("one-sided, at a breakpoint") : intervalSentence(column, committedMw);
    this.#add({
      kind: "observation",
      label,
      result,
      ms: performance.now() - this.#asked,
    });
    this.#asked = null;
    this.#looking = true;
  }

  #published({ history, state }: LoggedSession): void {
    const { label, remote, held, before } = history.latest;
    const { objective, solve_ms: ms = null } = state.solution;
    const moved = formatMoney(objective - before.objective, { signed: true });
    const change = trans.__("%1 $/h from the state before", moved);
    const revision = trans.__("revision %1", state.revision);
    if (held) {
      this.#add({ kind: "edit", label, remote, result: `${revision}, ${formatMoney(objective)} $/h, ${change}` });
      return;
    }
    this.#add({ kind: "edit", label, remote, result: revision });
    this.#add({ kind: "solve", label, remote, result: `${solved(objective)}, ${change}`, ms });
  }

  #screened(): void {
    const { state } = this.#session.outages;
    if (state.kind === "done") {
      const said = outagesSentence(countOutages(state.rows), worstOutage(state.rows), this.#session.opened);
      this.#add({ kind: "observation", label: trans.__("N-1 outages screened"), result: said, ms: state.ms });
    } else if (state.kind === "failed") {
      this.#add({ kind: "observation", label: trans.__("N-1 outages"), result: state.message, failed: true });
    }
  }

  #add({ kind, label, result = "", failed = false, remote = false, ms = null }: Entry): void {
    this.#looking = false;
    this.#last += 1;
    const entry = { id: this.#last, kind, at: Date.now(), label, result, failed, remote, ms };
    this.#entries = [...this.#entries.slice(1 - MOST), entry];
    this.#changed.emit();
  }
}

function solved(objective: number): string {
  return trans.__("optimal, %1 $/h", formatMoney(objective));
}
