import { h } from "../ui/dom.ts";
import { trans } from "../text/index.ts";

/**
 * Accepts files dropped on an element and highlights it while they hover. Of nested zones the inner one takes the
 * files, and the outer one receives no events from it.
 */
export class DropZone {
  readonly #element: HTMLElement;
  readonly #taken: (files: File[]) => void;
  readonly #veil = h(
    "div",
    { class: "wb-Drop", attributes: { hidden: "", "aria-hidden": "true" } },
    h("span", { text: trans.__("Drop case, geography and drawing files here. They stay in this page.") }),
  );
  readonly #abort = new AbortController();
  /** Counts entered elements, including nested ones. */
  #depth = 0;

  constructor(element: HTMLElement, taken: (files: File[]) => void) {
    this.#element = element;
    this.#taken = taken;
    element.append(this.#veil);
    const { signal } = this.#abort;
    element.addEventListener("dragenter", (event) => this.#enter(event), { signal });
    element.addEventListener("dragover", (event) => this.#over(event), { signal });
    element.addEventListener("dragleave", (event) => this.#leave(event), { signal });
    element.addEventListener("drop", (event) => this.#drop(event), { signal });
  }

  dispose(): void {
    this.#abort.abort();
    this.#veil.remove();
  }

  #enter(event: DragEvent): void {
    if (holdsFiles(event)) {
      event.preventDefault();
      event.stopPropagation();
      this.#depth += 1;
      this.#show();
    }
  }

  #over(event: DragEvent): void {
    if (holdsFiles(event) && event.dataTransfer !== null) {
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = "copy";
    }
  }

  #leave(event: DragEvent): void {
    if (this.#depth > 0) {
      event.stopPropagation();
    }
    this.#depth = Math.max(0, this.#depth - 1);
    this.#show();
  }

  #drop(event: DragEvent): void {
    if (!holdsFiles(event) || event.dataTransfer === null) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#depth = 0;
    this.#show();
    this.#taken([...event.dataTransfer.files]);
  }

  #show(): void {
    this.#veil.hidden = this.#depth === 0;
    this.#element.classList.toggle("wb-mod-dropping", this.#depth > 0);
  }
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
