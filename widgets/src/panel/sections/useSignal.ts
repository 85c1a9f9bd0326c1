import type { ISignal } from "@lumino/signaling";
import { useLayoutEffect, useReducer } from "react";
import { afterFrame } from "../../ui/pageFrame.ts";
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

/** The same once the next frame is painted: for what follows a new state, whose prices come first. */
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
 * Renders a component again when a session tells of one of these changes; of a new state after the frame in which maps show its
 * prices. `changes` has to be a constant.
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
        again(); // what waits for a frame shows this as well
      }
    };
    session.changed.connect(heard);
    return () => {
      rest?.();
      session.changed.disconnect(heard);
    };
  }, [session, changes]);
}
