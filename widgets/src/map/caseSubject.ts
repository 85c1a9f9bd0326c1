import { formatDerivative, formatLoading, formatMw, formatPrice } from "../words/index.ts";
import type { CaseSession } from "../workspace/index.ts";
import { responseName } from "./colourScale.ts";
import { binds, classifyBranches } from "./loading.ts";
import { busSizes } from "./picture.ts";
import type { CardContent, StageSubject, Target } from "./stageSubject.ts";

/** A session as the subject of a stage. */
export function caseSubject(session: CaseSession): StageSubject {
  const { opened } = session;
  const idOf = ({ kind, row }: Target): number => (kind === "bus" ? opened.buses : opened.branches)[row]?.id ?? 0;
  return {
    name: session.caseName,
    graph: opened,
    geography: opened.geography,
    sizes: busSizes(opened.buses.map((bus) => bus.base_kv)),
    classify: () => classifyBranches(session.store.columns),
    get selected() {
      const { selection } = session;
      return selection === null ? null : { kind: selection.kind, row: opened.rowOf(selection) };
    },
    select: (target) => void session.select(target === null ? null : { kind: target.kind, id: idOf(target) }),
    card: (target) => {
      const title = opened.nameOf(target.kind, idOf(target));
      return {
        title: title.charAt(0).toUpperCase() + title.slice(1),
        rows: target.kind === "bus" ? busRows(session, target.row) : branchRows(session, target.row),
      };
    },
  };
}

function busRows({ store, column, selection }: CaseSession, row: number): CardContent["rows"] {
  const rows: CardContent["rows"] = [
    [store.previewing ? "Price, preview" : "Price", `${formatPrice(store.shownLmp[row] ?? NaN)} $/MWh`],
    ["Demand", `${formatMw(store.columns.demand_mw[row] ?? NaN)} MW`],
  ];
  if (column !== null && selection !== null) {
    const value = formatDerivative(store.column?.[row] ?? NaN, { signed: true });
    const at = `${selection.kind === "bus" ? "bus" : "line"} ${selection.id}`;
    rows.push([`${responseName(selection)}, ${at}`, `${value} ($/MWh)/MW`]);
  }
  return rows;
}

function branchRows({ store }: CaseSession, row: number): CardContent["rows"] {
  const { flow_mw, rating_mw, loading, shadow } = store.columns;
  if (!Number.isFinite(flow_mw[row])) {
    return [["State", "out of service"]];
  }
  const rows: CardContent["rows"] = [
    ["Flow", `${formatMw(flow_mw[row] ?? NaN)} MW`],
    ["Rating", `${formatMw(rating_mw[row] ?? NaN)} MW`],
    ["Loading", formatLoading(loading[row] ?? NaN)],
  ];
  if (binds(shadow[row] ?? 0)) {
    rows.push(["One more MW saves", `${formatPrice(shadow[row] ?? NaN)} $/h`]);
  }
  return rows;
}
