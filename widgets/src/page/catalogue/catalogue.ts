import { errorText } from "../../text/index.ts";
import { type ISignal, Signal } from "@lumino/signaling";
import { codeOf } from "../../workspace/index.ts";
import type { CaseService, CaseSummary } from "./caseService.ts";

/** State of the list of cases. */
export type CatalogueState =
  | { kind: "loading" }
  | { kind: "ready"; cases: readonly CaseSummary[] }
  | { kind: "failed"; code: string; message: string };

/** The list of the server's cases, loaded once and again on demand. */
export class Catalogue {
  readonly #service: CaseService;
  readonly #changed = new Signal<this, void>(this);
  #state: CatalogueState = { kind: "loading" };

  constructor(service: CaseService) {
    this.#service = service;
  }

  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): CatalogueState {
    return this.#state;
  }

  /** Loads the list. A failure becomes the state. */
  async load(): Promise<void> {
    this.#set({ kind: "loading" });
    try {
      this.#set({ kind: "ready", cases: await this.#service.cases() });
    } catch (error) {
      this.#set({
        kind: "failed",
        code: codeOf(error),
        message: errorText(error),
      });
    }
  }

  #set(state: CatalogueState): void {
    this.#state = state;
    this.#changed.emit();
  }
}
