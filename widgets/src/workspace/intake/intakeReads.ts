import type { IngestedCase, IngestedDistribution, McReplayed, StudyBundle } from "@service/engine";
import type { OpenedFeeder } from "../feeder/openedFeeder.ts";
import { isFree } from "../cases/assumedCosts.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { RelaxationSearch } from "../cases/relaxationSearch.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../solving/errorCode.ts";
import { isNoSolution } from "../session/sessionStatus.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import { caseSentence, diagnosticNotes, distributionSentence, type FileOffer } from "./fileOutcomes.ts";
import { viewDistribution, viewUnsolved } from "../cases/viewedNetwork.ts";
import { errorText, formatCount, trans } from "../../text/index.ts";
import type { IntakeHost, IntakeTarget, ReadOptions } from "./intakeHost.ts";

/** A case or network of a batch on its way to the screen. */
export interface Read {
  file: IntakeFile;
  kind: "case" | "distribution";
  sentence: string;
  notes: string[];
  target: IntakeTarget;
  /** What can be done next, once it is shown. */
  offer?: FileOffer;
  /** The same with the assumed costs of a CSV file, as a case of its own; absent where there are no costs to assume. */
  priced?(costs: Uint8Array, signal: AbortSignal | undefined): Promise<Read>;
  /** Whether it has anything of a file of the user's own computer. */
  local: boolean;
  /** Whether showing it needs a solve first. */
  solves: boolean;
  /** Shows it; what there is to say about that, empty for nothing. Rejects with `ABORTED` when the signal fires before. */
  open(options: ReadOptions): Promise<string>;
  /** It will not be shown. */
  forget(): void;
}

/** A balanced case: it gets a session, or the viewer when its base problem cannot be solved. */
export async function readCase(file: IntakeFile, read: IngestedCase, host: IntakeHost): Promise<Read> {
  return caseRead(file, await host.caseOf(read, nameOf(read.name, file)), host);
}

function caseRead(file: IntakeFile, opened: OpenedCase, host: IntakeHost): Read {
  const { ingested } = opened;
  const offer = { label: trans.__("Use typical costs"), take: () => host.openPriced(opened, "typical", {}) };
  return {
    file,
    kind: "case",
    sentence: caseSentence(ingested, file.name),
    notes: diagnosticNotes(ingested.warnings),
    target: opened,
    local: isLocal(file),
    solves: true,
    ...(isFree(ingested) && { offer }),
    priced: async (costs, signal) => caseRead(file, await host.pricedCase(opened, costs, signal), host),
    open: async ({ signal, local }) => {
      try {
        await host.openLocalSession(opened, { signal, local });
        return "";
      } catch (error) {
        if (isCancelled(error)) {
          throw error;
        }
        const problem = errorText(error);
        const details = error instanceof Error && "details" in error ? error.details : undefined;
        const search = isNoSolution(codeOf(error))
          ? new RelaxationSearch((options) => host.engine.explainModule(opened.moduleJson, {}, options), details)
          : null;
        host.openNetwork(viewUnsolved(opened, problem, search, details), { local });
        return ` ${trans.__("It is shown without prices: %1", problem)}`;
      }
    },
    forget: () => host.forget(opened),
  };
}

/** A saved Study, checked: its case gets a session with the states of the file. */
export async function readStudy(
  file: IntakeFile,
  bundle: StudyBundle,
  host: IntakeHost,
  signal?: AbortSignal,
): Promise<Read> {
  const opened = await host.caseOfStudy(bundle, signal);
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
      await host.openStudy(bundle, options, opened);
      return "";
    },
    forget: () => host.forget(opened),
  };
}

/** A saved power flow of a feeder, checked: it is shown without a solve. */
export function readFeederStudy(file: IntakeFile, { read, replayed }: OpenedFeeder, host: IntakeHost): Read {
  const shown = readDistribution(file, read, host, replayed);
  return { ...shown, sentence: trans.__("%1 It has the power flow that was saved.", shown.sentence) };
}

/** A multiconductor case, for the viewer; with the power flow that was saved of it, where there is one. */
export function readDistribution(
  file: IntakeFile,
  read: IngestedDistribution,
  host: IntakeHost,
  replayed?: McReplayed,
): Read {
  const network = viewDistribution(read, host.engine, nameOf(read.name, file), replayed);
  return {
    file,
    kind: "distribution",
    sentence: distributionSentence(read),
    notes: diagnosticNotes(read.warnings),
    target: network,
    local: isLocal(file),
    solves: false,
    open: (options) => {
      host.openNetwork(network, options);
      return Promise.resolve("");
    },
    forget: () => host.forget(network),
  };
}

/** Whether a file is of the user's own computer. */
export function isLocal({ onServer = false }: IntakeFile): boolean {
  return !onServer;
}

/** A name that is longer is a description, as the title lines of RAW files are. */
const LONGEST_NAME = 40;

/** The name a source gives itself, else that of its file: `case` is what the engine calls a source that has none. */
function nameOf(own: string, file: IntakeFile): string {
  const stem = file.name.replace(/(\.study\.json(\.gz)?|\.[^.]*)$/i, "");
  const name = own.trim();
  return /^(case)?$/i.test(name) || name.length > LONGEST_NAME ? stem : own;
}
