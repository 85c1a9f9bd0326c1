import type { ReactElement } from "react";
import { capitalised, formatCount, formatLoading, formatMw, formatPerUnit, trans } from "../../text/index.ts";
import {
  type CaseSession,
  exceededRows,
  reactiveLimits,
  SHADOW_PRICE,
  totalLosses,
  type VoltageAt,
  VOLTAGE_LIMITS,
  voltageStatistics,
} from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";
import { ElementList } from "./ElementList.tsx";

/** The voltages of the result: the lowest and the highest, violations of their limits, and line losses. */
export function Voltages({ session }: { session: CaseSession }): ReactElement | null {
  const { store, opened } = session;
  const { columns } = store;
  const found = voltageStatistics(columns);
  if (found === null) {
    return null; // the formulation has no magnitudes
  }
  const at = ({ pu, row }: VoltageAt): ReactElement => {
    const id = opened.busId(row);
    const text = trans.__("%1 pu at %2", formatPerUnit(pu), opened.nameOf("bus", id));
    return <ElementLink session={session} element={{ kind: "bus", id }} text={text} />;
  };
  const losses = totalLosses((name) => columns.values(name));
  const known = columns.has(...VOLTAGE_LIMITS);
  const outside = [...found.below, ...found.above];
  return (
    <>
      <h4>{trans.__("Voltages")}</h4>
      <dl className="wb-Panel-voltages">
        <div>
          <dt>{trans.__("Lowest")}</dt>
          <dd>{at(found.min)}</dd>
        </div>
        <div>
          <dt>{trans.__("Highest")}</dt>
          <dd>{at(found.max)}</dd>
        </div>
        {known ? (
          <div>
            <dt>{trans.__("Outside their limits")}</dt>
            <dd>
              {outside.length === 0
                ? trans.__("no bus")
                : trans.__("%1 below, %2 above", formatCount(found.below.length), formatCount(found.above.length))}
            </dd>
          </div>
        ) : null}
        {losses === null ? null : (
          <div>
            <dt>{trans.__("Losses")}</dt>
            <dd>{formatMw(losses)} MW</dd>
          </div>
        )}
      </dl>
      <ElementList
        session={session}
        title={trans.__("Buses outside their limits: %1", formatCount(outside.length))}
        kind="bus"
        rows={outside}
        text={(row) =>
          trans.__(
            "%1: %2 pu, limits %3 to %4",
            capitalised(opened.nameOf("bus", opened.busId(row))),
            formatPerUnit(columns.at("vm_pu", row)),
            ...VOLTAGE_LIMITS.map((name) => columns.at(name, row).toFixed(3)),
          )
        }
      />
    </>
  );
}

/** Overloaded lines, where a result does not enforce ratings. */
export function Overloads({ session }: { session: CaseSession }): ReactElement | null {
  const { store, opened } = session;
  const { columns } = store;
  const loading = columns.values("loading");
  if (loading === null || columns.has(SHADOW_PRICE)) {
    return null; // an enforced rating binds and is not exceeded
  }
  const rows = exceededRows(loading);
  const nameOf = (row: number): string => capitalised(opened.nameOf("branch", opened.branches[row]?.id ?? 0));
  return rows.length === 0 ? (
    <>
      <h4>{trans.__("Lines above their rating")}</h4>
      <p>{trans.__("No line is loaded above its rating.")}</p>
    </>
  ) : (
    <ElementList
      session={session}
      title={trans.__("Lines above their rating: %1", formatCount(rows.length))}
      kind="branch"
      rows={rows}
      text={(row) => trans.__("%1: %2 of its rating", nameOf(row), formatLoading(loading[row] ?? NaN))}
    />
  );
}

/** The generators at or beyond a limit of their reactive power. */
export function ReactiveLimits({ session }: { session: CaseSession }): ReactElement | null {
  const { store, opened } = session;
  const found = reactiveLimits(store.columns);
  if (found === null) {
    return null;
  }
  const { generators } = opened.ingested.topology;
  return (
    <>
      <h4>{trans.__("Reactive power")}</h4>
      <dl>
        <div>
          <dt>{trans.__("Generators at a limit")}</dt>
          <dd>{found.at.length === 0 ? trans.__("none") : formatCount(found.at.length)}</dd>
        </div>
        <div>
          <dt>{trans.__("Beyond a limit")}</dt>
          <dd>{found.beyond.length === 0 ? trans.__("none") : formatCount(found.beyond.length)}</dd>
        </div>
      </dl>
      <ElementList
        session={session}
        title={trans.__("Generators beyond a reactive limit: %1", formatCount(found.beyond.length))}
        kind="generator"
        rows={found.beyond}
        text={(row) =>
          trans.__(
            "Generator %1 at %2: %3 MVAr, limits %4 to %5",
            generators[row]?.id ?? 0,
            opened.nameOf("bus", generators[row]?.bus ?? 0),
            ...["dispatch_mvar", "q_min_mvar", "q_max_mvar"].map((name) => formatMw(store.columns.at(name, row))),
          )
        }
      />
    </>
  );
}
