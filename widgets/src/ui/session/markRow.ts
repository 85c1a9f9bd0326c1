import { h } from "../dom.ts";

/** The parts of a mark for anything but the live state: what is displayed, and the ways back. */
export function markRow(
  mark: { kind: "inspecting" | "outage" | "series"; label: string },
  words: readonly HTMLElement[],
  ways: readonly HTMLElement[],
): HTMLElement[] {
  return [
    h(
      "div",
      { class: "wb-Inspecting-words" },
      h("span", { class: "wb-StateMark", data: { mark: mark.kind }, text: mark.label }),
      ...words,
    ),
    h("div", { class: "wb-Inspecting-ways" }, ...ways),
  ];
}

/** A button of a mark; `title` explains its label. */
export function markButton(text: string, onClick: () => void, title?: string): HTMLButtonElement {
  const attributes = { type: "button", ...(title !== undefined && { title }) };
  return h("button", { class: "wb-Button", text, attributes, on: { click: onClick } });
}
