import { type RefObject, useEffect, useRef } from "react";

/** Scrolls an element into view when a run ends, because its findings appear below the control that started it. */
export function useIntoView<E extends HTMLElement>(running: boolean, done: boolean): RefObject<E> {
  const place = useRef<E>(null);
  const before = useRef(running);
  useEffect(() => {
    if (before.current && done) {
      place.current?.scrollIntoView({ block: "start" });
    }
    before.current = running;
  }, [running, done]);
  return place;
}
