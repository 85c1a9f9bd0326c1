/** Properties of a new element; `data` becomes data- attributes, other names plain attributes. */
export interface ElementProps {
  class?: string;
  text?: string;
  data?: Record<string, string>;
  on?: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }>;
  attributes?: Record<string, string>;
}

/** Creates an element with its children. Listeners live as long as the element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: ElementProps = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (props.class !== undefined) {
    element.className = props.class;
  }
  if (props.text !== undefined) {
    element.textContent = props.text;
  }
  Object.assign(element.dataset, props.data);
  for (const [name, value] of Object.entries(props.attributes ?? {})) {
    element.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(props.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(...children);
  return element;
}

/** Creates an SVG element with its attributes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

/** A button with a text, or with an icon whose accessible name is the text. */
export function button(
  label: string,
  onClick: (event: MouseEvent) => void,
  options: { icon?: string; class?: string } = {},
): HTMLButtonElement {
  const element = h("button", {
    class: `wb-Button ${options.class ?? ""}`.trim(),
    attributes: { type: "button", title: label, "aria-label": label },
    on: { click: onClick },
  });
  if (options.icon === undefined) {
    element.textContent = label;
  } else {
    element.classList.add("wb-mod-icon");
    element.innerHTML = options.icon; // one of our own icons, never from a file
  }
  return element;
}

/** Sets the text of an element only when it differs, so that live regions announce it once. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
