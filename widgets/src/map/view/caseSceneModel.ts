import {
  capitalised,
  generatorName,
  isDispatchableLoad,
  errorText,
  formatAngle,
  formatCount,
  formatDerivative,
  formatLoading,
  formatMw,
  formatPerUnit,
  formatPower,
  formatPrice,
  formatSignificant,
  lmpComponentRows,
  priceIntervalRows,
  quantityWords,
  trans,
  valueWithUnit,
  storagePowerText,
} from "../../text/index.ts";
import {
  type CaseSession,
  CONE_GAP,
  answerMark,
  isAssumed,
  deltaOf,
  drawnElement,
  generatorAt,
  hasDerivative,
  isTight,
  planUnit,
  PRICE,
  ratingUnit,
  linkPowers,
  type Selection,
  SHADOW_PRICE,
  binds,
} from "../../workspace/index.ts";
import type { BranchPaint } from "../colour/branchPaint.ts";
import { responseTo } from "../colour/colourScale.ts";
import { generationByBus } from "../colour/quantities.ts";
import { MoveEvents } from "./moveEvents.ts";
import { linkLooks } from "../colour/linkLook.ts";
import { switchLooks } from "../colour/switchLook.ts";
import type { CardContent, SceneModel, StyledLook } from "./sceneModel.ts";
import { drawnTarget, type ProposedChange, type Target } from "../picture/targets.ts";
import { busSizes } from "../picture/busMarks.ts";

/** A session as the model of a stage; `paint` colours its lines. */
export function caseSceneModel(session: CaseSession, paint: BranchPaint, look?: StyledLook): SceneModel {
  const { opened } = session;
  const elementOf = ({ kind, row }: Target): ReturnType<typeof drawnElement> => {
    const rows = { bus: opened.buses, branch: opened.branches, link: opened.links }[kind];
    return drawnElement(kind, rows[row]?.id ?? 0);
  };
  const events = new MoveEvents(session, () => matchMedia("(prefers-reduced-motion: reduce)").matches);
  const targetOf = (element: Selection): Target => drawnTarget(opened, element);
  return {
    name: session.caseName,
    graph: opened,
    geography: opened.geography,
    sizes: busSizes(opened.buses.map((bus) => bus.base_kv)),
    importance: Float32Array.from(opened.buses, (bus) => 1000 * bus.base_kv + Math.max(bus.demand_mw, bus.gen_mw)),
    get branches() {
      return paint.look;
    },
    get links() {
      return linkLooks(session);
    },
    get switches() {
      return switchLooks(session);
    },
    get selected() {
      return session.selection === null ? null : targetOf(session.selection);
    },
    get selection() {
      return session.selected.map(targetOf);
    },
    get proposed() {
      return proposedChanges(session);
    },
    get notice() {
      return answerMark(opened.ingested, session.state.solution.prices !== undefined, session.state.edits);
    },
    ...(look === undefined ? {} : { look }),
    events: (now) => events.marks(now),
    select: (target) => {
      if (target === null && session.outage.shown !== null) {
        session.outage.end();
      } else if (target === null && session.series.shown !== null) {
        session.series.end();
      } else {
        void session.select(target === null ? null : elementOf(target));
      }
    },
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
          : { rows: kind === "link" ? linkRows(session, target.row) : branchRows(session, target.row) }),
      };
    },
  };
}

/** The changes of the displayed plan, until they are applied. */
function proposedChanges({ plans, opened }: CaseSession): ProposedChange[] {
  const { proposal } = plans;
  if (proposal === null || (proposal.candidate !== null && proposal.candidate.revision !== null)) {
    return [];
  }
  const unit = planUnit(proposal.goal.spec, proposal.goal.formulation);
  return [
    ...proposal.changes.map(({ element, mw }): ProposedChange => {
      return { kind: element.kind, row: opened.rowOf(element), text: formatPower(mw, unit, { signed: true }) };
    }),
    ...proposal.circuits.map(({ copy_of: copied }): ProposedChange => {
      return { kind: "branch", row: opened.branchRow(Number(copied)), text: trans.__("new circuit") };
    }),
  ];
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
    rows.push([trans.__("Demand"), `${formatMw(store.shownAt("demand_mw", row))} MW`]);
  }
  const reactive = store.shownAt("demand_mvar", row);
  if (Number.isFinite(reactive)) {
    rows.push([trans.__("Reactive demand"), `${formatMw(reactive)} MVAr`]);
  }
  const generation = generationByBus(session, "dispatch_mw")[row] ?? NaN;
  if (Number.isFinite(generation)) {
    rows.push([trans.__("Generation"), `${formatMw(generation)} MW`], ...unitRows(session, row));
  }
  rows.push(...storageRows(session, row));
  const reactiveGeneration = generationByBus(session, "dispatch_mvar")[row] ?? NaN;
  if (Number.isFinite(reactiveGeneration)) {
    rows.push([trans.__("Reactive generation"), `${formatMw(reactiveGeneration)} MVAr`]);
  }
  if (bus !== undefined && bus.base_kv > 0) {
    rows.push([trans.__("Voltage level"), `${formatCount(bus.base_kv)} kV`]);
  }
  if (store.columns.has("vm_pu")) {
    rows.push(...voltageRows(session, row));
  }
  rows.push(...otherRows(store, "bus", row, BUS_CARD));
  if (column !== null && selection !== null && hasDerivative(selection)) {
    const value = formatDerivative(store.column?.[row] ?? NaN, { signed: true });
    rows.push([responseTo(selection), `${value} ${column.units}`]);
  }
  return rows;
}

/** Largest number of a bus's generators listed. */
const MOST_UNITS = 4;

/** The generators at a bus: dispatch, and headroom to Pmax; the largest first. */
function unitRows({ opened, store, state }: CaseSession, row: number): CardContent["rows"] {
  const own = opened.generatorsAt(opened.busId(row)).flatMap((at) => {
    const unit = generatorAt(opened, state.edits, at);
    return unit?.status === 1 ? [{ unit, at }] : [];
  });
  own.sort((a, b) => (b.unit.p_max_mw ?? Infinity) - (a.unit.p_max_mw ?? Infinity));
  const rows = own.slice(0, MOST_UNITS).map(({ unit, at }): [string, string] => {
    const name = generatorName(unit);
    const mw = store.shownAt("dispatch_mw", at);
    if (isDispatchableLoad(unit)) {
      const most = unit.p_min_mw === null ? "" : trans.__(" of %1", formatMw(-unit.p_min_mw));
      return [name, `${formatMw(-mw)}${most} MW`];
    }
    if (unit.p_max_mw === null) {
      return [name, `${formatMw(mw)} MW`];
    }
    const headroom = Math.max(0, unit.p_max_mw - mw);
    return [name, trans.__("%1 of %2 MW, headroom %3 MW", formatMw(mw), formatMw(unit.p_max_mw), formatMw(headroom))];
  });
  const more = own.length - rows.length;
  return more > 0 ? [...rows, [trans.__("Generators"), trans._n("%1 more", "%1 more", more)]] : rows;
}

/** The storage units at a bus: power, and the prices at which they gain by charging and discharging. */
function storageRows({ opened, store }: CaseSession, bus: number): CardContent["rows"] {
  return opened.storage.flatMap((unit, row): CardContent["rows"] => {
    if (unit.bus !== opened.busId(bus)) {
      return [];
    }
    const mw = store.columns.at("storage_mw", row);
    const name = trans.__("Storage %1", unit.id);
    const power = Number.isNaN(mw)
      ? store.columns.has("storage_mw")
        ? trans.__("out of service")
        : storagePowerText(unit.p_mw)
      : storagePowerText(mw);
    const [low, high] = [
      store.columns.at("storage_charges_below", row),
      store.columns.at("storage_discharges_above", row),
    ];
    const gains = trans.__("charges below %1, discharges above %2 $/MWh", formatPrice(low), formatPrice(high));
    return [[name, power], ...(Number.isFinite(low + high) ? [[name, gains] as [string, string]] : [])];
  });
}

/** The voltage of a bus against its limits. */
function voltageRows({ store }: CaseSession, row: number): CardContent["rows"] {
  const { columns } = store;
  const magnitude = store.shownAt("vm_pu", row);
  const [low, high] = [columns.at("vm_min_pu", row), columns.at("vm_max_pu", row)];
  if (!Number.isFinite(magnitude)) {
    return [];
  }
  const term =
    store.outage?.has("vm_pu") === true
      ? trans.__("Voltage magnitude after the outage")
      : store.previewing
        ? trans.__("Voltage magnitude, preview")
        : trans.__("Voltage magnitude");
  const limits = trans.__("%1 to %2 pu", formatPerUnit(low), formatPerUnit(high));
  return [
    [term, `${formatPerUnit(magnitude)} pu`],
    ...(Number.isFinite(low + high) ? [[trans.__("Voltage limits"), limits] as [string, string]] : []),
    ...(columns.has("va_rad")
      ? [[trans.__("Voltage angle"), `${formatAngle(store.shownAt("va_rad", row))}\u00b0`] as [string, string]]
      : []),
  ];
}

/** Quantities with rows of their own on the card, or omitted; each other quantity of the state has a row. */
const BUS_CARD = [
  PRICE,
  "demand_mw",
  "demand_mvar",
  "va_rad",
  "vm_pu",
  "vm_min_pu",
  "vm_max_pu",
  "injection_mw",
  "injection_mvar",
];
const BRANCH_CARD = [
  "flow_mw",
  "flow_mvar",
  "flow_to_mw",
  "flow_to_mvar",
  "rating_mw",
  "rating_mva",
  "loading",
  SHADOW_PRICE,
  CONE_GAP,
  "product_real",
  "product_imag",
];

const LINK_CARD = ["link_mw", "link_to_mw", "link_shadow"];

function otherRows(
  { columns }: CaseSession["store"],
  element: Target["kind"],
  row: number,
  shown: readonly string[],
): CardContent["rows"] {
  const others = columns
    .of(element)
    .filter(({ name, values }) => !shown.includes(name) && Number.isFinite(values[row]));
  return others.map(({ name, unit, values }) => {
    const words = quantityWords(name, unit);
    return [words.label, valueWithUnit(words, values[row] ?? NaN)];
  });
}

/** LMP components at an exact state, and the one-sided prices where the price is not unique. */
function lmpComponents(session: CaseSession, bus: number): Pick<CardContent, "more"> {
  if (session.store.previewing || !session.capabilities.has("lmp_components")) {
    return {};
  }
  const more = async (): Promise<CardContent["rows"]> => {
    try {
      const parts = lmpComponentRows(await session.lmpComponents(bus), session.opened);
      return [...parts, ...priceIntervalRows(await session.columnOf({ kind: "bus", id: bus }))];
    } catch (error) {
      return [[trans.__("Parts of the price"), errorText(error)]];
    }
  };
  return { more };
}

/** Power, losses, limits and value of an HVDC link at the published state, which previews do not move. */
function linkRows({ opened, store }: CaseSession, row: number): CardContent["rows"] {
  const power = linkPowers(opened, store.columns)[row];
  if (power?.inService !== true) {
    return [[trans.__("State"), trans.__("out of service")]];
  }
  const { link, fromMw, toMw, shadow } = power;
  const limits = [link.p_min_mw, link.p_max_mw].map((limit) =>
    limit === null ? trans.__("no limit") : formatMw(limit),
  );
  const isKnown = Number.isFinite(fromMw);
  return [
    ...(isKnown
      ? [
          [trans.__("Power at bus %1", opened.placeOf(link.from)), `${formatMw(fromMw)} MW`] as [string, string],
          [trans.__("Delivered at bus %1", opened.placeOf(link.to)), `${formatMw(toMw)} MW`] as [string, string],
          [trans.__("Losses"), `${formatMw(fromMw - toMw)} MW`] as [string, string],
        ]
      : []),
    [trans.__("Limits"), trans.__("%1 to %2 MW", ...limits)],
    ...otherRows(store, "link", row, LINK_CARD),
    ...(binds(shadow) ? [[trans.__("Shadow price"), `${formatPrice(shadow)} $/MWh`] as [string, string]] : []),
  ];
}

function branchRows(session: CaseSession, row: number): CardContent["rows"] {
  const { columns, shownShadows, previewsFlows, outage } = session.store;
  const previewing = session.store.previewing && !previewsFlows;
  const flowMw = session.store.shownAt("flow_mw", row);
  if (!Number.isFinite(flowMw)) {
    return [[trans.__("State"), trans.__("out of service")]];
  }
  const rating = ratingOf(session, row);
  const rows: CardContent["rows"] = [];
  if (shownShadows !== null) {
    rows.push([trans.__("At this position"), shownShadows.has(row) ? trans.__("binds") : trans.__("does not bind")]);
  }
  // A linear estimate has prices only.
  const [flow, share] =
    outage !== null
      ? [trans.__("Flow after the outage"), trans.__("Loading after the outage")]
      : previewing
        ? [trans.__("Flow before the edit"), trans.__("Loading before the edit")]
        : [trans.__("Flow"), trans.__("Loading")];
  rows.push(
    [flow, `${formatMw(flowMw)} MW`],
    ...reactiveRows(session, row),
    [trans.__("Rating"), ratingText(session, row, rating)],
    [share, formatLoading(session.store.shownAt("loading", row))],
    ...otherRows(session.store, "branch", row, BRANCH_CARD),
  );
  const price = shownShadows === null ? columns.at(SHADOW_PRICE, row) : (shownShadows.get(row) ?? 0);
  if (binds(price)) {
    const term =
      previewing && shownShadows === null ? trans.__("Shadow price before the edit") : trans.__("Shadow price");
    rows.push([term, `${formatPrice(price)} $/${ratingUnit(columns)}h`]);
  }
  return rows;
}

/** Additional rows of a line in AC formulations: reactive flow and losses. */
function reactiveRows({ store }: CaseSession, row: number): CardContent["rows"] {
  const { columns } = store;
  const gap = columns.at(CONE_GAP, row);
  const tightness = isTight(gap) ? trans.__("tight") : `${formatSignificant(100 * gap)} %`;
  const [mvar, losses] = [
    store.shownAt("flow_mvar", row),
    store.shownAt("flow_mw", row) + store.shownAt("flow_to_mw", row),
  ];
  return [
    ...(Number.isFinite(mvar) ? [[trans.__("Reactive flow"), `${formatMw(mvar)} MVAr`] as [string, string]] : []),
    ...(Number.isFinite(losses) ? [[trans.__("Losses"), `${formatMw(losses)} MW`] as [string, string]] : []),
    ...(Number.isFinite(gap) ? [[trans.__("Gap of the relaxation"), tightness] as [string, string]] : []),
  ];
}

/** A rating, with a note if the reader assumed it. */
function ratingText({ opened, store }: CaseSession, row: number, rating: number | null): string {
  if (rating === null) {
    return trans.__("none");
  }
  const text = `${formatMw(rating)} ${ratingUnit(store.columns)}`;
  const branch = opened.branches[row];
  return branch !== undefined && isAssumed(branch) ? trans.__("%1, assumed", text) : text;
}

/** The rating of a line with its edit, in the unit of the state; null without a rating. */
function ratingOf(session: CaseSession, row: number): number | null {
  const { opened, state, options } = session;
  const branch = opened.branches[row];
  const without = options.assumed_ratings === false && branch?.rate_is_fallback === true;
  if (branch === undefined || branch.rate_mw === null || without) {
    return null;
  }
  return branch.rate_mw + deltaOf(state.edits, { kind: "branch", id: branch.id }) + movedMw(session, row);
}

/** Change of a line's rating by the drag, relative to the published state, MW. */
function movedMw({ selection, shownMw, committedMw, opened }: CaseSession, row: number): number {
  const moved = selection?.kind === "branch" && opened.rowOf(selection) === row;
  return moved && shownMw !== null ? shownMw - committedMw : 0;
}
