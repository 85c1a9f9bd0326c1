import type { ReactElement } from "react";
import { capitalised, formatLoading, formatMw, formatPrice, trans } from "../../text/index.ts";
import { binds, type CaseSession, editUnit, PRICE, ratingShadows, type SelectableKind } from "../../workspace/index.ts";
import { ElementLink } from "../sections/ElementLink.tsx";

interface CandidateListProps {
  session: CaseSession;
  kind: SelectableKind;
  ids: readonly number[];
  remove(id: number): void;
}

/** All elements that a plan may change, with their values in the displayed state. */
export function CandidateList({ session, kind, ids, remove }: CandidateListProps): ReactElement {
  const { opened, store, formulation } = session;
  const { columns } = store;
  const shadows = ratingShadows(columns, session.state.solution, opened);
  const unit = editUnit("branch", formulation);
  const ofBuses = kind === "bus";
  const rating = unit === "MVA" ? "rating_mva" : "rating_mw";
  const heads = ofBuses
    ? [trans.__("Bus"), trans.__("Demand, MW"), trans.__("Price, $/MWh")]
    : [trans.__("Line"), trans.__("Rating, %1", unit), trans.__("Loading"), `$/${unit}h`];
  const values = (id: number): string[] => {
    if (ofBuses) {
      const row = opened.busRow(id);
      return [formatMw(columns.at("demand_mw", row)), formatPrice(columns.at(PRICE, row))];
    }
    const row = opened.branchRow(id);
    const price = shadows?.[row] ?? NaN;
    return [
      formatMw(columns.at(rating, row)),
      formatLoading(columns.at("loading", row)),
      binds(price) ? formatPrice(price) : "0",
    ];
  };
  return (
    <div
      className="wb-Plan-box"
      tabIndex={0}
      role="group"
      aria-label={ofBuses ? trans.__("Buses where demand may change") : trans.__("Lines that may be raised")}
    >
      <table className="wb-Changes wb-Plan-candidates" data-columns={heads.length}>
        <thead>
          <tr>
            {heads.map((head, k) => (
              <th key={head} scope="col" title={k === 3 ? trans.__("Shadow price") : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ids.map((id) => {
            const name = opened.nameOf(kind, id);
            return (
              <tr key={id}>
                <th scope="row">
                  <div className="wb-Plan-trial">
                    <span className="wb-Plan-line">
                      <ElementLink session={session} element={{ kind, id }} text={capitalised(name)} />
                    </span>
                    <button
                      type="button"
                      className="wb-Button wb-mod-link"
                      title={trans.__("Remove")}
                      aria-label={trans.__("Remove %1", name)}
                      onClick={() => remove(id)}
                    >
                      {"\u00d7"}
                    </button>
                  </div>
                </th>
                {values(id).map((value, k) => (
                  <td key={heads[k + 1]}>{value}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
