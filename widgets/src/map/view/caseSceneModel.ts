import {
  capitalised,
  formatCount,
  formatDerivative,
  formatLoading,
  formatMw,
  formatPrice,
  priceIntervalRows,
  lmpComponentRows,
  quantityWords,
  trans,
} from "../../text/index.ts";
import { type CaseSession, PRICE, type Selection, SHADOW_PRICE, binds } from "../../workspace/index.ts";
import type { BranchPaint } from "../colour/branchPaint.ts";
import { responseTo } from "../colour/colourScale.ts";
import { generationByBus } from "../colour/quantities.ts";
import type { CardContent, SceneModel, Target } from "./sceneModel.ts";
import { busSizes } from "../picture/busMarks.ts";

/** A session as the model of a stage; its lines look as `paint` says. */
export function caseSceneModel(session: CaseSession, paint: BranchPaint): SceneModel {
  const { opened } = session;
  const elementOf = ({ kind, row }: Target): Selection => {
    return { kind, id: (kind === "bus" ? opened.buses : opened.branches)[row]?.id ?? 0 };
  };
  const targetOf = (element: Selection): Target => ({ kind: element.kind, row: opened.rowOf(element) });
  return {
    name: session.caseName,
    graph: opened,
    geography: opened.geography,
    sizes: busSizes(opened.buses.map((bus) => bus.base_kv)),
    importance: Float32Array.from(opened.buses, (bus) => 1000 * bus.base_kv + Math.max(bus.demand_mw, bus.gen_mw)),
    get branches() {
      return paint.look;
    },
    get selected() {
      return session.selection === null ? null : targetOf(session.selection);
    },
    get selection() {
      return session.selected.map(targetOf);
    },
    select: (target) => void session.select(target === null ? null : elementOf(target)),
    toggle: (target) => void session.toggle(elementOf(target)),
    selectMany: (targets) => void session.selectMany(targets.map(elementOf)),
    shortName: (row) => {
      const bus = opened.buses[row];
      return bus?.name?.trim() || String(bus?.id ?? "");
    },
    card: (target) => {
      const { kind, id } = elementOf(target);
      const title = opened.nameOf(kind, id);
      return {
        title: capitalised(title),
        ...(kind === "bus"
          ? { rows: busRows(session, target.row), ...lmpComponents(session, id) }
          : { rows: branchRows(session, target.row) }),
      };
    },
  };
}

function busRows(session: CaseSession, row: number): CardContent["rows"] {
  const { store, column, selection, opened } = session;
  const bus = opened.buses[row];
  const rows: CardContent["rows"] = [];
  if (store.columns.has(PRICE)) {
    const price = store.shownAt(PRICE, row);
    rows.push([store.previewing ? trans.__("Price, preview") : trans.__("Price"), `${formatPrice(price)} $/MWh`]);
    const change = price - session.reference.columns.at(PRICE, row);
    if (Math.abs(change) >= 0.005) {
      rows.push([trans.__("Change"), `${formatPrice(change, { signed: true })} $/MWh`]);
    }
  }
  if (store.columns.has("demand_mw")) {
    rows.push([trans.__("Demand"), `${formatMw(store.columns.at("demand_mw", row))} MW`]);
  }
  const generation = generationByBus(session)[row] ?? NaN;
  if (Number.isFinite(generation)) {
    rows.push([trans.__("Generation"), `${formatMw(generation)} MW`]);
  }
  if (bus !== undefined && bus.base_kv > 0) {
    rows.push([trans.__("Voltage level"), `${formatCount(bus.base_kv)} kV`]);
  }
  rows.push(...otherRows(store, "bus", row, BUS_CARD));
  if (column !== null && selection !== null) {
    const value = formatDerivative(store.column?.[row] ?? NaN, { signed: true });
    rows.push([responseTo(selection), `${value} ($/MWh)/MW`]);
  }
  return rows;
}

/** The quantities that the card tells in rows of their own, or leaves out; all others of the state have a row each. */
const BUS_CARD = [PRICE, "demand_mw", "va_rad"];
const BRANCH_CARD = ["flow_mw", "rating_mw", "loading", SHADOW_PRICE];

function otherRows(
  { columns }: CaseSession["store"],
  element: Target["kind"],
  row: number,
  told: readonly string[],
): CardContent["rows"] {
  const others = columns.of(element).filter(({ name, values }) => !told.includes(name) && Number.isFinite(values[row]));
  return others.map(({ name, unit, values }) => {
    const words = quantityWords(name, unit);
    return [words.label, `${words.format(values[row] ?? NaN)} ${words.unit}`.trimEnd()];
  });
}

/** What makes the price so, at an exact state, and what it is to each side where it is not unique. */
function lmpComponents(session: CaseSession, bus: number): Pick<CardContent, "more"> {
  if (session.store.previewing || !session.capabilities.has("prices")) {
    return {};
  }
  const more = async (): Promise<CardContent["rows"]> => {
    try {
      const parts = lmpComponentRows(await session.lmpComponents(bus), session.opened);
      return [...parts, ...priceIntervalRows(await session.columnOf({ kind: "bus", id: bus }))];
    } catch (error) {
      return [[trans.__("Parts of the price"), error instanceof Error ? error.message : String(error)]];
    }
  };
  return { more };
}

function branchRows(session: CaseSession, row: number): CardContent["rows"] {
  const { columns, previewing, shownShadows } = session.store;
  const flowMw = columns.at("flow_mw", row);
  if (!Number.isFinite(flowMw)) {
    return [[trans.__("State"), trans.__("out of service")]];
  }
  const rows: CardContent["rows"] = [];
  if (shownShadows !== null) {
    rows.push([trans.__("At this position"), shownShadows.has(row) ? trans.__("binds") : trans.__("does not bind")]);
  }
  // Of a position that is previewed the engine knows which lines bind, and no flows.
  const flow = previewing ? trans.__("Flow before the move") : trans.__("Flow");
  const share = previewing ? trans.__("Loading before the move") : trans.__("Loading");
  rows.push(
    [flow, `${formatMw(flowMw)} MW`],
    [trans.__("Rating"), `${formatMw(columns.at("rating_mw", row) + movedMw(session, row))} MW`],
    [share, formatLoading(columns.at("loading", row))],
    ...otherRows(session.store, "branch", row, BRANCH_CARD),
  );
  const price = shownShadows === null ? columns.at(SHADOW_PRICE, row) : (shownShadows.get(row) ?? 0);
  if (binds(price)) {
    const term =
      previewing && shownShadows === null ? trans.__("Shadow price before the move") : trans.__("Shadow price");
    rows.push([term, `${formatPrice(price)} $/MWh`]);
  }
  return rows;
}

/** How far a hand has moved the rating of a line from the published state, MW. */
function movedMw({ selection, shownMw, committedMw, opened }: CaseSession, row: number): number {
  const moved = selection?.kind === "branch" && opened.rowOf(selection) === row;
  return moved && shownMw !== null ? shownMw - committedMw : 0;
}
