/** The kinds of element that a network is drawn of. */
export type SelectableKind = "bus" | "branch";

/** A bus or a branch by its original id; its slider moves the demand or the rating. */
export interface NetworkElement {
  kind: SelectableKind;
  id: number;
  value?: undefined;
}

/** Values of a branch besides its rating: series reactance (pu), tap ratio, phase shift (degrees). */
export type BranchValue = "x" | "tap" | "shift";

/** A branch by its original id, and the value other than its rating that its slider moves. */
export interface BranchElement {
  kind: "branch";
  id: number;
  value: BranchValue;
}

/** A generator by its original id, and the value its slider moves: its capacity (Pmax), its Pmin or its cost. */
export interface GeneratorElement {
  kind: "generator";
  id: number;
  value?: "p_min" | "cost";
}

/** An HVDC link by its original id, and the value its slider moves: its upper limit or its scheduled power. */
export interface LinkElement {
  kind: "link";
  id: number;
  value?: "p";
}

/** An HVDC link by its original id; its slider moves its upper limit. */
export interface LinkLimitElement {
  kind: "link";
  id: number;
  value?: undefined;
}

/** A storage unit by its original id, and the value its slider moves: its held power or the value of its energy. */
export interface StorageElement {
  kind: "storage";
  id: number;
  value?: "energy_value";
}

/** An element whose value has derivatives. */
export type EditedElement = NetworkElement | BranchElement | GeneratorElement | LinkLimitElement;

/** An element that a user can select. */
export type Selection = EditedElement | LinkElement | StorageElement;

/** The element of a drawn kind with an id. */
export function drawnElement(kind: SelectableKind | "link", id: number): NetworkElement | LinkElement {
  return kind === "link" ? { kind, id } : { kind, id };
}

/** Whether results have derivatives by the value of an element: by all but schedules of HVDC links and values of storage units. */
export function hasDerivative(element: Selection): element is EditedElement {
  return element.kind === "link" ? element.value === undefined : element.kind !== "storage";
}

/** The value of an element that a slider moves. */
export type EditedValue = "demand" | "rating" | "capacity" | "p_min" | "cost" | BranchValue | LinkValue | StorageValue;

/** Values of an HVDC link that its slider moves. */
export type LinkValue = "limit" | "schedule";

/** Values of a storage unit that its slider moves. */
export type StorageValue = "injection" | "energy_value";

/** The value of a selected element that its slider moves. */
export function editedValue(element: Selection): EditedValue {
  switch (element.kind) {
    case "bus":
      return "demand";
    case "branch":
      return element.value ?? "rating";
    case "generator":
      return element.value ?? "capacity";
    case "link":
      return element.value === "p" ? "schedule" : "limit";
    case "storage":
      return element.value ?? "injection";
  }
}

/** Whether the slider of an element moves a value of a branch other than its rating. */
export function isBranchValue(element: Selection): element is BranchElement {
  return element.kind === "branch" && element.value !== undefined;
}

/** Whether a change of the element's value changes the network. */
export function changesNetwork(element: Selection): element is BranchElement | LinkElement | StorageElement {
  return element.kind === "link" || element.kind === "storage" || isBranchValue(element);
}

/**
 * Whether each position of the slider is a solve of another network: values that change the network have neither
 * derivative nor path, but for phase shifts and limits of links in formulations with exact paths (`hasPaths`).
 */
export function solvesEach(
  element: Selection,
  hasPaths: boolean,
): element is BranchElement | LinkElement | StorageElement {
  const hasPath = element.value === "shift" || (element.kind === "link" && element.value === undefined);
  return changesNetwork(element) && !(hasPaths && hasPath);
}

/** Whether two selections name the same value of the same element, or are both null. */
export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  if (a === null || b === null) {
    return a === b;
  }
  return a.kind === b.kind && a.id === b.id && editedValue(a) === editedValue(b);
}
