import { type ReactElement, useState } from "react";
import { afterOutage, formatCount, formatMoney, formatMw, messageText, trans } from "../../text/index.ts";
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
        {shown.map(({ branch, outage, limit_mw, excess_mw, shadow_usd_per_mwh }) => (
          <li key={[branch, ...outage].join(" ")}>
            <ElementLink session={session} element={{ kind: "branch", id: branch }} />{" "}
            {outage.length === 0 ? "" : `${afterOutage(outage, opened)} `}
            {excess_mw < LEAST_MW
              ? trans.__("binds at %1 MW; shadow price %2 $/MWh.", formatMw(limit_mw), formatMoney(shadow_usd_per_mwh))
              : trans.__(
                  "exceeds %1 MW by %2 MW; shadow price %3 $/MWh.",
                  formatMw(limit_mw),
                  formatMw(excess_mw),
                  formatMoney(shadow_usd_per_mwh),
                )}
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
