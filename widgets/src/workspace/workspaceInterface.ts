import type { FormulationId, FuelUnits, Engine, SolveOptions, StudyBundle } from "@service/engine";
import type { ISignal } from "@lumino/signaling";
import type { AgentJournal } from "./journal/journal.ts";
import type { CaseCatalogue } from "./cases/caseCatalogue.ts";
import type { CostsAsked, CostsEngine } from "./cases/assumedCosts.ts";
import type { ShownCase } from "./cases/shownCase.ts";
import type { OpenedCase } from "./cases/openedCase.ts";
import type { RelaxationPlan } from "./cases/relaxation.ts";
import type { ViewedNetwork } from "./cases/viewedNetwork.ts";
import type { GeographyEngine } from "./geography/geography.ts";
import type { FileIntake } from "./intake/fileIntake.ts";
import type { IntakeEngine } from "./intake/intakeWorkspace.ts";
import type { CaseSession } from "./session/caseSession.ts";
import type { OpenedFeeder } from "./feeder/openedFeeder.ts";
import type { SolveOffer } from "./solving/solveOffers.ts";
import type { LocalOpening, OpeningOptions } from "./session/localOpening.ts";

/** The part of the engine's facade that the workspace uses. */
export type WorkspaceEngine = GeographyEngine &
  IntakeEngine &
  CostsEngine &
  Pick<
    Engine,
    | "createStudy"
    | "exportFormats"
    | "exportModule"
    | "figurePdf"
    | "inspectModule"
    | "materializeModule"
    | "preloadEngine"
    | "writeMcStudyBundle"
    | "writeStudyBundle"
  >;
/** What changed in the workspace: the list of sessions and networks, or the one in front. */
export type WorkspaceChange = "sessions" | "active";

/** A request to open a session. */
export interface SessionRequest {
  opened: OpenedCase;
  caseId: string;
  caseName: string;
  formulation: FormulationId;
  options?: SolveOptions;
  /** Whether any part of it comes from a file on the user's computer. */
  local?: boolean;
  /** Cancels the request; the case stays unchanged. */
  signal?: AbortSignal | undefined;
}

/** A session on a case whose module is on a server or in a kernel. */
export interface FetchedSessionRequest extends Omit<SessionRequest, "opened"> {
  sha256: string;
  /** Called only when no session has opened the same bytes. */
  fetchModule: (signal: AbortSignal) => Promise<string>;
  /** Called when the module has arrived, and when it has been read. */
  at?: (stage: "reading" | "solving") => void;
}

/** The cases and sessions of one page, for views, plugins and tools. */
export interface IWorkspace {
  /** Emitted when sessions, networks or the one in front change. */
  readonly changed: ISignal<IWorkspace, WorkspaceChange>;
  /** Emitted with each case or network opened from files of the page. */
  readonly opening: ISignal<IWorkspace, LocalOpening>;
  readonly sessions: readonly CaseSession[];
  /** The session in front; null without one. */
  readonly active: CaseSession | null;
  /** The network without a Study in front; null without one. */
  readonly network: ViewedNetwork | null;
  /** The shown networks without a Study, in the order in which they first came to the front. */
  readonly networks: readonly ViewedNetwork[];
  /** The session or network in front. */
  readonly front: ShownCase | null;
  /**
   * Whether any part of a case or network comes from a file on the user's computer, rather than all from kernels and
   * servers.
   */
  isLocal(shown: ShownCase): boolean;
  /** Emitted with a case or network that should be brought into view. */
  readonly showing: ISignal<IWorkspace, ShownCase>;
  /** Opens dropped or chosen files. */
  readonly intake: FileIntake;
  /** The journal of agents. */
  readonly journal: AgentJournal;
  /** The cases offered by the host of this page, which sets them; null without any. */
  catalogue: CaseCatalogue | null;
  /** Writes files in other formats. */
  readonly engine: Pick<
    WorkspaceEngine,
    | "exportFormats"
    | "exportModule"
    | "figurePdf"
    | "inspectDistribution"
    | "preloadEngine"
    | "readMcStudyBundle"
    | "readStudyBundle"
    | "replayMcStudy"
    | "writeMcStudyBundle"
    | "writeStudyBundle"
  >;

  /** The case with a given identity; see `Workspace`. */
  openCase(
    sha256: string,
    fetchModule: (signal: AbortSignal) => Promise<string>,
    signal?: AbortSignal,
  ): Promise<OpenedCase>;
  /** Creates a Study at the base case and a session on it. Rejects with EngineError. */
  openSession(request: SessionRequest): Promise<CaseSession>;
  /** Fetches and opens a case, and opens a session on it. Rejects with EngineError, and with `ABORTED`. */
  openFetched(request: FetchedSessionRequest): Promise<CaseSession>;
  /** Opens a saved Study and announces it on `opening`; see `Workspace`. Rejects with EngineError. */
  openStudy(bundle: StudyBundle, options?: OpeningOptions): Promise<CaseSession>;
  /** Announces a saved power flow of a feeder on `opening`. */
  openFeeder(feeder: OpenedFeeder, options?: OpeningOptions): void;
  /** Opens another problem of a case, with its edits. Rejects with EngineError. */
  openOffer(offer: Omit<SolveOffer, "label">): Promise<CaseSession>;
  /** Makes a new case with a relaxation in its data, and opens it. Rejects with EngineError. */
  openRelaxed(from: OpenedCase, plan: RelaxationPlan, signal?: AbortSignal): Promise<CaseSession>;
  /**
   * Makes a new case with assumed costs and opens it. Rejects with EngineError `COST.MALFORMED`, `GENERATOR.UNKNOWN`.
   */
  openPriced(from: OpenedCase, costs: CostsAsked, options?: OpeningOptions): Promise<CaseSession>;
  /** Gives generators costs as edits of the Study where that is possible; see `Workspace`. */
  giveCosts(to: CaseSession | OpenedCase, costs: CostsAsked, options?: OpeningOptions): Promise<CaseSession>;
  /** Brings the original of such a case into view. */
  openAsRead(priced: OpenedCase, signal?: AbortSignal): Promise<CaseSession>;
  /** The units of a case by fuel, the largest capacity first. */
  unitsByFuel(opened: OpenedCase): Promise<FuelUnits[]>;
  /** Puts a session in front. */
  activate(session: CaseSession): void;
  /** Puts a session or network in front and brings its view to the user. */
  show(shown: CaseSession | ViewedNetwork): void;
  /** Puts a network without a Study in front. */
  activateNetwork(network: ViewedNetwork): void;
  /** Ends a session; its case is forgotten with its last session. */
  closeSession(session: CaseSession): void;
  /** Drops a network that is no longer shown. */
  forget(network: ViewedNetwork): void;
}
