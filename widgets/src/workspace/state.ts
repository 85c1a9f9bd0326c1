import type { BrowserFormulation, Solution, SolveOptions, StudyHandle } from "@service/engine";
import type { CaseEdits } from "./edits.ts";
import type { OpenedCase } from "./openedCase.ts";
import type { Miss } from "./solutionStore.ts";

/** How a preview is computed: from the sensitivity column in the page, or by exact solves. */
export type PreviewMode = "first_order" | "exact";

/** The published exact state of a session. */
export interface PublishedState {
  revision: number;
  edits: CaseEdits;
  solution: Solution;
  /** How far the first order was from this state, when the selected element alone was moved to reach it. */
  previewMiss: Miss | null;
  /** The hash of the same state elsewhere, when it is not ours. */
  otherSha256: string | null;
}

/** A state decided elsewhere that a session has to follow. */
export interface RemoteState {
  revision: number;
  edits: CaseEdits;
  /** Hash of the result there, empty when it is not known. */
  resultSha256: string;
}

/** What a session is made of. */
export interface SessionInit {
  opened: OpenedCase;
  study: StudyHandle;
  caseId: string;
  caseName: string;
  formulation: BrowserFormulation;
  options: SolveOptions;
}
