import type { BrowserFormulation, IngestedCase, SolveOptions, StudyHandle } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { CaseSession } from "./caseSession.ts";
import { OpenedCase } from "./openedCase.ts";

/** The part of the engine's facade that the workspace uses. */
export interface WorkspaceEngine {
  inspectModule(moduleJson: string): Promise<IngestedCase>;
  createStudy(moduleJson: string, formulation: BrowserFormulation, options?: SolveOptions): Promise<StudyHandle>;
}

/** What changed in the workspace: the list of sessions or the active one. */
export type WorkspaceChange = "sessions" | "active";

/** How a session is opened. */
export interface SessionRequest {
  opened: OpenedCase;
  caseId: string;
  caseName: string;
  formulation: BrowserFormulation;
  options?: SolveOptions;
}

/** The cases and sessions of one page, and which of them is in front. Knows no DOM. */
export class Workspace {
  readonly #engine: WorkspaceEngine;
  readonly #cases = new Map<string, Promise<OpenedCase>>();
  readonly #sessions: CaseSession[] = [];
  #active: CaseSession | null = null;
  readonly #changed = new Signal<this, WorkspaceChange>(this);

  constructor(engine: WorkspaceEngine) {
    this.#engine = engine;
  }

  /** Tells what changed. */
  get changed(): ISignal<this, WorkspaceChange> {
    return this.#changed;
  }

  get sessions(): readonly CaseSession[] {
    return this.#sessions;
  }

  /** The session in front: the one whose map was used last. */
  get active(): CaseSession | null {
    return this.#active;
  }

  /**
   * The case of a given identity; `fetchModule` is asked for the module text only when no session has opened the same
   * bytes. Rejects when the text is not the case that was asked for.
   */
  openCase(sha256: string, fetchModule: () => Promise<string>): Promise<OpenedCase> {
    let opening = this.#cases.get(sha256);
    if (opening === undefined) {
      opening = this.#inspect(sha256, fetchModule);
      this.#cases.set(sha256, opening);
      opening.catch(() => this.#cases.delete(sha256));
    }
    return opening;
  }

  /** Creates a Study at the base case and a session on it. */
  async openSession(request: SessionRequest): Promise<CaseSession> {
    const { opened, formulation, options = {} } = request;
    const study = await this.#engine.createStudy(opened.moduleJson, formulation, options);
    const session = await CaseSession.create({ ...request, options, study });
    this.#sessions.push(session);
    this.#changed.emit("sessions");
    return session;
  }

  /** Puts a session in front. */
  activate(session: CaseSession): void {
    if (this.#active !== session && this.#sessions.includes(session)) {
      this.#active = session;
      this.#changed.emit("active");
    }
  }

  /** Ends a session; its case is forgotten with its last session. */
  closeSession(session: CaseSession): void {
    const index = this.#sessions.indexOf(session);
    if (index < 0) {
      return;
    }
    this.#sessions.splice(index, 1);
    session.dispose();
    if (!this.#sessions.some((other) => other.opened === session.opened)) {
      this.#cases.delete(session.opened.sha256);
    }
    this.#changed.emit("sessions");
    if (this.#active === session) {
      this.#active = this.#sessions.at(-1) ?? null;
      this.#changed.emit("active");
    }
  }

  async #inspect(sha256: string, fetchModule: () => Promise<string>): Promise<OpenedCase> {
    const ingested = await this.#engine.inspectModule(await fetchModule());
    if (ingested.sha256 !== sha256) {
      throw new Error("The case that arrived is not the one that was asked for: its SHA-256 differs.");
    }
    return new OpenedCase(ingested);
  }
}
