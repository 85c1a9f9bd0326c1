import type { IngestedCase } from "@service/engine";
import { isCancelled } from "../concurrency/cancelling.ts";
import { SharedWork } from "../concurrency/sharedWork.ts";
import { trans } from "../../text/index.ts";
import type { WorkspaceEngine } from "../workspaceInterface.ts";
import { type CaseOrigin, OpenedCase } from "./openedCase.ts";

/** The cases of a page by the hash of their module: the same bytes are fetched and read once. */
export class OpenCases {
  readonly #engine: WorkspaceEngine;
  readonly #cases = new Map<string, SharedWork<OpenedCase>>();

  constructor(engine: WorkspaceEngine) {
    this.#engine = engine;
  }

  /**
   * The case of a given identity; `fetchModule` is called for the module text only when the same bytes are not open, and `reading` with
   * that text when the engine begins to read it. Rejects when the text is another case, and with `ABORTED` when the signal fires: work
   * that others wait for goes on.
   */
  async open(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal?: AbortSignal,
    reading?: (module: string) => void,
  ): Promise<OpenedCase> {
    const opening = this.#shared(sha256, (abandoned) => this.#inspect(sha256, fetchModule, abandoned, reading));
    try {
      return await opening.result(signal);
    } catch (error) {
      if (this.#cases.get(sha256) === opening && (opening.abandoned || !isCancelled(error))) {
        this.#cases.delete(sha256);
      }
      throw error;
    }
  }

  /** A case that was just read or made, or the one that is open already on the same bytes. */
  of(ingested: IngestedCase, name: string, origin: CaseOrigin | null): Promise<OpenedCase> {
    const opened = (): Promise<OpenedCase> => Promise.resolve(new OpenedCase(ingested, this.#engine, name, origin));
    return this.#shared(ingested.sha256, opened).result();
  }

  /** Forgets a case: the same bytes are read again when they are opened again. */
  forget(sha256: string): void {
    this.#cases.delete(sha256);
  }

  #shared(sha256: string, work: (abandoned: AbortSignal) => Promise<OpenedCase>): SharedWork<OpenedCase> {
    let opening = this.#cases.get(sha256);
    if (opening === undefined || opening.abandoned) {
      opening = new SharedWork(work);
      this.#cases.set(sha256, opening);
    }
    return opening;
  }

  async #inspect(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal: AbortSignal,
    reading?: (module: string) => void,
  ): Promise<OpenedCase> {
    const module = await fetchModule(signal);
    const inspecting = this.#engine.inspectModule({ module_json: module, sha256 }, signal);
    reading?.(module); // behind it in the same worker
    const ingested = await inspecting;
    if (ingested.sha256 !== sha256) {
      throw new Error(trans.__("The case received is not the one requested: its SHA-256 differs."));
    }
    return new OpenedCase(ingested, this.#engine);
  }
}
