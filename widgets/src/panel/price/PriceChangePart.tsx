import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import {
  capitalised,
  errorText,
  formatCount,
  formatDerivative,
  formatPrice,
  formulationName,
  limitName,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  type CommittedState,
  type LinePart,
  type Moved,
  otherIds,
  type PriceParts,
  type SettingUnits,
  type UnitPart,
  unitParts,
} from "../../workspace/index.ts";
import { StateChoice } from "../history/StateChoice.tsx";
import { ElementLink } from "../sections/ElementLink.tsx";
import { useSignalLater } from "../../ui/useSignal.ts";

/** Number of rows listed initially. */
const FIRST_LINES = 8;
const FIRST_UNITS = 6;

interface PriceChangeProps {
  session: CaseSession;
  /** Original id of the bus. */
  bus: number;
}

/** The parts of the price of a bus in two states: by line, and by the generators that set it. */
export function PriceChangePart({ session, bus }: PriceChangeProps): ReactElement {
  useSignalLater(session.history.changed);
  const { states, current } = session.history;
  const [chosen, setChosen] = useState<{ from: number; to: number | null }>({ from: 0, to: null });
  const byId = (id: number | null): CommittedState => states.find((state) => state.id === id) ?? current;
  const [from, to] = [byId(chosen.from), byId(chosen.to)];
  const found = usePriceParts(session, bus, from, to);
  const name = (state: CommittedState): string => session.stateName(state);
  return (
    <div
      className="wb-Price"
      data-bus={bus}
      data-state={found === null ? "running" : "problem" in found ? "failed" : "done"}
    >
      {states.length < 2 ? null : (
        <div className="wb-Compare-states">
          <StateChoice
            label={trans.__("From")}
            states={states}
            name={name}
            value={from}
            choose={(id) => setChosen({ ...chosen, from: id })}
          />
          <StateChoice
            label={trans.__("To")}
            states={states}
            name={name}
            value={to}
            choose={(id) => setChosen({ ...chosen, to: id === current.id ? null : id })}
          />
        </div>
      )}
      <p role="status" className={found !== null && "problem" in found ? "wb-mod-failed" : undefined}>
        {statusText(session, bus, found, from.id === to.id)}
      </p>
      {found === null || "problem" in found ? null : (
        <>
          <PartsTable session={session} parts={found} isOneState={from.id === to.id} />
          {from.formulation === to.formulation ? null : (
            <p className="wb-Panel-hint">
              {trans.__(
                "The states are of two formulations, %1 and %2: what one does not model is zero there.",
                formulationName(from.formulation),
                formulationName(to.formulation),
              )}
            </p>
          )}
          <p className="wb-Panel-hint">{referenceText(found)}</p>
          <UnitsOfStates session={session} bus={bus} from={from} to={to} />
        </>
      )}
    </div>
  );
}

/** Text of the live region. */
function statusText({ opened }: CaseSession, bus: number, found: FoundParts | null, isOneState: boolean): string {
  if (found === null) {
    return trans.__("Computing the parts of the price\u2026");
  }
  if ("problem" in found) {
    return found.problem;
  }
  const { before, after } = found.price;
  const name = capitalised(opened.nameOf("bus", bus));
  if (isOneState) {
    return trans.__("%1: %2 $/MWh.", name, formatPrice(after));
  }
  const change = formatPrice(after - before, { signed: true });
  return trans.__("%1: %2 \u2192 %3 $/MWh, %4 $/MWh.", name, formatPrice(before), formatPrice(after), change);
}

type FoundParts = PriceParts | { problem: string };

/** The parts of a price in two states, once available. */
function usePriceParts(session: CaseSession, bus: number, from: CommittedState, to: CommittedState): FoundParts | null {
  const [found, setFound] = useState<{ of: string; parts: FoundParts } | null>(null);
  const of = `${bus} ${from.id} ${to.id}`;
  useEffect(() => {
    let gone = false;
    const show = (parts: FoundParts): void => {
      if (!gone) {
        setFound({ of, parts });
      }
    };
    session.priceChanges.between(bus, from, to).then(show, (error: unknown) => {
      show({ problem: errorText(error, session.opened) });
    });
    return () => {
      gone = true;
    };
  }, [session, bus, from, to, of]);
  return found?.of === of ? found.parts : null;
}

interface PartsProps {
  session: CaseSession;
  parts: PriceParts;
  /** Whether both states are the same, so that one column suffices. */
  isOneState: boolean;
}

function PartsTable({ session, parts, isOneState }: PartsProps): ReactElement {
  const [all, setAll] = useState(false);
  const { lines } = parts;
  const shown = all || lines.length === FIRST_LINES + 1 ? lines : lines.slice(0, FIRST_LINES);
  const rest = lines.slice(shown.length);
  return (
    <>
      <table className="wb-Price-parts">
        <caption>{trans.__("Parts of the price, $/MWh")}</caption>
        <Head first={trans.__("Part")} isOneState={isOneState} />
        <tbody>
          <Row name={trans.__("Energy")} moved={parts.energy} isOneState={isOneState} />
          {parts.losses === null ? null : (
            <Row name={trans.__("Losses")} moved={parts.losses} isOneState={isOneState} />
          )}
          {parts.voltage === null ? null : (
            <Row name={trans.__("Voltage limits")} moved={parts.voltage} isOneState={isOneState} />
          )}
          {shown.map((line) => (
            <Row
              key={[limitName(line, session.opened), line.binds].join(" ")}
              name={<LineName session={session} line={line} isOneState={isOneState} />}
              moved={line}
              isOneState={isOneState}
              data-branch={line.branch}
            />
          ))}
          {rest.length === 0 ? null : (
            <Row
              name={trans._n("%2 other line", "%2 other lines", rest.length, formatCount(rest.length))}
              moved={{ before: sumOf(rest, "before"), after: sumOf(rest, "after") }}
              isOneState={isOneState}
            />
          )}
        </tbody>
        <tfoot>
          <Row name={trans.__("LMP")} moved={parts.price} isOneState={isOneState} />
        </tfoot>
      </table>
      {rest.length === 0 ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(lines.length))}
        </button>
      )}
    </>
  );
}

function sumOf(lines: readonly LinePart[], side: keyof Moved): number {
  return lines.reduce((sum, line) => sum + line[side], 0);
}

function Head({ first, isOneState }: { first: string; isOneState: boolean }): ReactElement {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {isOneState ? (
          <th scope="col">{trans.__("Price")}</th>
        ) : (
          <>
            <th scope="col">{trans.__("From")}</th>
            <th scope="col">{trans.__("To")}</th>
            <th scope="col">{trans.__("Change")}</th>
          </>
        )}
      </tr>
    </thead>
  );
}

interface RowProps {
  name: ReactNode;
  moved: Moved;
  isOneState: boolean;
  "data-branch"?: number;
}

function Row({ name, moved: { before, after }, isOneState, ...data }: RowProps): ReactElement {
  return (
    <tr {...data}>
      <th scope="row">{name}</th>
      {isOneState ? null : <td>{formatPrice(before)}</td>}
      <td>{formatPrice(after)}</td>
      {isOneState ? null : <td>{formatPrice(after - before, { signed: true })}</td>}
    </tr>
  );
}

/** A line, which a click selects, and whether it begins or ceases to bind. */
function LineName({
  session,
  line,
  isOneState,
}: {
  session: CaseSession;
  line: LinePart;
  isOneState: boolean;
}): ReactElement {
  const { branch, binds } = line;
  const news =
    isOneState || binds === "both" ? "" : binds === "after" ? trans.__("now binds") : trans.__("no longer binds");
  return (
    <>
      <ElementLink
        session={session}
        element={{ kind: "branch", id: branch }}
        text={capitalised(limitName(line, session.opened))}
      />
      {news === "" ? null : <span className="wb-Price-news"> {news}</span>}
    </>
  );
}

function referenceText({ reference }: PriceParts): string {
  return reference === "demand"
    ? trans.__(
        "Energy is the mean price by demand of the island. Another reference splits the price differently; the price stays the same.",
      )
    : trans.__(
        "Energy is the mean price of the island. Another reference splits the price differently; the price stays the same.",
      );
}

type FoundUnits = { before: SettingUnits; after: SettingUnits } | { problem: string };

/** The generators that set a price in two states, once available. */
function useUnits(session: CaseSession, bus: number, from: CommittedState, to: CommittedState): FoundUnits | null {
  const [found, setFound] = useState<{ of: string; units: FoundUnits } | null>(null);
  const of = `${bus} ${from.id} ${to.id}`;
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const fetch = async (): Promise<FoundUnits> => {
      try {
        const before = await session.priceChanges.units(bus, from, signal);
        return { before, after: await session.priceChanges.units(bus, to, signal) };
      } catch (error) {
        return { problem: errorText(error, session.opened) };
      }
    };
    void fetch().then((units) => {
      if (!signal.aborted) {
        setFound({ of, units });
      }
    });
    return () => control.abort();
  }, [session, bus, from, to, of]);
  return found?.of === of ? found.units : null;
}

interface UnitsOfStatesProps extends PriceChangeProps {
  from: CommittedState;
  to: CommittedState;
}

/** The generators that set the price, after the parts of the price: in the relaxation of a large case they take seconds. */
function UnitsOfStates({ session, bus, from, to }: UnitsOfStatesProps): ReactElement {
  const found = useUnits(session, bus, from, to);
  const isOneState = from.id === to.id;
  if (found === null || "problem" in found) {
    return (
      <p role="status" className={found === null ? undefined : "wb-mod-failed"}>
        {found?.problem ?? trans.__("Finding the generators that set the price\u2026")}
      </p>
    );
  }
  const { before, after } = found;
  const apart = otherIds("generators", session.opened.rowsOfCase, from.edits.added, to.edits.added);
  return (
    <>
      <UnitsTable session={session} units={unitParts(before ?? [], after ?? [], apart)} isOneState={isOneState} />
      {before !== null && after !== null ? null : (
        <p className="wb-Panel-hint" data-breakpoint>
          {isOneState
            ? trans.__("The state is a breakpoint: the generators that set the price are not unique.")
            : trans.__(
                "At a breakpoint the generators that set the price are not unique; no part of them is shown there.",
              )}
        </p>
      )}
    </>
  );
}

interface UnitsProps {
  session: CaseSession;
  units: readonly UnitPart[];
  isOneState: boolean;
}

/** The generators that set the price: how much each gives of one more MW at the bus, times its marginal cost. */
function UnitsTable({ session, units, isOneState }: UnitsProps): ReactElement | null {
  const [all, setAll] = useState(false);
  if (units.length === 0) {
    return null;
  }
  const shown = all || units.length === FIRST_UNITS + 1 ? units : units.slice(0, FIRST_UNITS);
  return (
    <>
      <table className="wb-Price-units">
        <caption>
          {trans.__("Generators that set it: MW for one more MW at the bus \u00d7 marginal cost, $/MWh")}
        </caption>
        <Head first={trans.__("Generator")} isOneState={isOneState} />
        <tbody>
          {shown.map((unit) => (
            <UnitRow
              key={`${unit.generator} ${unit.was === null}`}
              session={session}
              unit={unit}
              isOneState={isOneState}
            />
          ))}
        </tbody>
      </table>
      {shown.length === units.length ? null : (
        <button type="button" className="wb-Button" onClick={() => setAll(true)}>
          {trans.__("Show all %1", formatCount(units.length))}
        </button>
      )}
    </>
  );
}

function UnitRow({
  session,
  unit,
  isOneState,
}: {
  session: CaseSession;
  unit: UnitPart;
  isOneState: boolean;
}): ReactElement {
  const { generator, was, is, before, after } = unit;
  const part = (of: UnitPart["was"]): string =>
    of === null ? trans.__("no part") : `${formatDerivative(of.participation)} \u00d7 ${formatPrice(of.costUsdPerMwh)}`;
  return (
    <tr data-generator={generator}>
      <th scope="row">
        <ElementLink session={session} element={{ kind: "generator", id: generator }} />
      </th>
      {isOneState ? null : <td>{part(was)}</td>}
      <td>{part(is)}</td>
      {isOneState ? null : <td>{formatPrice(after - before, { signed: true })}</td>}
    </tr>
  );
}
