import type { Engine, IngestedDistribution, McReplayed } from "@service/engine";
import { codeOf } from "../solving/errorCode.ts";

/** A verified saved power flow, and its feeder. */
export interface OpenedFeeder {
  read: IngestedDistribution;
  replayed: McReplayed;
}

/** The part of the engine that opens saved power flows. */
export type FeederFileEngine = Pick<Engine, "inspectDistribution" | "readMcStudyBundle" | "replayMcStudy">;

/** The feeder power flow in a Study file; null for another kind of Study. Rejects with EngineError. */
export async function openedFeeder(
  engine: FeederFileEngine,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<OpenedFeeder | null> {
  let text: string;
  try {
    text = await engine.readMcStudyBundle(bytes, signal);
  } catch (error) {
    if (codeOf(error) === "STUDY_FILE.SCHEMA") {
      return null;
    }
    throw error;
  }
  const replayed = await engine.replayMcStudy(text, signal);
  return { read: await engine.inspectDistribution(replayed.input.module_json, signal), replayed };
}
