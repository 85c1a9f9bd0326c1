// Maps each call to a function of the wasm surface.
import type { createInstance } from "../../wasm/instance.js";
import type { HandleTable } from "./handleTable.ts";
import { ownerOf } from "../contract/owners.ts";
import type { Column } from "../contract.generated.ts";
import type { Answer, Call } from "../contract/protocol.ts";

/** One initialised wasm instance: the wasm-bindgen surface. */
export type Instance = ReturnType<typeof createInstance>;

/** The objects of an instance, by the ids in calls. */
export interface HandleTables {
  studies: HandleTable<InstanceType<Instance["Study"]>>;
  feeders: HandleTable<Instance["McStudy"]["prototype"]>;
  jobs: HandleTable<Instance["Job"]["prototype"]>;
  series: HandleTable<Instance["Series"]["prototype"]>;
}

/** Runs one call. Rethrows what the surface throws: the text of an `ErrorBody`, or any other value for a trap. */
export function runCall(instance: Instance, handles: HandleTables, call: Call): Omit<Answer, "ms"> {
  const { studies, feeders, jobs, series } = handles;
  switch (call.op) {
    case "classifyJson":
      return { json: instance.classify_json(call.bytes) };
    case "ingestJsonDrop":
      return replied(instance.ingest_json_drop(call.bytes));
    case "ingestCase":
      return replied(instance.ingest_case(call.bytes, call.format));
    case "ingestDistribution":
      return { json: instance.ingest_distribution(call.bytes, call.format, call.companions) };
    case "parseDisplay":
      return { json: instance.parse_display(call.bytes) };
    case "isSecurityList":
      return { json: String(instance.is_security_list(call.name, call.bytes)) };
    case "isCostTable":
      return { json: String(instance.is_cost_table(call.bytes)) };
    case "readStudyBundle":
      return { json: instance.read_study_bundle(call.bytes) };
    case "writeStudyBundle":
      return { json: "null", bytes: instance.write_study_bundle(call.bundle, call.gzip) };
    case "readMcStudyBundle":
      return { json: instance.read_mc_study_bundle(call.bytes) };
    case "writeMcStudyBundle":
      return { json: "null", bytes: instance.write_mc_study_bundle(call.text, call.gzip) };
    case "figurePdf":
      return { json: "null", bytes: instance.figure_pdf(call.svg, call.widthCm) };

    case "inspectModule":
      return replied(instance.inspect_module(call.module));
    case "inspectDistribution":
      return { json: instance.inspect_distribution(call.module) };
    case "applyGeo":
      return replied(instance.apply_geo(call.module, call.bytes));
    case "geoJson":
      return { json: instance.geo_json(call.module) };
    case "applyLayout":
      return replied(instance.apply_layout(call.module, call.positions, call.lon, call.lat, call.scaleKm));
    case "placement":
      return { json: instance.placement(call.module) };
    case "materialize":
      return { json: instance.materialize_module(call.module, call.edits) };
    case "typicalCosts":
      return { json: instance.typical_costs() };
    case "readSecurityLists":
      return { json: instance.read_security_lists(call.module, call.files) };
    case "unitsByFuel":
      return { json: instance.units_by_fuel(call.module, call.fuels) };
    case "assumeCosts":
      return { json: instance.assume_costs(call.module, call.costs, call.table) };
    case "costEdits":
      return { json: instance.cost_edits(call.module, call.costs, call.table) };
    case "exportModule":
      return exported(
        instance,
        call.edits ? instance.materialize_module(call.module, call.edits) : call.module,
        call.format,
      );
    case "exportFormats":
      return { json: instance.export_formats() };
    case "readSolutionModule":
      return replied(instance.read_solution_module(call.module));
    case "solveModule":
      return replied(instance.solve_module(call.module, call.request));
    case "capabilities":
      return { json: instance.capabilities() };

    case "jobStart":
      jobs.put(call.run, ownerOf(call), () => started(instance, handles, call));
      return {};
    case "jobStep":
      return { json: jobs.get(call.run).step(call.budget) };
    case "jobFinish": {
      const job = jobs.take(call.run);
      return replied(call.keep ? studies.get(call.study as number).keep(job) : job.finish());
    }
    case "jobOpen":
      studies.put(call.study, ownerOf(call), () => instance.Study.of_job(jobs.take(call.run)));
      return replied(studies.get(call.study).rows());
    case "jobFree":
      jobs.free(call.run);
      return {};

    case "seriesStart":
      series.put(call.run, ownerOf(call), () => new instance.Series(studies.get(call.study), call.spec));
      return {};
    case "seriesSolve":
      return replied(series.get(call.run).solve(call.changes));
    case "seriesFree":
      series.free(call.run);
      return {};

    case "createStudy":
      studies.put(call.study, ownerOf(call), () => solved(instance, call));
      return replied(studies.get(call.study).rows());
    case "currentSolution":
      return replied(studies.get(call.study).current_solution());
    case "networkWith":
      return replied(studies.get(call.study).network_with(call.added));
    case "commit": {
      const study = studies.get(call.study);
      const args = [call.caseId, call.edits, call.target] as const;
      return replied(call.hashLater ? study.unhashed_commit(...args) : study.commit(...args));
    }
    case "resultSha256":
      return { json: studies.get(call.study).result_sha256() };
    case "preview":
      return replied(studies.get(call.study).preview(call.edits));
    case "sensitivity":
      return replied(studies.get(call.study).sensitivity(call.caseId, call.edits, call.target));
    case "lmpComponents":
      return { json: studies.get(call.study).lmp_components(call.target) };
    case "outageFlows":
      return { flows: studies.get(call.study).outage_flows(call.target) };
    case "outageColumns":
      return replied(studies.get(call.study).outage_columns(call.target));
    case "reset":
      return replied(studies.get(call.study).reset(call.caseId));
    case "trackPrices":
      return { prices: studies.get(call.study).track_prices(call.mw) };
    case "trackState":
      return replied(studies.get(call.study).track_state(call.mw));
    case "saveSolutionModule":
      return { json: studies.get(call.study).save_solution_module(call.module) };
    case "syntheticDemand":
      return replied(studies.get(call.study).synthetic_demand(call.startS, call.hours, call.seed));
    case "readProfile":
      return replied(studies.get(call.study).read_profile(call.bytes));
    case "free":
      studies.free(call.study);
      return {};
    case "mcOpen": {
      const { McStudy } = instance;
      feeders.put(call.feeder, ownerOf(call), () => new McStudy(call.module, call.options, call.loads));
      const [rows, result] = [replied(feeders.get(call.feeder).rows()), replied(feeders.get(call.feeder).result())];
      const json = `{"rows":${rows.json},"result":${result.json}}`;
      return { json, columns: [...rows.columns, ...result.columns] };
    }
    case "mcCommit":
      return replied(feeders.get(call.feeder).commit(call.loads));
    case "mcPreview":
      return replied(feeders.get(call.feeder).preview(call.loads));
    case "mcSave":
      return { json: feeders.get(call.feeder).saved(call.module) };
    case "mcFree":
      feeders.free(call.feeder);
      return {};
    case "mcReplay":
      return replied(instance.replay_mc_study(call.text));
    case "mcApplyGeo":
      return { json: instance.apply_mc_study_geo(call.text, call.bytes) };

    case "leave":
      for (const objects of Object.values(handles) as HandleTables[keyof HandleTables][]) objects.freeAllOf(call.owner);
      return {};
  }
}

/** A job of a study or of a module. */
function started({ Job }: Instance, { studies }: HandleTables, { what, study }: Call & { op: "jobStart" }) {
  const of = () => studies.get(study as number);
  switch (what.kind) {
    case "layout":
      return Job.layout(what.module);
    case "screening":
      return Job.screening(of(), what.options);
    case "loadability":
      return Job.loadability(of(), what.target);
    case "day":
      return Job.day(of(), what.spec, what.values);
    case "plan":
      return Job.plan(of(), what.spec);
    case "explanation":
      return Job.explanation(of(), what.edits);
    case "explanationOfModule":
      return Job.explanation_of_module(what.module, what.request);
    case "study":
      return Job.study(what.sha256 ?? "", what.module, what.formulation, what.options);
    case "commit":
      return Job.commit(of(), what.caseId, what.edits, what.target);
    case "track":
      return Job.track(of(), what.target, what.fromMw, what.toMw, what.watch, what.explain);
  }
}

/** Creates a study from an open case, or from its module. */
function solved(instance: Instance, { module, sha256, formulation, options }: Call & { op: "createStudy" }) {
  return sha256 !== undefined && instance.case_is_open(sha256)
    ? instance.Study.of_case(sha256, formulation, options)
    : new instance.Study(module, formulation, options);
}

/** Splits a reply of the surface into texts, and columns whose buffers can be transferred. */
function replied(reply: unknown): { json: string; columns: Column[]; matrices?: Float64Array[] } {
  return reply as { json: string; columns: Column[]; matrices?: Float64Array[] };
}

function exported(instance: Instance, module: string, format: string): Omit<Answer, "ms"> {
  const { bytes, file_name, warnings } = instance.export_module(module, format) as {
    bytes: Uint8Array;
    file_name: string;
    warnings: string;
  };
  return { bytes, json: `{"file_name":${JSON.stringify(file_name)},"warnings":${warnings}}` };
}
