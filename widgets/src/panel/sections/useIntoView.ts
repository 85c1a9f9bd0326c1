import { type RefObject, useEffect, useRef } from "react";

/** Brings an element into view when a run ends that was under way, as what it found stands below what started it. */
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
