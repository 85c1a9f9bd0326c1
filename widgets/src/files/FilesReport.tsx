import { type ReactElement, useRef, useState } from "react";
import { errorText, formatCount, trans } from "../text/index.ts";
import { Button } from "../ui/Button.tsx";
import { useSignal } from "../ui/useSignal.ts";
import type { FileIntake, FileOffer, FileOutcome, IntakeStage, OutcomeKind, RunningBatch } from "../workspace/index.ts";
import { Remarks } from "./Remarks.tsx";
import { usePassing } from "./usePassing.ts";

function kindName(kind: OutcomeKind): string {
  switch (kind) {
    case "case":
      return trans.__("Case");
    case "distribution":
      return trans.__("Distribution network");
    case "costs":
      return trans.__("Costs");
    case "geography":
      return trans.__("Geography");
    case "display":
      return trans.__("Drawing");
    case "profile":
      return trans.__("Demand profile");
    case "security":
      return trans.__("Outages");
    case "waiting":
      return trans.__("Waiting");
    case "refused":
      return trans.__("Refused");
  }
}

interface FilesReportProps {
  intake: FileIntake;
  /**
   * Whether the report lies on a picture: it shows the outcome of a single file, lists a batch only on demand when all
   * of its files were used, and disappears by itself when it needs no attention.
   */
  isShort?: boolean;
}

/** The outcome of the last batch, one line per file, and the progress of running batches. Empty without a batch. */
export function FilesReport({ intake, isShort = false }: FilesReportProps): ReactElement {
  useSignal(intake.changed);
  const { running, outcomes } = intake;
  const node = useRef<HTMLElement>(null);
  /** The outcomes that were opened or closed by hand, and those that have disappeared by themselves. */
  const [toggled, setToggled] = useState<{ of: readonly FileOutcome[]; open: boolean } | null>(null);
  const [passed, setPassed] = useState<readonly FileOutcome[] | null>(null);
  const open = toggled?.of === outcomes ? toggled.open : !isShort || outcomes.some(needsDecision);
  const isIdle = running.length === 0;
  const isPlain = outcomes.every((one) => !needsDecision(one) && one.notes.length === 0);
  const passes = isShort && isPlain && isIdle && outcomes.length > 0 && passed !== outcomes;
  usePassing(node, passes ? outcomes : null, () => setPassed(outcomes));
  const [only, ...others] = outcomes;
  const isAlone = isShort && only !== undefined && others.length === 0 && !needsDecision(only);
  return (
    <section
      className="wb-Files"
      aria-label={trans.__("Files")}
      hidden={isIdle && (outcomes.length === 0 || passed === outcomes)}
      ref={node}
    >
      <div className="wb-Files-batches">
        {running.map((batch, k) => (
          <BatchRow key={k} batch={batch} />
        ))}
      </div>
      <div className="wb-Files-head" hidden={outcomes.length === 0}>
        <p className="wb-Files-words" role="status">
          {isAlone ? only.sentence : summary(outcomes)}
        </p>
        <button
          className="wb-Button"
          type="button"
          title={trans.__("Details")}
          aria-label={trans.__("Details")}
          aria-expanded={open}
          hidden={!isShort || outcomes.length === 0}
          onClick={() => setToggled({ of: outcomes, open: !open })}
        >
          {trans.__("Details")}
        </button>
        <Button label={trans.__("Close")} act={() => intake.dismiss()} />
      </div>
      <ul className="wb-Files-list" hidden={!open || outcomes.length === 0}>
        {outcomes.map((one, k) => (
          <Line key={`${k} ${one.name} ${one.sentence}`} file={one} />
        ))}
      </ul>
    </section>
  );
}

/** Progress of one batch, with its Cancel button. */
function BatchRow({ batch }: { batch: RunningBatch }): ReactElement {
  const { stage, file, done, total } = batch.progress;
  return (
    <div className="wb-Files-head">
      <p className="wb-Files-words" role="status">
        {stageWords(stage, file, Math.min(total, done + 1), total)}
      </p>
      <progress
        aria-label={trans.__("Files read")}
        max="1"
        // A single file has no measurable progress.
        value={total === 1 ? undefined : done / Math.max(1, total)}
      />
      <Button label={trans.__("Cancel")} act={() => batch.cancel()} />
    </div>
  );
}

/** The present stage of a batch. */
function stageWords(stage: IntakeStage, file: string, place: number, total: number): string {
  const of = total > 1 ? trans.__("%1, %2 of %3 files", file, place, formatCount(total)) : file;
  switch (stage) {
    case "reading":
      return trans.__("Reading %1\u2026", of);
    case "placing":
      return trans.__("Placing by %1\u2026", of);
    case "solving":
      return trans.__("Solving the base case of %1\u2026", of);
  }
}

/** Whether a file still needs a decision. */
function needsDecision({ outcome, offer }: FileOutcome): boolean {
  return outcome === "refused" || outcome === "waiting" || offer !== undefined;
}

/** `3 files: 1 refused.` */
function summary(outcomes: readonly FileOutcome[]): string {
  const waiting = outcomes.filter(({ outcome }) => outcome === "waiting").length;
  if (waiting > 0) {
    const waits = trans._n("%2 file waits for others.", "%2 files wait for others.", waiting, formatCount(waiting));
    const rest = summary(outcomes.filter(({ outcome }) => outcome !== "waiting"));
    return rest === "" ? waits : `${waits} ${rest}`;
  }
  const bad = outcomes.filter(({ outcome }) => outcome === "refused").length;
  const all = outcomes.length;
  if (all === 0) {
    return "";
  }
  if (bad === 0) {
    return trans._n("%2 file: used.", "%2 files: all used.", all, formatCount(all));
  }
  if (bad === all) {
    return trans._n("%2 file: not used.", "%2 files: none used.", all, formatCount(all));
  }
  return trans._n(
    "%2 file: %3 used, %4 refused.",
    "%2 files: %3 used, %4 refused.",
    all,
    formatCount(all),
    all - bad,
    bad,
  );
}

/** The next step for a file, and why it failed. */
function Offered({ offer }: { offer: FileOffer }): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const take = (): void => {
    setBusy(true);
    setFailure("");
    offer
      .take()
      .catch((error: unknown) => setFailure(errorText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div className="wb-Files-offer">
      <Button label={offer.label} act={take} disabled={isBusy} />
      <p className="wb-mod-failed" role="status">
        {failure}
      </p>
    </div>
  );
}

function Line({ file }: { file: FileOutcome }): ReactElement {
  const { name, outcome, sentence, code, notes, offer } = file;
  return (
    <li className={outcome === "refused" ? "wb-Files-refused" : undefined} data-outcome={outcome}>
      <div className="wb-Files-name">
        <b>{name}</b>
        <span className="wb-unit">{kindName(outcome)}</span>
      </div>
      <div title={code}>{sentence}</div>
      {offer !== undefined && <Offered offer={offer} />}
      {notes.length > 0 && (
        <details>
          <summary>{trans._n("%2 remark", "%2 remarks", notes.length, formatCount(notes.length))}</summary>
          <ul>
            <Remarks remarks={notes} />
          </ul>
        </details>
      )}
    </li>
  );
}
