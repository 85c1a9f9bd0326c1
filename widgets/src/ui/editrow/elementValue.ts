import {
  capitalised,
  formatLoading,
  formatMw,
  formatPrice,
  quantityWords,
  storagePowerText,
  trans,
  valueWithUnit,
} from "../../text/index.ts";
import { type CaseSession, linkPowers, PRICE, type Selection } from "../../workspace/index.ts";

/** The main result of an element: the price of a bus, the flow of a line; otherwise what the formulation has. */
export function elementValue(session: CaseSession, element: Selection): string {
  const { store, opened } = session;
  const row = opened.rowOf(element);
  if (element.kind === "branch") {
    const mw = store.shownAt("flow_mw", row);
    return Number.isNaN(mw)
      ? trans.__("Out of service")
      : trans.__("Flow %1 MW, %2", formatMw(mw), loadingAt(session, row));
  }
  if (element.kind === "link") {
    return linkAt(session, row);
  }
  if (element.kind === "storage") {
    return storageAt(session, row);
  }
  if (element.kind === "generator") {
    const texts = [outputAt(session, row), priceBeside(session, element)].filter((text) => text !== "");
    return capitalised(texts.join(", "));
  }
  const price = priceAt(session, row);
  return price === null ? otherValue(session, row) : trans.__("Price %1 $/MWh", price);
}

/** The same without the name of the quantity. */
export function shortElementValue(session: CaseSession, element: Selection): string {
  const row = session.opened.rowOf(element);
  if (element.kind === "branch") {
    return Number.isNaN(session.store.shownAt("loading", row))
      ? trans.__("Out of service")
      : trans.__("%1 loaded", loadingAt(session, row));
  }
  if (element.kind === "link") {
    return linkAt(session, row);
  }
  if (element.kind === "storage") {
    return storageAt(session, row);
  }
  if (element.kind === "generator") {
    return outputAt(session, row) || capitalised(priceBeside(session, element));
  }
  const price = priceAt(session, row);
  return price === null ? otherValue(session, row) : `${price} $/MWh`;
}

/** The same with a mark of a preview, where nothing else shows it. */
export function elementValueText(session: CaseSession, element: Selection): string {
  const { store, opened } = session;
  const row = opened.rowOf(element);
  if (element.kind === "branch") {
    const mw = store.shownAt("flow_mw", row);
    return Number.isNaN(mw) ? trans.__("Out of service") : `${formatMw(mw)} MW, ${loadingAt(session, row)}`;
  }
  const value = element.kind === "generator" ? elementValue(session, element) : shortElementValue(session, element);
  return store.previewing ? trans.__("%1, preview", value) : value;
}

function priceAt({ store }: CaseSession, row: number): string | null {
  const prices = store.shown(PRICE);
  return prices === null ? null : formatPrice(prices[row] ?? NaN);
}

/** The output of a generator; empty while only prices are predicted, and where the output is not available. */
function outputAt({ store }: CaseSession, row: number): string {
  const mw = store.shownAt("dispatch_mw", row);
  const estimated = store.previewing && store.shownShadows === null;
  return estimated || !Number.isFinite(mw) ? "" : trans.__("Output %1 MW", formatMw(mw));
}

/** The price at the bus of a generator; empty where there are no prices. */
function priceBeside(session: CaseSession, element: Selection): string {
  const bus = session.opened.busOf(element);
  const price = priceAt(session, session.opened.busRow(bus));
  return price === null ? "" : trans.__("price %1 $/MWh", price);
}

/** The power of an HVDC link at both ends. */
function linkAt({ opened, store }: CaseSession, row: number): string {
  const power = linkPowers(opened, store.columns)[row];
  if (power === undefined || !power.inService) {
    return trans.__("Out of service");
  }
  return Number.isNaN(power.fromMw)
    ? ""
    : trans.__("Power %1 MW, %2 MW delivered", formatMw(power.fromMw), formatMw(power.toMw));
}

/** The power of a storage unit. */
function storageAt({ store, opened }: CaseSession, row: number): string {
  const mw = store.columns.at("storage_mw", row);
  if (Number.isNaN(mw)) {
    return opened.storage[row]?.status === 0 || store.columns.has("storage_mw") ? trans.__("Out of service") : "";
  }
  return capitalised(storagePowerText(mw));
}

function loadingAt({ store }: CaseSession, row: number): string {
  return formatLoading(store.shownAt("loading", row));
}

/** The first quantity of a bus other than its demand, which the row shows already; empty without one. */
function otherValue({ store }: CaseSession, row: number): string {
  const first = store.columns.of("bus").find(({ name }) => name !== "demand_mw");
  if (first === undefined) {
    return "";
  }
  const words = quantityWords(first.name, first.unit);
  if (first.name === "vm_pu") {
    return trans.__("Voltage %1", valueWithUnit(words, store.shownAt(first.name, row)));
  }
  return trans.__("%1 %2", words.label, valueWithUnit(words, store.shownAt(first.name, row)));
}
