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
   * The case with a given identity. `fetchModule` is called only when no open case has the same bytes, and `reading`
   * with the module text when the engine begins to read it. Rejects when the text is another case, and with `ABORTED`
   * when the signal fires; work that other callers wait for continues.
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

  /** The open case with the same bytes, or a new one for a case that was just read or made. */
  of(ingested: IngestedCase, name: string, origin: CaseOrigin | null): Promise<OpenedCase> {
    const opened = (): Promise<OpenedCase> => Promise.resolve(OpenedCase.of(ingested, this.#engine, name, origin));
    return this.#shared(ingested.sha256, opened).result();
  }

  /** Drops a case: the same bytes are read again when they are opened again. */
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
    return OpenedCase.of(ingested, this.#engine);
  }
}
