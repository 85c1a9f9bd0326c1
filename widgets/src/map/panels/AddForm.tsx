import type { AddedElements } from "@service/engine";
import { type ReactElement, useLayoutEffect, useRef, useState } from "react";
import { capitalised, errorText, parseNumber, trans } from "../../text/index.ts";
import { Row, Submit, TextEntry } from "../../ui/Fields.tsx";
import type { CaseSession, SessionChange } from "../../workspace/index.ts";
import type { MapForm } from "./mapDialog.tsx";

/** What can be added at a bus. */
export type AddedKind = "generator" | "load" | "line" | "link" | "storage";

/** One number of the form: its name in the engine, its label with the unit, and the value that it begins with. */
interface Entry {
  readonly name: string;
  readonly label: () => string;
  readonly value: string;
  /** Whether an empty field leaves the value out. */
  readonly optional?: true;
}

const ENTRIES: Readonly<Record<AddedKind, readonly Entry[]>> = {
  generator: [
    { name: "p_max", label: () => trans.__("Capacity, MW"), value: "100" },
    { name: "p_min", label: () => trans.__("Minimum output, MW"), value: "0" },
    { name: "cost", label: () => trans.__("Marginal cost, $/MWh"), value: "" },
  ],
  load: [
    { name: "p", label: () => trans.__("Demand, MW"), value: "100" },
    { name: "q", label: () => trans.__("Reactive demand, MVAr"), value: "0" },
  ],
  line: [
    { name: "x", label: () => trans.__("Reactance, per unit"), value: "" },
    { name: "r", label: () => trans.__("Resistance, per unit"), value: "0" },
    { name: "b", label: () => trans.__("Charging susceptance, per unit"), value: "0" },
    { name: "rating", label: () => trans.__("Rating, MVA (empty: no limit)"), value: "", optional: true },
  ],
  storage: [
    { name: "p_discharge_max", label: () => trans.__("Discharging, at most MW"), value: "100" },
    { name: "p_charge_max", label: () => trans.__("Charging, at most MW"), value: "100" },
    { name: "p", label: () => trans.__("Held power, MW (negative: charging)"), value: "0" },
    { name: "discharge_efficiency", label: () => trans.__("Discharging efficiency"), value: "0.95" },
    { name: "charge_efficiency", label: () => trans.__("Charging efficiency"), value: "0.95" },
    { name: "energy", label: () => trans.__("Stored energy, MWh (empty: unknown)"), value: "", optional: true },
    {
      name: "energy_value",
      label: () => trans.__("Value of stored energy, $/MWh (empty: none)"),
      value: "",
      optional: true,
    },
  ],
  link: [
    { name: "p_max", label: () => trans.__("Upper limit, MW"), value: "100" },
    { name: "p_min", label: () => trans.__("Lower limit, MW (negative: in reverse)"), value: "0" },
    { name: "loss_factor", label: () => trans.__("Loss factor (fraction of the power)"), value: "0" },
    { name: "loss", label: () => trans.__("Constant loss, MW"), value: "0" },
    { name: "cost", label: () => trans.__("Cost of its power, $/MWh"), value: "0" },
  ],
};

const TITLES: Readonly<Record<AddedKind, () => string>> = {
  generator: () => trans.__("Add a generator"),
  load: () => trans.__("Add a load"),
  line: () => trans.__("Add a line"),
  link: () => trans.__("Add an HVDC link"),
  storage: () => trans.__("Add storage"),
};

/** Asks for the values of an element at a bus, and adds it. The second bus of a line or link is chosen by a click on the map. */
export function addForm(session: CaseSession, kind: AddedKind, bus: number): MapForm {
  return {
    title: TITLES[kind](),
    draw: (close) => <AddForm session={session} kind={kind} bus={bus} close={close} />,
  };
}

interface AddFormProps {
  session: CaseSession;
  kind: AddedKind;
  /** The bus, or the first one. */
  bus: number;
  close: () => void;
}

function AddForm({ session, kind, bus, close }: AddFormProps): ReactElement {
  const { opened } = session;
  const [name, setName] = useState("");
  const [texts, setTexts] = useState<readonly string[]>(() => ENTRIES[kind].map(({ value }) => value));
  const [problem, setProblem] = useState("");
  const secondBus = useSecondBus(session, bus);
  const fields = useRef<HTMLDivElement>(null);
  const add = async (): Promise<void> => {
    const found = entered(kind, name, texts, { from: bus, to: secondBus });
    if ("problem" in found) {
      setProblem(found.problem);
      fields.current?.querySelectorAll("input")[found.field ?? -1]?.focus();
      return;
    }
    setProblem("");
    try {
      await session.add(found.added);
      close();
    } catch (error) {
      setProblem(errorText(error, opened));
    }
  };
  const busName = (id: number): ReactElement => (
    <output className="wb-Form-bus">{capitalised(opened.nameOf("bus", id))}</output>
  );
  const hasTwoBuses = kind === "line" || kind === "link";
  return (
    <>
      <Row label={hasTwoBuses ? trans.__("From") : trans.__("At")}>{busName(bus)}</Row>
      {!hasTwoBuses ? null : (
        <Row label={trans.__("To")}>
          {secondBus === null ? (
            <output className="wb-Form-bus">{trans.__("Click the second bus on the map")}</output>
          ) : (
            busName(secondBus)
          )}
        </Row>
      )}
      <Row label={trans.__("Name (optional)")}>
        <TextEntry label={trans.__("Name")} text={name} take={setName} maxLength={60} />
      </Row>
      <div ref={fields} className="wb-Form-content">
        {ENTRIES[kind].map((entry, k) => (
          <Row key={entry.name} label={entry.label()}>
            <TextEntry
              isNumber
              label={entry.label()}
              text={texts[k] ?? ""}
              take={(text) => setTexts(texts.with(k, text))}
            />
          </Row>
        ))}
      </div>
      <Submit label={trans.__("Add")} problem={problem} submit={() => void add()} />
    </>
  );
}

/** The last bus other than the first one that was selected while the form is open. */
function useSecondBus(session: CaseSession, first: number): number | null {
  const [bus, setBus] = useState<number | null>(null);
  useLayoutEffect(() => {
    const changed = (_: CaseSession, change: SessionChange): void => {
      const { selection } = session;
      if (change === "selection" && selection?.kind === "bus" && selection.id !== first) {
        setBus(selection.id);
      }
    };
    session.changed.connect(changed);
    return () => {
      session.changed.disconnect(changed);
    };
  }, [session, first]);
  return bus;
}

/** The element that was entered, or what is missing, with the number of its field. */
function entered(
  kind: AddedKind,
  name: string,
  texts: readonly string[],
  buses: { from: number; to: number | null },
): { added: AddedElements } | { problem: string; field?: number } {
  const values: Record<string, number> = {};
  for (const [field, entry] of ENTRIES[kind].entries()) {
    const text = texts[field] ?? "";
    const value = parseNumber(text);
    if (value !== null) {
      values[entry.name] = value;
    } else if (entry.optional === undefined || text.trim() !== "") {
      return { problem: trans.__("%1: enter a number.", entry.label()), field };
    }
  }
  const own = name.trim() === "" ? {} : { name: name.trim() };
  const { p_max = 0, p_min = 0, cost = 0, p = 0, q = 0, ...further } = values;
  const { from, to } = buses;
  switch (kind) {
    case "generator":
      return { added: { generators: [{ ...own, bus: from, p_max, p_min, cost }] } };
    case "load":
      return { added: { loads: [{ ...own, bus: from, p, q }] } };
    case "storage":
      return { added: { storage: [{ ...own, bus: from, p, ...further }] } };
  }
  if (to === null) {
    return { problem: trans.__("Click the second bus on the map.") };
  }
  return kind === "line"
    ? { added: { branches: [{ ...own, from, to, ...further }] } }
    : { added: { links: [{ ...own, from, to, p_max, p_min, cost, ...further }] } };
}
