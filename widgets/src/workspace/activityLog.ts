import { type ISignal, Signal } from "@lumino/signaling";
import {
  formatDuration,
  formatMoney,
  intervalSentence,
  noSolutionSentence,
  outagesSentence,
  trans,
} from "../words/index.ts";
import type { CaseSession } from "./caseSession.ts";
import { isExplained } from "./explaining.ts";
import { countOutages, worstOutage } from "./outages.ts";
import type { SessionChange } from "./status.ts";

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
  /** Whether it was done elsewhere, in a cell for instance. */
  readonly remote: boolean;
}

/** Entries that are kept. */
const MOST = 500;

type Entry = Pick<Activity, "kind" | "label"> & Partial<Activity>;

/** Writes down what happens in a session, the latest last. */
export class ActivityLog {
  readonly #session: CaseSession;
  readonly #changed = new Signal<this, void>(this);
  #entries: readonly Activity[] = [];
  #last = 0;
  /** Elements that are only passed by leave one line: that of the last. */
  #looking = false;
  /** The entry of the last change that was not done. */
  #failure = 0;

  constructor(session: CaseSession) {
    this.#session = session;
    const { solution } = session.state;
    this.#add({ kind: "observation", label: trans.__("%1 opened", session.caseName) });
    this.#add({ kind: "solve", label: trans.__("Base case"), result: solved(solution.objective, solution.solve_ms) });
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

  /** Writes down something that was looked at. */
  observe(label: string, result = ""): void {
    this.#add({ kind: "observation", label, result });
  }

  dispose(): void {
    Signal.clearData(this);
  }

  #changedHere(session: CaseSession, change: SessionChange): void {
    if (change === "column") {
      this.#looked(session);
    } else if (change === "state") {
      this.#published(session);
    } else if (change === "status" && session.status.kind === "failed") {
      const { message, code, details } = session.status;
      if (isExplained(details)) {
        this.#explain(noSolutionSentence(message, details, session.opened));
        return;
      }
      this.#add({
        kind: code === "REVISION.STALE" ? "edit" : "solve",
        label: trans.__("Not done"),
        result: message,
        failed: true,
      });
      this.#failure = this.#last;
    }
  }

  /** Says better why the last change was not done. */
  #explain(result: string): void {
    this.#entries = this.#entries.map((entry) => (entry.id === this.#failure ? { ...entry, result } : entry));
    this.#changed.emit();
  }

  #looked({ selection, column, opened, committedMw }: CaseSession): void {
    if (selection === null || column === null) {
      return;
    }
    if (this.#looking) {
      this.#entries = this.#entries.slice(0, -1);
    }
    const label = trans.__("Response of prices to %1", opened.nameOf(selection.kind, selection.id));
    const atBreakpoint = column.warrant.kind !== "regular";
    this.observe(label, atBreakpoint ? trans.__("one-sided, at a breakpoint") : intervalSentence(column, committedMw));
    this.#looking = true;
  }

  #published({ history, state }: CaseSession): void {
    const { label, remote, held, before } = history.latest;
    const { objective, solve_ms } = state.solution;
    const change = `${formatMoney(objective - before.objective, { signed: true })} $/h`;
    const revision = trans.__("revision %1", state.revision);
    if (held) {
      this.#add({ kind: "edit", label, remote, result: `${revision}, ${formatMoney(objective)} $/h, ${change}` });
      return;
    }
    this.#add({ kind: "edit", label, remote, result: revision });
    this.#add({ kind: "solve", label, remote, result: `${solved(objective, solve_ms)}, ${change}` });
  }

  #screened(): void {
    const { state } = this.#session.outages;
    if (state.kind === "done") {
      const said = outagesSentence(countOutages(state.rows), worstOutage(state.rows), this.#session.opened);
      this.observe(trans.__("N-1 outages screened"), said);
    } else if (state.kind === "failed") {
      this.#add({ kind: "observation", label: trans.__("N-1 outages"), result: state.message, failed: true });
    }
  }

  #add({ kind, label, result = "", failed = false, remote = false }: Entry): void {
    this.#looking = false;
    this.#last += 1;
    const entry = { id: this.#last, kind, at: Date.now(), label, result, failed, remote };
    this.#entries = [...this.#entries.slice(1 - MOST), entry];
    this.#changed.emit();
  }
}

function solved(objective: number, ms: number | undefined): string {
  const cost = formatMoney(objective);
  return ms === undefined
    ? trans.__("optimal, %1 $/h", cost)
    : trans.__("optimal, %1 $/h in %2", cost, formatDuration(ms));
}
