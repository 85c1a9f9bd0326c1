// Which function of the wasm surface answers which call.
import type { createInstance } from "../../wasm/instance.js";
import type { HandleTable } from "./handleTable.ts";
import { ownerOf } from "../contract/owners.ts";
import type { Column } from "../contract.generated.ts";
import type { Answer, Call, EditTexts } from "../contract/protocol.ts";

/** One initialised wasm instance: the wasm-bindgen surface. */
export type Instance = ReturnType<typeof createInstance>;

/** The objects of an instance that calls refer to. */
export interface HandleTables {
  studies: HandleTable<InstanceType<Instance["Study"]>>;
  layouts: HandleTable<InstanceType<Instance["LayoutRun"]>>;
  contingencies: HandleTable<InstanceType<Instance["ContingencyRun"]>>;
  explanations: HandleTable<InstanceType<Instance["ExplainRun"]>>;
}

/** Answers one call. Throws what the surface throws: the text of an `ErrorBody`, or anything else for a trap. */
export function runCall(instance: Instance, handles: HandleTables, call: Call): Omit<Answer, "ms"> {
  const { studies, layouts, contingencies, explanations } = handles;
  switch (call.op) {
    case "classifyJson":
      return { json: instance.classify_json(call.bytes) };
    case "ingestJsonDrop":
      return { json: instance.ingest_json_drop(call.bytes) };
    case "ingestCase":
      return { json: instance.ingest_case(call.bytes, call.format) };
    case "ingestDistribution":
      return { json: instance.ingest_distribution(call.bytes, call.format, call.companions) };
    case "parseDisplay":
      return { json: instance.parse_display(call.bytes) };

    case "inspectModule":
      return { json: instance.inspect_module(call.module) };
    case "inspectDistribution":
      return { json: instance.inspect_distribution(call.module) };
    case "applyGeo":
      return { json: instance.apply_geo(call.module, call.bytes) };
    case "geoJson":
      return { json: instance.geo_json(call.module) };
    case "applyLayout":
      return { json: instance.apply_layout(call.module, call.positions, call.lon, call.lat, call.scaleKm) };
    case "placement":
      return { json: instance.placement(call.module) };
    case "materialize":
      return { json: materialized(instance, call.module, call) };
    case "exportModule":
      return exported(
        instance,
        call.edits ? materialized(instance, call.module, call.edits) : call.module,
        call.format,
      );
    case "exportFormats":
      return { json: instance.export_formats() };
    case "readSolutionModule":
      return { json: instance.read_solution_module(call.module) };
    case "solveModule":
      return { json: instance.solve_module(call.module, call.request) };
    case "capabilities":
      return { json: instance.capabilities() };

    case "layoutStart":
      layouts.put(call.run, ownerOf(call), () => new instance.LayoutRun(call.module));
      return {};
    case "layoutStep":
      return { json: layouts.get(call.run).step(call.budget) };
    case "layoutFinish": {
      const run = layouts.take(call.run);
      const json = JSON.stringify({ default_scale_km: run.default_scale_km() });
      return { json, positions: run.finish() };
    }
    case "layoutFree":
      layouts.free(call.run);
      return {};

    case "contingenciesStart":
      contingencies.put(call.run, ownerOf(call), () => new instance.ContingencyRun(studies.get(call.study)));
      return {};
    case "contingenciesStep":
      return { json: contingencies.get(call.run).step(call.budget) };
    case "contingenciesFree":
      contingencies.free(call.run);
      return {};

    case "explainStart": {
      const { run, study, deltas, rates } = call;
      explanations.put(run, ownerOf(call), () => new instance.ExplainRun(studies.get(study), deltas, rates));
      return {};
    }
    case "explainModuleStart":
      explanations.put(call.run, ownerOf(call), () => instance.ExplainRun.of_module(call.module, call.request));
      return {};
    case "explainStep":
      return { json: explanations.get(call.run).step(call.budget) };
    case "explainStop":
      return { json: explanations.take(call.run).stop() };
    case "explainFree":
      explanations.free(call.run);
      return {};

    case "createStudy":
      studies.put(call.study, ownerOf(call), () => solved(instance, call));
      return replied(studies.get(call.study).rows());
    case "currentSolution":
      return replied(studies.get(call.study).current_solution());
    case "commit":
      return replied(studies.get(call.study).commit(call.caseId, call.deltas, call.rates, call.target));
    case "preview":
      return replied(studies.get(call.study).preview(call.deltas, call.rates));
    case "sensitivity":
      return replied(studies.get(call.study).sensitivity(call.caseId, call.deltas, call.rates, call.target));
    case "lmpComponents":
      return { json: studies.get(call.study).lmp_components(call.target) };
    case "reset":
      return replied(studies.get(call.study).reset(call.caseId));
    case "track": {
      const { target, fromMw, toMw, watch, explain } = call;
      return { json: studies.get(call.study).track(target, fromMw, toMw, watch, explain) };
    }
    case "trackPrices":
      return { prices: studies.get(call.study).track_prices(call.mw) };
    case "trackState":
      return { json: studies.get(call.study).track_state(call.mw) };
    case "saveSolutionModule":
      return { json: studies.get(call.study).save_solution_module(call.module) };
    case "free":
      studies.free(call.study);
      return {};
    case "leave":
      for (const objects of Object.values(handles) as HandleTables[keyof HandleTables][]) objects.freeAllOf(call.owner);
      return {};
  }
}

/** A study of a case that is open, or of its module. */
function solved(instance: Instance, { module, sha256, formulation, options }: Call & { op: "createStudy" }) {
  return sha256 !== undefined && instance.case_is_open(sha256)
    ? instance.Study.of_case(sha256, formulation, options)
    : new instance.Study(module, formulation, options);
}

/** What the surface gives as an object: texts, and columns whose buffers can be transferred. */
function replied(reply: object): { json: string; columns: Column[] } {
  return reply as { json: string; columns: Column[] };
}

function materialized(instance: Instance, module: string, { deltas, rates }: EditTexts): string {
  return instance.materialize_module(module, deltas, rates);
}

function exported(instance: Instance, module: string, format: string): Omit<Answer, "ms"> {
  const { bytes, file_name, warnings } = instance.export_module(module, format) as {
    bytes: Uint8Array;
    file_name: string;
    warnings: string;
  };
  return { bytes, json: `{"file_name":${JSON.stringify(file_name)},"warnings":${warnings}}` };
}
