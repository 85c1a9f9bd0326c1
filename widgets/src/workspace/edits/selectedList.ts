import type { OpenedCase } from "../cases/openedCase.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";

/** Selected elements in the order in which they were chosen; the last one is the primary, which previews follow. */
export type SelectedList = readonly Selection[];

/** A key for maps of elements. */
export function elementKey({ kind, id }: Selection): string {
  return `${kind} ${id}`;
}

/** Whether an element is among the selected ones. */
export function isSelected(selected: SelectedList, element: Selection): boolean {
  return selected.some((one) => sameSelection(one, element));
}

/** The list with an element taken out, or put in as the primary. */
export function toggled(selected: SelectedList, element: Selection): SelectedList {
  const others = selected.filter((one) => !sameSelection(one, element));
  return others.length < selected.length ? others : [...others, element];
}

/** The same elements with `element` as the primary; the list itself when it is not among them. */
export function withPrimary(selected: SelectedList, element: Selection): SelectedList {
  return isSelected(selected, element)
    ? [...selected.filter((one) => !sameSelection(one, element)), element]
    : selected;
}

/** The elements of a list that the case has, each once, in the place where it is named last. */
export function knownElements(list: SelectedList, opened: OpenedCase): SelectedList {
  const byKey = new Map<string, Selection>();
  for (const { kind, id } of list) {
    if (opened.rowOf({ kind, id }) >= 0) {
      const key = elementKey({ kind, id });
      byKey.delete(key);
      byKey.set(key, { kind, id });
    }
  }
  return [...byKey.values()];
}

/** Whether two lists hold the same elements in the same order. */
export function sameList(a: SelectedList, b: SelectedList): boolean {
  return a.length === b.length && a.every((one, k) => sameSelection(one, b[k] ?? null));
}

/** The selected elements for a list in which new ones come first and every other keeps its place, whichever is the primary. */
export function inStableOrder(order: SelectedList, selected: SelectedList): SelectedList {
  const wanted = new Map(selected.map((element) => [elementKey(element), element]));
  const kept = order.filter((element) => wanted.delete(elementKey(element)));
  return [...[...wanted.values()].reverse(), ...kept];
}
