import type { ISignal } from "@lumino/signaling";
import { useLayoutEffect, useReducer } from "react";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";

/** Renders a component again whenever a signal is emitted. */
export function useSignal(signal: ISignal<unknown, unknown>): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  // At once after the first rendering: what changes before a later effect would be missed.
  useLayoutEffect(() => {
    signal.connect(again);
    return () => {
      signal.disconnect(again);
    };
  }, [signal]);
}

/** Renders a component again when a session tells of one of these changes. `changes` has to be a constant. */
export function useSession(session: CaseSession, changes: readonly SessionChange[]): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const heard = (_: CaseSession, change: SessionChange): void => {
      if (changes.includes(change)) {
        again();
      }
    };
    session.changed.connect(heard);
    return () => {
      session.changed.disconnect(heard);
    };
  }, [session, changes]);
}
