import { randomId } from "../proposals/proposal.ts";
import type { CaseSession } from "../session/caseSession.ts";

/** What a document is called, whatever session it is of. */
export interface StudyAbout {
  /** Stays with the Study through all its files. */
  id: string;
  title: string;
  /** What the case is called in results; by default as the session calls it, or by its name where that is of the page alone. */
  caseId?: string;
}

const KNOWN = new WeakMap<CaseSession, StudyAbout>();

/** What the Study of a session is called: as in the file that it was opened from, else by its case. */
export function aboutOf(session: CaseSession): StudyAbout {
  const known = KNOWN.get(session) ?? { id: randomId(), title: session.caseName };
  KNOWN.set(session, known);
  return known;
}

/** A session was opened from a file. */
export function openedAs(session: CaseSession, about: StudyAbout): void {
  KNOWN.set(session, about);
}
