import { type ReactElement, useState } from "react";
import type { BindingLimit } from "@service/engine";
import {
  afterOutage,
  capitalised,
  formatCount,
  formatMoney,
  formatMw,
  messageText,
  type Namer,
  trans,
} from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

/** Number of limits listed initially. */
const FIRST = 8;
/** Excesses below this, MW, are rounding. */
const LEAST_MW = 1e-6;

/** What the engine says about security itself; the list below has the limits that bind. */
const CODES = new Set(["SECURITY.RULE", "SECURITY.EXCEEDED", "SECURITY.SPLITTING"]);

/** The limits after outages that set prices, the highest shadow price first, and the rule that they follow; empty without security. */
export function LimitsAfterOutages({ session }: { session: CaseSession }): ReactElement | null {
  const [all, setAll] = useState(false);
  const { opened, state } = session;
  const { security, diagnostics } = state.solution;
  if (security === undefined) {
    return null;
  }
  const limits = [...security.binding].sort((a, b) => b.shadow_usd_per_mwh - a.shadow_usd_per_mwh);
  const shown = all ? limits : limits.slice(0, FIRST);
  const notes = diagnostics.filter(({ code }) => CODES.has(code));
  return (
    <>
      <h4>{trans.__("Limits after outages: %1", formatCount(limits.length))}</h4>
      {notes.map(({ code, sentence }) => (
        <p key={code}>{messageText(sentence, opened)}</p>
      ))}
      {limits.length === 0 ? <p>{trans.__("No limit after an outage binds.")}</p> : null}
      <ul className="wb-Panel-binding">
        {shown.map((limit) => (
          <li key={[limit.branch, ...limit.outage].join(" ")}>
            <ElementLink
              session={session}
              element={{ kind: "branch", id: limit.branch }}
              text={limitSentence(limit, opened)}
            />
          </li>
        ))}
      </ul>
      {shown.length === limits.length ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(limits.length))}
        </button>
      )}
    </>
  );
}

/** `Line 12 (Ash to Birch) after the outage of line 40 (Ash to Cedar) binds at 250.0 MW; shadow price 35.70 $/MWh.` */
function limitSentence(limit: BindingLimit, namer: Namer): string {
  const { branch, outage, limit_mw, excess_mw, shadow_usd_per_mwh } = limit;
  const line = capitalised(namer.nameOf("branch", branch));
  const name = outage.length === 0 ? line : `${line} ${afterOutage(outage, namer)}`;
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
