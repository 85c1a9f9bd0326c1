import { CONTRACT_SOURCE_SHA256, CONTRACT_VERSION, type FormulationId } from "@service/engine";
import { type CommitAnswer, type CommitRequest, type Orderer, furtherEdits, pageOrderer } from "../workspace/index.ts";
import {
  type CaseMapTraits,
  type KernelEngine,
  KernelError,
  type KernelMessage,
  type MapOutput,
  type PageMessage,
} from "./protocol.ts";
import { trans } from "../text/index.ts";

/** The connection to the kernel: a widget model's comm. */
export interface KernelPort {
  /** False when no kernel listens any more. */
  readonly live: boolean;
  traits(): Pick<CaseMapTraits, "engine">;
  /** Throws when the kernel has gone unnoticed. */
  send(message: PageMessage & { id: string }): void;
}

const KERNEL_GONE = "KERNEL.GONE";

type Answer = Exclude<KernelMessage, { kind: "error" }>;

interface Waiting {
  parts: Map<number, Uint8Array<ArrayBuffer>>;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/**
 * Talks to the kernel's side of one map. As an orderer it asks the kernel to accept a solved candidate; when the kernel
 * has gone, the page decides alone.
 */
export class KernelLink implements Orderer {
  readonly #port: KernelPort;
  readonly #waiting = new Map<string, Waiting>();
  /** Several pages may receive one kernel's answers, so ids have a prefix of their own. */
  readonly #prefix = crypto.getRandomValues(new Uint32Array(2)).join("-");
  #last = 0;

  constructor(port: KernelPort) {
    this.#port = port;
  }

  get waitsFor(): string | null {
    return this.#port.live ? trans.__("the kernel") : null;
  }

  get formulations(): readonly string[] | null {
    return this.#port.live ? (this.#port.traits().engine?.formulations ?? []) : null;
  }

  /** The text of a module, joined from its parts. Rejects with KernelError, also when no kernel listens. */
  async fetchModule(sha256: string): Promise<string> {
    const parts = new Map<number, Uint8Array<ArrayBuffer>>();
    const page = { version: CONTRACT_VERSION, contract_sha256: CONTRACT_SOURCE_SHA256 };
    const answer = await this.#ask({ kind: "need_module", sha256, ...page }, parts);
    if (answer.kind === "module") {
      compareContracts(answer);
    }
    const inOrder = [...parts.keys()].sort((a, b) => a - b).map((part) => parts.get(part) ?? new Uint8Array());
    return new Blob(inOrder).text();
  }

  /** Part of a file that the kernel named for this map. Rejects with KernelError. */
  async readFile(file: string, offset: number, length: number): Promise<ArrayBuffer> {
    const parts = new Map<number, Uint8Array<ArrayBuffer>>();
    await this.#ask({ kind: "need_bytes", file, offset, length }, parts);
    const [bytes = new Uint8Array()] = parts.values();
    return bytes.slice().buffer;
  }

  /** The notebook output for the present state of the map. Rejects with KernelError. */
  async output(): Promise<MapOutput> {
    const answer = await this.#ask({ kind: "need_output" });
    if (answer.kind !== "output") throw unexpected();
    return answer.data;
  }

  /** Reports to the kernel that the user removed a layer. */
  removeLayer(name: string): void {
    if (this.#port.live) {
      this.#port.send({ id: `${this.#prefix}-layer`, kind: "remove_layer", name });
    }
  }

  async order(request: CommitRequest): Promise<CommitAnswer> {
    const { baseRevision: base_revision, edits, formulation, resultSha256: result_sha256 } = request;
    const message = { kind: "commit", base_revision, edits, formulation, result_sha256 } as const;
    try {
      return commitAnswer(await this.#ask(message));
    } catch (error) {
      if (error instanceof KernelError && error.code === KERNEL_GONE) {
        return pageOrderer.order(request);
      }
      throw error;
    }
  }

  /** Handles a message of the kernel; answers to other pages are ignored. */
  receive(message: KernelMessage, buffers: readonly (DataView | ArrayBuffer)[]): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) {
      return;
    }
    if (message.kind === "module" && buffers[0] !== undefined) {
      waiting.parts.set(message.part, bytesOf(buffers[0]));
      if (waiting.parts.size < message.parts) {
        return;
      }
    }
    if (message.kind === "bytes" && buffers[0] !== undefined) {
      waiting.parts.set(0, bytesOf(buffers[0]));
    }
    this.#waiting.delete(message.id);
    if (message.kind === "error") {
      const { code, message: text, sentence } = message.error;
      waiting.reject(new KernelError(code, text, sentence && { sentence }));
    } else {
      waiting.resolve(message);
    }
  }

  /** The kernel has gone: rejects all pending requests. */
  disconnected(): void {
    for (const { reject } of this.#waiting.values()) {
      reject(noKernel());
    }
    this.#waiting.clear();
  }

  #ask(message: PageMessage, parts = new Map<number, Uint8Array<ArrayBuffer>>()): Promise<Answer> {
    if (!this.#port.live) {
      return Promise.reject(noKernel());
    }
    this.#last += 1;
    const id = `${this.#prefix}-${this.#last}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { parts, resolve, reject });
      try {
        this.#port.send({ id, ...message });
      } catch (error) {
        this.#waiting.delete(id);
        reject(noKernel(error));
      }
    });
  }
}

/**
 * Page and kernel must run engines of one contract, because their results would not be comparable otherwise.
 *
 * @throws KernelError `CONTRACT.DIFFERS`.
 */
export function compareContracts({
  version = "",
  contract_sha256: theirs = CONTRACT_SOURCE_SHA256,
}: KernelEngine): void {
  if (theirs !== CONTRACT_SOURCE_SHA256) {
    throw new KernelError(
      "CONTRACT.DIFFERS",
      version === CONTRACT_VERSION
        ? trans.__(
            "Page and kernel run different builds of Wattbook %1: restart the kernel and reload the page. If that does not help, build or install both anew.",
            version,
          )
        : version === ""
          ? trans.__(
              "This page runs Wattbook %1, the kernel of another version: install one version in both environments, restart the kernel and reload the page.",
              CONTRACT_VERSION,
            )
          : trans.__(
              "This page runs Wattbook %1, the kernel %2: install one version in both environments, restart the kernel and reload the page.",
              CONTRACT_VERSION,
              version,
            ),
    );
  }
}

function commitAnswer(answer: Answer): CommitAnswer {
  const { kind } = answer;
  if (kind === "ack") {
    return { kind, revision: answer.revision, resultSha256: answer.result_sha256 };
  }
  if (kind === "stale") {
    const { revision, deltas, rates, formulation, result_sha256: resultSha256 } = answer;
    const edits = { deltas, rates, ...furtherEdits(answer) };
    const changed = formulation === undefined ? {} : { formulation: formulation as FormulationId };
    return { kind, revision, edits, ...changed, resultSha256 };
  }
  throw unexpected();
}

function unexpected(): KernelError {
  return new KernelError("INTERNAL", trans.__("The kernel gave an unexpected answer. Run the cell again."));
}

function bytesOf(buffer: DataView | ArrayBuffer): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
}

function noKernel(cause?: unknown): KernelError {
  const message = trans.__("The kernel of this map is not running. Run the cell again to draw it.");
  return new KernelError(KERNEL_GONE, message, { cause });
}
