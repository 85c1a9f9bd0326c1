import type { IngestedCase, IngestedDistribution, McReplayed, StudyBundle } from "@service/engine";
import type { OpenedFeeder } from "../feeder/openedFeeder.ts";
import { hasMissingCosts, isFree } from "../cases/assumedCosts.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { RelaxationSearch } from "../cases/relaxationSearch.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../solving/errorCode.ts";
import type { OpeningOptions } from "../session/localOpening.ts";
import { isNoSolution } from "../session/sessionStatus.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import { caseSentence, diagnosticNotes, distributionSentence, type FileOffer } from "./fileOutcomes.ts";
import { viewDistribution, viewUnsolved } from "../cases/viewedNetwork.ts";
import { errorText, formatCount, trans } from "../../text/index.ts";
import type { IntakeTarget, IntakeWorkspace } from "./intakeWorkspace.ts";

/** A case or network that was read, before it is shown. */
export interface Read {
  file: IntakeFile;
  kind: "case" | "distribution";
  sentence: string;
  notes: string[];
  target: IntakeTarget;
  /** An action offered once it is shown. */
  offer?: FileOffer;
  /** The same case with the assumed costs of a CSV file, as a new case; absent where no costs can be assumed. */
  priced?(costs: Uint8Array, signal: AbortSignal | undefined): Promise<Read>;
  /** Whether any part of it comes from a file on the user's computer. */
  local: boolean;
  /** Whether showing it needs a solve first. */
  solves: boolean;
  /** Shows it and returns a sentence, which may be empty. Rejects with `ABORTED` when the signal fires before. */
  open(options: OpeningOptions): Promise<string>;
  /** Releases it when it will not be shown. */
  forget(): void;
}

/** A balanced case: it gets a session, or the viewer when its base problem cannot be solved. */
export async function readCase(file: IntakeFile, read: IngestedCase, workspace: IntakeWorkspace): Promise<Read> {
  return caseRead(file, await workspace.caseOf(read, nameOf(read.name, file)), workspace);
}

function caseRead(file: IntakeFile, opened: OpenedCase, workspace: IntakeWorkspace): Read {
  const { ingested } = opened;
  const offer = { label: trans.__("Use typical costs"), take: () => workspace.giveCosts(opened, "typical") };
  return {
    file,
    kind: "case",
    sentence: caseSentence(ingested, file.name),
    notes: diagnosticNotes(ingested.warnings),
    target: opened,
    local: isLocal(file),
    solves: true,
    ...(isFree(ingested) && hasMissingCosts(ingested) && { offer }),
    priced: async (costs, signal) => caseRead(file, await workspace.pricedCase(opened, costs, signal), workspace),
    open: async (options) => {
      try {
        await workspace.openLocalSession(opened, options);
        return "";
      } catch (error) {
        if (isCancelled(error)) {
          throw error;
        }
        const problem = errorText(error);
        const details = error instanceof Error && "details" in error ? error.details : undefined;
        const search = isNoSolution(codeOf(error))
          ? new RelaxationSearch((how) => workspace.engine.explainModule(opened.moduleJson, {}, how), details)
          : null;
        workspace.openNetwork(viewUnsolved(opened, problem, search, details), options);
        return ` ${trans.__("It is shown without prices: %1", problem)}`;
      }
    },
    forget: () => workspace.forget(opened),
  };
}

/** A verified saved Study: its case gets a session with the states of the file. */
export async function readStudy(
  file: IntakeFile,
  bundle: StudyBundle,
  workspace: IntakeWorkspace,
  signal?: AbortSignal,
): Promise<Read> {
  const opened = await workspace.caseOfStudy(bundle, signal);
  const { states, title } = bundle.document;
  const count = Object.keys(states).length;
  return {
    file,
    kind: "case",
    sentence: trans._n("Study %2 with %3 state.", "Study %2 with %3 states.", count, title, formatCount(count)),
    notes: [],
    target: opened,
    local: isLocal(file),
    solves: true,
    open: async (options) => {
      await workspace.openStudy(bundle, options, opened);
      return "";
    },
    forget: () => workspace.forget(opened),
  };
}

/** A verified saved power flow of a feeder, shown without a solve. */
export function readFeederStudy(file: IntakeFile, { read, replayed }: OpenedFeeder, workspace: IntakeWorkspace): Read {
  const shown = readDistribution(file, read, workspace, replayed);
  return { ...shown, sentence: trans.__("%1 It has the power flow that was saved.", shown.sentence) };
}

/** A multiconductor case for the viewer, with its saved power flow where there is one. */
export function readDistribution(
  file: IntakeFile,
  read: IngestedDistribution,
  workspace: IntakeWorkspace,
  replayed?: McReplayed,
): Read {
  const network = viewDistribution(read, workspace.engine, nameOf(read.name, file), replayed);
  return {
    file,
    kind: "distribution",
    sentence: distributionSentence(read),
    notes: diagnosticNotes(read.warnings),
    target: network,
    local: isLocal(file),
    solves: false,
    open: (options) => {
      workspace.openNetwork(network, options);
      return Promise.resolve("");
    },
    forget: () => workspace.forget(network),
  };
}

/** Whether a file is on the user's computer. */
export function isLocal({ onServer = false }: IntakeFile): boolean {
  return !onServer;
}

/** Longer names are descriptions, like the title lines of RAW files. */
const LONGEST_NAME = 40;

/** The name in the source, else that of its file: the engine names a source without one `case`. */
function nameOf(own: string, file: IntakeFile): string {
  const stem = file.name.replace(/(\.study\.json(\.gz)?|\.[^.]*)$/i, "");
  const name = own.trim();
  return /^(case)?$/i.test(name) || name.length > LONGEST_NAME ? stem : own;
}
