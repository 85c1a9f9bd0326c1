import type { FormulationId, SolveOptions } from "@service/engine";
import { CaseSession } from "./caseSession.ts";
import type { ViewedNetwork } from "../cases/viewedNetwork.ts";

/** Something opened in this page and not by a kernel: it wants a place to be shown. */
export type LocalOpening = ({ kind: "case"; session: CaseSession } | { kind: "network"; network: ViewedNetwork }) & {
  /** Whether it comes with the view that it was saved with. */
  restored?: boolean;
  /** Who asked for it and may show it itself; null for everybody else's. */
  origin: OpeningHost | null;
};

/** Where files came from, when that may show what they open. */
export interface OpeningHost {
  /** Takes what was opened; false leaves it to the others. */
  accept(opening: LocalOpening): boolean;
}

/** How something is opened from files of the page. */
export interface OpeningOptions {
  signal?: AbortSignal | undefined;
  origin?: OpeningHost | null;
  /** False where it is of files of the server alone. */
  local?: boolean;
  /** The formulation of a session; by default that in which cases are opened. */
  formulation?: FormulationId;
  /** Options of its solves. */
  options?: SolveOptions;
}
