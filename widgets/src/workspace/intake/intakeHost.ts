import type { OpeningOptions } from "../session/localOpening.ts";
import type { GeographyEngine, Geography } from "../geography/geography.ts";
import type { Engine, IngestedCase, StudyBundle } from "@service/engine";
import type { FeederEngine } from "../feeder/feederStudy.ts";
import type { KeptFiles } from "./keptFiles.ts";
import type { CostsAsked } from "../cases/assumedCosts.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { Profile } from "../series/profile.ts";
import type { ViewedNetwork } from "../cases/viewedNetwork.ts";

/** The part of the engine that reads files. */
export type IntakeEngine = GeographyEngine &
  FeederEngine &
  Pick<
    Engine,
    | "explainModule"
    | "formatOf"
    | "ingestCase"
    | "ingestDistribution"
    | "ingestJsonDrop"
    | "inspectDistribution"
    | "isCostTable"
    | "isDisplayFile"
    | "parseDisplay"
    | "readMcStudyBundle"
    | "readStudyBundle"
    | "replayMcStudy"
  >;

/** A case or network that takes geographic layers and drawings. */
export interface IntakeTarget {
  readonly name: string;
  readonly geography: Geography;
}

/** How a batch opens what it read; `local` is false for what is of files of the server alone. */
export type ReadOptions = Pick<OpeningOptions, "signal" | "local">;

/** Where a batch puts what it reads; the workspace is one. */
export interface IntakeHost {
  readonly engine: IntakeEngine;
  caseOf(read: IngestedCase, name: string): Promise<OpenedCase>;
  openLocalSession(opened: OpenedCase, options?: ReadOptions): Promise<unknown>;
  /** The case of the applied state of a saved Study. */
  caseOfStudy(bundle: StudyBundle, signal?: AbortSignal): Promise<OpenedCase>;
  openStudy(bundle: StudyBundle, options: ReadOptions, opened: OpenedCase): Promise<unknown>;
  openNetwork(network: ViewedNetwork, options?: ReadOptions): void;
  /** Offers the profile of a file in the session of a case; null where it has none. Rejects with EngineError. */
  takeProfile(target: IntakeTarget, name: string, bytes: Uint8Array): Promise<Profile | null>;
  /** A case of its own with assumed costs. Rejects with EngineError `COST.MALFORMED`, `GENERATOR.UNKNOWN`. */
  pricedCase(from: OpenedCase, costs: CostsAsked, signal?: AbortSignal): Promise<OpenedCase>;
  /** Makes and opens such a case. */
  openPriced(
    from: OpenedCase,
    costs: CostsAsked,
    options: { signal?: AbortSignal | undefined },
  ): Promise<{ opened: OpenedCase }>;
  forget(unused: { sha256: string; geography: Geography }): void;
}

/** What is being done with a file: reading it, applying a layer or drawing, solving its base case. */
export type IntakeStage = "reading" | "placing" | "solving";

/** How far a batch is. */
export interface IntakeProgress {
  stage: IntakeStage;
  done: number;
  total: number;
  /** The file being worked on. */
  file: string;
}

/** How a batch is taken in. */
export interface IntakeOptions {
  /** What layers and drawings belong to when the batch has no case: the case in front, once the batches before are done. */
  target?: () => Promise<IntakeTarget | null>;
  signal?: AbortSignal;
  /** Files of a feeder that earlier batches had and that wait for others; this batch adds to them. */
  kept?: KeptFiles;
  onProgress?: (progress: IntakeProgress) => void;
}

/** The workspace as batches see it: where they put what they read, and which case or network is in front. */
export interface IntakeWorkspace extends IntakeHost {
  readonly active: { readonly opened: IntakeTarget } | null;
  readonly network: IntakeTarget | null;
  openLocalSession(opened: OpenedCase, options?: OpeningOptions): Promise<unknown>;
  openStudy(bundle: StudyBundle, options: OpeningOptions, opened: OpenedCase): Promise<unknown>;
  openNetwork(network: ViewedNetwork, options?: OpeningOptions): void;
}
