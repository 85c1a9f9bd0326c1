import { clientError, type Engine } from "@service/engine";
import { isEdited } from "../edits/edits.ts";
import type { OpenedCase } from "./openedCase.ts";
import type { RelaxationPlan } from "./relaxation.ts";
import type { RelaxedChange } from "./relaxedChange.ts";

/** The part of the engine that derived cases are made with. */
export type DerivingEngine = Pick<Engine, "materializeModule">;

/** The part of a module that holds the limits of generators, MW: row k is the generator with id k + 1. */
interface ModuleText {
  value?: { data?: { generators?: { bus: number; pmin: number; pmax: number }[] } };
}

/** Numbers in MW are equal up to this relative difference: the engine converts them to per unit and back. */
const SAME = 1e-9;

/**
 * Makes the module of a new case with a relaxation in its data. Rejects with EngineError when the engine refuses a
 * change, and when the limits of a generator in the module differ from those of the case.
 */
export async function relaxedModule(
  opened: OpenedCase,
  { edits, generators }: RelaxationPlan,
  engine: DerivingEngine,
): Promise<string> {
  const { deltas, rates, ...further } = edits;
  const { moduleJson } = opened.geography;
  const text = isEdited(edits) ? await engine.materializeModule(moduleJson, deltas, rates, further) : moduleJson;
  return generators.length === 0 ? text : withLimits(text, generators, opened);
}

function withLimits(text: string, changes: readonly RelaxedChange[], opened: OpenedCase): string {
  const module = JSON.parse(text) as ModuleText;
  for (const { id, limit, fromMw, toMw } of changes) {
    const row = module.value?.data?.generators?.[id - 1];
    const field = limit === "minimum" ? "pmin" : "pmax";
    const bus = opened.generators[opened.generatorRow(id)]?.bus;
    if (row === undefined || row.bus !== bus || Math.abs(row[field] - fromMw) > SAME * Math.max(1, Math.abs(fromMw))) {
      const generator = { element: { kind: "generator", id } };
      throw clientError("INTERNAL", "client.generator_limits_moved", { generator }, { details: { generator: id } });
    }
    row[field] = toMw;
  }
  return JSON.stringify(module);
}

/** Copies the drawing to a case made from another one: modules hold no drawings. */
export function keepDrawing(from: OpenedCase, made: OpenedCase): void {
  const { drawing } = from.geography;
  if (drawing !== null && made.geography.drawing === null) {
    made.geography.setDrawing(drawing);
  }
}
