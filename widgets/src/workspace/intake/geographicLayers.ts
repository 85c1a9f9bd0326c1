import type { GeoReport } from "@service/engine";
import { unlessCancelled } from "../concurrency/cancelling.ts";
import { type FileOutcome, geographyNotes, geographySentence, refused } from "./fileOutcomes.ts";
import { trans } from "../../text/index.ts";
import type { IntakeTarget } from "./intakeWorkspace.ts";

/** A file that is a geographic layer, or may be one. */
export interface Layer {
  name: string;
  bytes: Uint8Array;
  /** Whether it is only taken for a layer because it is nothing else. */
  guessed: boolean;
}

/**
 * Applies the layers of a batch to every case they may belong to, layers of buses before layers of routes, because a
 * route is checked against the positions of its buses. `noCase` is the reason why there is no case. Returns outcomes by
 * the bytes of the layer; layers not reached before a cancellation have no outcome.
 */
export async function applyLayers(
  layers: readonly Layer[],
  targets: readonly IntakeTarget[],
  noCase: string,
  signal: AbortSignal | undefined,
  begin: (layer: Layer) => void,
): Promise<Map<Uint8Array, FileOutcome>> {
  const outcomes = new Map<Uint8Array, FileOutcome>();
  const done = new Map<Layer, string[]>(layers.map((layer) => [layer, []]));
  const notes = new Map<Layer, string[]>(layers.map((layer) => [layer, []]));
  const failures = new Map<Layer, unknown>();
  for (const { name, geography } of targets) {
    for (const layer of await busesFirst(layers, geography, signal)) {
      if (signal?.aborted) {
        break;
      }
      begin(layer);
      try {
        const report = await unlessCancelled(geography.applyLayer(layer.bytes, layer.name, signal), signal);
        done.get(layer)?.push(geographySentence(report, name, geography.graph.moduleBuses));
        notes.get(layer)?.push(...geographyNotes(report));
      } catch (error) {
        failures.set(layer, error);
      }
    }
  }
  for (const layer of layers) {
    const sentences = done.get(layer) ?? [];
    if (signal?.aborted && sentences.length === 0) {
      continue;
    }
    outcomes.set(
      layer.bytes,
      sentences.length > 0
        ? { name: layer.name, outcome: "geography", sentence: sentences.join(" "), notes: notes.get(layer) ?? [] }
        : failure(layer, targets.length === 0 ? noCase : null, failures.get(layer)),
    );
  }
  return outcomes;
}

async function busesFirst(
  layers: readonly Layer[],
  geography: IntakeTarget["geography"],
  signal: AbortSignal | undefined,
): Promise<Layer[]> {
  if (layers.length < 2) {
    return [...layers];
  }
  const rank = async (layer: Layer): Promise<number> => {
    try {
      const { bus_records }: GeoReport = await geography.tryLayer(layer.bytes, signal);
      return bus_records > 0 ? 0 : 1;
    } catch {
      return 2; // the error is reported when it is applied
    }
  };
  const ranked: { layer: Layer; rank: number }[] = [];
  for (const layer of layers) {
    ranked.push({ layer, rank: await rank(layer) });
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ layer }) => layer);
}

function failure({ name, guessed }: Layer, noCase: string | null, error: unknown): FileOutcome {
  if (noCase !== null) {
    const sentence = guessed
      ? trans.__("Neither a case nor a Study; the file may have positions of buses. %1", noCase)
      : trans.__("A geographic layer. %1", noCase);
    return { name, outcome: "refused", sentence, code: "INPUT.NO_CASE", notes: [] };
  }
  return guessed
    ? refused(name, error, (message) => trans.__("Unrecognised case format; read as a geographic layer: %1", message))
    : refused(name, error);
}
