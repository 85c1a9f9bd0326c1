import type { BranchEdit, GeneratorEdit, InterfaceEdit, LinkEdit, StorageEdit } from "@service/engine";
import type { ReactElement } from "react";
import {
  branchValueName,
  branchValueText,
  capitalised,
  formatAmount,
  formatCount,
  formatUpTo,
  generatorsOfSource,
  generatorValueWords,
  interfaceLimitName,
  linkValueName,
  linkValueText,
  storageValueName,
  storageValueText,
  trans,
} from "../text/index.ts";
import {
  type AddedElement,
  addedId,
  addedName,
  baseCost,
  BRANCH_FIELDS,
  type CaseSession,
  editUnit,
  type FuelCost,
  fuelCosts,
  GENERATOR_FIELDS,
  INTERFACE_FIELDS,
  interfaceLines,
  isInServiceInCase,
  LINK_FIELDS,
  listAdded,
  type Selection,
  STORAGE_FIELDS,
} from "../workspace/index.ts";
import { ElementLink } from "./sections/ElementLink.tsx";

/** Rows of the table of changes: every value of a generator, branch, link, storage unit or interface that an edit replaces. */
export function ValueChanges({ session }: { session: CaseSession }): ReactElement {
  const { opened, state } = session;
  const { generators = {}, branches = {}, links = {}, storage = {}, interfaces = {} } = state.edits;
  const fuels = fuelCosts(opened, state.edits).filter(({ units, assumed, change, factor, cost }) => {
    return units.length > 1 && (assumed || change !== 0) && (change ?? factor ?? cost) !== null;
  });
  const fuelOf = new Map(fuels.flatMap((fuel) => fuel.units.map(({ id }) => [String(id), fuel])));
  const isInFuel = (key: string, field: keyof GeneratorEdit): boolean =>
    field === "cost" ? fuelOf.has(key) : field === "c2" && fuelOf.get(key)?.assumed === true;
  const ofUnits = Object.entries(generators).flatMap(([key, edit]) =>
    GENERATOR_FIELDS.filter((field) => edit[field] !== undefined && !isInFuel(key, field)).map((field) =>
      generatorRow(session, key, edit, field),
    ),
  );
  const ofLines = Object.entries(branches).flatMap(([key, edit]) =>
    BRANCH_FIELDS.filter((field) => edit[field] !== undefined).map((field) => branchRow(session, key, edit, field)),
  );
  const ofLinks = Object.entries(links).flatMap(([key, edit]) =>
    LINK_FIELDS.filter((field) => edit[field] !== undefined).map((field) => linkRow(session, key, edit, field)),
  );
  const ofStorage = Object.entries(storage).flatMap(([key, edit]) =>
    STORAGE_FIELDS.filter((field) => edit[field] !== undefined).map((field) => storageRow(session, key, edit, field)),
  );
  const ofInterfaces = Object.entries(interfaces).flatMap(([name, edit]) =>
    INTERFACE_FIELDS.filter((field) => edit[field] !== undefined).map((field) =>
      interfaceRow(session, name, edit, field),
    ),
  );
  const elements = [...ofUnits, ...ofLines, ...ofLinks, ...ofStorage, ...ofInterfaces];
  const rows = [...fuels.map((fuel) => fuelRow(session, fuel)), ...elements];
  return (
    <>
      {listAdded(session.state.edits.added).map((element) => (
        <AddedRow key={`${element.table} ${element.place}`} session={session} element={element} />
      ))}
      {rows.map(({ key, ...row }) => (
        <ValueChange key={key} session={session} {...row} />
      ))}
    </>
  );
}

function selectionOf(table: Exclude<AddedElement["table"], "loads">, id: number): Selection {
  switch (table) {
    case "branches":
      return { kind: "branch", id };
    case "generators":
      return { kind: "generator", id };
    case "links":
      return { kind: "link", id };
    case "storage":
      return { kind: "storage", id };
  }
}

/** An element that the case does not have. */
function AddedRow({ session, element }: { session: CaseSession; element: AddedElement }): ReactElement {
  const { opened } = session;
  const name = capitalised(addedName(element, opened));
  const id = addedId(element, opened.rowsOfCase);
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {id === null || element.table === "loads" ? (
          name
        ) : (
          <ElementLink session={session} element={selectionOf(element.table, id)} text={name} />
        )}
      </th>
      <td>{trans.__("added")}</td>
      <td>
        <button
          type="button"
          className="wb-Button"
          disabled={!session.showsLive}
          aria-label={trans.__("Remove %1", name)}
          onClick={() => void session.remove(element).catch(() => undefined)}
        >
          {trans.__("Remove")}
        </button>
      </td>
    </tr>
  );
}

interface ValueRow {
  key: string;
  elements: readonly Selection[];
  /** The name of the elements where there are several. */
  name?: string;
  /** Name of the value, with its unit where the cells have none. */
  value: string;
  /** The value of the case; empty where the page does not know it. */
  base: string;
  now: string;
  reset(): Promise<void>;
}

function ValueChange({
  session,
  elements,
  name,
  value,
  base,
  now,
  reset,
}: Omit<ValueRow, "key"> & { session: CaseSession }): ReactElement {
  return (
    <tr>
      <th scope="row">
        <Elements session={session} elements={elements} name={name} />
        <span className="wb-unit"> {value}</span>
      </th>
      <td>{base}</td>
      <td>{now}</td>
      <td>
        <button
          type="button"
          className="wb-Button"
          disabled={!session.showsLive}
          aria-label={trans.__("Reset %1: %2", name ?? nameOf(session, elements[0]), value)}
          onClick={() => void reset().catch(() => undefined)}
        >
          {trans.__("Reset")}
        </button>
      </td>
    </tr>
  );
}

/** Several elements with a common change as a link that selects them, or one element. */
function Elements({
  session,
  elements,
  name,
}: Pick<ValueRow, "elements" | "name"> & { session: CaseSession }): ReactElement {
  const [element] = elements;
  return name !== undefined || element === undefined ? (
    <button type="button" className="wb-Button wb-mod-link" onClick={() => void session.selectMany(elements)}>
      {name}
    </button>
  ) : (
    <ElementLink session={session} element={element} />
  );
}

const nameOf = ({ opened }: CaseSession, element: Selection | undefined): string =>
  element === undefined ? "" : opened.nameOf(element.kind, element.id);

/** The common change of the cost of a fuel's generators. */
function fuelRow(session: CaseSession, fuel: FuelCost): ValueRow {
  const { source, units, assumed, baseCost, change, factor, cost } = fuel;
  const mean = formatAmount(baseCost, "$/MWh");
  const by =
    change !== null
      ? formatAmount(change, "$/MWh", { signed: true })
      : cost !== null
        ? trans.__("all %1", formatAmount(cost, "$/MWh"))
        : trans.__("times %1", formatUpTo(factor ?? 1, 4));
  return {
    key: `fuel ${source}`,
    elements: units,
    name: trans.__("%1 %2", formatCount(units.length), generatorsOfSource(source)),
    value: trans.__("%1, %2", generatorValueWords("cost").name, "$/MWh"),
    base: assumed ? trans.__("no cost") : trans.__("%1 on average", mean),
    now: !assumed ? by : change === 0 ? trans.__("typical, %1 on average", mean) : trans.__("typical %1", by),
    reset: () => session.setFuelCost({ units, assumed: false }, "change", 0),
  };
}

function generatorRow(
  session: CaseSession,
  key: string,
  edit: GeneratorEdit,
  field: (typeof GENERATOR_FIELDS)[number],
): ValueRow {
  const id = Number(key);
  const isOther = field === "cost" || field === "p_min";
  const element: Selection = isOther ? { kind: "generator", id, value: field } : { kind: "generator", id };
  const row = {
    key: `generator ${key} ${field}`,
    elements: [element],
    reset: () => session.setGenerator(id, { [field]: undefined }),
  };
  if (field === "status") {
    return { ...row, ...statusTexts(session, element, edit.status, trans.__("on"), trans.__("off")) };
  }
  const { name, unit } = generatorValueWords(field);
  const known = session.opened.generators[session.opened.generatorRow(id)];
  const cost = known && baseCost(known);
  const bases = { p_min: known?.p_min_mw, p_max: known?.p_max_mw, cost, c2: known?.cost_c2 ?? 0 };
  const [base, value] = [bases[field] ?? null, edit[field] ?? 0];
  return {
    ...row,
    value: trans.__("%1, %2", name, unit),
    base: base === null ? trans.__("no limit") : formatAmount(base, unit),
    now: base === null ? formatAmount(value, unit) : formatAmount(value - base, unit, { signed: true }),
  };
}

function branchRow(
  session: CaseSession,
  key: string,
  edit: BranchEdit,
  field: (typeof BRANCH_FIELDS)[number],
): ValueRow {
  const id = Number(key);
  const isValue = field === "x" || field === "tap" || field === "shift";
  const element: Selection = isValue ? { kind: "branch", id, value: field } : { kind: "branch", id };
  const row = {
    key: `branch ${key} ${field}`,
    elements: [element],
    reset: () => session.setBranch(id, { [field]: undefined }),
  };
  if (field === "status") {
    const [on, off] = [trans.__("in service"), trans.__("out of service")];
    return { ...row, ...statusTexts(session, element, edit.status, on, off) };
  }
  const unit = editUnit("branch", session.formulation);
  const base = session.opened.baseOrNone(element);
  return {
    ...row,
    value: branchValueName(field),
    base: base === null ? "" : branchValueText(field, base, unit),
    now: branchValueText(field, edit[field] ?? 0, unit),
  };
}

function linkRow(session: CaseSession, key: string, edit: LinkEdit, field: (typeof LINK_FIELDS)[number]): ValueRow {
  const id = Number(key);
  const element: Selection = { kind: "link", id };
  const row = {
    key: `link ${key} ${field}`,
    elements: [element],
    reset: () => session.setLink(id, { [field]: undefined }),
  };
  if (field === "status") {
    const [on, off] = [trans.__("in service"), trans.__("out of service")];
    return { ...row, ...statusTexts(session, element, edit.status, on, off) };
  }
  const known = session.opened.links[session.opened.rowOf(element)];
  const ofCase = known && {
    ...{ p_min: known.p_min_mw, p_max: known.p_max_mw, p: known.p_mw },
    ...{ loss: known.loss_mw, loss_factor: known.loss_factor, cost: known.cost },
  };
  const base = ofCase?.[field] ?? null;
  return {
    ...row,
    value: linkValueName(field),
    base: base === null ? "" : linkValueText(field, base),
    now: linkValueText(field, edit[field] ?? 0),
  };
}

function storageRow(
  session: CaseSession,
  key: string,
  edit: StorageEdit,
  field: (typeof STORAGE_FIELDS)[number],
): ValueRow {
  const id = Number(key);
  const element: Selection = field === "energy_value" ? { kind: "storage", id, value: field } : { kind: "storage", id };
  const row = {
    key: `storage ${key} ${field}`,
    elements: [element],
    reset: () => session.setStorage(id, { [field]: undefined }),
  };
  if (field === "status") {
    const [on, off] = [trans.__("in service"), trans.__("out of service")];
    return { ...row, ...statusTexts(session, element, edit.status, on, off) };
  }
  const known = session.opened.storage[session.opened.rowOf(element)];
  const ofCase = known && {
    ...{
      p: known.p_mw,
      q: known.q_mvar,
      p_charge_max: known.p_charge_max_mw,
      p_discharge_max: known.p_discharge_max_mw,
    },
    ...{ charge_efficiency: known.charge_efficiency, discharge_efficiency: known.discharge_efficiency },
    ...{ energy: known.energy_mwh, energy_min: known.energy_min_mwh, energy_max: known.energy_max_mwh },
    energy_value: known.energy_value,
  };
  const base = ofCase?.[field] ?? null;
  return {
    ...row,
    value: storageValueName(field),
    base: base === null ? "" : storageValueText(field, base),
    now: storageValueText(field, edit[field] ?? 0),
  };
}

function interfaceRow(
  session: CaseSession,
  name: string,
  edit: InterfaceEdit,
  field: (typeof INTERFACE_FIELDS)[number],
): ValueRow {
  const limit = session.options.limits?.interfaces?.find((one) => one.name === name);
  const base = limit?.[field];
  return {
    key: `interface ${name} ${field}`,
    elements: limit === undefined ? [] : interfaceLines(limit, session.opened),
    name: trans.__("Interface %1", name),
    value: trans.__("%1, %2", interfaceLimitName(field), "MW"),
    base: base === undefined ? trans.__("no limit") : formatAmount(base, "MW"),
    now: formatAmount(edit[field] ?? 0, "MW"),
    reset: () => session.setInterface(name, { [field]: undefined }),
  };
}

function statusTexts(
  { opened }: CaseSession,
  element: Selection,
  status: boolean | undefined,
  on: string,
  off: string,
): Pick<ValueRow, "value" | "base" | "now"> {
  return {
    value: trans.__("status"),
    base: isInServiceInCase(opened, element) ? on : off,
    now: status === true ? on : off,
  };
}
