import type { GivenCost } from "@service/engine";
import { type ReactElement, useState } from "react";
import { errorText, messageText, trans } from "../../text/index.ts";
import {
  type CaseSession,
  costsNotice,
  hasAssumedCosts,
  isFree,
  lacksCosts,
  type IWorkspace,
  type OpenedCase,
} from "../../workspace/index.ts";
import { FuelCosts } from "./FuelCosts.tsx";
import { FuelPrices } from "./FuelPrices.tsx";

/**
 * The costs of the case, and controls to give some as edits of the Study: typical costs, costs by fuel, and sliders of
 * fuel prices.
 */
export function CostsPart({ session, workspace }: { session: CaseSession; workspace: IWorkspace }): ReactElement {
  const { opened } = session;
  const { ingested, origin } = opened;
  const [giving, setGiving] = useState(false);
  const [pricing, setPricing] = useState(false);
  const { busy, problem, run } = useRun();
  const assumed = hasAssumedCosts(ingested);
  const lacking = lacksCosts(opened, session.state.edits);
  const notice = costsNotice(ingested, session.state.edits) ?? (lacking ? partlyFree(opened) : null);
  const give = (costs: readonly GivenCost[]): void =>
    run(async () => {
      await workspace.giveCosts(session, costs);
      setGiving(false);
    });
  return (
    <div className="wb-Costs" role="group" aria-label={trans.__("Costs")}>
      {notice === null ? null : (
        <p className={isFree(ingested) || assumed ? "wb-Panel-warning" : undefined}>{notice}</p>
      )}
      <div className="wb-Costs-controls">
        {!lacking || assumed ? null : (
          <button
            type="button"
            className="wb-Button"
            disabled={busy}
            onClick={() => run(() => workspace.giveCosts(session, "typical"))}
          >
            {trans.__("Use typical costs")}
          </button>
        )}
        <button type="button" className="wb-Button" aria-expanded={giving} onClick={() => setGiving(!giving)}>
          {notice === null || assumed ? trans.__("Give other costs\u2026") : trans.__("Give costs by fuel\u2026")}
        </button>
        {session.capabilities.has("prices") && opened.generators.length > 0 ? (
          <button type="button" className="wb-Button" aria-expanded={pricing} onClick={() => setPricing(!pricing)}>
            {trans.__("Change fuel prices\u2026")}
          </button>
        ) : null}
        {origin?.kind === "costs" ? (
          <button
            type="button"
            className="wb-Button"
            disabled={busy}
            onClick={() => run(() => workspace.openAsRead(opened))}
          >
            {trans.__("Back to the case as read")}
          </button>
        ) : null}
      </div>
      {problem === "" ? null : (
        <p className="wb-mod-failed" role="alert">
          {problem}
        </p>
      )}
      {pricing && session.capabilities.has("prices") ? <FuelPrices session={session} /> : null}
      {giving ? <FuelCosts opened={opened} workspace={workspace} busy={busy} give={give} /> : null}
    </div>
  );
}

/** A sentence that some generators have no cost; null where all have one. */
function partlyFree(opened: OpenedCase): string | null {
  const missing = opened.ingested.warnings.find(({ code }) => code === "COST.MISSING");
  return missing === undefined ? null : messageText(missing.sentence, opened);
}

/** Runs one task at a time and reports its error. */
function useRun(): { busy: boolean; problem: string; run(work: () => Promise<unknown>): void } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setProblem("");
    work()
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => setBusy(false));
  };
  return { busy, problem, run };
}
