import { errorText } from "../../text/index.ts";
import { DEFAULT_FORMULATION } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { LargeView } from "../../panel/sections/largeView.ts";
import {
  type CaseSession,
  codeOf,
  type LocalOpening,
  type ShownCase,
  unlessCancelled,
  type ViewedNetwork,
  type IWorkspace,
} from "../../workspace/index.ts";
import type { CaseService, CaseSummary } from "../catalogue/caseService.ts";
import { hrefOf, type Route, sameRoute } from "../address/route.ts";
import { FirstFrame } from "./firstFrame.ts";

/** State of a document of the page. */
export type DocumentState =
  | { kind: "opening"; stage: OpeningStage; abort: AbortController }
  | { kind: "failed"; code: string; message: string }
  | { kind: "case"; session: CaseSession }
  | { kind: "network"; network: ViewedNetwork }
  | { kind: "view"; view: LargeView; session: CaseSession };

/** Steps of opening a case. */
export type OpeningStage = "fetching" | "reading" | "solving";

/** One open case or network. */
export interface PageDocument {
  /** Identifies the document within this page. */
  readonly key: string;
  readonly title: string;
  readonly route: Route;
  /** The case of the server; null for files. */
  readonly summary: CaseSummary | null;
  readonly state: DocumentState;
}

/** The open documents and the one in front. Does not use the DOM. */
export class Documents {
  readonly firstFrame: FirstFrame;
  readonly #workspace: IWorkspace;
  readonly #service: CaseService;
  readonly #changed = new Signal<this, void>(this);
  #list: readonly PageDocument[] = [];
  #front: string | null = null;
  #locals = 0;

  /** Cases of the server are solved after `firstFrame`. */
  constructor(workspace: IWorkspace, service: CaseService, firstFrame = new FirstFrame(false)) {
    this.firstFrame = firstFrame;
    this.#workspace = workspace;
    this.#service = service;
    workspace.opening.connect(this.#openedLocally, this);
    workspace.showing.connect(this.#show, this);
  }

  /** Emitted when the list, a state or the document in front changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get list(): readonly PageDocument[] {
    return this.#list;
  }

  /** The document in front; null while the list of cases is shown. */
  get front(): PageDocument | null {
    return this.#list.find(({ key }) => key === this.#front) ?? null;
  }

  /** Brings the case list to the front. */
  showList(): void {
    this.#front = null;
    this.#changed.emit();
  }

  /** Brings a document to the front; panel and keys then act on it. */
  bringToFront(document: PageDocument): void {
    this.#front = document.key;
    this.#activate(document.state);
    this.#changed.emit();
  }

  /** Opens a case of the server, or brings it to the front if it is open. A failed case is tried again. */
  async openServed(summary: CaseSummary): Promise<void> {
    const key = `case:${summary.id}`;
    const open = this.#list.find((document) => document.key === key);
    if (open !== undefined && open.state.kind !== "failed") {
      this.bringToFront(open);
      return;
    }
    const abort = new AbortController();
    const fresh: PageDocument = {
      key,
      title: summary.name,
      route: { kind: "case", id: summary.id },
      summary,
      state: { kind: "opening", stage: "fetching", abort },
    };
    this.#list = open === undefined ? [...this.#list, fresh] : this.#list.map((one) => (one === open ? fresh : one));
    this.bringToFront(fresh);
    try {
      const session = await this.#open(summary, open !== undefined, abort.signal, (stage) =>
        this.#setState(key, { kind: "opening", stage, abort }),
      );
      if (!this.#setState(key, { kind: "case", session })) {
        this.#workspace.closeSession(session); // the document was closed meanwhile
      }
    } catch (error) {
      if (abort.signal.aborted) {
        return; // the document was closed
      }
      const message = errorText(error);
      this.#setState(key, { kind: "failed", code: codeOf(error), message });
    }
  }

  /** Opens a Study stored in the browser, or brings it to the front if it is open. A failed one is tried again. */
  async openStored(id: string, title: string, open: (signal: AbortSignal) => Promise<CaseSession>): Promise<void> {
    const route = { kind: "study", key: id, name: title } as const;
    const known = this.#list.find((document) => sameRoute(document.route, route));
    if (known !== undefined && known.state.kind !== "failed") {
      this.bringToFront(known);
      return;
    }
    const key = known?.key ?? `study:${id}`;
    const abort = new AbortController();
    const state = { kind: "opening", stage: "reading", abort } as const;
    const fresh: PageDocument = { key, title, route, summary: null, state };
    this.#list = known === undefined ? [...this.#list, fresh] : this.#list.map((one) => (one === known ? fresh : one));
    this.bringToFront(fresh);
    try {
      const session = await open(abort.signal);
      if (!this.#setState(key, { kind: "case", session })) {
        this.#workspace.closeSession(session); // the document was closed meanwhile
      }
    } catch (error) {
      if (!abort.signal.aborted) {
        this.#setState(key, { kind: "failed", code: codeOf(error), message: errorText(error) });
      }
    }
  }

  /** Marks the document of a session as a stored Study with this id and title. */
  storedAs(session: CaseSession, { id, title }: { id: string; title: string }): void {
    const document = this.#list.find(({ state }) => state.kind === "case" && state.session === session);
    const route = { kind: "study", key: id, name: title } as const;
    if (document !== undefined && hrefOf(document.route) !== hrefOf(route)) {
      this.#list = this.#list.map((one) => (one === document ? { ...one, title, route } : one));
      this.#changed.emit();
    }
  }

  /** Opens a part of the Study panel as a large view beside the cases; it closes with its case. */
  openLarge(view: LargeView, session: CaseSession): void {
    const key = `view:${view.id}`;
    const open = this.#list.find((document) => document.key === key);
    if (open !== undefined) {
      view.dispose();
      this.bringToFront(open);
      return;
    }
    const { title } = view;
    const state = { kind: "view", view, session } as const;
    const document: PageDocument = { key, title, route: { kind: "view", key, name: title }, summary: null, state };
    this.#list = [...this.#list, document];
    this.bringToFront(document);
  }

  /**
   * Closes a document, which cancels its opening, together with the large views of its case. The previous document
   * comes to the front.
   */
  close({ key }: PageDocument): void {
    const at = this.#list.findIndex((document) => document.key === key);
    const closed = this.#list[at]?.state;
    if (closed === undefined) {
      return;
    }
    if (closed.kind === "opening") {
      closed.abort.abort();
    }
    const before = this.#list[at - 1];
    this.#list = this.#list.filter(
      ({ key: other, state }) =>
        other !== key && !(closed.kind === "case" && state.kind === "view" && state.session === closed.session),
    );
    if (this.#front !== null && this.front === null) {
      const next = before ?? this.#list[0];
      this.#front = next?.key ?? null;
      if (next !== undefined) {
        this.#activate(next.state);
      }
    }
    this.#changed.emit();
  }

  /**
   * Releases the session of a closed document. Its view calls this after its own removal, so that no view outlives its
   * session.
   */
  release(state: DocumentState): void {
    if (state.kind === "case") {
      this.#workspace.closeSession(state.session);
    } else if (state.kind === "network") {
      this.#workspace.forget(state.network);
    }
  }

  async #open(
    summary: CaseSummary,
    again: boolean,
    signal: AbortSignal,
    at: (stage: OpeningStage) => void,
  ): Promise<CaseSession> {
    const { sha256, text } = await unlessCancelled(this.#service.module(summary, again), signal);
    await unlessCancelled(this.firstFrame.shown, signal);
    const { id: caseId, name: caseName } = summary;
    return this.#workspace.openFetched({
      ...{ sha256, fetchModule: text, at, caseId, caseName },
      ...{ formulation: DEFAULT_FORMULATION, signal },
    });
  }

  /** Brings a case's document to the front when another part of the page shows the case. */
  #show(_: IWorkspace, shown: ShownCase): void {
    const document = this.#list.find(
      ({ state }) =>
        (state.kind === "case" && state.session === shown) || (state.kind === "network" && state.network === shown),
    );
    if (document !== undefined && document !== this.front) {
      this.bringToFront(document);
    }
  }

  #openedLocally(_: IWorkspace, opening: LocalOpening): void {
    if (opening.origin?.(opening)) {
      return;
    }
    this.#locals += 1;
    const key = `local-${this.#locals}`;
    const title = opening.kind === "case" ? opening.session.caseName : opening.network.name;
    const document: PageDocument = {
      key,
      title,
      route: { kind: "file", key, name: title },
      summary: null,
      state: opening,
    };
    this.#list = [...this.#list, document];
    this.bringToFront(document);
  }

  /** False if the document was closed meanwhile. */
  #setState(key: string, state: DocumentState): boolean {
    const known = this.#list.some((document) => document.key === key);
    this.#list = this.#list.map((document) => (document.key === key ? { ...document, state } : document));
    if (known) {
      if (this.#front === key) {
        this.#activate(state);
      }
      this.#changed.emit();
    }
    return known;
  }

  #activate(state: DocumentState): void {
    if (state.kind === "case" || state.kind === "view") {
      this.#workspace.activate(state.session);
    } else if (state.kind === "network") {
      this.#workspace.activateNetwork(state.network);
    }
  }
}
