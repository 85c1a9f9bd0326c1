// The kernel's side of the widget protocol without a kernel: traits, a Study, ordered commits.
import { type BrowserFormulation, CONTRACT_SOURCE_SHA256, type Solution, type StudyHandle } from "@service/engine/node";
import type { CaseMapTraits, KernelMessage, MapPort, PageMessage } from "@service/widgets/notebook/kernel";
import { engine, ingested } from "../session.ts";

type Listener = (message: KernelMessage, buffers: ArrayBuffer[]) => void;

/**
 * Holds the state like `wattbook.CaseMap` and answers the page; messages arrive after the present task, as on a wire.
 */
export class FakeKernel implements MapPort {
  live = true;
  contract = CONTRACT_SOURCE_SHA256;
  /** The messages of the page. */
  readonly received: (PageMessage & { id: string })[] = [];
  /** Set by the test: receives messages of the kernel, and changes of traits. */
  onMessage: Listener = () => undefined;
  onTraits: (names: string[]) => void = () => undefined;
  /** When set, messages of the page are left unanswered. */
  silent = false;
  /** When set, the answer to commits. */
  refusing: { code: string; message: string } | null = null;
  readonly state: CaseMapTraits = {
    case_id: "three_bus",
    case_name: "Three buses",
    case_sha256: ingested.sha256,
    formulation: "dcopf",
    options: {},
    deltas: {},
    rates: {},
    revision: 0,
    selection: null,
    selected: [],
    view: {},
    preview_mode: "first_order",
    result_sha256: "",
    engine: { formulations: ["dcopf", "socwr", "acpf"] },
  };
  readonly #studies = new Map<string, Promise<StudyHandle<Solution>>>();

  traits(): CaseMapTraits {
    return this.state;
  }

  save(changed: Partial<CaseMapTraits>): void {
    Object.assign(this.state, changed);
  }

  send(message: PageMessage & { id: string }): void {
    this.received.push(message);
    if (!this.silent) {
      setTimeout(() => void this.#answer(message));
    }
  }

  /** A commit in a cell. */
  async commit(
    deltas: CaseMapTraits["deltas"],
    rates: CaseMapTraits["rates"],
    formulation = this.state.formulation,
  ): Promise<void> {
    const study = this.#studies.get(formulation) ?? this.#open(formulation as BrowserFormulation);
    const { solution } = await (await study).commit("three_bus", deltas, rates, null);
    const { result_sha256 } = solution;
    const changed = { deltas, rates, formulation, revision: this.state.revision + 1, result_sha256 };
    Object.assign(this.state, changed);
    this.onTraits(Object.keys(changed));
  }

  #open(formulation: BrowserFormulation): Promise<StudyHandle<Solution>> {
    const study: Promise<StudyHandle<Solution>> = engine.createStudy(ingested.module_json, formulation);
    this.#studies.set(formulation, study);
    return study;
  }

  async #answer(message: PageMessage & { id: string }): Promise<void> {
    const { id } = message;
    if (message.kind === "need_module") {
      this.#sendModule(id, message.sha256);
      return;
    }
    if (message.kind !== "commit") throw new Error(`this kernel does not answer ${message.kind}`);
    const { revision, result_sha256, formulation, deltas, rates } = this.state;
    if (message.base_revision !== revision) {
      this.onMessage({ id, kind: "stale", revision, result_sha256, formulation, deltas, rates }, []);
      return;
    }
    if (this.refusing !== null) {
      this.onMessage({ id, kind: "error", error: this.refusing }, []);
      return;
    }
    await this.commit(message.edits.deltas, message.edits.rates, message.formulation);
    const { revision: next, result_sha256: hash } = this.state;
    this.onMessage({ id, kind: "ack", revision: next, result_sha256: hash }, []);
  }

  /** Sends the module in three parts, the last one first. */
  #sendModule(id: string, sha256: string): void {
    if (sha256 !== ingested.sha256) {
      this.onMessage({ id, kind: "error", error: { code: "MODULE.UNKNOWN", message: "Another case." } }, []);
      return;
    }
    const bytes = new TextEncoder().encode(ingested.module_json);
    const size = Math.ceil(bytes.length / 3);
    for (const part of [2, 0, 1]) {
      const buffer = bytes.slice(part * size, (part + 1) * size).buffer;
      this.onMessage({ id, kind: "module", sha256, part, parts: 3, version: "9.9", contract_sha256: this.contract }, [
        buffer,
      ]);
    }
  }
}
