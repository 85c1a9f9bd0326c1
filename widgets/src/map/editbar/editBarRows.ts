import { formatCount, trans } from "../../text/index.ts";
import {
  type CaseSession,
  editKey,
  elementKey,
  inStableOrder,
  type SelectedList,
  type Selection,
} from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { EditBarRow } from "./editBarRow.ts";

/** Number of rows rendered initially. */
const FIRST_ROWS = 60;

/** A row for every selected element, new ones first; a row stays in place when its element becomes the primary. */
export class EditBarRows {
  readonly node = h("ul", { class: "wb-EditBarRows", attributes: { "aria-label": trans.__("Selected elements") } });
  readonly #session: CaseSession;
  readonly #refused: (why: string) => void;
  readonly #rows = new Map<string, EditBarRow>();
  readonly #more = button("", () => this.#showMore());
  readonly #seen = new Set<EditBarRow>();
  readonly #sight: IntersectionObserver;
  #order: SelectedList = [];
  #most = FIRST_ROWS;

  /**
   * `refused` is called with the reason why typed text is not accepted, and with an empty text when it is accepted
   * again.
   */
  constructor(session: CaseSession, refused: (why: string) => void) {
    this.#session = session;
    this.#refused = refused;
    this.#sight = new IntersectionObserver((entries) => this.#looked(entries), { root: this.node });
  }

  /** The row of the primary element; null if it is not in the page. */
  get primary(): EditBarRow | null {
    const { selection } = this.#session;
    return selection === null ? null : (this.#rows.get(elementKey(selection)) ?? null);
  }

  /** The element of the row that contains a node; null outside the rows. */
  elementAt(node: Node): Selection | null {
    return [...this.#rows.values()].find((row) => row.node.contains(node))?.element ?? null;
  }

  /** Shows the present selection. */
  update(): void {
    const { selected } = this.#session;
    this.#order = inStableOrder(this.#order, selected);
    if (selected.length <= FIRST_ROWS) {
      this.#most = FIRST_ROWS;
    }
    this.#arrange();
    for (const row of this.#rows.values()) {
      row.update();
    }
    this.#seen.forEach(({ element }) => this.#session.lookAt(element));
  }

  /** Shows the numbers that follow a preview. */
  showValues(): void {
    for (const row of this.#rows.values()) {
      row.showValue();
    }
  }

  /** Discards pending moves and keys. */
  letGo(): void {
    for (const row of this.#rows.values()) {
      row.letGo();
    }
  }

  dispose(): void {
    for (const row of this.#rows.values()) {
      row.dispose();
    }
    this.#sight.disconnect();
  }

  /** Creates missing rows and removes those of deselected elements. */
  #arrange(): void {
    const shown = this.#order.slice(0, this.#most);
    const keys = new Set(shown.map(elementKey));
    for (const [key, row] of this.#rows) {
      if (!keys.has(key)) {
        this.#forget(row);
        this.#rows.delete(key);
        row.node.remove();
      }
    }
    let next = this.node.firstElementChild;
    for (const element of shown) {
      const key = elementKey(element);
      const known = this.#rows.get(key);
      let row = known;
      if (row === undefined || editKey(row.element) !== editKey(element)) {
        row = new EditBarRow(this.#session, element, this.#refused);
        this.#rows.set(key, row);
        this.#sight.observe(row.node);
      }
      if (known !== undefined && known !== row) {
        // Another value of the same element replaces the row and takes over its focus.
        const focused = known.node.contains(document.activeElement);
        next = known.node === next ? row.node : next;
        known.node.replaceWith(row.node);
        this.#forget(known);
        if (focused) {
          row.focusValue();
        }
      }
      if (row.node === next) {
        next = next.nextElementSibling;
      } else {
        this.node.insertBefore(row.node, next);
      }
    }
    this.#offerMore(this.#order.length - shown.length);
  }

  #forget(row: EditBarRow): void {
    row.dispose();
    this.#sight.unobserve(row.node);
    this.#seen.delete(row);
  }

  #offerMore(left: number): void {
    const item = this.#more.parentElement ?? h("li", { class: "wb-EditBarRows-more" }, this.#more);
    const text = trans.__("Show %1 more of %2", formatCount(Math.min(left, FIRST_ROWS)), formatCount(left));
    setText(this.#more, text);
    this.#more.title = text;
    this.#more.setAttribute("aria-label", text);
    if (left <= 0) {
      item.remove();
    } else if (this.node.lastElementChild !== item) {
      this.node.append(item); // a row that moves under the pointer would not be clicked
    }
  }

  #showMore(): void {
    const last = this.#order[this.#most - 1];
    this.#most += FIRST_ROWS;
    this.#arrange();
    const row = last === undefined ? undefined : this.#rows.get(elementKey(last));
    row?.focus();
  }

  #looked(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const row = [...this.#rows.values()].find(({ node }) => node === target);
      if (row !== undefined && isIntersecting) {
        this.#seen.add(row);
        this.#session.lookAt(row.element);
      } else if (row !== undefined) {
        this.#seen.delete(row);
      }
    }
  }
}
