declare global {
  interface Window {
    /** The answer to the list of cases, where it was asked for before the page's code came (`early.ts`). */
    wattbookCases?: Promise<Response> | undefined;
  }
}

/** The early answer to the list of cases, once; undefined where it was not asked for, or was taken. */
export function takeEarlyAnswer(): Promise<Response> | undefined {
  const answer = window.wattbookCases;
  window.wattbookCases = undefined;
  return answer;
}
