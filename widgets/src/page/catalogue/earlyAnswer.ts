import type { FirstPicture } from "./firstPicture.ts";

declare global {
  interface Window {
    /** The answer with the list of cases, if `early.ts` requested it before the page's code arrived. */
    wattbookCases?: Promise<Response> | undefined;
    /** The picture of the case in the address, if `early.ts` requested it. */
    wattbookPicture?: { id: string; picture: Promise<FirstPicture> } | undefined;
    /**
     * The answer with the module of that case, if `early.ts` requested it; null once the page requests modules itself.
     */
    wattbookModule?: { id: string; answer: Promise<Response> } | null;
  }
}

/** The early answer with the list of cases, once; undefined if there is none or it was taken. */
export function takeEarlyAnswer(): Promise<Response> | undefined {
  const answer = window.wattbookCases;
  window.wattbookCases = undefined;
  return answer;
}

/** The early picture of a case, once; undefined if there is none or it was taken. */
export function takeEarlyPicture(id: string): Promise<FirstPicture> | undefined {
  const early = window.wattbookPicture;
  if (early?.id !== id) {
    return undefined;
  }
  window.wattbookPicture = undefined;
  return early.picture;
}

/** The early answer with the module of a case, once; undefined if there is none or it was taken. */
export function takeEarlyModule(id: string): Promise<Response> | undefined {
  const early = window.wattbookModule;
  window.wattbookModule = null;
  return early?.id === id ? early.answer : undefined;
}
