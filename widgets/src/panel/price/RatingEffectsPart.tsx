import { type ReactElement, useEffect, useRef, useState } from "react";
import {
  capitalised,
  type EditUnit,
  errorText,
  formatCount,
  formatDerivative,
  formatPower,
  formatPriceChange,
  intervalSentence,
  isEstimate,
  isOneSided,
  trans,
  unitOfChange,
} from "../../text/index.ts";
import {
  type CaseSession,
  isCancelled,
  type RatingEffect,
  type RatingEffects,
  sameEdits,
} from "../../workspace/index.ts";
import { Amount } from "../plan/Amount.tsx";
import { ElementLink } from "../sections/ElementLink.tsx";

/** Number of rows listed initially. */
const FIRST = 8;
/** Default increase of the ratings, MW or MVA. */
const RAISED_MW = 10;

interface RatingEffectsProps {
  session: CaseSession;
  /** Original id of the bus. */
  bus: number;
}

/** Which ratings lower the price of a bus, or the mean price: derivatives with their intervals, and exact solves on request. */
export function RatingEffectsPart({ session, bus }: RatingEffectsProps): ReactElement {
  const [scope, setScope] = useState<"bus" | "mean">("bus");
  const of = scope === "bus" ? bus : null;
  const found = useEffects(session, of);
  return (
    <div className="wb-Price-effects" data-state={found === null ? "running" : "problem" in found ? "failed" : "done"}>
      <h4>{trans.__("Which ratings lower a price")}</h4>
      <div className="wb-Run-controls">
        <select
          aria-label={trans.__("Price")}
          value={scope}
          onChange={({ target }) => setScope(target.value === "mean" ? "mean" : "bus")}
        >
          <option value="bus">{capitalised(session.opened.nameOf("bus", bus))}</option>
          <option value="mean">{trans.__("Mean price by demand")}</option>
        </select>
      </div>
      {found === null ? (
        <p role="status">{trans.__("Computing the effects of ratings\u2026")}</p>
      ) : "problem" in found ? (
        <p role="status" className="wb-mod-failed">
          {found.problem}
        </p>
      ) : found.effects.length === 0 ? (
        <p role="status">{trans.__("No line binds, so raising a rating lowers no price.")}</p>
      ) : (
        <Effects key={`${String(of)} ${session.live.revision}`} session={session} bus={of} found={found} />
      )}
    </div>
  );
}

type FoundEffects = RatingEffects | { problem: string };

/** The effects at the live state, once available. */
function useEffects(session: CaseSession, bus: number | null): FoundEffects | null {
  const [found, setFound] = useState<{ bus: number | null; revision: number; effects: FoundEffects } | null>(null);
  const { revision } = session.live;
  useEffect(() => {
    const control = new AbortController();
    const show = (effects: FoundEffects): void => {
      if (!control.signal.aborted) {
        setFound({ bus, revision, effects });
      }
    };
    session.ratings
      .of(bus, control.signal)
      .then(show, (error: unknown) => show({ problem: errorText(error, session.opened) }));
    return () => control.abort();
  }, [session, bus, revision]);
  return found?.bus === bus && found.revision === revision ? found.effects : null;
}

/** Exact changes of the price by branch, null without a solution, with every rating raised by `mw` alone. */
type Verification =
  | { kind: "none" | "running" }
  | { kind: "failed"; problem: string }
  | { kind: "done"; mw: number; exact: ReadonlyMap<number, number | null> };

interface EffectsProps {
  session: CaseSession;
  bus: number | null;
  found: RatingEffects;
}

function Effects({ session, bus, found: { edits, effects } }: EffectsProps): ReactElement {
  const [all, setAll] = useState(false);
  const [mw, setMw] = useState(RAISED_MW);
  const [verified, verify] = useVerification(session, bus);
  const shown = all || effects.length === FIRST + 1 ? effects : effects.slice(0, FIRST);
  const unit = effects[0] === undefined ? "MW" : unitOfChange(effects[0].column);
  const branches = shown.map(({ branch }) => branch);
  return (
    <>
      <table className="wb-Price-ratings">
        <caption>
          {unit === "MVA"
            ? trans.__("Change of the price for one more MVA of rating, $/MWh")
            : trans.__("Change of the price for one more MW of rating, $/MWh")}
        </caption>
        <thead>
          <tr>
            <th scope="col">{trans.__("Line")}</th>
            <th scope="col">{trans.__("Per %1", unit)}</th>
            {verified.kind === "done" ? (
              <>
                <th
                  scope="col"
                  title={trans.__("Linear estimate: derivative times %1", formatPower(verified.mw, unit))}
                >
                  {trans.__("Estimate, %1", formatPower(verified.mw, unit, { signed: true }))}
                </th>
                <th scope="col" title={trans.__("By an exact solve")}>
                  {trans.__("Exact")}
                </th>
              </>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {shown.map((effect) => (
            <EffectRow key={effect.branch} session={session} effect={effect} verified={verified} />
          ))}
        </tbody>
      </table>
      {shown.length === effects.length ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(effects.length))}
        </button>
      )}
      <div className="wb-Price-verify">
        <Amount label={trans.__("Raise each rating by")} unit={unit} value={mw} set={setMw} />
        <button
          type="button"
          className="wb-Button"
          data-action="verify"
          disabled={verified.kind === "running" || !sameEdits(edits, session.live.edits)}
          onClick={() => verify(branches, mw)}
        >
          {trans.__("Verify exactly")}
        </button>
      </div>
      <p role="status" className={verified.kind === "failed" ? "wb-mod-failed" : "wb-Panel-hint"}>
        {verificationText(verified, unit)}
      </p>
    </>
  );
}

function useVerification(
  session: CaseSession,
  bus: number | null,
): [Verification, (branches: readonly number[], mw: number) => void] {
  const [verified, setVerified] = useState<Verification>({ kind: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const verify = (branches: readonly number[], mw: number): void => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setVerified({ kind: "running" });
    const show = (result: Verification): void => {
      if (!control.signal.aborted) {
        setVerified(result);
      }
    };
    session.ratings.verify(branches, bus, mw, control.signal).then(
      (exact) => show({ kind: "done", mw, exact }),
      (error: unknown) => {
        show(isCancelled(error) ? { kind: "none" } : { kind: "failed", problem: errorText(error, session.opened) });
      },
    );
  };
  return [verified, verify];
}

function verificationText(verified: Verification, unit: EditUnit): string {
  switch (verified.kind) {
    case "none":
      return trans.__("Each line is solved exactly with its rating raised alone; the state does not change.");
    case "running":
      return trans.__("Solving with each rating raised\u2026");
    case "failed":
      return verified.problem;
    case "done":
      return trans._n(
        "%2 line solved exactly with its rating raised by %3.",
        "%2 lines solved exactly, each with its rating raised by %3 alone.",
        verified.exact.size,
        formatCount(verified.exact.size),
        formatPower(verified.mw, unit),
      );
  }
}

interface EffectRowProps {
  session: CaseSession;
  effect: RatingEffect;
  verified: Verification;
}

function EffectRow({ session, effect, verified }: EffectRowProps): ReactElement {
  const { branch, increase } = effect;
  const exact = verified.kind === "done" ? verified.exact.get(branch) : undefined;
  return (
    <tr data-branch={branch}>
      <th scope="row">
        <ElementLink session={session} element={{ kind: "branch", id: branch }} />
        <span className="wb-Price-news"> {whereText(effect)}</span>
      </th>
      <td>{formatDerivative(increase, { signed: true })}</td>
      {verified.kind === "done" ? (
        <>
          <td>{formatPriceChange(increase * verified.mw, { signed: true })}</td>
          <td>
            {exact === undefined
              ? ""
              : exact === null
                ? trans.__("no solution")
                : formatPriceChange(exact, { signed: true })}
          </td>
        </>
      ) : null}
    </tr>
  );
}

/** The interval in which the derivatives are exact. */
function whereText({ decrease, column }: RatingEffect): string {
  if (isOneSided(column)) {
    return trans.__("at a breakpoint; %1 for a decrease", formatDerivative(decrease, { signed: true }));
  }
  const [, high] = column.warrant.valid_mw;
  return isEstimate(column) && high !== null
    ? trans.__(
        "linear estimate; the same limits bind up to %1",
        formatPower(high, unitOfChange(column), { signed: true }),
      )
    : intervalSentence(column, 0);
}
