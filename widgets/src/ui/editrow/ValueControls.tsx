import { type ReactElement, useState } from "react";
import { branchValueName, capitalised, linkValueName, storageValueName, trans } from "../../text/index.ts";
import {
  type CaseSession,
  drawnElement,
  editedValue,
  type EditedValue,
  isInService,
  type Selection,
} from "../../workspace/index.ts";

interface ValueControlsProps {
  session: CaseSession;
  element: Selection;
}

/**
 * The controls of a selected element besides its slider: which value the slider moves, and whether the element is in
 * service. Buses have neither.
 */
export function ValueControls({ session, element }: ValueControlsProps): ReactElement {
  const { kind, id } = element;
  const drawn: Selection = kind === "generator" || kind === "storage" ? { kind, id } : drawnElement(kind, id);
  return (
    <>
      {kind === "generator" ? (
        <UnitValues session={session} id={id} what={editedValue(element)} />
      ) : kind === "bus" ? null : (
        <ValueChoice session={session} kind={kind} id={id} what={editedValue(element)} />
      )}
      <StatusSwitch session={session} element={drawn} />
    </>
  );
}

/** Focuses the choice of the value that the slider moves, within the controls of an element. */
export function focusValue(controls: HTMLElement): void {
  controls.querySelector<HTMLElement>('select, [aria-pressed="true"]')?.focus({ preventScroll: true });
}

interface UnitValuesProps {
  session: CaseSession;
  id: number;
  /** The value that the slider moves. */
  what: EditedValue;
}

/** The values of a generator that its slider can move. */
function UnitValues({ session, id, what }: UnitValuesProps): ReactElement {
  const choices = [
    { value: "capacity", text: trans.__("Capacity"), title: trans.__("Change the capacity (Pmax), MW") },
    { value: "p_min", text: trans.__("Pmin"), title: trans.__("Change the lower limit of the output (Pmin), MW") },
    {
      value: "cost",
      text: trans.__("Cost"),
      title: trans.__("Change the marginal cost, $/MWh: one cost at every output"),
    },
  ] as const;
  const name = session.opened.nameOf("generator", id);
  return (
    <div className="wb-Switch" role="group" aria-label={trans.__("What the slider of %1 moves", name)}>
      {choices.map(({ value, text, title }) => (
        <button
          key={value}
          className="wb-Button"
          type="button"
          title={title}
          aria-label={text}
          aria-pressed={value === what}
          onClick={() => void session.makePrimary({ kind: "generator", id, ...(value !== "capacity" && { value }) })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** An element other than a generator whose slider can move several values. */
type Kind = "branch" | "link" | "storage";

/** A value that the slider can move, its name, and the selection that has it. */
interface Choice {
  readonly value: EditedValue;
  readonly name: string;
  readonly element: Selection;
}

/** The values of an element in the order of the choice. */
function choicesOf(kind: Kind, id: number): readonly Choice[] {
  if (kind === "link") {
    return [
      { value: "limit", name: linkValueName("p_max"), element: { kind, id } },
      { value: "schedule", name: linkValueName("p"), element: { kind, id, value: "p" } },
    ];
  }
  if (kind === "storage") {
    return [
      { value: "injection", name: storageValueName("p"), element: { kind, id } },
      { value: "energy_value", name: storageValueName("energy_value"), element: { kind, id, value: "energy_value" } },
    ];
  }
  return [
    { value: "rating", name: branchValueName("rating"), element: { kind, id } },
    ...(["x", "tap", "shift"] as const).map((value) => {
      return { value, name: branchValueName(value), element: { kind, id, value } };
    }),
  ];
}

interface ValueChoiceProps extends UnitValuesProps {
  kind: Kind;
}

/** The values of a line, transformer, HVDC link or storage unit that its slider can move. */
function ValueChoice({ session, kind, id, what }: ValueChoiceProps): ReactElement {
  const choices = choicesOf(kind, id);
  return (
    <select
      className="wb-ValueChoice"
      aria-label={trans.__("What the slider of %1 moves", session.opened.nameOf(kind, id))}
      value={what}
      onChange={({ target }) => {
        const chosen = choices.find(({ value }) => value === target.value);
        if (chosen !== undefined) {
          void session.makePrimary(chosen.element);
        }
      }}
    >
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {capitalised(name)}
        </option>
      ))}
    </select>
  );
}

/** The switch that puts an element in or out of service: one exact commit. */
function StatusSwitch({ session, element }: ValueControlsProps): ReactElement {
  /** What was chosen, until the commit has ended; the session's status shows failures. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const turn = async (on: boolean): Promise<void> => {
    setChosen(on);
    try {
      await session.setStatus(element, on);
    } catch {
      // The switch shows the status that remains.
    }
    setChosen(null);
  };
  const { opened, state, inspection } = session;
  return (
    <label className="wb-Toggle">
      <input
        type="checkbox"
        role="switch"
        aria-label={trans.__("%1 in service", opened.nameOf(element.kind, element.id))}
        checked={chosen ?? isInService(opened, state.edits, element)}
        disabled={inspection.state !== null}
        onChange={({ target }) => void turn(target.checked)}
      />
      <span>{element.kind === "generator" ? trans.__("On") : trans.__("In service")}</span>
    </label>
  );
}
