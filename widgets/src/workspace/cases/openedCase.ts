import type {
  AddedElements,
  BranchEdits,
  GeneratorEdits,
  IngestedCase,
  TopologyBranch,
  TopologyBus,
  TopologyGenerator,
  TopologyLink,
  TopologyStorage,
} from "@service/engine";
import { addedKey } from "../edits/added.ts";
import { baseCost } from "../edits/generatorEdits.ts";
import type { Namer } from "../../text/index.ts";
import { Geography, type GeographyEngine } from "../geography/geography.ts";
import type { NetworkGraph } from "./networkGraph.ts";
import { trans } from "../../text/index.ts";
import {
  type BranchValue,
  type GeneratorElement,
  isBranchValue,
  type SelectableKind,
  type Selection,
} from "./selection.ts";
import type { RelaxedChange } from "./relaxedChange.ts";

/** How a case was made in this page. */
export type CaseOrigin = RelaxedOrigin | CostsOrigin;

/** A case made by a relaxation of another one's data. */
export interface RelaxedOrigin {
  readonly kind: "relaxed";
  /** Name of the case it was made from. */
  readonly name: string;
  /** What was changed, line by line. */
  readonly changes: readonly RelaxedChange[];
}

/** A case made by assuming costs. */
export interface CostsOrigin {
  readonly kind: "costs";
  readonly name: string;
  /** The case as it was read, to return to. */
  readonly read: IngestedCase;
}

/** The part of a module that holds the values of branches: row k is the branch with id k + 1; a tap of 0 stands for 1. */
interface ModuleText {
  value?: { data?: { branches?: readonly ({ from: number; to: number } & Readonly<Record<BranchValue, number>>)[] } };
}

/** The values of edits that replace those of branches. */
interface BranchValues {
  readonly branches?: Readonly<BranchEdits>;
}

/**
 * A case as the engine read it, with the look-ups that views need. All sessions on the same bytes share it together
 * with its geography: positions are not part of a case's identity.
 */
export class OpenedCase implements Namer, NetworkGraph {
  readonly ingested: IngestedCase;
  /** Display name. */
  readonly name: string;
  /** How it was made in this page; null for a case from a file, a server or a kernel. */
  readonly origin: CaseOrigin | null;
  /** Its positions and drawings. */
  readonly geography: Geography;
  /** Whether any bus has a name. */
  readonly named: boolean;
  /** The rows of the case as it was read. */
  readonly rowsOfCase: CaseRows;
  /** The typical costs of the generators without a cost in the file, as edits; known when a session opens. */
  typicalCosts: Readonly<GeneratorEdits> = {};
  #rows: CaseRows;
  /** Rows with the elements that states of a session add, by `addedKey`. */
  readonly #extended = new Map<string, CaseRows>();
  /** Reactance (pu), tap ratio and phase shift (degrees) by branch row; null until one is read. */
  #branchValues: Readonly<Record<BranchValue, Float64Array>> | null = null;

  private constructor(
    parts: Pick<OpenedCase, "ingested" | "name" | "origin" | "rowsOfCase">,
    geography: MakeGeography,
  ) {
    this.ingested = parts.ingested;
    this.name = parts.name;
    this.origin = parts.origin;
    this.rowsOfCase = this.#rows = parts.rowsOfCase;
    this.named = this.buses.some(({ name }) => name !== null && name !== "");
    this.geography = geography(this);
  }

  /** A case that was read or made. */
  static of(
    ingested: IngestedCase,
    engine: GeographyEngine,
    name = ingested.name,
    origin: CaseOrigin | null = null,
  ): OpenedCase {
    const parts = { ingested, name, origin, rowsOfCase: new CaseRows(ingested.topology) };
    return new OpenedCase(parts, (graph) => new Geography(engine, graph, ingested));
  }

  /** The case for one session, whose states may add elements to it. Positions and drawings are shared. */
  forSession(): OpenedCase {
    const opened = new OpenedCase(this, () => this.geography);
    opened.typicalCosts = this.typicalCosts;
    return opened;
  }

  /** Reads the rows with added elements, unless they are known; `describe` is the engine's description of the case with them. */
  async learn(
    added: AddedElements | undefined,
    describe: (added: AddedElements) => Promise<IngestedCase>,
  ): Promise<void> {
    const key = addedKey(added);
    if (added !== undefined && key !== "" && !this.#extended.has(key)) {
      this.#extended.set(key, new CaseRows((await describe(added)).topology));
    }
  }

  /** Has the rows of a state with added elements, which `learn` has read. */
  show(added: AddedElements | undefined): void {
    const key = addedKey(added);
    this.#rows = key === "" ? this.rowsOfCase : (this.#extended.get(key) ?? this.rowsOfCase);
  }

  get buses(): readonly TopologyBus[] {
    return this.#rows.buses;
  }

  get branches(): readonly TopologyBranch[] {
    return this.#rows.branches;
  }

  /** Dense branch rows of the switches. */
  get switchRows(): readonly number[] {
    return this.#rows.switchRows;
  }

  get generators(): readonly TopologyGenerator[] {
    return this.#rows.generators;
  }

  /** Dense bus row at each end of every branch. */
  get fromRow(): Int32Array {
    return this.#rows.fromRow;
  }

  get toRow(): Int32Array {
    return this.#rows.toRow;
  }

  get links(): readonly TopologyLink[] {
    return this.#rows.links;
  }

  get storage(): readonly TopologyStorage[] {
    return this.#rows.storage;
  }

  get linkEnds(): readonly (readonly [from: number, to: number])[] {
    return this.#rows.linkEnds;
  }

  get busCount(): number {
    return this.buses.length;
  }

  get moduleBuses(): number {
    return this.ingested.n_bus;
  }

  /** SHA-256 of the module text: the identity of the case. */
  get sha256(): string {
    return this.ingested.sha256;
  }

  /** The retained module, from which Studies are made. */
  get moduleJson(): string {
    return this.ingested.module_json;
  }

  /** Dense row of a bus, -1 when the case has no such bus. */
  busRow(id: number): number {
    return this.#rows.busRow.get(id) ?? -1;
  }

  /** Dense row of a branch, -1 when the case has no such branch. */
  branchRow(id: number): number {
    return this.#rows.branchRow.get(id) ?? -1;
  }

  /** Dense row of a selected element, -1 when the case has no such element. */
  rowOf(selection: Selection): number {
    switch (selection.kind) {
      case "bus":
        return this.busRow(selection.id);
      case "branch":
        return this.branchRow(selection.id);
      case "generator":
        return this.generatorRow(selection.id);
      case "link":
        return this.links.findIndex(({ id }) => id === selection.id);
      case "storage":
        return this.storage.findIndex(({ id }) => id === selection.id);
    }
  }

  /** Dense row of a generator, -1 when the case has no such generator. */
  generatorRow(id: number): number {
    return this.#rows.generatorRow.get(id) ?? -1;
  }

  /** Dense rows of the generators at a bus, in their order. */
  generatorsAt(bus: number): readonly number[] {
    return this.#rows.generatorsAt.get(bus) ?? [];
  }

  /** Id of the bus an element is connected to; for a branch or link its from bus. */
  busOf(selection: Selection): number {
    const row = this.rowOf(selection);
    switch (selection.kind) {
      case "bus":
        return selection.id;
      case "branch":
        return this.branches[row]?.from ?? 0;
      case "generator":
        return this.generators[row]?.bus ?? 0;
      case "link":
        return this.links[row]?.from ?? 0;
      case "storage":
        return this.storage[row]?.bus ?? 0;
    }
  }

  /** Whether an element is one of the source; star points and windings of three-winding transformers are internal. */
  isEditable(selection: Selection): boolean {
    const row = this.rowOf(selection);
    switch (selection.kind) {
      case "bus":
        return this.buses[row]?.editable === true;
      case "branch":
        return this.branches[row]?.editable === true;
      case "generator":
        return this.generators[row] !== undefined;
      case "link":
        return this.links[row] !== undefined;
      case "storage":
        return this.storage[row] !== undefined;
    }
  }

  busId(row: number): number {
    return this.buses[row]?.id ?? 0;
  }

  busName(row: number): string | null {
    return this.buses[row]?.name ?? null;
  }

  busKeyRow(key: number | string): number {
    return this.busRow(Number(key));
  }

  branchKeyRow(key: number | string): number {
    return this.branchRow(Number(key));
  }

  /** Dense row of an edit key, which is an original id in digits or a row uid; -1 when unknown. */
  keyRow(kind: SelectableKind, key: string): number {
    return this.#rows.keyRow[kind].get(key) ?? -1;
  }

  /**
   * Demand of a bus, rating of a branch, limit of a generator or link, schedule of a link or held power of a storage unit in the base
   * case, MW, the marginal cost of a generator or the value of stored energy, $/MWh, or another value of a branch (reactance in pu, tap ratio, phase shift in degrees): the value from
   * which changes count. A rating in the `branches` of edits replaces that of the case. Zero where there is no such value.
   */
  baseMw(selection: Selection, edits: BranchValues = {}): number {
    return this.baseOrNone(selection, edits) ?? 0;
  }

  /**
   * As `baseMw`; null where the case has no value: a generator may have no limit, a line without impedance no rating.
   */
  baseOrNone(selection: Selection, { branches = {} }: BranchValues = {}): number | null {
    const row = this.rowOf(selection);
    switch (selection.kind) {
      case "bus":
        return this.buses[row]?.demand_mw ?? null;
      case "branch":
        return isBranchValue(selection)
          ? this.#branchValue(row, selection.value)
          : (branches[String(selection.id)]?.rating ?? this.branches[row]?.rate_mw ?? null);
      case "generator": {
        const unit = this.generators[row];
        const value = unit === undefined ? null : baseValue(unit, selection.value);
        return value !== null && Number.isFinite(value) ? value : null;
      }
      case "link": {
        const link = this.links[row];
        return (selection.value === "p" ? link?.p_mw : link?.p_max_mw) ?? null;
      }
      case "storage": {
        const storage = this.storage[row];
        return (selection.value === "energy_value" ? storage?.energy_value : storage?.p_mw) ?? null;
      }
    }
  }

  /** A value of a branch in the base case; null for the arms of three-winding transformers, which have no edits. */
  #branchValue(row: number, value: BranchValue): number | null {
    const values = (this.#branchValues ??= this.#readBranchValues());
    const found = values[value][row] ?? NaN;
    return Number.isNaN(found) ? null : found;
  }

  #readBranchValues(): Readonly<Record<BranchValue, Float64Array>> {
    const rows = (JSON.parse(this.moduleJson) as ModuleText).value?.data?.branches ?? [];
    const read = (of: (row: Readonly<Record<BranchValue, number>>) => number): Float64Array =>
      Float64Array.from(this.branches, ({ from, to, editable, is_switch }, row) => {
        const found = rows[row];
        return editable && is_switch !== true && found?.from === from && found.to === to ? of(found) : NaN;
      });
    return { x: read(({ x }) => x), tap: read(({ tap }) => tap || 1), shift: read(({ shift }) => shift) };
  }

  nameOf(kind: string, id: number): string {
    if (kind === "bus") {
      const name = this.buses[this.busRow(id)]?.name;
      return name && name !== String(id) ? trans.__("bus %1 (%2)", id, name) : trans.__("bus %1", id);
    }
    if (kind === "branch") {
      const branch = this.branches[this.branchRow(id)];
      if (branch === undefined) {
        return trans.__("line %1", id);
      }
      const ends = [this.placeOf(branch.from), this.placeOf(branch.to)] as const;
      return branch.is_switch === true
        ? trans.__("switch %1 (%2 to %3)", id, ...ends)
        : trans.__("line %1 (%2 to %3)", id, ...ends);
    }
    if (kind === "generator") {
      const generator = this.generators[this.generatorRow(id)];
      return generator
        ? trans.__("generator %1 at %2", id, this.nameOf("bus", generator.bus))
        : trans.__("generator %1", id);
    }
    if (kind === "hvdc") {
      return trans.__("HVDC link %1", id); // messages of the engine name the buses beside it
    }
    if (kind === "link") {
      const link = this.links[this.rowOf({ kind, id })];
      return link
        ? trans.__("HVDC link %1 (%2 to %3)", id, this.placeOf(link.from), this.placeOf(link.to))
        : trans.__("HVDC link %1", id);
    }
    if (kind === "storage") {
      const storage = this.storage[this.rowOf({ kind, id })];
      return storage ? trans.__("storage %1 at %2", id, this.nameOf("bus", storage.bus)) : trans.__("storage %1", id);
    }
    return `${kind} ${id}`;
  }

  /** A short label of a bus: its name, or its number where it has no name. */
  placeOf(id: number): string {
    return this.buses[this.busRow(id)]?.name ?? String(id);
  }
}

function baseValue(unit: TopologyGenerator, value: GeneratorElement["value"]): number | null {
  switch (value) {
    case "cost":
      return baseCost(unit);
    case "p_min":
      return unit.p_min_mw;
    case undefined:
      return unit.p_max_mw;
  }
}

type MakeGeography = (graph: NetworkGraph) => Geography;

/** The rows of a network, with look-ups by id. */
export class CaseRows {
  readonly buses: readonly TopologyBus[];
  readonly branches: readonly TopologyBranch[];
  readonly generators: readonly TopologyGenerator[];
  readonly links: readonly TopologyLink[];
  readonly storage: readonly TopologyStorage[];
  /** Dense bus row at each end of every branch. */
  readonly fromRow: Int32Array;
  readonly toRow: Int32Array;
  /** Dense bus rows at the ends of every HVDC link. */
  readonly linkEnds: readonly (readonly [from: number, to: number])[];
  /** Dense branch rows of the switches. */
  readonly switchRows: readonly number[];
  readonly busRow = new Map<number, number>();
  readonly branchRow = new Map<number, number>();
  readonly generatorRow = new Map<number, number>();
  readonly generatorsAt = new Map<number, number[]>();
  readonly keyRow = { bus: new Map<string, number>(), branch: new Map<string, number>() };

  constructor({ buses, branches, generators, links = [], storage = [] }: IngestedCase["topology"]) {
    this.links = links;
    this.storage = storage;
    this.buses = buses;
    this.branches = branches;
    this.generators = generators;
    buses.forEach((bus, row) => {
      this.busRow.set(bus.id, row);
      indexKeys(this.keyRow.bus, bus.id, bus.uid, row);
    });
    this.switchRows = branches.flatMap(({ is_switch }, row) => (is_switch === true ? [row] : []));
    branches.forEach((branch, row) => {
      this.branchRow.set(branch.id, row);
      indexKeys(this.keyRow.branch, branch.id, branch.uid, row);
    });
    generators.forEach(({ id, bus }, row) => {
      this.generatorRow.set(id, row);
      const others = this.generatorsAt.get(bus);
      if (others === undefined) {
        this.generatorsAt.set(bus, [row]);
      } else {
        others.push(row);
      }
    });
    this.fromRow = Int32Array.from(branches, ({ from }) => this.busRow.get(from) ?? -1);
    this.toRow = Int32Array.from(branches, ({ to }) => this.busRow.get(to) ?? -1);
    this.linkEnds = links.map(({ from, to }) => [this.busRow.get(from) ?? -1, this.busRow.get(to) ?? -1]);
  }
}

function indexKeys(map: Map<string, number>, id: number, uid: string | null, row: number): void {
  map.set(String(id), row);
  if (uid !== null) {
    map.set(uid, row);
  }
}
