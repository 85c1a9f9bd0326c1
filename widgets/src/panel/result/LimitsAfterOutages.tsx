import type { ReactElement } from "react";
import type { BindingLimit } from "@service/engine";
import {
  capitalised,
  formatCount,
  formatMoney,
  formatMw,
  limitName,
  messageText,
  type Namer,
  trans,
} from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { ElementItems } from "./ElementList.tsx";
import { LEAST_MW } from "./Interfaces.tsx";

/** What the engine says about security itself; the list below has the limits that bind. */
const CODES = new Set([
  "SECURITY.RULE",
  "SECURITY.COST",
  "SECURITY.RAISED",
  "SECURITY.EXCEEDED",
  "SECURITY.SPLITTING",
  "SECURITY.LEFT_OUT",
]);

/** The limits after outages that set prices, the highest shadow price first, and the rule that they follow; empty without either. */
export function LimitsAfterOutages({ session }: { session: CaseSession }): ReactElement | null {
  const { opened, state } = session;
  const { security, diagnostics } = state.solution;
  if (security === undefined) {
    return null;
  }
  const limits = [...security.binding].sort((a, b) => b.shadow_usd_per_mwh - a.shadow_usd_per_mwh);
  const notes = diagnostics.filter(({ code }) => CODES.has(code));
  const { emergency } = security;
  const isEmpty = emergency === undefined && limits.length === 0;
  return (
    <>
      {isEmpty ? null : <h4>{trans.__("Limits after outages: %1", formatCount(limits.length))}</h4>}
      {notes.map(({ code, sentence }) => (
        <p key={code}>{messageText(sentence, opened)}</p>
      ))}
      {security.objective_without === undefined ? null : (
        <p>
          <button type="button" className="wb-Button" onClick={() => session.showQuantity("lmp_security")}>
            {trans.__("Show on the map what they add to prices")}
          </button>
        </p>
      )}
      {isEmpty ? null : limits.length === 0 ? (
        <p>{trans.__("No limit after an outage binds.")}</p>
      ) : (
        <ElementItems
          session={session}
          items={limits}
          element={({ branch }) => ({ kind: "branch", id: branch })}
          text={(limit) => limitSentence(limit, opened)}
        />
      )}
    </>
  );
}

/** `Line 12 (Ash to Birch) after the outage of line 40 (Ash to Cedar) binds at 250.0 MW; shadow price 35.70 $/MWh.` */
function limitSentence(limit: BindingLimit, namer: Namer): string {
  const { limit_mw, excess_mw, shadow_usd_per_mwh } = limit;
  const name = capitalised(limitName(limit, namer));
  const price = formatMoney(shadow_usd_per_mwh);
  return excess_mw < LEAST_MW
    ? trans.__("%1 is at its limit of %2 MW; shadow price %3 $/MWh.", name, formatMw(limit_mw), price)
    : trans.__(
        "%1 exceeds %2 MW by %3 MW; shadow price %4 $/MWh.",
        name,
        formatMw(limit_mw),
        formatMw(excess_mw),
        price,
      );
}
