import type { FirstPicture } from "./firstPicture.ts";

declare global {
  interface Window {
    /** The answer to the list of cases, where it was asked for before the page's code came (`early.ts`). */
    wattbookCases?: Promise<Response> | undefined;
    /** The picture of the case that the address names, likewise. */
    wattbookPicture?: { id: string; picture: Promise<FirstPicture> } | undefined;
    /** The answer with its module, likewise; null once the page asks for modules itself. */
    wattbookModule?: { id: string; answer: Promise<Response> } | null;
  }
}

/** The early answer to the list of cases, once; undefined where it was not asked for, or was taken. */
export function takeEarlyAnswer(): Promise<Response> | undefined {
  const answer = window.wattbookCases;
  window.wattbookCases = undefined;
  return answer;
}

/** The picture of a case that was asked for early, once; undefined where it was not, or was taken. */
export function takeEarlyPicture(id: string): Promise<FirstPicture> | undefined {
  const early = window.wattbookPicture;
  if (early?.id !== id) {
    return undefined;
  }
  window.wattbookPicture = undefined;
  return early.picture;
}

/** The answer with the module of a case that was asked for early, once; undefined where it was not, or was taken. */
export function takeEarlyModule(id: string): Promise<Response> | undefined {
  const early = window.wattbookModule;
  window.wattbookModule = null;
  return early?.id === id ? early.answer : undefined;
}
