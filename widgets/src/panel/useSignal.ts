import type { ISignal } from "@lumino/signaling";
import { useEffect, useReducer } from "react";

/** Renders a component again whenever a signal is emitted. */
export function useSignal(signal: ISignal<unknown, unknown>): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    signal.connect(again);
    return () => {
      signal.disconnect(again);
    };
  }, [signal]);
}
