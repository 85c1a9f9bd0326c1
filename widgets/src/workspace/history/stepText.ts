import type { BranchEdit, FormulationId, GeneratorEdit, InterfaceEdit, LinkEdit, StorageEdit } from "@service/engine";
import {
  branchValueName,
  branchValueText,
  capitalised,
  formatCount,
  formatMw,
  formatPower,
  formatUpTo,
  generatorsOfSource,
  formulationName,
  generatorValueWords,
  interfaceLimitName,
  linkValueName,
  linkValueText,
  storageValueName,
  storageValueText,
  type PowerUnit,
  trans,
} from "../../text/index.ts";
import {
  BRANCH_FIELDS,
  type CaseEdits,
  changedBranches,
  changedGenerators,
  changedInterfaces,
  changedLinks,
  changedStorage,
  deltaOf,
  GENERATOR_FIELDS,
  INTERFACE_FIELDS,
  isEdited,
  LINK_FIELDS,
  listChanges,
  sameEdits,
  STORAGE_FIELDS,
} from "../edits/edits.ts";
import { type AddedElement, addedKey, addedName, listAdded } from "../edits/added.ts";
import { type FuelCost, fuelCosts } from "../edits/fuelCosts.ts";
import { isInService } from "../edits/status.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { NetworkElement } from "../cases/selection.ts";
import { editUnit } from "../quantities/branchPower.ts";
import type { NamedState, StepEvent } from "./stepEvent.ts";

/** Number of elements named by default; the others are counted. */
const NAMED = 2;

/** The elements whose change from the base case differs between two sets of edits, buses first, each by ascending id. */
function movedElements(before: CaseEdits, after: CaseEdits, opened: OpenedCase): NetworkElement[] {
  const either = { deltas: { ...before.deltas, ...after.deltas }, rates: { ...before.rates, ...after.rates } };
  return listChanges(either, opened)
    .map(({ kind, id }): NetworkElement => ({ kind, id }))
    .filter((element) => deltaOf(before, element) !== deltaOf(after, element));
}

/** The text of a step. */
export function stepText(event: StepEvent, opened: OpenedCase): string {
  switch (event.kind) {
    case "base":
      return trans.__("Base case");
    case "edit":
      return editsText(event.before, event.after, opened, event.formulation);
    case "formulation":
      return trans.__("Formulation: %1", formulationName(event.after));
    case "undo":
      return trans.__("Undo: %1", stepText(event.of, opened));
    case "redo":
      return trans.__("Redo: %1", stepText(event.of, opened));
    case "return":
      return trans.__("To %1", stateName(event.to, opened));
  }
}

/** The label of a state in a list: its revision, and its name or step: `3: Bus 12 (Ash) demand +10.0 MW`. */
export function stateName({ revision, name, event }: NamedState, opened: OpenedCase): string {
  const text = name ?? stepText(event, opened);
  return revision === null ? trans.__("Candidate: %1", text) : `${revision}: ${text}`;
}

/**
 * The text of changed edits, as changes from the base case like the sliders: `Bus 12 (Ash) demand +10.0 MW`, `Bus 1
 * demand +3.0 MW and 4 more`, `Bus 12 (Ash) demand back to its base`, `Back to the base case`.
 */
export function editsText(
  before: CaseEdits,
  after: CaseEdits,
  opened: OpenedCase,
  formulation: FormulationId,
  most = NAMED,
): string {
  if (sameEdits(before, after)) {
    return trans.__("Solved again");
  }
  if (!isEdited(after)) {
    return trans.__("Back to the base case");
  }
  const moved = movedElements(before, after, opened);
  const values = joined(
    addedText(before, after, opened),
    valuesText(before, after, opened, editUnit("branch", formulation)),
  );
  if (moved.length === 0) {
    return values ?? reactiveText(before, after, opened);
  }
  const named = moved.slice(0, most).map((element) => {
    const to = deltaOf(after, element);
    const name = opened.nameOf(element.kind, element.id);
    if (to === 0) {
      return element.kind === "bus"
        ? trans.__("%1 demand back to its base", name)
        : trans.__("%1 rating back to its base", name);
    }
    const change = formatPower(to, editUnit(element.kind, formulation), { signed: true });
    return element.kind === "bus" ? trans.__("%1 demand %2", name, change) : trans.__("%1 rating %2", name, change);
  });
  const more = moved.length - named.length;
  const list = named.join(", ");
  const moves = more > 0 ? trans._n("%2 and %1 more", "%2 and %1 more", more, list) : list;
  return [capitalised(moves), ...(values === null ? [] : [values])].join("; ");
}

function joined(...texts: (string | null)[]): string | null {
  const given = texts.filter((text) => text !== null);
  return given.length === 0 ? null : given.join("; ");
}

/** The text of elements that were added or removed; null where none was. */
function addedText(before: CaseEdits, after: CaseEdits, opened: OpenedCase): string | null {
  const keyOf = ({ table, row }: AddedElement): string => addedKey({ [table]: [row] });
  const [was, is] = [new Set(listAdded(before.added).map(keyOf)), new Set(listAdded(after.added).map(keyOf))];
  const texts = [
    ...listAdded(after.added)
      .filter((element) => !was.has(keyOf(element)))
      .map((element) => trans.__("%1 added", addedName(element, opened))),
    ...listAdded(before.added)
      .filter((element) => !is.has(keyOf(element)))
      .map((element) => trans.__("%1 removed", addedName(element, opened))),
  ];
  const [first] = texts;
  if (first === undefined) return null;
  return capitalised(
    texts.length === 1 ? first : trans._n("%2 and %1 more", "%2 and %1 more", texts.length - 1, first),
  );
}

/**
 * The text of changed generators, branches, links, storage units and interfaces: `Generator 12 at bus 3 (Ash) capacity 80.0 MW`, `Line 12 out of
 * service`; null where none changes.
 */
function valuesText(before: CaseEdits, after: CaseEdits, opened: OpenedCase, ratingUnit: PowerUnit): string | null {
  const [units, lines] = [changedGenerators(before, after), changedBranches(before, after)];
  const [links, storage] = [changedLinks(before, after), changedStorage(before, after)];
  const interfaces = changedInterfaces(before, after);
  if (units.length + lines.length + links.length + storage.length + interfaces.length === 0) return null;
  const [unit, line, link, stored, limited] = [units[0], lines[0], links[0], storage[0], interfaces[0]];
  const costs = costsText(before, after, opened, units);
  const texts = [
    ...(costs !== null
      ? [costs]
      : units.length > 1
        ? [trans._n("%1 generator changed", "%1 generators changed", units.length)]
        : []),
    ...(units.length === 1 && unit !== undefined
      ? [unitText(before.generators?.[unit], after.generators?.[unit], opened, Number(unit))]
      : []),
    ...(lines.length > 1 ? [trans._n("%1 line changed", "%1 lines changed", lines.length)] : []),
    ...(lines.length === 1 && line !== undefined ? [branchText(before, after, opened, Number(line), ratingUnit)] : []),
    ...(links.length > 1 ? [trans._n("%1 HVDC link changed", "%1 HVDC links changed", links.length)] : []),
    ...(links.length === 1 && link !== undefined ? [linkText(before, after, opened, Number(link))] : []),
    ...(storage.length > 1 ? [trans._n("%1 storage unit changed", "%1 storage units changed", storage.length)] : []),
    ...(storage.length === 1 && stored !== undefined ? [storageText(before, after, opened, Number(stored))] : []),
    ...(interfaces.length > 1 ? [trans._n("%1 interface changed", "%1 interfaces changed", interfaces.length)] : []),
    ...(interfaces.length === 1 && limited !== undefined ? [interfaceText(before, after, limited)] : []),
  ];
  return capitalised(texts.join(", "));
}

/**
 * The costs of several generators where nothing else of them changes: typical ones, or a common one of all generators of
 * one fuel, `cost of thermal generators +5.00 $/MWh`; null otherwise.
 */
function costsText(before: CaseEdits, after: CaseEdits, opened: OpenedCase, units: readonly string[]): string | null {
  const others = GENERATOR_FIELDS.filter((field) => field !== "cost" && field !== "c2");
  const isCost = units.every((id) =>
    others.every((field) => before.generators?.[id]?.[field] === after.generators?.[id]?.[field]),
  );
  if (units.length < 2 || !isCost) {
    return null;
  }
  const ids = new Set(units);
  const fuel = fuelCosts(opened, after).find(
    (one) => one.units.length === ids.size && one.units.every(({ id }) => ids.has(String(id))),
  );
  const text = fuel === undefined ? null : fuelChangeText(fuel);
  const isTypical = (id: string): boolean => {
    const [edit, typical] = [after.generators?.[id], opened.typicalCosts[id]];
    return edit !== undefined && typical !== undefined && edit.cost === typical.cost && edit.c2 === typical.c2;
  };
  return (
    text ?? (units.every(isTypical) ? trans.__("typical costs of %1 generators", formatCount(units.length)) : null)
  );
}

/** The common change of the cost of a fuel; null where its generators differ. */
function fuelChangeText({ source, assumed, change, factor, cost }: FuelCost): string | null {
  const name = generatorsOfSource(source);
  if (change === 0) {
    return assumed ? trans.__("typical costs of %1", name) : trans.__("cost of %1 back to its base", name);
  }
  if (change !== null) {
    return trans.__("cost of %1 %2", name, formatPower(change, "$/MWh", { signed: true }));
  }
  if (cost !== null) {
    return trans.__("cost of %1 %2", name, formatPower(cost, "$/MWh"));
  }
  return factor === null ? null : trans.__("cost of %1 times %2", name, formatUpTo(factor, 4));
}

/** What was set of one branch: `line 12 from bus 3 to bus 4 out of service`, or that it is as in the case again. */
function branchText(
  before: CaseEdits,
  after: CaseEdits,
  opened: OpenedCase,
  id: number,
  ratingUnit: PowerUnit,
): string {
  const [was, is]: (BranchEdit | undefined)[] = [before.branches?.[String(id)], after.branches?.[String(id)]];
  const changed = BRANCH_FIELDS.filter((field) => was?.[field] !== is?.[field]);
  const texts = changed.map((field) => {
    if (field === "status") {
      return isInService(opened, after, { kind: "branch", id }) ? trans.__("in service") : trans.__("out of service");
    }
    const [value, name] = [is?.[field], branchValueName(field)];
    return value === undefined
      ? trans.__("%1 back to its base", name)
      : trans.__("%1 %2", name, branchValueText(field, value, ratingUnit));
  });
  return trans.__("%1 %2", opened.nameOf("branch", id), texts.join(", "));
}

/** What was set of one link: `HVDC link 1 (12 to 40) upper limit 80.0 MW`, or that it is as in the case again. */
function linkText(before: CaseEdits, after: CaseEdits, opened: OpenedCase, id: number): string {
  const [was, is]: (LinkEdit | undefined)[] = [before.links?.[String(id)], after.links?.[String(id)]];
  const changed = LINK_FIELDS.filter((field) => was?.[field] !== is?.[field]);
  const texts = changed.map((field) => {
    if (field === "status") {
      return isInService(opened, after, { kind: "link", id }) ? trans.__("in service") : trans.__("out of service");
    }
    const [value, name] = [is?.[field], linkValueName(field)];
    return value === undefined
      ? trans.__("%1 back to its base", name)
      : trans.__("%1 %2", name, linkValueText(field, value));
  });
  return trans.__("%1 %2", opened.nameOf("link", id), texts.join(", "));
}

/** What was set of one storage unit: `storage 1 at bus 3 held power 20.0 MW`, or that it is as in the case again. */
function storageText(before: CaseEdits, after: CaseEdits, opened: OpenedCase, id: number): string {
  const [was, is]: (StorageEdit | undefined)[] = [before.storage?.[String(id)], after.storage?.[String(id)]];
  const changed = STORAGE_FIELDS.filter((field) => was?.[field] !== is?.[field]);
  const texts = changed.map((field) => {
    if (field === "status") {
      return isInService(opened, after, { kind: "storage", id }) ? trans.__("in service") : trans.__("out of service");
    }
    const [value, name] = [is?.[field], storageValueName(field)];
    return value === undefined
      ? trans.__("%1 back to its base", name)
      : trans.__("%1 %2", name, storageValueText(field, value));
  });
  return trans.__("%1 %2", opened.nameOf("storage", id), texts.join(", "));
}

/** What was set of one interface: `interface North upper limit 400.0 MW`, or that it is as in the options again. */
function interfaceText(before: CaseEdits, after: CaseEdits, name: string): string {
  const [was, is]: (InterfaceEdit | undefined)[] = [before.interfaces?.[name], after.interfaces?.[name]];
  const texts = INTERFACE_FIELDS.filter((field) => was?.[field] !== is?.[field]).map((field) => {
    const [value, limit] = [is?.[field], interfaceLimitName(field)];
    return value === undefined
      ? trans.__("%1 back to its base", limit)
      : trans.__("%1 %2", limit, formatPower(value, "MW"));
  });
  return trans.__("interface %1 %2", name, texts.join(", "));
}

/**
 * The text of one changed generator: `generator 12 at bus 3 (Ash) off`, or that the values of the case are restored.
 */
function unitText(
  before: GeneratorEdit | undefined,
  after: GeneratorEdit | undefined,
  opened: OpenedCase,
  id: number,
): string {
  const name = opened.nameOf("generator", id);
  const changed = GENERATOR_FIELDS.filter((field) => before?.[field] !== after?.[field]);
  const changes = changed.map((field) => {
    if (field === "status") {
      const on = after?.status ?? opened.generators[opened.generatorRow(id)]?.status === 1;
      return on ? trans.__("on") : trans.__("off");
    }
    const [value, words] = [after?.[field], generatorValueWords(field)];
    return value === undefined
      ? trans.__("%1 back to its base", words.name)
      : trans.__("%1 %2", words.name, formatPower(value, words.unit));
  });
  return trans.__("%1 %2", name, changes.join(", "));
}

/**
 * The text of changed reactive demands: `Bus 12 (Ash) reactive demand +5.0 MVAr`, `Bus 12 (Ash) reactive demand by its
 * power factor`.
 */
function reactiveText(before: CaseEdits, after: CaseEdits, opened: OpenedCase): string {
  const [was, is] = [before.reactive ?? {}, after.reactive ?? {}];
  const buses = Object.keys({ ...was, ...is }).filter((bus) => was[bus] !== is[bus]);
  const [first] = buses;
  if (buses.length !== 1 || first === undefined) {
    return trans.__("Reactive demand changed");
  }
  const name = opened.nameOf("bus", Number(first));
  const mvar = is[first];
  return capitalised(
    mvar === undefined
      ? trans.__("%1 reactive demand by its power factor", name)
      : trans.__("%1 reactive demand %2 MVAr", name, formatMw(mvar, { signed: true })),
  );
}
