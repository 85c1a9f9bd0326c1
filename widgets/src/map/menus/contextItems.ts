import {
  type CaseSession,
  drawnElement,
  type EditedValue,
  editedValue,
  ElementSlider,
  hasDerivative,
  hasStatus,
  isInService,
  isSelected,
  type Selection,
  solvesHere,
} from "../../workspace/index.ts";
import { pageFrame } from "../../ui/pageFrame.ts";
import type { MenuItem } from "../../ui/MenuGroups.tsx";
import { MOST_PITCH } from "../view/camera.ts";
import { RESPONSE } from "../colour/priceQuantities.ts";
import type { Quantity } from "../colour/quantities.ts";
import type { AddedKind } from "../panels/AddForm.tsx";
import type { Stage } from "../view/stage.ts";
import { drawnTarget, type Target } from "../picture/targets.ts";
import { errorText, trans } from "../../text/index.ts";

/** Tilt step of the menu, degrees. */
const TILT_STEP = 45;

/** Objects that the context menu acts on. */
export interface ContextParts {
  session: CaseSession;
  stage: Pick<Stage, "camera" | "explain" | "fit" | "globe" | "northUp" | "plane" | "tilt" | "zoomTo">;
  choose(quantity: Quantity): void;
  search(): void;
  /** Opens the form for an element at a bus. */
  add(kind: AddedKind, bus: number): void;
}

/** The element under the pointer by its id; null outside all of them. */
export function elementOf({ opened }: CaseSession, target: Target | null): Selection | null {
  if (target === null) {
    return null;
  }
  const { kind, row } = target;
  const id = { bus: opened.buses, branch: opened.branches, link: opened.links }[kind][row]?.id;
  return id === undefined ? null : drawnElement(kind, id);
}

/** Commands for an element. */
export function elementItems({ session, stage, choose }: ContextParts, element: Selection): MenuItem[] {
  const chosen = isSelected(session.selected, element);
  const target = drawnTarget(session.opened, element);
  const toggle = {
    label: chosen ? trans.__("Remove from the selection") : trans.__("Add to the selection"),
    run: () => void session.toggle(element),
  };
  const response = {
    label: trans.__("Colour by sensitivity to it"),
    run: () => {
      void session.select(element);
      choose(RESPONSE);
    },
  };
  return [
    ...(chosen ? [] : [{ label: trans.__("Select"), run: () => void session.select(element) }]),
    ...(session.selected.length > 0 ? [toggle] : []),
    ...(hasColumn(session, element) ? [response] : []),
    { label: trans.__("Zoom to it"), run: () => stage.zoomTo(target) },
    ...(hasStatus(session.opened, element) ? [statusItem(session, element)] : []),
    ...(element.kind === "branch" && session.capabilities.has("outages")
      ? outageItems({ session, stage }, element)
      : []),
    ...(element.kind === "branch" && hasStatus(session.opened, element) ? [circuitItem(session, element.id)] : []),
    ...(element.kind === "bus" ? unitItems(session, element.id) : []),
  ];
}

/** Whether the results shown have derivatives by the value of an element. */
function hasColumn({ capabilities, state, opened }: CaseSession, element: Selection): boolean {
  const hasPaths = capabilities.has("paths");
  return (
    capabilities.has("sensitivities") && hasDerivative(element) && !solvesHere(element, hasPaths, state.edits, opened)
  );
}

/** Adds a parallel circuit with the values of a line in the case. */
function circuitItem(session: CaseSession, id: number): MenuItem {
  const isOfCase = id <= session.opened.rowsOfCase.branches.length;
  return {
    label: trans.__("Add a parallel circuit"),
    run: () => void session.add({ branches: [{ copy_of: id }] }).catch(() => undefined),
    disabled: !isOfCase
      ? trans.__("Only a line of the case can be copied")
      : session.showsLive
        ? null
        : trans.__("A saved state is displayed"),
  };
}

/** Items that add an element at a bus. */
export function addItems({ session, add }: Pick<ContextParts, "add" | "session">, element: Selection): MenuItem[] {
  const bus = element.kind === "bus" ? session.opened.buses[session.opened.busRow(element.id)] : undefined;
  if (bus === undefined || !bus.editable) {
    return [];
  }
  const disabled = session.showsLive ? null : trans.__("A saved state is displayed");
  return [
    { label: trans.__("Add a generator here\u2026"), run: () => add("generator", bus.id), disabled },
    { label: trans.__("Add a load here\u2026"), run: () => add("load", bus.id), disabled },
    { label: trans.__("Add a line from here\u2026"), run: () => add("line", bus.id), disabled },
    { label: trans.__("Add storage here\u2026"), run: () => add("storage", bus.id), disabled },
    { label: trans.__("Add an HVDC link from here\u2026"), run: () => add("link", bus.id), disabled },
  ];
}

/** Puts an element in or out of service: one exact commit, whose failure the status of the session shows. */
function statusItem(session: CaseSession, element: Selection): MenuItem {
  const on = isInService(session.opened, session.state.edits, element);
  const { opened } = session;
  const isSwitch = element.kind === "branch" && opened.branches[opened.branchRow(element.id)]?.is_switch === true;
  const [off, back] = isSwitch
    ? [trans.__("Open the switch"), trans.__("Close the switch")]
    : [trans.__("Take out of service"), trans.__("Put in service")];
  return {
    label: on ? off : back,
    run: () => void session.setStatus(element, !on).catch(() => undefined),
    disabled: session.showsLive ? null : trans.__("A saved state is displayed"),
  };
}

/** Shows the flows after the outage of a line in service at fixed dispatch, from where it can be solved for the prices. */
function outageItems({ session, stage }: Pick<ContextParts, "session" | "stage">, line: Selection): MenuItem[] {
  if (!hasStatus(session.opened, line) || !isInService(session.opened, session.state.edits, line)) {
    return [];
  }
  const show = (): Promise<void> =>
    session.outage.show(line.id).catch((error: unknown) => stage.explain(errorText(error, session.opened)));
  return [{ label: trans.__("Flows after its outage"), run: () => void show() }];
}

/** Largest number of a bus's generators offered. */
const MOST_UNITS = 6;

/** Items that select the generators and storage units at a bus. */
function unitItems(session: CaseSession, bus: number): MenuItem[] {
  const { opened } = session;
  const units = opened.generatorsAt(bus).slice(0, MOST_UNITS);
  const storage = opened.storage.filter((unit) => unit.bus === bus).slice(0, MOST_UNITS);
  return [
    ...units.map((row) => {
      const id = opened.generators[row]?.id ?? 0;
      return { label: trans.__("Select generator %1", id), run: () => void session.select({ kind: "generator", id }) };
    }),
    ...storage.map(({ id }) => {
      return { label: trans.__("Select storage %1", id), run: () => void session.select({ kind: "storage", id }) };
    }),
  ];
}

/** Further commands for a row of the edit bar. */
export function rowItems({ session }: Pick<ContextParts, "session">, element: Selection): MenuItem[] {
  const slider = new ElementSlider(session, element, pageFrame);
  return [
    {
      label: resetLabel(editedValue(element)),
      run: () => void slider.commit(0),
      disabled: slider.edited ? null : trans.__("It equals the base case"),
    },
  ];
}

function resetLabel(what: EditedValue): string {
  switch (what) {
    case "demand":
      return trans.__("Reset the demand");
    case "rating":
      return trans.__("Reset the rating");
    case "capacity":
      return trans.__("Reset the capacity");
    case "p_min":
      return trans.__("Reset Pmin");
    case "cost":
      return trans.__("Reset the cost");
    case "x":
      return trans.__("Reset the reactance");
    case "tap":
      return trans.__("Reset the tap ratio");
    case "shift":
      return trans.__("Reset the phase shift");
    case "limit":
      return trans.__("Reset the limit");
    case "schedule":
      return trans.__("Reset the scheduled power");
    case "injection":
      return trans.__("Reset the held power");
    case "energy_value":
      return trans.__("Reset the value of stored energy");
  }
}

/** Undo and redo of edits, with the name of the step. */
export function stepItems(session: CaseSession, step: (step: "undo" | "redo") => void): MenuItem[] {
  const { undoable, redoable } = session.history;
  const undo = undoable === null ? trans.__("Undo") : trans.__("Undo: %1", session.stepText(undoable.event));
  const redo = redoable === null ? trans.__("Redo") : trans.__("Redo: %1", session.stepText(redoable.event));
  return [
    { label: undo, run: () => step("undo"), disabled: undoable === null ? trans.__("Nothing to undo") : null },
    { label: redo, run: () => step("redo"), disabled: redoable === null ? trans.__("Nothing to redo") : null },
  ];
}

/** Commands for the view and the selection. */
export function viewItems({ session, stage, search }: ContextParts): MenuItem[] {
  return [
    { label: trans.__("Show everything"), run: () => stage.fit() },
    ...(stage.camera.bearing === 0 && stage.camera.pitch === 0
      ? []
      : [{ label: trans.__("North up, seen from above"), run: () => stage.northUp() }]),
    ...(stage.plane === "map" ? perspectiveItems(stage) : []),
    { label: trans.__("Search\u2026"), run: search },
    ...(session.selected.length > 0
      ? [{ label: trans.__("Clear the selection"), run: () => void session.select(null) }]
      : []),
  ];
}

/** Commands for tilt and globe. */
function perspectiveItems(stage: ContextParts["stage"]): MenuItem[] {
  const { pitch, globe } = stage.camera;
  return [
    ...(pitch < MOST_PITCH ? [{ label: trans.__("Tilt the map"), run: () => stage.tilt(TILT_STEP) }] : []),
    { label: globe ? trans.__("Show a plane") : trans.__("Show a globe"), run: () => stage.globe(!globe) },
  ];
}
