import { DEFAULT_FORMULATION, type IngestedCase, type Solution, type StudyHandle } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { cancelledError, isCancelled, unlessCancelled } from "./concurrency/cancelling.ts";
import { CaseSession } from "./session/caseSession.ts";
import { explainedError } from "./cases/explanations.ts";
import { FileIntake } from "./intake/fileIntake.ts";
import { type CaseOrigin, OpenedCase } from "./cases/openedCase.ts";
import { relaxedModule } from "./cases/derivedCase.ts";
import type { RelaxationPlan } from "./cases/relaxation.ts";
import { SharedWork } from "./concurrency/sharedWork.ts";
import type { ShownCase } from "./cases/shownCase.ts";
import type { ViewedNetwork } from "./cases/viewedNetwork.ts";
import type {
  FetchedSessionRequest,
  IWorkspace,
  SessionRequest,
  WorkspaceChange,
  WorkspaceEngine,
} from "./workspaceInterface.ts";
import { trans } from "../text/index.ts";
import type { CreateStudy } from "./session/studies.ts";
import type { LocalOpening, OpeningHost, OpeningOptions } from "./session/localOpening.ts";

/** The cases and sessions of one page, and which of them is in front. Knows no DOM. */
export class Workspace implements IWorkspace {
  readonly engine: WorkspaceEngine;
  /** Takes in files that are dropped or chosen. */
  readonly intake: FileIntake;
  readonly #cases = new Map<string, SharedWork<OpenedCase>>();
  readonly #sessions: CaseSession[] = [];
  #active: CaseSession | null = null;
  #network: ViewedNetwork | null = null;
  #localIds = 0;
  readonly #changed = new Signal<this, WorkspaceChange>(this);
  readonly #opening = new Signal<this, LocalOpening>(this);

  constructor(engine: WorkspaceEngine) {
    this.engine = engine;
    this.intake = new FileIntake(this);
  }

  /** Tells what changed. */
  get changed(): ISignal<this, WorkspaceChange> {
    return this.#changed;
  }

  /** Tells of cases and networks opened from files of the page: whoever shows them listens. */
  get opening(): ISignal<this, LocalOpening> {
    return this.#opening;
  }

  get sessions(): readonly CaseSession[] {
    return this.#sessions;
  }

  /** The session in front: the one whose map was used last. */
  get active(): CaseSession | null {
    return this.#active;
  }

  /** The network without a Study in front; no session is then. */
  get network(): ViewedNetwork | null {
    return this.#network;
  }

  get front(): ShownCase | null {
    return this.#active ?? this.#network;
  }

  /** Puts a network without a Study in front. */
  activateNetwork(network: ViewedNetwork): void {
    if (this.#network !== network) {
      this.#network = network;
      this.#active = null;
      this.#changed.emit("active");
    }
  }

  /**
   * The case of a given identity; `fetchModule` is asked for the module text only when no session has opened the same
   * bytes. Rejects when the text is not the case that was asked for, and with `ABORTED` when the signal fires: what others wait
   * for goes on.
   */
  async openCase(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal?: AbortSignal,
  ): Promise<OpenedCase> {
    let opening = this.#cases.get(sha256);
    if (opening === undefined || opening.abandoned) {
      opening = new SharedWork((abandoned) => this.#inspect(sha256, fetchModule, abandoned));
      this.#cases.set(sha256, opening);
    }
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
  caseOf(ingested: IngestedCase, name: string, origin: CaseOrigin | null = null): Promise<OpenedCase> {
    let opening = this.#cases.get(ingested.sha256);
    if (opening === undefined || opening.abandoned) {
      opening = new SharedWork(() => Promise.resolve(new OpenedCase(ingested, this.engine, name, origin)));
      this.#cases.set(ingested.sha256, opening);
    }
    return opening.result();
  }

  /** Opens a session that lives without a kernel and asks for a place to show it. Rejects with EngineError. */
  async openLocalSession(opened: OpenedCase, options: OpeningOptions = {}): Promise<CaseSession> {
    const { signal, origin = null } = options;
    this.#localIds += 1;
    const caseId = `local-${this.#localIds}`;
    const session = await this.openSession({
      opened,
      caseId,
      caseName: opened.name,
      formulation: DEFAULT_FORMULATION,
      signal,
    });
    this.#opening.emit({ kind: "case", session, origin });
    return session;
  }

  /**
   * Makes a case of its own with a relaxation in its data, drawn where the other one is, opens a session on it and asks for a
   * place to show it. Rejects with EngineError.
   */
  async openRelaxed(from: OpenedCase, plan: RelaxationPlan, signal?: AbortSignal): Promise<CaseSession> {
    const module = await unlessCancelled(relaxedModule(from, plan, this.engine), signal);
    const ingested = await this.engine.inspectModule(module, signal);
    const origin = { name: from.name, changes: plan.changes };
    const opened = await this.caseOf(ingested, trans.__("%1, relaxed", from.name), origin);
    const { drawing } = from.geography;
    if (drawing !== null && opened.geography.drawing === null) {
      opened.geography.setDrawing(drawing);
    }
    try {
      return await this.openLocalSession(opened, { signal });
    } catch (error) {
      this.forget(opened);
      throw error;
    }
  }

  /** Asks for a place to show a network without a Study. */
  openNetwork(network: ViewedNetwork, origin: OpeningHost | null = null): void {
    this.#opening.emit({ kind: "network", network, origin });
  }

  /** Forgets a case or network that nothing shows any more; a case stays while a session is on it. */
  forget({
    sha256,
    geography,
    unsolved,
  }: Pick<ViewedNetwork, "sha256" | "geography"> & Partial<Pick<ViewedNetwork, "unsolved">>): void {
    unsolved?.search.dispose();
    if (this.#network?.geography === geography) {
      this.#network = null;
      this.#active = this.#sessions.at(-1) ?? null;
      this.#changed.emit("active");
    }
    if (!this.#sessions.some(({ opened }) => opened.geography === geography)) {
      geography.dispose();
      this.#cases.delete(sha256);
    }
  }

  /**
   * Opens a case that has to be fetched, and a session on it: the Study is solved in its worker while another one reads the case
   * for the views. Rejects as `openCase` and `openSession` do.
   */
  async openFetched({ sha256, fetchModule, at, ...request }: FetchedSessionRequest): Promise<CaseSession> {
    const { formulation, options = {}, signal } = request;
    this.engine.preloadEngine().catch(() => undefined); // on its way while the module is; a failure is told by who needs it
    let creating: Promise<StudyHandle<Solution>> | undefined;
    const fetched = async (abandoned: AbortSignal): Promise<string> => {
      const module = await fetchModule(abandoned);
      at?.("reading");
      creating = this.engine.createStudy({ module_json: module, sha256 }, formulation, options, signal);
      creating.catch(() => undefined); // told by the session
      return module;
    };
    let opened: OpenedCase;
    try {
      opened = await this.openCase(sha256, fetched, signal);
    } catch (error) {
      creating?.then((study) => study.free()).catch(() => undefined);
      throw error;
    }
    at?.("solving");
    return this.#openSession({ ...request, opened }, creating);
  }

  /** Creates a Study at the base case and a session on it. Rejects with EngineError, which says why where it has no solution. */
  openSession(request: SessionRequest): Promise<CaseSession> {
    return this.#openSession(request);
  }

  async #openSession(request: SessionRequest, begun?: Promise<StudyHandle<Solution>>): Promise<CaseSession> {
    const { opened, formulation, options = {}, signal } = request;
    const module = { module_json: opened.moduleJson, sha256: opened.sha256 };
    const creating = begun ?? this.engine.createStudy(module, formulation, options, signal);
    const study = await creating.catch((error: unknown) => {
      throw explainedError(error, opened);
    });
    const free = (): void => void study.free();
    signal?.addEventListener("abort", free, { once: true });
    const createStudy: CreateStudy = (other, aborting, onProgress) =>
      this.engine.createStudy(module, other, options, aborting, onProgress);
    const session = await CaseSession.create({ ...request, options, study, createStudy }).catch((error: unknown) => {
      free();
      throw signal?.aborted ? cancelledError() : error;
    });
    signal?.removeEventListener("abort", free);
    this.#sessions.push(session);
    this.#changed.emit("sessions");
    return session;
  }

  /** Puts a session in front. */
  activate(session: CaseSession): void {
    if (this.#active !== session && this.#sessions.includes(session)) {
      this.#active = session;
      this.#network = null;
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
    this.forget(session.opened);
    this.#changed.emit("sessions");
    if (this.#active === session) {
      this.#active = this.#sessions.at(-1) ?? null;
      this.#changed.emit("active");
    }
  }

  async #inspect(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal: AbortSignal,
  ): Promise<OpenedCase> {
    const ingested = await this.engine.inspectModule(await fetchModule(signal), signal);
    if (ingested.sha256 !== sha256) {
      throw new Error(trans.__("The case that arrived is not the one that was asked for: its SHA-256 differs."));
    }
    return new OpenedCase(ingested, this.engine);
  }
}
