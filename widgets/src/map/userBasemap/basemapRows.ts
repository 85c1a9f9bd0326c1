import { trans } from "../../text/index.ts";
import { button, h } from "../../ui/dom.ts";
import { isPersonsClick } from "../../workspace/index.ts";
import { blobSource } from "../ground/pmtiles.ts";
import { type BasemapChoice, basemapText, isBundled, NATURAL_EARTH, parseBasemap } from "./basemapChoice.ts";
import type { ChosenBasemap } from "./chosenBasemap.ts";
import type { ServerList } from "./serverList.ts";

/** The kinds in the list of basemaps: the bundled ones and the user's own. */
type Kind = "natural_earth" | "plain" | "none" | "own";

const KINDS: readonly Kind[] = ["natural_earth", "plain", "none", "own"];

/** Chooses the basemap of all maps in this browser: a bundled one, a URL, or a local PMTiles file. */
export function basemapRows(chosen: ChosenBasemap, servers: ServerList): HTMLElement[] {
  const now = chosen.requested;
  const select = h("select", { attributes: { "aria-label": trans.__("Basemap") } });
  select.append(...KINDS.map((kind) => h("option", { text: kindLabel(kind), attributes: { value: kind } })));
  select.value = isBundled(now) ? now.kind : "own";
  const own = ownRows(now, (choice) => chosen.chooseForAll(choice));
  const showOwn = (): void => {
    own.hidden = select.value !== "own";
  };
  select.addEventListener("change", () => {
    showOwn();
    if (select.value !== "own") {
      chosen.chooseForAll({ kind: select.value as Exclude<Kind, "own"> });
    }
  });
  showOwn();
  return [
    h("div", { class: "wb-StylePanel-row" }, h("span", { text: trans.__("Basemap") }), select),
    own,
    servers.node,
  ];
}

function ownRows(now: BasemapChoice, choose: (choice: BasemapChoice) => void): HTMLElement {
  const address = field(trans.__("Address"), isBundled(now) || now.kind === "file" ? "" : basemapText(now));
  address.placeholder = "https://…/{z}/{x}/{y}.png";
  const credit = field(trans.__("Attribution"), isBundled(now) ? "" : (now.attribution ?? ""));
  const problem = h("p", { class: "wb-StylePanel-problem", attributes: { role: "status" } });
  const load = (click: Event): void => {
    if (!isPersonsClick(click)) {
      return; // a server set by a script was not named by a person
    }
    try {
      const choice = address.value.trim() === "" ? NATURAL_EARTH : parseBasemap(address.value, credit.value);
      problem.textContent = "";
      choose(choice);
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
    address.setAttribute("aria-invalid", String(problem.textContent !== ""));
  };
  const file = h("input", { attributes: { type: "file", accept: ".pmtiles", "aria-label": trans.__("PMTiles file") } });
  file.addEventListener("change", () => {
    const [first] = file.files ?? [];
    if (first !== undefined) {
      choose({ kind: "file", name: first.name, source: blobSource(first), ...creditOf(credit.value) });
    }
  });
  return h(
    "div",
    { class: "wb-StylePanel-own" },
    row(trans.__("Address"), address),
    row(trans.__("Attribution"), credit),
    button(trans.__("Load"), load, { class: "wb-StylePanel-load" }),
    row(trans.__("PMTiles file"), file),
    problem,
  );
}

function creditOf(text: string): { attribution?: string } {
  return text.trim() === "" ? {} : { attribution: text.trim() };
}

function field(label: string, value: string): HTMLInputElement {
  const input = h("input", {
    class: "wb-StylePanel-text",
    attributes: { type: "text", "aria-label": label, autocomplete: "off", spellcheck: "false" },
  });
  input.value = value;
  return input;
}

function row(label: string, control: HTMLElement): HTMLElement {
  return h("div", { class: "wb-StylePanel-row" }, h("span", { text: label }), control);
}

function kindLabel(kind: Kind): string {
  switch (kind) {
    case "natural_earth":
      return "Natural Earth";
    case "plain":
      return trans.__("Coasts and borders only");
    case "none":
      return trans.__("None");
    case "own":
      return trans.__("Other style, tiles or file\u2026");
  }
}
