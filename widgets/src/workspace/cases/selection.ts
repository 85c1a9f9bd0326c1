/** The kinds of element that a network is drawn of. */
export type SelectableKind = "bus" | "branch";

/** A bus or a branch by its original id. */
export interface NetworkElement {
  kind: SelectableKind;
  id: number;
}

/** A generator by its original id, and the value its slider moves: its capacity or its cost. */
export interface GeneratorElement {
  kind: "generator";
  id: number;
  value?: "cost";
}

/** An HVDC link by its original id. */
export interface LinkElement {
  kind: "link";
  id: number;
}

/** An element with a value that a slider moves. */
export type EditedElement = NetworkElement | GeneratorElement;

/** An element that a user can select. */
export type Selection = EditedElement | LinkElement;

/** Whether an element has a value that a slider moves: all but HVDC links. */
export function hasSlider(element: Selection): element is EditedElement {
  return element.kind !== "link";
}

/** The value of an element that a slider moves. */
export type EditedValue = "demand" | "rating" | "capacity" | "cost";

/** The value of a selected element that its slider moves. */
export function editedValue(element: Selection): EditedValue {
  switch (element.kind) {
    case "bus":
      return "demand";
    case "branch":
      return "rating";
    case "generator":
      return element.value ?? "capacity";
    case "link":
      return "capacity";
  }
}

/** Whether two selections name the same value of the same element, or are both null. */
export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  if (a === null || b === null) {
    return a === b;
  }
  return a.kind === b.kind && a.id === b.id && editedValue(a) === editedValue(b);
}
