import { type RefObject, useEffect, useRef } from "react";

/** Time a note of success is shown, ms; longer while the pointer or the focus is on it. */
const SHOWN_MS = 8000;
const AGAIN_MS = 1500;

/**
 * Calls `go` some seconds after `note` has changed to something else than null, unless the pointer or the focus is on
 * the element then. Notes that must be read are null.
 */
export function usePassing(element: RefObject<HTMLElement | null>, note: unknown, go: () => void): void {
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (note === null) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number): void => {
      timer = setTimeout(() => {
        if (element.current?.matches(":hover, :focus-within") === true) {
          wait(AGAIN_MS);
        } else {
          latest.current();
        }
      }, ms);
    };
    wait(SHOWN_MS);
    return () => clearTimeout(timer);
  }, [element, note]);
}
