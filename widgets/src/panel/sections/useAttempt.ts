import { useState } from "react";
import { errorText, type Namer } from "../../text/index.ts";
import { isCancelled } from "../../workspace/index.ts";

/** Work that a control starts. */
export interface Attempt {
  readonly busy: boolean;
  /** Why it failed or was refused; empty otherwise. */
  readonly problem: string;
  start(work: () => Promise<unknown>): void;
  refuse(problem: string): void;
}

/** Runs the work of a control and keeps the text of its error, with the names of a case. */
export function useAttempt(namer: Namer): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, refuse] = useState("");
  const start = (work: () => Promise<unknown>): void => {
    setBusy(true);
    refuse("");
    work()
      .catch((error: unknown) => refuse(isCancelled(error) ? "" : errorText(error, namer)))
      .finally(() => setBusy(false));
  };
  return { busy, problem, start, refuse };
}
