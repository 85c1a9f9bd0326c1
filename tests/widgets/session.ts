// A session on the three-bus network with closed-form optima, over the real engine.
import { createNodeEngine, type IngestedCase } from "@service/engine/node";
import {
  type Activity,
  activityText,
  type CaseEdits,
  type CaseSession,
  NO_EDITS,
  type OpenedCase,
  type ActivityEntry,
  Workspace,
  type WorkspaceEngine,
} from "@service/widgets/workspace";
import { fixture } from "../fixtures/cases.ts";

export const engine = createNodeEngine();

/** Every line is rated 250 MW; line 2 goes from bus 2 to 3. Held at 40 MW the prices are 18.20, 30.10, 6.30 $/MWh. */
export const LINE_2_AT_40: CaseEdits = { ...NO_EDITS, rates: { 2: 40 - 250 } };
export const PRICES_AT_40 = [18.2, 30.1, 6.3];
export const BASE_PRICE = 11.487179487179487;

export const ingested: IngestedCase = await engine.ingestCase(await fixture("three_bus.m"), "matpower");

export interface Opened {
  workspace: Workspace;
  opened: OpenedCase;
  session: CaseSession;
}

/** A fresh workspace with one session at the base case. */
export async function openThreeBus(on: WorkspaceEngine = engine): Promise<Opened> {
  const workspace = new Workspace(on);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const session = await workspace.openSession({
    opened,
    caseId: "three_bus",
    caseName: "Three buses",
    formulation: "dcopf",
  });
  return { workspace, opened, session };
}

/** The prices that views draw, $/MWh by dense row. */
export function shownPrices({ store }: CaseSession): Float64Array {
  return store.shown("lmp") ?? new Float64Array();
}

/** The log of a session with its texts. */
export function activityEntries({ activity, opened }: CaseSession): (Activity & ActivityEntry)[] {
  return activity.entries.map((entry) => ({ ...entry, ...activityText(entry.event, opened) }));
}

/** Largest difference of two lists of numbers. */
export function difference(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  const both = Array.from(found, (value, k) => Math.abs(value - (wanted[k] ?? NaN)));
  return found.length === wanted.length ? Math.max(...both) : NaN;
}

/** A promise that is settled by the caller. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
