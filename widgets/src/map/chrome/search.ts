import { capitalised, formatCount, trans } from "../../text/index.ts";
import type { CaseSession, Selection } from "../../workspace/index.ts";
import { button, h, setText } from "../../ui/dom.ts";

/** An element found by a search. */
export interface Found {
  element: Selection;
  text: string;
}

/** A rank behind all others. */
const LAST = 10;

/** Number of elements listed. */
const MOST_FOUND = 8;

/**
 * The buses, lines, HVDC links and generators that match a text: by exact id first, then by the start of a name, then
 * by a part of it; star points and windings of three-winding transformers, which cannot be edited, last. `line 17`,
 * `link 1` and `bus 17` name one kind; generators and storage units are listed only
 * where `generator` or `storage` is named. `count` is the total
 * number of matches.
 */
export function searchElements(
  session: Pick<CaseSession, "opened">,
  text: string,
  most = MOST_FOUND,
): { found: Found[]; count: number } {
  const { opened } = session;
  const { kind, wanted } = readSearch(text);
  if (wanted === "") {
    return { found: [], count: 0 };
  }
  const ranked: { rank: number; order: number; element: Selection }[] = [];
  const consider = (element: Selection, names: readonly string[]): void => {
    const id = String(element.id);
    const rank =
      id === wanted ? 0 : Math.min(...names.map((name) => rankOf(name, wanted)), id.startsWith(wanted) ? 4 : Infinity);
    if (rank < Infinity) {
      const late = (element.kind === "bus" ? 0 : 0.5) + (rank > 0 && !opened.isEditable(element) ? LAST : 0);
      ranked.push({ rank: rank + late, order: ranked.length, element });
    }
  };
  const nameOf = (bus: number): string => opened.busName(opened.busRow(bus))?.toLowerCase() ?? "";
  if (kind === undefined || kind === "bus") {
    opened.buses.forEach(({ id, name }) => consider({ kind: "bus", id }, [name?.toLowerCase() ?? ""]));
  }
  if (kind === "generator") {
    opened.generators.forEach(({ id, bus }) => consider({ kind: "generator", id }, [nameOf(bus)]));
  }
  if (kind === "storage") {
    opened.storage.forEach(({ id, bus }) => consider({ kind: "storage", id }, [nameOf(bus)]));
  }
  if (kind === undefined || kind === "branch") {
    opened.branches.forEach(({ id, from, to }) => {
      const [a, b] = [nameOf(from), nameOf(to)];
      consider({ kind: "branch", id }, kind === undefined ? [`${a} to ${b}`, `${a} ${b}`] : [`${a} to ${b}`, a, b]);
    });
  }
  if (kind === undefined || kind === "link") {
    opened.links.forEach(({ id, from, to }) => {
      const [a, b] = [nameOf(from), nameOf(to)];
      consider({ kind: "link", id }, kind === undefined ? [`${a} to ${b}`, `${a} ${b}`] : [`${a} to ${b}`, a, b]);
    });
  }
  ranked.sort((a, b) => a.rank - b.rank || a.order - b.order);
  const found = ranked.slice(0, most).map(({ element }) => {
    const name = opened.nameOf(element.kind, element.id);
    return { element, text: capitalised(name) };
  });
  return { found, count: ranked.length };
}

/**
 * The search term in lower case, and the element kind if the text begins with one, in English or the page's language.
 */
function readSearch(text: string): { kind: Selection["kind"] | undefined; wanted: string } {
  const typed = text.trim().toLowerCase();
  const kinds = [
    ["bus", "bus"],
    [trans._p("search", "bus"), "bus"],
    ["line", "branch"],
    [trans._p("search", "line"), "branch"],
    ["branch", "branch"],
    ["hvdc", "link"],
    ["link", "link"],
    [trans._p("search", "link"), "link"],
    ["generator", "generator"],
    [trans._p("search", "generator"), "generator"],
    ["storage", "storage"],
    [trans._p("search", "storage"), "storage"],
  ] as const;
  const found = kinds.find(([word]) => typed.startsWith(word.toLowerCase()));
  return { kind: found?.[1], wanted: typed.slice(found?.[0].length ?? 0).trim() };
}

function rankOf(name: string, wanted: string): number {
  if (name === "") {
    return Infinity;
  }
  if (name === wanted) {
    return 1;
  }
  return name.startsWith(wanted) ? 2 : name.includes(wanted) ? 3 : Infinity;
}

/** The search field over the picture: arrow keys choose, Enter goes there, Escape closes. */
export class Search {
  readonly node = h("div", { class: "wb-Search", attributes: { hidden: "", role: "search" } });
  readonly #session: CaseSession;
  readonly #chosen: (element: Selection) => void;
  readonly #closed: () => void;
  readonly #list: HTMLElement;
  readonly #status = h("div", { class: "wb-Announcer", attributes: { role: "status" } });
  readonly #input: HTMLInputElement;
  #found: Found[] = [];
  #count = 0;
  #at = 0;

  /** `chosen` is called with the chosen element; `closed` after the field has closed. */
  constructor(session: CaseSession, id: string, chosen: (element: Selection) => void, closed: () => void) {
    this.#session = session;
    this.#chosen = chosen;
    this.#closed = closed;
    this.#list = h("div", {
      class: "wb-Search-list",
      attributes: { id, role: "listbox", "aria-label": trans.__("Found") },
    });
    this.#input = h("input", {
      class: "wb-Search-field",
      attributes: {
        type: "text",
        role: "combobox",
        placeholder: trans.__("Bus, line or generator: number or name"),
        "aria-label": trans.__("Search for a bus, line or generator"),
        "aria-controls": id,
        "aria-expanded": "false",
        "aria-autocomplete": "list",
        autocomplete: "off",
        spellcheck: "false",
      },
      on: { input: () => this.#search(), keydown: (event) => this.#keyed(event) },
    });
    const close = button(trans.__("Close the search"), () => this.close(), { icon: CLOSE });
    this.node.append(h("div", { class: "wb-Search-row" }, this.#input, close), this.#list, this.#status);
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  /** Opens the field with the previous search selected. */
  focus(): void {
    this.node.hidden = false;
    this.#input.focus();
    this.#input.select();
    this.#search();
  }

  close(): void {
    if (this.open) {
      this.node.hidden = true;
      this.#closed();
    }
  }

  #search(): void {
    ({ found: this.#found, count: this.#count } = searchElements(this.#session, this.#input.value));
    this.#at = 0;
    this.#show();
    const typed = this.#input.value.trim() !== "";
    setText(
      this.#status,
      typed
        ? this.#found.length === 0
          ? trans.__("Nothing found")
          : trans._n("%2 found", "%2 found", this.#count, formatCount(this.#count))
        : "",
    );
  }

  #show(): void {
    const typed = this.#input.value.trim() !== "";
    const more = this.#count - this.#found.length;
    const id = (k: number): string => `${this.#list.id}-${k}`;
    this.#list.replaceChildren(
      ...this.#found.map(({ text }, k) =>
        h("div", {
          class: "wb-Search-found",
          text,
          attributes: { id: id(k), role: "option", "aria-selected": String(k === this.#at) },
          on: {
            pointerdown: (event) => event.preventDefault(), // the field stays focused
            click: () => this.#choose(k),
          },
        }),
      ),
      ...(typed && this.#found.length === 0
        ? [h("div", { class: "wb-Search-none", text: trans.__("Nothing found") })]
        : []),
      ...(more > 0
        ? [
            h("div", {
              class: "wb-Search-none",
              text: trans._n(
                "%2 more; keep typing to narrow the list",
                "%2 more; keep typing to narrow the list",
                more,
                formatCount(more),
              ),
            }),
          ]
        : []),
    );
    this.#list.hidden = !typed;
    this.#input.setAttribute("aria-expanded", String(this.#found.length > 0));
    this.#input.setAttribute("aria-activedescendant", this.#found.length > 0 ? id(this.#at) : "");
  }

  #choose(k: number): void {
    const found = this.#found[k];
    if (found !== undefined) {
      this.close();
      this.#chosen(found.element);
    }
  }

  #keyed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.#found.length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + this.#found.length) % this.#found.length;
      this.#show();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#choose(this.#at);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }
}

const CLOSE =
  '<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" ' +
  'stroke-width="1.5" stroke-linecap="round"><path d="M4 4l8 8M12 4l-8 8"/></svg>';
