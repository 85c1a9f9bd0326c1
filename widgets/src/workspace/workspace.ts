import {
  DEFAULT_FORMULATION,
  type FormulationId,
  type FuelUnits,
  type IngestedCase,
  OPTIONS,
  type SecurityLists,
  type Solution,
  type StudyBundle,
  type StudyHandle,
} from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { cancelledError, unlessCancelled } from "./concurrency/cancelling.ts";
import { CaseSession } from "./session/caseSession.ts";
import { costEdits, type CostsAsked, pricedCase, typicalCosts } from "./cases/assumedCosts.ts";
import { explainedError } from "./cases/explanations.ts";
import { AgentJournal } from "./journal/journal.ts";
import type { CaseCatalogue } from "./cases/caseCatalogue.ts";
import { FileIntake } from "./intake/fileIntake.ts";
import { OpenCases } from "./cases/openCases.ts";
import { type CaseOrigin, OpenedCase } from "./cases/openedCase.ts";
import { keepDrawing, relaxedModule } from "./cases/derivedCase.ts";
import type { RelaxationPlan } from "./cases/relaxation.ts";
import type { IntakeTarget } from "./intake/intakeWorkspace.ts";
import { securedOptions } from "./intake/securityLists.ts";
import type { Profile } from "./series/profile.ts";
import type { ShownCase } from "./cases/shownCase.ts";
import type { OpenedFeeder } from "./feeder/openedFeeder.ts";
import { viewDistribution, type ViewedNetwork } from "./cases/viewedNetwork.ts";
import type {
  FetchedSessionRequest,
  IWorkspace,
  SessionRequest,
  WorkspaceChange,
  WorkspaceEngine,
} from "./workspaceInterface.ts";
import { trans } from "../text/index.ts";
import type { TrustClick } from "./proposals/approval.ts";
import { type CaseEdits, isEdited, NO_EDITS, sameEdits, withGeneratorEdit } from "./edits/edits.ts";
import { optionNames, sameOptions, type SolveOffer } from "./solving/solveOffers.ts";
import { optionsFor, optionsOfOthers } from "./session/sharedOptions.ts";
import { codeOf } from "./solving/errorCode.ts";
import type { CreateStudy } from "./solving/exactSolver.ts";
import { inputOf, takeBundle } from "./study/openedBundle.ts";
import type { LocalOpening, OpeningOptions } from "./session/localOpening.ts";

/** The cases and sessions of one page, and the one in front. Independent of the DOM. */
export class Workspace implements IWorkspace {
  readonly engine: WorkspaceEngine;
  /** Opens dropped or chosen files. */
  readonly intake: FileIntake;
  readonly #cases: OpenCases;
  readonly #sessions: CaseSession[] = [];
  #active: CaseSession | null = null;
  #network: ViewedNetwork | null = null;
  #networks: readonly ViewedNetwork[] = [];
  #localIds = 0;
  /** Cases and networks with any part from a file on the user's computer. */
  readonly #local = new WeakSet<ShownCase>();
  readonly #trust: TrustClick | undefined;
  readonly #changed = new Signal<this, WorkspaceChange>(this);
  readonly #opening = new Signal<this, LocalOpening>(this);
  readonly #showing = new Signal<this, ShownCase>(this);
  /** The journal of agents. */
  readonly journal = new AgentJournal();
  /** The cases offered by the host of this page; null without any. */
  catalogue: CaseCatalogue | null = null;

  /** `trust` decides whether an event is a person's click; by default the browser's own mark is trusted. */
  constructor(engine: WorkspaceEngine, trust?: TrustClick) {
    this.engine = engine;
    this.#cases = new OpenCases(engine);
    this.#trust = trust;
    this.intake = new FileIntake(this);
  }

  /** Emitted when sessions, networks or the one in front change. */
  get changed(): ISignal<this, WorkspaceChange> {
    return this.#changed;
  }

  /** Emitted with each case or network opened from files of the page, for the views that show it. */
  get opening(): ISignal<this, LocalOpening> {
    return this.#opening;
  }

  /** Emitted with a case or network that should be brought into view. */
  get showing(): ISignal<this, ShownCase> {
    return this.#showing;
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

  /** The shown networks without a Study, in the order in which they first came to the front. */
  get networks(): readonly ViewedNetwork[] {
    return this.#networks;
  }

  get front(): ShownCase | null {
    return this.#active ?? this.#network;
  }

  /**
   * Whether any part of a case or network comes from a file on the user's computer, rather than all from kernels and
   * servers.
   */
  isLocal(shown: ShownCase): boolean {
    return this.#local.has(shown);
  }

  /** Puts a network without a Study in front. */
  activateNetwork(network: ViewedNetwork): void {
    if (this.#network !== network) {
      this.#active?.proposals.networkSelected();
      this.#network = network;
      if (!this.#networks.includes(network)) {
        this.#networks = [...this.#networks, network];
      }
      this.#active = null;
      this.#changed.emit("active");
    }
  }

  /**
   * The case with a given identity; `fetchModule` is called only when no session has opened the same bytes. Rejects
   * when the text is another case, and with `ABORTED` when the signal fires; work that other callers wait for
   * continues.
   */
  openCase(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal?: AbortSignal,
  ): Promise<OpenedCase> {
    return this.#cases.open(sha256, fetchModule, signal);
  }

  /** The open case with the same bytes, or a new one for a case that was just read or made. */
  caseOf(ingested: IngestedCase, name: string, origin: CaseOrigin | null = null): Promise<OpenedCase> {
    return this.#cases.of(ingested, name, origin);
  }

  /** Opens a session without a kernel and announces it on `opening`. Rejects with EngineError. */
  async openLocalSession(opened: OpenedCase, options: OpeningOptions = {}): Promise<CaseSession> {
    const { signal, origin = null, local = true, formulation = DEFAULT_FORMULATION, options: solved = {} } = options;
    this.#localIds += 1;
    const caseId = `local-${this.#localIds}`;
    const session = await this.openSession({
      opened,
      caseId,
      caseName: [opened.name, ...optionNames(solved)].join(", "),
      formulation,
      options: solved,
      local,
      signal,
    });
    this.#opening.emit({ kind: "case", session, origin });
    return session;
  }

  /**
   * Opens a session on another problem of a case, with its edits, and announces it on `opening`; or shows the session that
   * has it, with these edits. Rejects with EngineError where that problem has no solution either.
   */
  async openOffer({ opened, formulation, options, edits }: Omit<SolveOffer, "label">): Promise<CaseSession> {
    const known = this.#sessions.find(
      (one) =>
        one.opened.sha256 === opened.sha256 &&
        !one.isOrdered &&
        one.formulation === formulation &&
        sameOptions(one.options, options),
    );
    if (known !== undefined) {
      known.inspection.end();
      if (!sameEdits(known.live.edits, edits)) {
        await known.commit(edits, known.live.revision);
      }
      this.show(known);
      return known;
    }
    const local = [...this.#sessions, ...this.#networks].some(
      (one) => one.geography === opened.geography && this.#local.has(one),
    );
    const session = await this.openLocalSession(opened, { formulation, options, local });
    if (isEdited(edits)) {
      try {
        await session.commit(edits, session.state.revision);
      } catch (error) {
        this.closeSession(session);
        throw error;
      }
    }
    return session;
  }

  /**
   * Makes a new case with a relaxation in its data and the drawing of the original, opens a session on it and announces
   * it on `opening`. Rejects with EngineError.
   */
  async openRelaxed(from: OpenedCase, plan: RelaxationPlan, signal?: AbortSignal): Promise<CaseSession> {
    const module = await unlessCancelled(relaxedModule(from, plan, this.engine), signal);
    const ingested = await this.engine.inspectModule(module, signal);
    const origin = { kind: "relaxed", name: from.name, changes: plan.changes } as const;
    const opened = await this.caseOf(ingested, trans.__("%1, relaxed", from.name), origin);
    keepDrawing(from, opened);
    try {
      return await this.openLocalSession(opened, { signal });
    } catch (error) {
      this.forget(opened);
      throw error;
    }
  }

  /**
   * Makes a new case with assumed costs and the drawing of the original; a case with assumed costs passes on its
   * origin. Rejects with EngineError `COST.MALFORMED`, `GENERATOR.UNKNOWN`.
   */
  async pricedCase(from: OpenedCase, costs: CostsAsked, signal?: AbortSignal): Promise<OpenedCase> {
    const { ingested, name, origin } = await pricedCase(from, costs, this.engine, signal);
    const opened = await this.caseOf(ingested, name, origin);
    keepDrawing(from, opened);
    return opened;
  }

  /** Makes such a case, opens a session on it and announces it on `opening`. Rejects with EngineError. */
  async openPriced(from: OpenedCase, costs: CostsAsked, options: OpeningOptions = {}): Promise<CaseSession> {
    const opened = await this.pricedCase(from, costs, options.signal);
    const open = this.#showOpen(opened.sha256);
    if (open !== null) {
      return open;
    }
    try {
      return await this.openLocalSession(opened, options);
    } catch (error) {
      this.forget(opened);
      throw error;
    }
  }

  /**
   * Gives generators typical costs, or costs by fuel or unit, as one change of the Study. Typical costs are for units
   * with a cost neither in the file nor by an edit. A case without a session, and costs with a constant term, which
   * edits do not have, open a case of its own as `openPriced`. Rejects with EngineError, and like `CaseSession.edit`;
   * then nothing changes.
   */
  async giveCosts(to: CaseSession | OpenedCase, costs: CostsAsked, options: OpeningOptions = {}): Promise<CaseSession> {
    const session = to instanceof CaseSession ? to : this.#sessionOf(to);
    if (session === undefined) {
      return this.openPriced(to as OpenedCase, costs, options);
    }
    const { opened } = session;
    const edits = await costEdits(opened, costs, this.engine, options.signal).catch((error: unknown) => {
      if (codeOf(error) === "COST.MALFORMED") return null;
      throw error;
    });
    if (edits === null) {
      return this.openPriced(opened, costs, options); // which refuses any other wrong cost
    }
    const isGiven = (id: number, { generators }: CaseEdits): boolean =>
      costs !== "typical" || generators?.[id]?.cost === undefined;
    await session.commitChecked({
      check: () => undefined,
      edits: (before) =>
        [...edits].reduce((all, [id, cost]) => (isGiven(id, all) ? withGeneratorEdit(all, id, cost) : all), before),
    });
    return session;
  }

  /** The session of a case: the one in front, or the latest. */
  #sessionOf({ geography }: OpenedCase): CaseSession | undefined {
    return (
      [this.#active, ...this.#sessions.toReversed()].find((one) => one?.opened.geography === geography) ?? undefined
    );
  }

  /** Brings the original of a case with assumed costs into view, and reopens it where it was closed. */
  async openAsRead(priced: OpenedCase, signal?: AbortSignal): Promise<CaseSession> {
    const { name, read } =
      priced.origin?.kind === "costs" ? priced.origin : { name: priced.name, read: priced.ingested };
    return this.#showOpen(read.sha256) ?? this.openLocalSession(await this.caseOf(read, name), { signal });
  }

  #showOpen(sha256: string): CaseSession | null {
    const open = this.#sessions.find(({ opened }) => opened.sha256 === sha256) ?? null;
    if (open !== null) {
      this.show(open);
    }
    return open;
  }

  /** The units of a case by fuel. */
  unitsByFuel({ moduleJson, ingested }: OpenedCase): Promise<FuelUnits[]> {
    return this.engine.unitsByFuel(moduleJson, ingested.fuels);
  }

  /**
   * Opens a saved Study, which was verified when it was read, and announces it on `opening`. `opened` is the case of
   * its applied state. Rejects with EngineError.
   */
  async openStudy(bundle: StudyBundle, options: OpeningOptions = {}, opened?: OpenedCase): Promise<CaseSession> {
    const { signal, origin = null, local = true } = options;
    const { document } = bundle;
    this.#localIds += 1;
    const applied = document.states[document.applied_state];
    const session = await this.openSession({
      opened: opened ?? (await this.caseOfStudy(bundle, signal)),
      caseId: `local-${this.#localIds}`,
      caseName: document.title,
      formulation: document.formulation,
      options: applied?.options ?? document.options ?? {},
      local,
      signal,
    });
    try {
      await takeBundle(session, bundle);
    } catch (error) {
      this.closeSession(session);
      throw error;
    }
    const restored = document.display?.view?.preview_mode !== undefined;
    this.#opening.emit({ kind: "case", session, origin, restored });
    return session;
  }

  /** The case of the applied state of a saved Study. Rejects with EngineError. */
  caseOfStudy(bundle: StudyBundle, signal?: AbortSignal): Promise<OpenedCase> {
    const { sha256, moduleJson } = inputOf(bundle);
    return this.openCase(sha256, () => Promise.resolve(moduleJson), signal);
  }

  /**
   * Offers the profile of a file in the session of a case; null where the case has no session. Rejects with
   * EngineError.
   */
  async takeProfile(target: IntakeTarget, name: string, bytes: Uint8Array): Promise<Profile | null> {
    const session = this.#sessions.find(({ opened }) => opened === target);
    return session === undefined ? null : session.profiles.readFile(name, bytes);
  }

  /**
   * Solves a case with limits after the outages of lists, in a session of its own; null where it cannot be solved. Rejects
   * with EngineError.
   */
  async secure(
    target: IntakeTarget,
    files: Record<string, Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<SecurityLists | null> {
    if (!(target instanceof OpenedCase)) {
      return null;
    }
    const read = await this.engine.readSecurityLists(target.moduleJson, files, signal);
    const session = this.#sessionOf(target);
    const solved = session?.state.solution.formulation ?? "dcopf";
    await this.openOffer({
      opened: target,
      formulation: OPTIONS[solved].includes("security") ? solved : "dcopf",
      options: securedOptions(session?.options ?? {}, read, Object.keys(files)),
      edits: session?.state.edits ?? NO_EDITS,
    });
    return read;
  }

  /** Announces a saved power flow of a feeder on `opening`. */
  openFeeder({ read, replayed }: OpenedFeeder, options: OpeningOptions = {}): void {
    this.openNetwork(viewDistribution(read, this.engine, replayed.input.name || read.name, replayed), options);
  }

  /** Announces a network without a Study on `opening`. */
  openNetwork(network: ViewedNetwork, { origin = null, local = true }: OpeningOptions = {}): void {
    if (local) {
      this.#local.add(network);
    }
    this.#opening.emit({ kind: "network", network, origin });
  }

  /** Drops a case or network that is no longer shown; a case stays while a session or network of it is open. */
  forget(unused: Pick<ViewedNetwork, "sha256" | "geography"> & Partial<Pick<ViewedNetwork, "unsolved">>): void {
    const { sha256, geography, unsolved } = unused;
    unsolved?.search.dispose();
    const left = this.#networks.filter((one) => one !== unused);
    const closed = left.length < this.#networks.length;
    this.#networks = left;
    if (this.#network === unused) {
      this.#network = null;
      this.#active = this.#sessions.at(-1) ?? null;
      this.#changed.emit("active");
    } else if (closed) {
      this.#changed.emit("sessions");
    }
    if (![...this.#sessions.map(({ opened }) => opened), ...left].some((one) => one.geography === geography)) {
      geography.dispose();
      this.#cases.forget(sha256);
    }
  }

  /**
   * Fetches and opens a case, and opens a session on it. The worker that reads the case for the views then solves its
   * Study. Rejects like `openCase` and `openSession`.
   */
  async openFetched({ sha256, fetchModule, at, ...request }: FetchedSessionRequest): Promise<CaseSession> {
    const { formulation, options = {}, signal } = request;
    this.engine.preloadEngine().catch(() => undefined); // loads in parallel with the module; its later user reports a failure
    let creating: Promise<StudyHandle<Solution>> | undefined;
    const reading = (module: string): void => {
      at?.("reading");
      const read = optionsFor(formulation, options);
      creating = this.engine.createStudy({ module_json: module, sha256 }, formulation, read, signal);
      creating.catch(() => undefined); // the session reports it
    };
    let opened: OpenedCase;
    try {
      opened = await this.#cases.open(sha256, fetchModule, signal, reading);
    } catch (error) {
      creating?.then((study) => study.free()).catch(() => undefined);
      throw error;
    }
    at?.("solving");
    return this.#openSession({ ...request, opened }, creating);
  }

  /**
   * Creates a Study at the base case and a session on it. Rejects with EngineError, whose message has the reason where
   * there is no solution.
   */
  openSession(request: SessionRequest): Promise<CaseSession> {
    return this.#openSession(request);
  }

  async #openSession(request: SessionRequest, begun?: Promise<StudyHandle<Solution>>): Promise<CaseSession> {
    const { opened, formulation, options = {}, local = false, signal } = request;
    const module = { module_json: opened.moduleJson, sha256: opened.sha256 };
    const creating = begun ?? this.engine.createStudy(module, formulation, optionsFor(formulation, options), signal);
    const study = await creating.catch((error: unknown) => {
      throw explainedError(error, opened);
    });
    const free = (): void => void study.free();
    signal?.addEventListener("abort", free, { once: true });
    const createStudy: CreateStudy = (other, aborting, onProgress) =>
      this.engine.createStudy(module, other, optionsFor(other, options), aborting, onProgress);
    const leftOut = (other: FormulationId): readonly string[] => optionsOfOthers(other, options);
    opened.typicalCosts = await typicalCosts(opened, this.engine, signal).catch((error: unknown) => {
      free();
      throw error;
    });
    const init = { ...request, options, study, createStudy, leftOut, trust: this.#trust };
    const session = await CaseSession.create(init).catch((error: unknown) => {
      free();
      throw signal?.aborted ? cancelledError() : error;
    });
    signal?.removeEventListener("abort", free);
    if (local) {
      this.#local.add(session); // before listeners are notified
    }
    this.#sessions.push(session);
    this.#changed.emit("sessions");
    return session;
  }

  /** Puts a session in front. */
  activate(session: CaseSession): void {
    if (this.#active !== session && this.#sessions.includes(session)) {
      this.#active?.proposals.networkSelected();
      this.#active = session;
      this.#network = null;
      this.#changed.emit("active");
    }
  }

  /** Puts a session or network in front and brings its view to the user. */
  show(shown: CaseSession | ViewedNetwork): void {
    if (shown instanceof CaseSession) {
      this.activate(shown);
    } else {
      this.activateNetwork(shown);
    }
    this.#showing.emit(shown);
  }

  /** Ends a session; its case is dropped with its last session. */
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
}
