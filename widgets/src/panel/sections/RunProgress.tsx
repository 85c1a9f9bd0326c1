import type { ReactElement } from "react";
import { trans } from "../../text/index.ts";

/**
 * Progress of a run with its Cancel button; hidden while nothing runs. `label` names the progress for screen readers.
 */
export function RunProgress({
  run,
  label,
}: {
  run: { readonly state: { kind: "running"; fraction: number } | { kind: "none" | "done" | "failed" }; cancel(): void };
  label: string;
}): ReactElement | null {
  const { state } = run;
  if (state.kind !== "running") {
    return null;
  }
  return (
    <>
      <progress max={1} value={state.fraction} aria-label={label} />
      <button type="button" className="wb-Button" onClick={() => run.cancel()}>
        {trans.__("Cancel")}
      </button>
    </>
  );
}
