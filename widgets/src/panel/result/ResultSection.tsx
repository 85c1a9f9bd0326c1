import { type ReactElement, useCallback } from "react";
import { isPending, relaxationOfSession, statusSentence, statusText } from "../../ui/index.ts";
import {
  bindingSentence,
  certificateLines,
  formatCount,
  formatMoney,
  formatMw,
  formatPrice,
  noSolutionReason,
  onePriceSentence,
  residualMeaning,
  trans,
} from "../../text/index.ts";
import {
  bindingRows,
  type CaseSession,
  answerNotices,
  isAssumed,
  offersOfSession,
  ratingsNotice,
  ratingsOffer,
  storageOffer,
  PRICE,
  type PriceAt,
  priceStatistics,
  pricesOfBuses,
  ratingUnit,
  SHADOW_PRICE,
  type SessionChange,
  type IWorkspace,
  heaviestBranch,
  onePrice,
} from "../../workspace/index.ts";
import { ElementList } from "./ElementList.tsx";
import { Interfaces } from "./Interfaces.tsx";
import { LimitsAfterOutages } from "./LimitsAfterOutages.tsx";
import { Overloads, ReactiveLimits, Voltages } from "./VoltageResult.tsx";
import { ElementLink } from "../sections/ElementLink.tsx";
import { OffersFrame } from "../sections/OffersFrame.tsx";
import { RelaxationFrame } from "../sections/RelaxationFrame.tsx";
import { Section } from "../sections/Section.tsx";
import { useSession } from "../../ui/useSignal.ts";
const FOLLOWED: readonly SessionChange[] = ["state", "status"];

/** Placeholder for a link in a sentence. */
const PLACE = "\u0000";

/** The exact result: status, cost, prices, binding limits, and the certificate in plain words. */
export function ResultSection({ session, workspace }: { session: CaseSession; workspace: IWorkspace }): ReactElement {
  useSession(session, FOLLOWED);
  const { state, status, opened } = session;
  const { solution } = state;
  const { objective } = solution;
  const before = status.kind === "previewing";
  const notices = answerNotices(opened.ingested, solution.prices !== undefined, session.state.edits);
  const ratings = ratingsNotice(opened.ingested, session.options.assumed_ratings === false);
  const offers = [ratingsOffer(session), storageOffer(session)].filter((offer) => offer !== null);
  const { relaxationSearch } = session;
  const makeRelaxation = useCallback(
    () => relaxationOfSession(session, workspace),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another failure has another search
    [session, workspace, relaxationSearch],
  );
  return (
    <Section
      id="result"
      title={trans.__("Result")}
      note={objective === undefined ? "" : `${formatMoney(objective)} $/h`}
      open
    >
      <dl>
        <div>
          <dt>{trans.__("Status")}</dt>
          <dd
            className={status.kind === "failed" ? "wb-mod-failed" : undefined}
            title={status.kind === "ready" ? residualMeaning(solution) : undefined}
          >
            {before
              ? trans.__("%1; the numbers below are those before the edit", statusWords(session))
              : statusWords(session)}{" "}
            {isPending(status) ? (
              <button type="button" className="wb-Button" onClick={() => session.cancel()}>
                {trans.__("Cancel")}
              </button>
            ) : null}
          </dd>
        </div>
        {objective === undefined ? null : (
          <div>
            <dt>{trans.__("Objective")}</dt>
            <dd className="wb-Panel-objective">{formatMoney(objective)} $/h</dd>
          </div>
        )}
      </dl>
      <RefusalDetails session={session} />
      {notices.map((notice) => (
        <p key={notice} className="wb-Panel-warning">
          {notice}
        </p>
      ))}
      {state.remark === undefined ? null : <p className="wb-Panel-warning">{state.remark}</p>}
      <RelaxationFrame make={makeRelaxation} />
      <OffersFrame offers={offersOfSession(session)} workspace={workspace} />
      {state.otherSha256 === null ? null : (
        <p className="wb-Panel-warning">
          {trans.__("The kernel has a different result for the same state: the hashes differ.")}
        </p>
      )}
      {ratings === null ? null : <p>{ratings}</p>}
      {offers.length === 0 ? null : <OffersFrame offers={offers} workspace={workspace} />}
      <Prices session={session} />
      <BindingLines session={session} />
      <Interfaces session={session} workspace={workspace} />
      <LimitsAfterOutages session={session} />
      <Voltages session={session} />
      <ReactiveLimits session={session} />
      <Overloads session={session} />
      <details hidden={session.series.error !== null}>
        <summary>{trans.__("Certificate")}</summary>
        <dl>
          {certificateLines(solution, opened).map(({ term, meaning }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
          <div>
            <dt>{trans.__("Result hash")}</dt>
            <dd>
              <code className="wb-Panel-hash">{solution.result_sha256}</code>
            </dd>
          </div>
        </dl>
      </details>
    </Section>
  );
}

/** The details of a refused change, folded; empty where the status line is complete. */
function RefusalDetails({ session }: { session: CaseSession }): ReactElement | null {
  const { status, relaxationSearch } = session;
  const whole = statusSentence(session);
  if (status.kind !== "failed" || relaxationSearch !== null || whole === statusWords(session)) {
    return null;
  }
  return (
    <details>
      <summary>{trans.__("What would help")}</summary>
      <p>{whole}</p>
    </details>
  );
}

/** The status; beside a running search without the shortfall that was certain at once. */
function statusWords(session: CaseSession): string {
  const { status, relaxationSearch, opened } = session;
  if (status.kind === "failed" && relaxationSearch !== null && relaxationSearch.explanation === null) {
    return noSolutionReason(status, opened);
  }
  return statusText(session);
}

function Prices({ session }: { session: CaseSession }): ReactElement | null {
  const { columns } = session.store;
  const known = columns.pick(PRICE, "demand_mw");
  if (known === null) {
    return null; // the formulation has no prices
  }
  const found = priceStatistics(pricesOfBuses(session.opened, known[PRICE]), known.demand_mw);
  if (found === null) {
    return <p>{trans.__("No bus has a price.")}</p>;
  }
  const at = ({ usdPerMwh, row }: PriceAt): ReactElement => {
    const [before, after] = trans.__("%1 $/MWh at %2", formatPrice(usdPerMwh), PLACE).split(PLACE);
    const id = session.opened.busId(row);
    return (
      <>
        {before}
        <ElementLink session={session} element={{ kind: "bus", id }} text={session.opened.nameOf("bus", id)} />
        {after}
      </>
    );
  };
  return (
    <>
      <h4>{trans.__("Prices")}</h4>
      <dl className="wb-Panel-prices">
        <div>
          <dt>{trans.__("Load-weighted mean")}</dt>
          <dd>{formatPrice(found.loadWeighted)} $/MWh</dd>
        </div>
        {found.unweightedMw === 0 ? null : (
          <div>
            <dt>{trans.__("Not in this mean")}</dt>
            <dd>{trans.__("%1 MW of negative demand", formatMw(found.unweightedMw))}</dd>
          </div>
        )}
        <div>
          <dt>{trans.__("Mean of buses")}</dt>
          <dd>{formatPrice(found.mean)} $/MWh</dd>
        </div>
        <div>
          <dt>{trans.__("Lowest")}</dt>
          <dd>{at(found.min)}</dd>
        </div>
        <div>
          <dt>{trans.__("Highest")}</dt>
          <dd>{at(found.max)}</dd>
        </div>
        <div>
          <dt>{trans.__("Spread")}</dt>
          <dd>{formatPrice(found.max.usdPerMwh - found.min.usdPerMwh)} $/MWh</dd>
        </div>
        <div>
          <dt>{trans.__("Below zero")}</dt>
          <dd>
            {found.negative === 0
              ? trans.__("no bus")
              : trans.__("%1 of %2 buses", formatCount(found.negative), formatCount(found.count))}
          </dd>
        </div>
      </dl>
    </>
  );
}

function BindingLines({ session }: { session: CaseSession }): ReactElement | null {
  const { opened, store } = session;
  const { columns } = store;
  const shadow = columns.values(SHADOW_PRICE);
  if (shadow === null) {
    return null;
  }
  const rows = bindingRows(shadow);
  if (rows.length === 0) {
    return (
      <>
        <h4>{trans.__("Binding lines")}</h4>
        <p>{nothingBinds(session)}</p>
      </>
    );
  }
  const unit = ratingUnit(columns);
  const ratings = unit === "MVA" ? "rating_mva" : "rating_mw";
  const sentence = (row: number): string =>
    bindingSentence(
      opened.branches[row]?.id ?? 0,
      { value: columns.at(ratings, row), unit, assumed: isAssumedRow(opened, row) },
      shadow[row] ?? NaN,
      opened,
    );
  const title = trans.__("Binding lines: %1", formatCount(rows.length));
  return <ElementList session={session} title={title} kind="branch" rows={rows} text={sentence} />;
}

/** Whether the reader assumed the rating of a line. */
function isAssumedRow({ branches }: CaseSession["opened"], row: number): boolean {
  const branch = branches[row];
  return branch !== undefined && isAssumed(branch);
}

function nothingBinds({ opened, store }: CaseSession): string {
  const { columns } = store;
  const loading = columns.values("loading") ?? new Float64Array();
  const row = heaviestBranch(loading.map((value, at) => (isAssumedRow(opened, at) ? NaN : value)));
  const branch = opened.branches[row];
  const nearest = branch === undefined ? null : { id: branch.id, loading: columns.at("loading", row) };
  const price = onePrice(columns.values(PRICE) ?? new Float64Array());
  return price === null ? trans.__("No line binds.") : onePriceSentence(price, nearest, opened);
}
