import type { FormulationId, SolveOptions } from "@service/engine";
import { CaseSession } from "./caseSession.ts";
import type { ViewedNetwork } from "../cases/viewedNetwork.ts";

/** Something opened in this page and not by a kernel, which needs a place to be shown. */
export type LocalOpening = ({ kind: "case"; session: CaseSession } | { kind: "network"; network: ViewedNetwork }) & {
  /** Whether it comes with the view that it was saved with. */
  restored?: boolean;
  /** The view that its files were given to, which may show it; null without one. */
  origin: AcceptOpening | null;
};

/** Shows what was opened from the files of a view; false leaves it to the others. */
export type AcceptOpening = (opening: LocalOpening) => boolean;

/** How something is opened from files of the page. */
export interface OpeningOptions {
  signal?: AbortSignal | undefined;
  origin?: AcceptOpening | null;
  /** False where all its files come from a server. */
  local?: boolean;
  /** The formulation of a session; by default that in which cases are opened. */
  formulation?: FormulationId;
  /** Options of its solves. */
  options?: SolveOptions;
}
