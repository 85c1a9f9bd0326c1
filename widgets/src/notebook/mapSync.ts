import type { BrowserFormulation, FormulationId } from "@service/engine";
import {
  type CaseEdits,
  type CaseSession,
  editsOf,
  sameList,
  sameSelection,
  type SelectedList,
  type SessionChange,
  unlessCancelled,
  type IWorkspace,
} from "../workspace/index.ts";
import { profileOfKernel } from "./givenProfiles.ts";
import { keepEdits, takeEdits } from "./earlierEdits.ts";
import { compareContracts, KernelLink, type KernelPort } from "./kernelLink.ts";
import type { CaseMapTraits, KernelMessage, MapOutput } from "./protocol.ts";

/** The traits and the comm of one widget model. */
export interface MapPort extends KernelPort {
  traits(): CaseMapTraits;
  /** Sets traits here and in the kernel. */
  save(changed: Partial<CaseMapTraits>): void;
}

/** Traits whose change means that the kernel committed an edit. */
const STATE_TRAITS: readonly string[] = [
  "formulation",
  "deltas",
  "rates",
  "reactive",
  "generators",
  "branches",
  "links",
  "storage",
  "interfaces",
  "added",
  "revision",
  "result_sha256",
];

/**
 * Synchronises a session with a widget model: opens the case (with the module from the kernel, requested once, or from
 * the Study in a page without a kernel), follows the kernel's commits, lets the kernel order those of the page, and
 * shares the selection. When the kernel goes away, the session stays and the page orders alone.
 */
export class MapSync {
  readonly #workspace: IWorkspace;
  readonly #port: MapPort;
  readonly #link: KernelLink;
  #session: Promise<CaseSession> | null = null;
  #opening = new AbortController();
  #opened: CaseSession | null = null;
  /** Edits of an earlier map whose kernel has gone, offered if this map begins at the base case. */
  #earlier: CaseEdits | null = null;

  constructor(workspace: IWorkspace, port: MapPort) {
    this.#workspace = workspace;
    this.#port = port;
    this.#link = new KernelLink(port);
  }

  /** The session, opened on first use: a model without a view costs nothing. Rejects if opening fails. */
  get session(): Promise<CaseSession> {
    this.#session ??= this.#open();
    return this.#session;
  }

  /** Cancels opening the session: it rejects with `ABORTED`, and the next access opens it again. */
  cancelOpening(): void {
    if (this.#opened === null) {
      this.#opening.abort();
      this.#opening = new AbortController();
      this.#session = null;
    }
  }

  /** Edits that an earlier map of the case lost with its kernel, returned once; null without edits. */
  takeEarlier(): CaseEdits | null {
    const earlier = this.#earlier;
    this.#earlier = null;
    return earlier;
  }

  /** Reports the user's display choices on a map to the kernel, so that its pictures match. */
  showing(quantity: string, lines: string, style: object): void {
    const { view } = this.#port.traits();
    const given = { ...view, quantity, lines, style };
    if (JSON.stringify(given) !== JSON.stringify(view)) {
      this.#port.save({ view: given });
    }
  }

  /** Part of a file that the kernel named for this map. */
  readFile(file: string, offset: number, length: number): Promise<ArrayBuffer> {
    return this.#link.readFile(file, offset, length);
  }

  /** The notebook output for the present state of the map. */
  output(): Promise<MapOutput> {
    return this.#link.output();
  }

  /** Reports to the kernel that the user removed a layer. */
  removeLayer(name: string): void {
    this.#link.removeLayer(name);
  }

  /** Handles a custom message of the kernel. */
  receive(message: KernelMessage, buffers: readonly (DataView | ArrayBuffer)[]): void {
    this.#link.receive(message, buffers);
  }

  /** Handles changed traits, by name. */
  async traitsChanged(names: readonly string[]): Promise<void> {
    const session = this.#opened;
    if (session === null) {
      return; // opening reads the traits when it is done
    }
    session.previewMode = this.#port.traits().preview_mode;
    if (names.includes("selected") || names.includes("selection")) {
      await session.selectMany(selectedBy(this.#port.traits(), names));
    }
    if (names.some((name) => STATE_TRAITS.includes(name))) {
      await this.#follow(session);
    }
  }

  /** The kernel has gone. */
  disconnected(): void {
    this.#link.disconnected();
    this.#keep();
  }

  /** Ends the session. */
  dispose(): void {
    this.#opening.abort();
    if (!this.#port.live) {
      this.#keep();
    }
    if (this.#opened !== null) {
      this.#opened.changed.disconnect(this.#sessionChanged, this);
      this.#workspace.closeSession(this.#opened);
      this.#opened = null;
    }
    this.#session = null; // other holders of this end of the comm do not keep the session alive
  }

  /** Stores the edits: the page continues without a kernel, and the next kernel does not know them. */
  #keep(): void {
    if (this.#opened !== null) {
      keepEdits(this.#workspace, this.#port.traits(), this.#opened.live.edits);
    }
  }

  async #open(): Promise<CaseSession> {
    const traits = this.#port.traits();
    if (traits.study) {
      return this.#openPacked(traits.study);
    }
    compareContracts(traits.engine ?? {}); // a case that the page has already is not fetched
    const sha256 = traits.case_sha256;
    const { signal } = this.#opening;
    const session = await this.#workspace.openFetched({
      sha256,
      fetchModule: () => this.#link.fetchModule(sha256),
      caseId: traits.case_id,
      caseName: traits.case_name,
      formulation: traits.formulation as BrowserFormulation,
      options: traits.options,
      signal,
    });
    try {
      session.setOrderer(this.#link);
      session.previewMode = traits.preview_mode;
      await unlessCancelled(this.#follow(session), signal);
      await unlessCancelled(session.selectMany(selectedBy(this.#port.traits(), ["selection"])), signal);
    } catch (error) {
      this.#workspace.closeSession(session);
      throw error;
    }
    traits.profiles?.map(profileOfKernel).forEach((profile) => session.profiles.give(profile));
    session.changed.connect(this.#sessionChanged, this);
    const earlier = takeEdits(this.#workspace, traits);
    this.#earlier = session.live.revision === 0 ? earlier : null;
    this.#opened = session;
    return session;
  }

  /** The Study that a page without a kernel contains, with its states. */
  async #openPacked({ buffer, byteOffset, byteLength }: DataView): Promise<CaseSession> {
    const { signal } = this.#opening;
    const bytes = new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    const bundle = await this.#workspace.engine.readStudyBundle(bytes, signal);
    const session = await this.#workspace.openStudy(bundle, { signal });
    const traits = this.#port.traits();
    session.previewMode = traits.preview_mode;
    await session.selectMany(selectedBy(traits, ["selection"]));
    session.changed.connect(this.#sessionChanged, this);
    this.#opened = session;
    return session;
  }

  #follow(session: CaseSession): Promise<void> {
    const traits = this.#port.traits();
    const { revision, result_sha256 } = traits;
    const formulation = traits.formulation as FormulationId;
    return session.adopt({ revision, edits: editsOf(traits), formulation, resultSha256: result_sha256 });
  }

  #sessionChanged(session: CaseSession, change: SessionChange): void {
    if (change === "state" && !this.#port.live) {
      this.#keep();
    }
    const { selection, selected, preview_mode } = this.#port.traits();
    const known = selected ?? (selection === null ? [] : [selection]);
    if (change === "selection" && !(sameSelection(session.selection, selection) && sameList(session.selected, known))) {
      const all = selected === undefined ? {} : { selected: session.selected };
      this.#port.save({ selection: session.selection, ...all });
    }
    if (change === "mode" && session.previewMode !== preview_mode) {
      this.#port.save({ preview_mode: session.previewMode });
    }
  }
}

/**
 * The selected elements according to the traits in `names`, which have changed: the kernel sets `selection` and lets
 * `selected` follow, or the other way round, and each may arrive alone. An element that is already selected becomes the
 * primary; any other one is selected alone.
 */
function selectedBy({ selection, selected = [] }: CaseMapTraits, names: readonly string[]): SelectedList {
  if (names.includes("selected") || sameSelection(selected.at(-1) ?? null, selection)) {
    return selected;
  }
  if (selection === null) {
    return [];
  }
  const others = selected.filter((one) => !sameSelection(one, selection));
  return others.length < selected.length ? [...others, selection] : [selection];
}
