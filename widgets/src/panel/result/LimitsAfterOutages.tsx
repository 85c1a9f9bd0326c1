import type { ReactElement } from "react";
import type { BindingLimit, InterfaceFlow } from "@service/engine";
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
import type { CaseSession, Selection } from "../../workspace/index.ts";
import { ElementItems } from "./ElementList.tsx";

/** Excesses below this, MW, are rounding. */
const LEAST_MW = 1e-6;

/** What the engine says about security itself; the list below has the limits that bind. */
const CODES = new Set([
  "SECURITY.RULE",
  "SECURITY.RAISED",
  "SECURITY.EXCEEDED",
  "SECURITY.SPLITTING",
  "SECURITY.LEFT_OUT",
]);

/** The interfaces, the limits after outages that set prices, the highest shadow price first, and the rule that they follow; empty without either. */
export function LimitsAfterOutages({ session }: { session: CaseSession }): ReactElement | null {
  const { opened, state } = session;
  const { security, diagnostics } = state.solution;
  if (security === undefined) {
    return null;
  }
  const limits = [...security.binding].sort((a, b) => b.shadow_usd_per_mwh - a.shadow_usd_per_mwh);
  const notes = diagnostics.filter(({ code }) => CODES.has(code));
  const { interfaces = [], emergency } = security;
  const isEmpty = emergency === undefined && limits.length === 0;
  return (
    <>
      {interfaces.length === 0 ? null : (
        <>
          <h4>{trans.__("Interfaces: %1", formatCount(interfaces.length))}</h4>
          <ul className="wb-Panel-binding">
            {interfaces.map((one) => (
              <li key={one.name}>
                <button
                  type="button"
                  className="wb-Button wb-mod-link"
                  onClick={() => void session.selectMany(linesOf(one.name, session))}
                >
                  {interfaceSentence(one)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {isEmpty ? null : <h4>{trans.__("Limits after outages: %1", formatCount(limits.length))}</h4>}
      {notes.map(({ code, sentence }) => (
        <p key={code}>{messageText(sentence, opened)}</p>
      ))}
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

/** The lines of an interface. */
function linesOf(name: string, { opened, options }: CaseSession): Selection[] {
  const named = options.limits?.interfaces?.find((one) => one.name === name);
  return (named?.branches ?? []).flatMap(({ branch }): Selection[] => {
    const line = opened.branches[opened.keyRow("branch", String(branch))];
    return line === undefined ? [] : [{ kind: "branch", id: line.id }];
  });
}

/** `North: 350.0 MW, at most 400.0 MW.`, `North: 400.0 MW, at most 400.0 MW; shadow price 35.70 $/MWh.` */
function interfaceSentence({ name, flow_mw, min_mw, max_mw, excess_mw, shadow_usd_per_mwh }: InterfaceFlow): string {
  const limits = [
    ...(min_mw === undefined ? [] : [trans.__("at least %1 MW", formatMw(min_mw))]),
    ...(max_mw === undefined ? [] : [trans.__("at most %1 MW", formatMw(max_mw))]),
  ].join(", ");
  const price = formatMoney(Math.abs(shadow_usd_per_mwh));
  const flow = formatMw(flow_mw);
  if (excess_mw >= LEAST_MW) {
    return trans.__(
      "%1: %2 MW, %3; exceeded by %4 MW, shadow price %5 $/MWh.",
      name,
      flow,
      limits,
      formatMw(excess_mw),
      price,
    );
  }
  return shadow_usd_per_mwh === 0
    ? trans.__("%1: %2 MW, %3.", name, flow, limits)
    : trans.__("%1: %2 MW, %3; shadow price %4 $/MWh.", name, flow, limits, price);
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
