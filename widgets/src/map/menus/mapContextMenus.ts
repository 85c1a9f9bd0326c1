import { capitalised } from "../../text/index.ts";
import type { Selection } from "../../workspace/index.ts";
import {
  addItems,
  type ContextParts,
  elementItems,
  elementOf,
  rowItems,
  stepItems,
  viewItems,
} from "./contextItems.ts";
import { ContextMenu } from "../../ui/contextMenu.ts";
import type { MenuItem } from "../../ui/MenuGroups.tsx";
import type { Target } from "../picture/targets.ts";
import type { EditBar } from "../editbar/editBar.ts";
import { takesText } from "../../ui/undoKeys.ts";

/** Objects that the context menus act on. */
export interface MapContextParts extends ContextParts {
  /** The node that the menu lies on. */
  readonly picture: HTMLElement;
  step(step: "undo" | "redo"): void;
  /** Items that save the picture. */
  pictures(): MenuItem[];
}

/** The context menus of a map: on the picture, and on the edit bar below it. */
export class MapContext {
  readonly #parts: MapContextParts;
  readonly #menu = new ContextMenu();

  constructor(parts: MapContextParts) {
    this.#parts = parts;
    parts.picture.append(this.#menu.node);
  }

  /** Opens on an element of the picture, or outside all of them. */
  openOn(target: Target | null, point: { x: number; y: number }): void {
    const { session } = this.#parts;
    const element = elementOf(session, target);
    const own = element === null ? [] : [elementItems(this.#parts, element), addItems(this.#parts, element)];
    this.#open(element, [...own, viewItems(this.#parts), this.#steps(), this.#parts.pictures()], point);
  }

  /** Opens on a row of the edit bar; text fields have the browser's own menu, for cut and paste. */
  listen(editBar: EditBar): void {
    editBar.node.addEventListener("contextmenu", (event) => {
      const element = editBar.elementAt(event.target);
      if (element === null || takesText(event.target)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const { left, top } = this.#parts.picture.getBoundingClientRect();
      const groups = [rowItems(this.#parts, element), elementItems(this.#parts, element), this.#steps()];
      this.#open(element, groups, { x: event.clientX - left, y: event.clientY - top });
    });
  }

  #steps(): MenuItem[] {
    return stepItems(this.#parts.session, (step) => this.#parts.step(step));
  }

  #open(element: Selection | null, groups: MenuItem[][], point: { x: number; y: number }): void {
    const { opened } = this.#parts.session;
    const name = element === null ? null : capitalised(opened.nameOf(element.kind, element.id));
    const { clientWidth: width, clientHeight: height } = this.#parts.picture;
    this.#menu.open(name, groups, point, { width, height });
  }
}
