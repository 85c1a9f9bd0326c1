import { type CaseSession, deltaOf, ElementSlider, isSelected, type Selection } from "../../workspace/index.ts";
import { pageFrame } from "../../ui/pageFrame.ts";
import type { MenuItem } from "../../ui/menu.ts";
import { RESPONSE } from "../colour/priceQuantities.ts";
import type { Quantity } from "../colour/quantities.ts";
import type { Stage } from "../view/stage.ts";
import type { Target } from "../picture/targets.ts";
import { trans } from "../../text/index.ts";

/** What the menu of the right button works with. */
export interface ContextParts {
  session: CaseSession;
  stage: Pick<Stage, "camera" | "fit" | "northUp" | "zoomTo">;
  choose(quantity: Quantity): void;
  search(): void;
}

/** The element under the pointer by its id; null beside all of them. */
export function elementOf({ opened }: CaseSession, target: Target | null): Selection | null {
  const row = target === null ? undefined : (target.kind === "bus" ? opened.buses : opened.branches)[target.row];
  return target === null || row === undefined ? null : { kind: target.kind, id: row.id };
}

/** What can be done with an element. */
export function elementItems({ session, stage, choose }: ContextParts, element: Selection): MenuItem[] {
  const chosen = isSelected(session.selected, element);
  const target = { kind: element.kind, row: session.opened.rowOf(element) };
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
    ...(session.capabilities.has("sensitivities") ? [response] : []),
    { label: trans.__("Zoom to it"), run: () => stage.zoomTo(target) },
  ];
}

/** What can be done with a row of the edit bar, besides what can be done with its element. */
export function rowItems({ session }: Pick<ContextParts, "session">, element: Selection): MenuItem[] {
  const changed = deltaOf(session.state.edits, element) !== 0;
  const label = element.kind === "bus" ? trans.__("Reset the demand") : trans.__("Reset the rating");
  return [
    {
      label,
      run: () => void new ElementSlider(session, element, pageFrame).commit(0),
      disabled: changed ? null : trans.__("It equals the base case"),
    },
  ];
}

/** Undo and redo of edits, with what they do. */
export function stepItems(session: CaseSession, step: (step: "undo" | "redo") => void): MenuItem[] {
  const { undoable, redoable } = session.history;
  const undo = undoable === null ? trans.__("Undo") : trans.__("Undo: %1", session.stepText(undoable.event));
  const redo = redoable === null ? trans.__("Redo") : trans.__("Redo: %1", session.stepText(redoable.event));
  return [
    { label: undo, run: () => step("undo"), disabled: undoable === null ? trans.__("Nothing to undo") : null },
    { label: redo, run: () => step("redo"), disabled: redoable === null ? trans.__("Nothing to redo") : null },
  ];
}

/** What can be done with the view and the selection. */
export function viewItems({ session, stage, search }: ContextParts): MenuItem[] {
  return [
    { label: trans.__("Show everything"), run: () => stage.fit() },
    ...(stage.camera.bearing === 0 ? [] : [{ label: trans.__("North up"), run: () => stage.northUp() }]),
    { label: trans.__("Search\u2026"), run: search },
    ...(session.selected.length > 0
      ? [{ label: trans.__("Clear the selection"), run: () => void session.select(null) }]
      : []),
  ];
}
