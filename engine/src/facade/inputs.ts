// Checks arguments of JavaScript callers before they become JSON, which has no NaN and hides wrong types.
import type {
  AddedElements,
  BranchEdits,
  DemandDeltas,
  Edits,
  GeneratorEdits,
  InterfaceEdits,
  LinkEdits,
  RatingDeltas,
  SensTarget,
  StorageEdits,
} from "../contract.generated.ts";
import { type ClientKey, clientError } from "../contract/errors.ts";

/** What a file contains: a key of the catalogue, or the path of a companion file. */
type FileOf =
  | Extract<
      ClientKey,
      | "client.case_file"
      | "client.cost_table"
      | "client.display_file"
      | "client.geographic_layer"
      | "client.profile"
      | "client.study_file"
    >
  | { file: string };

/** The bytes of a file. Refuses a string, because reading a file as text may have damaged it. */
export function caseBytes(value: unknown, of: FileOf = "client.case_file"): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (Object.prototype.toString.call(value) === "[object Uint8Array]") return value as Uint8Array;
  const what =
    typeof of === "string" ? { key: of } : { key: "client.companion_file", values: { file: { text: of.file } } };
  throw clientError("INPUT.NOT_BYTES", "client.not_bytes", { what: { message: what }, type: { text: typeof value } });
}

/** The files that a feeder includes, as pairs of relative path and bytes. */
export function companionFiles(companions: Record<string, Uint8Array>): [string, Uint8Array][] {
  return Object.entries(companions).map(([name, bytes]) => [name, caseBytes(bytes, { file: name })]);
}

/** The text of a retained module, as `ingestCase` returns it. */
export function moduleText(value: unknown): string {
  if (typeof value === "string") return value;
  throw clientError("INPUT.NOT_MODULE", "client.not_module", {});
}

/** A retained module, with its hash if the caller gives it. */
export function moduleGiven(value: unknown): { module: string; sha256?: string } {
  if (typeof value !== "object" || value === null || !("module_json" in value)) return { module: moduleText(value) };
  const { module_json, sha256 } = value as { module_json: unknown; sha256?: unknown };
  return { module: moduleText(module_json), sha256: tokenText(sha256, "sha256") };
}

/** The text of a solution module, as `saveSolutionModule` returns it. */
export function solutionModuleText(value: unknown): string {
  if (typeof value === "string") return value;
  throw clientError("INPUT.NOT_MODULE", "client.not_solution_module", {});
}

/** The text argument `name`, for instance a format token or a case id. */
export function tokenText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw clientError("INPUT.NOT_TEXT", "client.not_text", { name: { text: name } });
}

/** The name of the case in results. */
export function caseIdText(value: unknown): string {
  return tokenText(value, "caseId");
}

/** The object argument `name`; refuses any other type. */
export function objectGiven<T extends object>(value: T, code: string, name: string): T {
  if (typeof value === "object" && (value as T | null) !== null && !Array.isArray(value)) return value;
  throw clientError(code, "client.not_object", { name: { text: name } });
}

type NotFinite = "client.demand_not_finite" | "client.reactive_not_finite" | "client.rating_not_finite";
type ValueNotFinite =
  | "client.generator_not_finite"
  | "client.branch_not_finite"
  | "client.link_not_finite"
  | "client.storage_not_finite"
  | "client.interface_not_finite";

/** Refuses numbers that are not finite, which JSON would turn into null. */
function checkDeltas(name: string, deltas: DemandDeltas | RatingDeltas, code: string, says: NotFinite): void {
  for (const [key, value] of Object.entries(objectGiven(deltas, code, name))) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw clientError(code, says, { key: { text: key } });
    }
  }
}

/** The same for the values of `generators`, `branches`, `links`, `storage` or `interfaces`. */
function checkValues(
  name: string,
  edits: GeneratorEdits | BranchEdits | LinkEdits | StorageEdits | InterfaceEdits,
  code: string,
  says: ValueNotFinite,
): void {
  for (const [key, values] of Object.entries(objectGiven(edits, code, name))) {
    for (const [field, value] of Object.entries(objectGiven(values, code, `${name}[${key}]`))) {
      if (typeof value === "number" && !Number.isFinite(value)) {
        throw clientError(code, says, { key: { text: key }, name: { text: field } });
      }
    }
  }
}

/**
 * Edits other than demand and ratings: `reactive`, changes of reactive demand in MVAr at buses without a constant power factor;
 * `generators`, `branches`, `links` and `storage`, values that replace those of the case; `interfaces`, limits that replace those of the
 * option `limits`; `added`, elements that the case does not have.
 */
export type FurtherEdits = Omit<Edits, "deltas" | "rates">;

/** All edits as the JSON of `Edits`; changes of demand and ratings are in MW. */
export function editsJson(
  deltas: DemandDeltas,
  rates: RatingDeltas = {},
  {
    reactive = {},
    generators = {},
    branches = {},
    links = {},
    storage = {},
    interfaces = {},
    added = {},
  }: FurtherEdits = {},
): string {
  checkDeltas("deltas", deltas, "DELTA.MALFORMED", "client.demand_not_finite");
  checkDeltas("rates", rates, "RATE.MALFORMED", "client.rating_not_finite");
  checkDeltas("reactive", reactive, "DELTA.MALFORMED", "client.reactive_not_finite");
  checkValues("generators", generators, "GENERATOR.MALFORMED", "client.generator_not_finite");
  checkValues("branches", branches, "BRANCH.MALFORMED", "client.branch_not_finite");
  checkValues("links", links, "LINK.MALFORMED", "client.link_not_finite");
  checkValues("storage", storage, "STORAGE.MALFORMED", "client.storage_not_finite");
  checkValues("interfaces", interfaces, "INTERFACE.MALFORMED", "client.interface_not_finite");
  checkAdded(added);
  const values = { generators, branches, links, storage, interfaces };
  return JSON.stringify({ deltas, rates, reactive, ...values, added } satisfies Edits);
}

/** The elements that edits add, as the JSON of `AddedElements`; undefined without any. */
export function addedJson({ added = {} }: FurtherEdits = {}): string | undefined {
  return Object.values(added).some((rows: readonly object[]) => rows.length > 0) ? JSON.stringify(added) : undefined;
}

function checkAdded(added: AddedElements): void {
  for (const [table, rows] of Object.entries(objectGiven(added, "ADDED.MALFORMED", "added"))) {
    for (const row of listGiven(rows as readonly object[], `added.${table}`)) {
      for (const [field, value] of Object.entries(objectGiven(row, "ADDED.MALFORMED", `added.${table}`))) {
        if (typeof value === "number" && !Number.isFinite(value)) {
          throw clientError("ADDED.MALFORMED", "client.added_not_finite", { name: { text: field } });
        }
      }
    }
  }
}

/** A sensitivity target as JSON; null requests no column. */
export function targetJson(target: SensTarget | null): string {
  return JSON.stringify(target ?? null);
}

/** A bus as JSON, by number or uid; null if absent. */
export function elementKeyJson(key: number | string | null): string {
  if (key === null || typeof key === "number" || typeof key === "string") return JSON.stringify(key);
  throw clientError("INPUT.REQUEST", "client.watched_bus", {});
}

/** A position on a track, MW; refuses anything else. */
export function trackPosition(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw clientError("INPUT.REQUEST", "client.track_position", {});
}

/** Seconds since 1970; refuses anything but a valid date. */
export function secondsOf(start: unknown): number {
  const seconds = Object.prototype.toString.call(start) === "[object Date]" ? (start as Date).getTime() / 1000 : NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw clientError("PROFILE.MALFORMED", "client.start", {});
}

/** The whole number `name`; refuses anything else. */
export function wholeNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw clientError("PROFILE.MALFORMED", "client.not_whole", { name: { text: name } });
}

/** Changes of a series, MW; refuses anything but a `Float64Array`. */
export function changesGiven(value: unknown): Float64Array {
  if (Object.prototype.toString.call(value) === "[object Float64Array]") return value as Float64Array;
  throw clientError("INPUT.REQUEST", "client.changes", {});
}

/** The list `name`; refuses anything else. */
export function listGiven<T>(value: readonly T[], name: string): readonly T[] {
  if (Array.isArray(value)) return value;
  throw clientError("INPUT.REQUEST", "client.not_list", { name: { text: name } });
}

/** Positions of a layout or a placement as the flat array of the engine. */
export function flatPositions(value: Float64Array | readonly (readonly [number, number])[]): Float64Array {
  if (Object.prototype.toString.call(value) === "[object Float64Array]") return value as Float64Array;
  if (Array.isArray(value)) return Float64Array.from((value as [number, number][]).flat());
  throw clientError("INPUT.PLACEMENT", "client.positions", {});
}

/** The centre and scale of a layout. The engine checks their ranges. */
export function layoutPlace(place: { centre: readonly [number, number]; scale_km?: number }): {
  lon: number;
  lat: number;
  scaleKm?: number;
} {
  const { centre, scale_km } = place;
  if (!Array.isArray(centre) || centre.length !== 2 || !centre.every((degrees) => typeof degrees === "number")) {
    throw clientError("INPUT.PLACEMENT", "client.centre", {});
  }
  if (scale_km !== undefined && typeof scale_km !== "number") {
    throw clientError("INPUT.PLACEMENT", "client.scale", {});
  }
  const [lon, lat] = centre;
  return { lon, lat, ...(scale_km !== undefined && { scaleKm: scale_km }) };
}
