import { clientError, type EngineError } from "@service/engine";
import { codeOf } from "../solving/errorCode.ts";

/** The error of work that the user cancelled. */
export function cancelledError(): EngineError {
  return clientError("ABORTED", "client.cancelled", {});
}

/** Whether an error is that of cancelled work. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === "ABORTED";
}

/** The result of `work`, or `ABORTED` as soon as the signal fires, even if the work continues. */
export function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(cancelledError());
    const end = (): void => signal.removeEventListener("abort", cancel);
    signal.addEventListener("abort", cancel, { once: true });
    work.finally(end).then(resolve, reject);
    if (signal.aborted) {
      cancel();
    }
  });
}
