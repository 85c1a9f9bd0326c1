import type { OpenedCase } from "../cases/openedCase.ts";
import { drawnElement, editedValue, isBranchValue, sameSelection, type Selection } from "../cases/selection.ts";

/** Selected elements in the order in which they were chosen; the last one is the primary, which previews follow. */
export type SelectedList = readonly Selection[];

/** A map key for an element, whichever value of it is edited. */
export function elementKey({ kind, id }: Pick<Selection, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/** A map key for the edited value of an element. */
export function editKey(element: Selection): string {
  return `${elementKey(element)} ${editedValue(element)}`;
}

function sameElement(a: Selection, b: Selection): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/** Whether an element is among the selected ones. */
export function isSelected(selected: SelectedList, element: Selection): boolean {
  return selected.some((one) => sameElement(one, element));
}

/** Whether this value of an element is the edited value of a selected one. */
export function isEditSelected(selected: SelectedList, element: Selection): boolean {
  return selected.some((one) => sameSelection(one, element));
}

/** The list with an element removed, or added as the primary. */
export function toggled(selected: SelectedList, element: Selection): SelectedList {
  const others = selected.filter((one) => !sameElement(one, element));
  return others.length < selected.length ? others : [...others, element];
}

/** The list with `element` as the primary and its edited value; the same list when it is not among them. */
export function withPrimary(selected: SelectedList, element: Selection): SelectedList {
  return isSelected(selected, element) ? [...selected.filter((one) => !sameElement(one, element)), element] : selected;
}

/** The elements of a list that the case has, each once at its last place. */
export function knownElements(list: SelectedList, opened: OpenedCase): SelectedList {
  const byKey = new Map<string, Selection>();
  for (const element of list) {
    if (opened.rowOf(element) >= 0) {
      const key = elementKey(element);
      byKey.delete(key);
      byKey.set(key, plainElement(element));
    }
  }
  return [...byKey.values()];
}

/** The element with its identifying fields alone. */
export function plainElement(element: Selection): Selection {
  if (element.kind === "generator") {
    const { kind, id, value } = element;
    return value === undefined ? { kind, id } : { kind, id, value };
  }
  const { id } = element;
  if (element.kind === "link") {
    return element.value === undefined ? { kind: "link", id } : { kind: "link", id, value: element.value };
  }
  if (element.kind === "storage") {
    return element.value === undefined ? { kind: "storage", id } : { kind: "storage", id, value: element.value };
  }
  return isBranchValue(element) ? { kind: "branch", id, value: element.value } : drawnElement(element.kind, id);
}

/** Whether two lists hold the same elements in the same order. */
export function sameList(a: SelectedList, b: SelectedList): boolean {
  return a.length === b.length && a.every((one, k) => sameSelection(one, b[k] ?? null));
}

/**
 * The selected elements in a stable order: new ones come first and the others stay in place, whichever is the primary.
 */
export function inStableOrder(order: SelectedList, selected: SelectedList): SelectedList {
  const wanted = new Map(selected.map((element) => [elementKey(element), element]));
  const stable = order.flatMap((element) => {
    const now = wanted.get(elementKey(element));
    wanted.delete(elementKey(element));
    return now === undefined ? [] : [now];
  });
  return [...[...wanted.values()].reverse(), ...stable];
}
