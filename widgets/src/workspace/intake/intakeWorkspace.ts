import type { AcceptOpening, OpeningOptions } from "../session/localOpening.ts";
import type { GeographyEngine, Geography } from "../geography/geography.ts";
import type { Engine, IngestedCase, SecurityLists, StudyBundle } from "@service/engine";
import type { FeederEngine } from "../feeder/feederStudy.ts";
import type { WaitingFiles } from "./waitingFiles.ts";
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
    | "isSecurityList"
    | "parseDisplay"
    | "readMcStudyBundle"
    | "readSecurityLists"
    | "readStudyBundle"
    | "replayMcStudy"
  >;

/** A case or network that accepts geographic layers and drawings. */
export interface IntakeTarget {
  readonly name: string;
  readonly geography: Geography;
}

/** The stage of a file: reading it, applying a layer or drawing, solving its base case. */
export type IntakeStage = "reading" | "placing" | "solving";

/** The progress of a batch. */
export interface IntakeProgress {
  stage: IntakeStage;
  done: number;
  total: number;
  /** The file in progress. */
  file: string;
}

/** How a batch is processed. */
export interface IntakeOptions {
  /** The case for layers and drawings when the batch has none: the case in front, once earlier batches are done. */
  target?: () => Promise<IntakeTarget | null>;
  signal?: AbortSignal;
  /** The view that received the files, which may show what they open. */
  origin?: AcceptOpening | null;
  /** Files of a feeder from earlier batches that wait for others; this batch adds to them. */
  waitingFiles?: WaitingFiles;
  onProgress?: (progress: IntakeProgress) => void;
}

/** The workspace as batches of files use it: it opens what they read, and knows the case or network in front. */
export interface IntakeWorkspace {
  readonly engine: IntakeEngine;
  readonly active: { readonly opened: IntakeTarget } | null;
  readonly network: IntakeTarget | null;
  caseOf(read: IngestedCase, name: string): Promise<OpenedCase>;
  openLocalSession(opened: OpenedCase, options?: OpeningOptions): Promise<unknown>;
  /** The case of the applied state of a saved Study. */
  caseOfStudy(bundle: StudyBundle, signal?: AbortSignal): Promise<OpenedCase>;
  openStudy(bundle: StudyBundle, options: OpeningOptions, opened: OpenedCase): Promise<unknown>;
  openNetwork(network: ViewedNetwork, options?: OpeningOptions): void;
  /**
   * Offers the profile of a file in the session of a case; null where the case has no session. Rejects with
   * EngineError.
   */
  takeProfile(target: IntakeTarget, name: string, bytes: Uint8Array): Promise<Profile | null>;
  /**
   * Solves a case with limits after the outages of lists, by file name, in a session of its own; null where it cannot be
   * solved. Rejects with EngineError, `INPUT.*` for a file that is no list.
   */
  secure(
    target: IntakeTarget,
    files: Record<string, Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<SecurityLists | null>;
  /** A new case with assumed costs. Rejects with EngineError `COST.MALFORMED`, `GENERATOR.UNKNOWN`. */
  pricedCase(from: OpenedCase, costs: CostsAsked, signal?: AbortSignal): Promise<OpenedCase>;
  /** Gives a case costs: as edits of its session where that is possible, or as such a case. */
  giveCosts(to: OpenedCase, costs: CostsAsked, options?: OpeningOptions): Promise<{ opened: OpenedCase }>;
  forget(unused: { sha256: string; geography: Geography }): void;
}
