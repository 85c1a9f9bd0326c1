import type { IngestedCase, IngestedDistribution } from "@service/engine";
import { RelaxationSearch } from "../cases/relaxationSearch.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { codeOf } from "../session/errorCode.ts";
import { isNoSolution } from "../session/sessionStatus.ts";
import type { IntakeFile } from "./intakeLimits.ts";
import { caseSentence, diagnosticNotes, distributionSentence } from "./fileOutcomes.ts";
import { viewDistribution, viewUnsolved } from "../cases/viewedNetwork.ts";
import { errorText, trans } from "../../text/index.ts";
import type { IntakeHost, IntakeTarget } from "./intakeHost.ts";

/** A case or network of a batch on its way to the screen. */
export interface Read {
  file: IntakeFile;
  kind: "case" | "distribution";
  sentence: string;
  notes: string[];
  target: IntakeTarget;
  /** Whether showing it needs a solve first. */
  solves: boolean;
  /** Shows it; what there is to say about that, empty for nothing. Rejects with `ABORTED` when the signal fires before. */
  open(signal: AbortSignal | undefined): Promise<string>;
  /** It will not be shown. */
  forget(): void;
}

/** A balanced case: it gets a session, or the viewer when its base problem cannot be solved. */
export async function readCase(file: IntakeFile, read: IngestedCase, host: IntakeHost): Promise<Read> {
  const opened = await host.caseOf(read, nameOf(read.name, file));
  return {
    file,
    kind: "case",
    sentence: caseSentence(read),
    notes: diagnosticNotes(read.warnings),
    target: opened,
    solves: true,
    open: async (signal) => {
      try {
        await host.openLocalSession(opened, { signal });
        return "";
      } catch (error) {
        if (isCancelled(error)) {
          throw error;
        }
        const problem = errorText(error);
        const search =
          error instanceof Error && isNoSolution(codeOf(error))
            ? new RelaxationSearch(
                (options) => host.engine.explainModule(opened.moduleJson, {}, options),
                "details" in error ? error.details : undefined,
              )
            : null;
        host.openNetwork(viewUnsolved(opened, problem, search));
        return ` ${trans.__("It is shown without prices: %1", problem)}`;
      }
    },
    forget: () => host.forget(opened),
  };
}

/** A multiconductor case, for the viewer. */
export function readDistribution(file: IntakeFile, read: IngestedDistribution, host: IntakeHost): Read {
  const network = viewDistribution(read, host.engine, nameOf(read.name, file));
  return {
    file,
    kind: "distribution",
    sentence: distributionSentence(read),
    notes: diagnosticNotes(read.warnings),
    target: network,
    solves: false,
    open: () => {
      host.openNetwork(network);
      return Promise.resolve("");
    },
    forget: () => host.forget(network),
  };
}

/** The name a source gives itself, else that of its file: `case` is what the engine calls a source that has none. */
function nameOf(own: string, file: IntakeFile): string {
  const stem = file.name.replace(/\.[^.]*$/, "");
  return /^(case)?$/i.test(own.trim()) ? stem : own;
}
