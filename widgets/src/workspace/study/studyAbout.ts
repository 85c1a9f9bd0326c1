import { randomId } from "../proposals/proposal.ts";
import type { CaseSession } from "../session/caseSession.ts";

/** The names of a document. */
export interface StudyAbout {
  /** Identifies the Study through all its files. */
  id: string;
  title: string;
  /**
   * The case's name in results; by default its id in the session, or its name where that id exists only in the page.
   */
  caseId?: string;
}

const KNOWN = new WeakMap<CaseSession, StudyAbout>();

/** The names of a session's Study: as in the file it was opened from, else from its case. */
export function aboutOf(session: CaseSession): StudyAbout {
  const known = KNOWN.get(session) ?? { id: randomId(), title: session.caseName };
  KNOWN.set(session, known);
  return known;
}

/** Stores the names of the file that a session was opened from. */
export function openedAs(session: CaseSession, about: StudyAbout): void {
  KNOWN.set(session, about);
}
