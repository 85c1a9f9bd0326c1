import { capitalised, trans } from "../../text/index.ts";
import type { CaseSession, Selection } from "../../workspace/index.ts";

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
