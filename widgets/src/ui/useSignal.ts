import type { ISignal } from "@lumino/signaling";
import { useLayoutEffect, useReducer } from "react";
import { afterFrame } from "./pageFrame.ts";
import type { CaseSession, SessionChange } from "../workspace/index.ts";

/** Rerenders a component whenever a signal is emitted. */
export function useSignal(signal: ISignal<unknown, unknown>): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  // A layout effect, because changes before a later effect would be missed.
  useLayoutEffect(() => {
    signal.connect(again);
    return () => {
      signal.disconnect(again);
    };
  }, [signal]);
}

/** Rerenders after the next painted frame, so that prices on the map come first. */
export function useSignalLater(signal: ISignal<unknown, unknown>): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    let rest: (() => void) | null = null;
    const heard = (): void => {
      rest?.();
      rest = afterFrame(again);
    };
    signal.connect(heard);
    return () => {
      rest?.();
      signal.disconnect(heard);
    };
  }, [signal]);
}

/**
 * Rerenders a component when a session emits one of these changes; for a new state after the frame in which maps show
 * its prices. `changes` must be stable.
 */
export function useSession(session: CaseSession, changes: readonly SessionChange[]): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    let rest: (() => void) | null = null;
    const heard = (_: CaseSession, change: SessionChange): void => {
      if (!changes.includes(change)) {
        return;
      }
      if (change === "state") {
        rest?.();
        rest = afterFrame(() => {
          rest = null;
          again();
        });
      } else if (rest === null) {
        again(); // a pending rerender covers this change as well
      }
    };
    session.changed.connect(heard);
    return () => {
      rest?.();
      session.changed.disconnect(heard);
    };
  }, [session, changes]);
}
