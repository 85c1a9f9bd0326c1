import type { Message, SolveOptions } from "@service/engine";
import type { GivenProfile } from "./givenProfiles.ts";
import type { CaseEdits, PreviewMode, Selection } from "../workspace/index.ts";

/** The traits that page and kernel share. Older kernels know fewer tables of edits. */
export interface CaseMapTraits extends CaseEdits {
  case_id: string;
  case_name: string;
  case_sha256: string;
  formulation: string;
  options: SolveOptions;
  revision: number;
  selection: Selection | null;
  /** All selected elements with `selection` last; absent in older kernels. */
  selected?: readonly Selection[];
  view: { height?: number; quantity?: string; lines?: string; style?: object; basemap?: object };
  /** Layers that the kernel draws on the map; absent in older kernels. */
  layers?: readonly object[];
  /** Profiles of the case, from which series can be solved; absent in older kernels. */
  profiles?: readonly GivenProfile[];
  preview_mode: PreviewMode;
  result_sha256: string;
  /** A Study file, gzipped, that replaces the kernel in a page saved with its widgets. */
  study?: DataView | null;
  /** In such a page the picture of the map, SVG, for browsers in which the engine cannot start. */
  picture?: string | null;
  /** The kernel's engine; older kernels send it only with the module. */
  engine?: KernelEngine;
}

/** Version of the package in the kernel, and the hash of its engine's contract. */
export interface KernelEngine {
  version?: string;
  contract_sha256?: string;
  /** The formulations that its Studies can change to; older kernels stay with the first. */
  formulations?: readonly string[];
}

/** Page to kernel. Every message has an id that its answers repeat. `version` and `contract_sha256` are the page's. */
export type PageMessage =
  | { kind: "need_module"; sha256: string; version: string; contract_sha256: string }
  | { kind: "need_bytes"; file: string; offset: number; length: number }
  | { kind: "need_output" }
  | { kind: "remove_layer"; name: string }
  | {
      kind: "commit";
      base_revision: number;
      /** As an object of JSON, which an interface is not. */
      edits: Pick<CaseEdits, keyof CaseEdits>;
      formulation: string;
      result_sha256: string;
    };

/** Kernel to page. A module comes in parts of one buffer each, with the version and contract of the kernel's engine. */
export type KernelMessage =
  | ({
      id: string;
      kind: "module";
      sha256: string;
      part: number;
      parts: number;
    } & KernelEngine)
  | { id: string; kind: "bytes"; offset: number }
  | { id: string; kind: "output"; data: MapOutput }
  | { id: string; kind: "ack"; revision: number; result_sha256: string }
  | ({
      id: string;
      kind: "stale";
      revision: number;
      /** Older kernels stay with the formulation that the map began with. */
      formulation?: string;
      result_sha256: string;
    } & CaseEdits)
  | { id: string; kind: "error"; error: { code: string; message: string; sentence?: Message } };

/** The notebook output of a map: state, picture and tables by MIME type. */
export type MapOutput = Readonly<Record<string, string | ReadonlyJson>>;
type ReadonlyJson = Readonly<Record<string, unknown>>;

/** An error that the kernel returned. */
export class KernelError extends Error {
  readonly code: string;
  /** `message` in catalogue form, if it is the engine's. */
  readonly sentence?: Message;

  constructor(code: string, message: string, options?: ErrorOptions & { sentence?: Message }) {
    super(message, options);
    this.name = "KernelError";
    this.code = code;
    if (options?.sentence) this.sentence = options.sentence;
  }
}
