import { type ISignal, Signal } from "@lumino/signaling";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { unavailableText } from "../catalogue/caseService.ts";
import type { Documents } from "../documents/documents.ts";
import { HOME, hrefOf, type Route, routeOf, sameRoute } from "./route.ts";
import { trans } from "../../text/index.ts";

/** Why the page cannot show the document of its address, in words; null if it does. */
export type RouteProblem = string | null;

/**
 * Synchronises the address of the page with the document in front: opening, closing and switching write the address,
 * and the browser's back and forward buttons read it.
 */
export class Navigation {
  readonly #documents: Documents;
  readonly #catalogue: Catalogue;
  readonly #changed = new Signal<this, void>(this);
  readonly #openStored: (id: string, title: string) => Promise<void>;
  #problem: RouteProblem = null;
  /** The document to which the current address belongs. */
  #written: string | null = null;

  /** `openStored` opens a Study that is stored in the browser. */
  constructor(documents: Documents, catalogue: Catalogue, openStored: (id: string, title: string) => Promise<void>) {
    this.#documents = documents;
    this.#catalogue = catalogue;
    this.#openStored = openStored;
  }

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get problem(): RouteProblem {
    return this.#problem;
  }

  /** Follows the address from now on, starting with that of the page load. */
  start(): void {
    addEventListener("popstate", () => this.#read());
    addEventListener("hashchange", () => this.#read());
    this.#documents.changed.connect(this.#write, this);
    this.#catalogue.changed.connect(this.#catalogueCame, this);
    this.#read();
  }

  #catalogueCame(): void {
    if (this.#documents.front === null) {
      this.#read();
    }
  }

  /** Shows the document of the address. A case waits for the list of cases. */
  #read(): void {
    const route = routeOf(location);
    const open = this.#documents.list.find((document) => sameRoute(document.route, route));
    this.#setProblem(null);
    if (open !== undefined) {
      this.#documents.bringToFront(open);
      return;
    }
    if (this.#documents.front !== null) {
      this.#documents.changed.disconnect(this.#write, this); // the address leads here and must not be rewritten
      this.#documents.showList();
      this.#documents.changed.connect(this.#write, this);
      this.#written = null;
    }
    if (route.kind === "file") {
      const name = route.name || trans.__("This file");
      this.#setProblem(
        trans.__("%1 was opened from this computer and is not stored. Open it again to continue.", name),
      );
    } else if (route.kind === "view") {
      this.#setProblem(
        trans.__("%1 is closed. Open it again from the Study panel of its case.", route.name || trans.__("This view")),
      );
    } else if (route.kind === "study") {
      void this.#openStored(route.key, route.name);
    } else if (route.kind === "case") {
      this.#openCase(route.id);
    }
  }

  #openCase(id: string): void {
    const { state } = this.#catalogue;
    if (state.kind !== "ready") {
      return; // the list of cases shows progress or the error
    }
    const summary = state.cases.find((candidate) => candidate.id === id);
    if (summary === undefined) {
      this.#setProblem(trans.__('This server has no case "%1". Choose one of its cases below.', id));
      return;
    }
    const reason = unavailableText(summary);
    if (reason === null) {
      void this.#documents.openServed(summary);
    } else {
      this.#setProblem(trans.__("%1 cannot be opened: %2", summary.name, reason));
    }
  }

  /** Writes the address of the document in front. */
  #write(): void {
    const { front } = this.#documents;
    const route: Route = front?.route ?? HOME;
    if (!sameRoute(route, routeOf(location))) {
      // A case of the server or a file that is now a stored Study is still the same document.
      const same = front !== null && front.key === this.#written;
      history[same ? "replaceState" : "pushState"](null, "", hrefOf(route));
      this.#setProblem(null);
    }
    this.#written = front?.key ?? null;
  }

  #setProblem(problem: RouteProblem): void {
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#changed.emit();
    }
  }
}
