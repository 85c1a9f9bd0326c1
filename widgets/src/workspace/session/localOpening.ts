import type { FormulationId, SolveOptions } from "@service/engine";
import { CaseSession } from "./caseSession.ts";
import type { ViewedNetwork } from "../cases/viewedNetwork.ts";

/** A case or network opened in this page rather than by a kernel, which needs a place on screen. */
export type LocalOpening = ({ kind: "case"; session: CaseSession } | { kind: "network"; network: ViewedNetwork }) & {
  /** Whether it comes with its saved view. */
  restored?: boolean;
  /** The view that received the files, which may show it; null without one. */
  origin: AcceptOpening | null;
};

/** Shows a case opened from the files of a view; false leaves it to other views. */
export type AcceptOpening = (opening: LocalOpening) => boolean;

/** How a case from files of the page is opened. */
export interface OpeningOptions {
  signal?: AbortSignal | undefined;
  origin?: AcceptOpening | null;
  /** False where all its files come from a server. */
  local?: boolean;
  /** The formulation of the session; by default that of newly opened cases. */
  formulation?: FormulationId;
  /** Options of the session's solves. */
  options?: SolveOptions;
}
