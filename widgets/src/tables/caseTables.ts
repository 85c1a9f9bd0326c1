import {
  formatAngle,
  formatCount,
  formatDerivative,
  formatLoading,
  formatMw,
  formatPerUnit,
  formatPrice,
  formatPriceChange,
  formatShadow,
  loadingState,
  loadingWords,
  quantityWords,
  trans,
} from "../text/index.ts";
import {
  branchLosses,
  type CaseSession,
  deltaOf,
  type NamedQuantity,
  PRICE,
  type QuantityTable,
  type Selection,
  SHADOW_PRICE,
} from "../workspace/index.ts";

/** What a table lists. */
export type TableKind = "buses" | "branches" | "generators";

/** The kinds of table with their titles. */
export function tableKinds(): readonly [kind: TableKind, title: string][] {
  return [
    ["buses", trans.__("Buses")],
    ["branches", trans.__("Lines")],
    ["generators", trans.__("Generators")],
  ];
}

/** How a table is ordered. */
export interface Sorting {
  /** Key of the column. */
  key: string;
  descending: boolean;
}

/** One column of a table. Rows are dense rows of the case. */
export interface TableColumn {
  /** Name in files and in filters; its unit follows an underscore. */
  readonly key: string;
  /** Short name in filters; {@link filterWord} has it in the language of the page. */
  readonly word: string;
  readonly title: string;
  readonly unit: string;
  /** Width in a table of plain size, px. */
  readonly width: number;
  /** The quantity of the state that it shows, or is worked out from; without it the column is absent. */
  readonly needs?: string;
  /** Whether it moves with a preview. */
  readonly live?: boolean;
  /** What it is sorted and filtered by, and written to files; NaN and "" where there is nothing. */
  value(row: number): number | string;
  /** What is shown. */
  text(row: number): string;
  /** What it is ordered by, where that is not its value: a change by its size. */
  order?(row: number): number;
  /** The number that filters compare, where what is shown has another unit: a loading in per cent. */
  shown?(row: number): number;
}

/** A table of one kind of element at the state shown. The first column names the element. */
export interface CaseTable {
  readonly kind: TableKind;
  readonly count: number;
  /** How it is ordered when it is opened. */
  readonly sorting: Sorting;
  readonly columns: readonly TableColumn[];
  /** What of a row is selected on the map: the element, or the bus of a generator. */
  elementOf(row: number): Selection | null;
  /** Dense row of a selected element, -1 when it is in another table. */
  rowOf(element: Selection): number;
  /** Marks a row that stands out, in a word: `binds`. Empty for others. */
  markOf(row: number): string;
  /** Columns from the first on that a narrow table still shows without scrolling: what names an element, and one number. */
  readonly leading: number;
  /** Whether a row comes after all others, whatever the order: a star point, which is no bus of the case. */
  isLast?(row: number): boolean;
  /** Why there are more rows than the case has elements, in words. */
  readonly remark?: string;
}

/** The table of one kind over a session; its numbers are those shown at the moment of asking. */
export function caseTable(session: CaseSession, kind: TableKind): CaseTable {
  switch (kind) {
    case "buses":
      return busTable(session);
    case "branches":
      return branchTable(session);
    case "generators":
      return generatorTable(session);
  }
}

const price = (value: number): string => (Number.isFinite(value) ? formatPrice(value) : "");
const change = (value: number): string => (value === 0 || Number.isNaN(value) ? "" : formatMw(value, SIGNED));
const mw = (value: number): string => (Number.isFinite(value) ? formatMw(value) : "");
const perUnit = (value: number): string => (Number.isFinite(value) ? formatPerUnit(value) : "");
const SIGNED = { signed: true };

/** By price, the highest first; without prices by voltage, the lowest first, or by number. */
function busSorting(columns: QuantityTable): Sorting {
  if (columns.has(PRICE)) {
    return { key: "price_usd_per_mwh", descending: true };
  }
  return { key: columns.has("vm_pu") ? "vm_pu" : "bus", descending: false };
}

function busTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { buses } = opened;
  const priceChange = (row: number): number => store.shownAt(PRICE, row) - session.reference.columns.at(PRICE, row);
  const demandChange = (row: number): number => deltaOf(session.state.edits, { kind: "bus", id: opened.busId(row) });
  const response = (row: number): number => store.column?.[row] ?? NaN;
  const radians = (row: number): number => store.columns.at("va_rad", row);
  const isStar = (row: number): boolean => buses[row]?.editable === false;
  const state = (row: number): string =>
    isStar(row) ? "star point" : buses[row]?.in_service === false ? "isolated" : "";
  const stars = buses.filter((_, row) => isStar(row)).length;
  const hasStates = buses.some((_, row) => state(row) !== "");
  return {
    kind: "buses",
    count: buses.length,
    sorting: busSorting(store.columns),
    columns: listed(session, "bus", [
      id("bus", trans.__("Bus"), (row) => buses[row]?.id ?? NaN),
      ...(opened.named ? [text("name", trans.__("Name"), 120, (row) => buses[row]?.name ?? "")] : []),
      ...needing(
        PRICE,
        number(
          "price_usd_per_mwh",
          "price",
          trans.__("Price"),
          "$/MWh",
          78,
          (row) => store.shownAt(PRICE, row),
          price,
          true,
        ),
        number("price_change_usd_per_mwh", "change", trans.__("Change"), "$/MWh", 84, priceChange, signedPrice, true),
        number(
          "response_usd_per_mwh_per_mw",
          "response",
          trans.__("LMP sensitivity"),
          "($/MWh)/MW",
          104,
          response,
          derivative,
        ),
      ),
      ...needing(
        "vm_pu",
        number(
          "vm_pu",
          "voltage",
          trans.__("Voltage magnitude"),
          "p.u.",
          84,
          (row) => store.shownAt("vm_pu", row),
          perUnit,
        ),
      ),
      ...needing(
        "demand_mw",
        number("demand_mw", "demand", trans.__("Demand"), "MW", 86, (row) => store.columns.at("demand_mw", row), mw),
      ),
      number("demand_change_mw", "moved", trans.__("Demand change"), "MW", 80, demandChange, change),
      number(
        "base_kv",
        "kv",
        trans.__("Base kV"),
        "",
        60,
        (row) => buses[row]?.base_kv ?? NaN,
        (value) => String(value),
      ),
      {
        ...number("angle_rad", "angle", trans.__("Angle"), trans.__("degrees"), 78, radians, angle),
        needs: "va_rad",
        shown: (row) => degrees(radians(row)),
      },
      ...(hasStates ? [stated(state, (row) => stateWords(state(row)))] : []),
    ]),
    elementOf: (row) => (buses[row] === undefined ? null : { kind: "bus", id: opened.busId(row) }),
    rowOf: (element) => (element.kind === "bus" ? opened.busRow(element.id) : -1),
    markOf: (row) => (buses[row]?.in_service === false ? "isolated" : ""),
    leading: 3,
    isLast: isStar,
    ...(stars === 0
      ? {}
      : {
          remark: trans._n(
            "%2 buses and %3 star point of a three-winding transformer, listed last",
            "%2 buses and %3 star points of three-winding transformers, listed last",
            stars,
            formatCount(buses.length - stars),
            formatCount(stars),
          ),
        }),
  };
}

function branchTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { branches } = opened;
  const end = (bus: number | undefined): string => (bus === undefined ? "" : opened.placeOf(bus));
  const loading = (row: number): number => store.columns.at("loading", row);
  const shadow = (row: number): number => store.columns.at(SHADOW_PRICE, row);
  const isWinding = (row: number): boolean => branches[row]?.editable === false;
  const state = (row: number): string => {
    const own = loadingState(loading(row), shadow(row));
    return !isWinding(row) ? own : own === "" ? "winding" : `winding, ${own}`;
  };
  const words = (row: number): string => {
    const own = loadingWords(loading(row), shadow(row));
    return !isWinding(row) ? own : own === "" ? trans.__("winding") : trans.__("winding, %1", own);
  };
  const windings = branches.filter((_, row) => isWinding(row)).length;
  const losses = branchLosses(store.columns);
  return {
    kind: "branches",
    count: branches.length,
    sorting: { key: "loading", descending: true },
    columns: listed(session, "branch", [
      id("line", trans.__("Line"), (row) => branches[row]?.id ?? NaN),
      text("from", trans.__("From"), opened.named ? 110 : 64, (row) => end(branches[row]?.from)),
      text("to", trans.__("To"), opened.named ? 110 : 64, (row) => end(branches[row]?.to)),
      {
        ...number("loading", "loading", trans.__("Loading"), "%", 84, loading, (value) =>
          Number.isFinite(value) ? formatLoading(value).replace(" %", "") : "",
        ),
        needs: "loading",
        shown: (row) => 100 * loading(row),
      },
      stated(state, words),
      ...needing(
        SHADOW_PRICE,
        number("shadow_usd_per_mwh", "shadow", trans.__("Shadow price"), "$/MWh", 108, shadow, formatShadow),
      ),
      ...needing(
        "flow_mw",
        number("flow_mw", "flow", trans.__("Flow"), "MW", 78, (row) => store.columns.at("flow_mw", row), mw),
      ),
      ...(losses === null
        ? []
        : [number("losses_mw", "losses", trans.__("Losses"), "MW", 78, (row) => losses[row] ?? NaN, mw)]),
      ...(["MW", "MVA"] as const).flatMap((unit) => ratingColumns(session, unit)),
    ]),
    elementOf: (row) => (branches[row] === undefined ? null : { kind: "branch", id: branches[row].id }),
    rowOf: (element) => (element.kind === "branch" ? opened.branchRow(element.id) : -1),
    markOf: (row) => (shadow(row) > 0 ? "binds" : ""),
    leading: 4,
    ...(windings === 0
      ? {}
      : {
          remark: trans.__(
            "%1 lines and %2 windings of three-winding transformers",
            formatCount(branches.length - windings),
            formatCount(windings),
          ),
        }),
  };
}

function generatorTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { generators } = opened.ingested.topology;
  const limit = (value: number): string => (Number.isFinite(value) ? mw(value) : trans.__("no limit"));
  const output = (row: number): number => store.columns.at("dispatch_mw", row);
  const busRow = (row: number): number => opened.busRow(generators[row]?.bus ?? -1);
  const lowest = (row: number): number => generators[row]?.p_min_mw ?? NaN;
  const highest = (row: number): number => generators[row]?.p_max_mw ?? NaN;
  const state = (row: number): string => {
    if (generators[row]?.status !== 1) {
      return "out of service";
    }
    return generatorWords(output(row), lowest(row), highest(row));
  };
  return {
    kind: "generators",
    count: generators.length,
    sorting: { key: "dispatch_mw", descending: true },
    columns: listed(session, "generator", [
      id("generator", trans.__("Generator"), (row) => generators[row]?.id ?? NaN),
      text("bus", trans.__("Bus"), opened.named ? 120 : 64, (row) => opened.placeOf(generators[row]?.bus ?? 0)),
      ...needing("dispatch_mw", number("dispatch_mw", "dispatch", trans.__("Dispatch"), "MW", 92, output, mw)),
      stated(state, (row) => stateWords(state(row))),
      number("p_min_mw", "min", trans.__("Pmin"), "MW", 70, lowest, limit),
      number("p_max_mw", "max", trans.__("Pmax"), "MW", 70, highest, limit),
      ...needing(
        PRICE,
        number(
          "price_usd_per_mwh",
          "price",
          trans.__("LMP"),
          "$/MWh",
          104,
          (row) => store.shownAt(PRICE, busRow(row)),
          price,
          true,
        ),
      ),
    ]),
    elementOf: (row) => (busRow(row) < 0 ? null : { kind: "bus", id: generators[row]?.bus ?? 0 }),
    rowOf: (element) => (element.kind === "bus" ? generators.findIndex(({ bus }) => bus === element.id) : -1),
    markOf: () => "",
    leading: 3,
  };
}

/** Ratings and their changes, in the unit in which the result has them. */
function ratingColumns({ opened, store, state }: CaseSession, unit: "MW" | "MVA"): TableColumn[] {
  const name = `rating_${unit.toLowerCase()}`;
  const changed = (row: number): number => deltaOf(state.edits, { kind: "branch", id: opened.branches[row]?.id ?? 0 });
  return needing(
    name,
    number(name, "rating", trans.__("Rating"), unit, 78, (row) => store.columns.at(name, row), mw),
    number(`rating_change_${unit.toLowerCase()}`, "moved", trans.__("Rating change"), unit, 80, changed, change),
  );
}

/** Columns that show a quantity, or are worked out from it. */
function needing(quantity: string, ...columns: readonly TableColumn[]): TableColumn[] {
  return columns.map((column) => ({ ...column, needs: quantity }));
}

/** The columns whose quantity the state has, and one for each other quantity of its elements. */
function listed(
  { store }: CaseSession,
  element: NamedQuantity["element"],
  columns: readonly TableColumn[],
): readonly TableColumn[] {
  const shown = columns.filter(({ needs }) => needs === undefined || store.columns.has(needs));
  const others = store.columns.of(element).filter(({ name }) => !columns.some(({ needs }) => needs === name));
  return [...shown, ...others.map((quantity) => plainColumn(store, quantity))];
}

/** A quantity without a column of its own: under its name and in its unit. */
function plainColumn(store: CaseSession["store"], { name, unit }: NamedQuantity): TableColumn {
  const { label, unit: shown, format } = quantityWords(name, unit);
  const text = (value: number): string => (Number.isFinite(value) ? format(value) : "");
  return number(name, name, label, shown, 84, (row) => store.shownAt(name, row), text, true);
}

/** Outputs this close to a limit, MW, are at it. */
const AT_LIMIT_MW = 1e-6;

function generatorWords(output: number, lowest: number, highest: number): string {
  if (output >= highest - AT_LIMIT_MW) {
    return "at Pmax";
  }
  return output <= lowest + AT_LIMIT_MW ? "at Pmin" : "between";
}

/** A state of a bus or generator in words. */
function stateWords(state: string): string {
  switch (state) {
    case "star point":
      return trans.__("star point");
    case "isolated":
      return trans.__("isolated");
    case "out of service":
      return trans.__("out of service");
    case "at Pmax":
      return trans.__("at Pmax");
    case "at Pmin":
      return trans.__("at Pmin");
    case "between":
      return trans.__("between");
    default:
      return state;
  }
}

function signedPrice(value: number): string {
  return Number.isFinite(value) ? formatPriceChange(value, SIGNED) : "";
}

function derivative(value: number): string {
  return Number.isFinite(value) ? formatDerivative(value, SIGNED) : "";
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** An angle in rad, as it is in files, in the degrees of the screen. */
function angle(value: number): string {
  return Number.isFinite(value) ? formatAngle(value) : "";
}

function id(key: string, title: string, value: (row: number) => number): TableColumn {
  return { key, word: "id", title, unit: "", width: 74, value, text: (row) => String(value(row)) };
}

function text(key: string, title: string, width: number, value: (row: number) => string): TableColumn {
  return { key, word: key, title, unit: "", width: roomFor(title, width), value, text: value };
}

/** Width of a letter of a head, and of what is beside it: room and the mark of the order, px. */
const LETTER = 7.2;
const BESIDE_TITLE = 22;

/** A width of a column, px, or more where the title is long in the language of the page. */
export function roomFor(title: string, width: number): number {
  return Math.max(width, Math.ceil(LETTER * title.length + BESIDE_TITLE));
}

/** States: in files as they are, on the screen in the words of the page. */
function stated(value: (row: number) => string, words: (row: number) => string): TableColumn {
  return { ...text("state", trans.__("State"), 92, value), text: words };
}

function number(
  key: string,
  word: string,
  title: string,
  unit: string,
  width: number,
  value: (row: number) => number,
  format: (value: number) => string,
  live = false,
): TableColumn {
  return { key, word, title, unit, width: roomFor(title, width), live, value, text: (row) => format(value(row)) };
}

/** Short name of a column in filters, as people of the page's language type it; the English one is understood too. */
export function filterWord({ word }: Pick<TableColumn, "word">): string {
  switch (word) {
    case "id":
      return trans._p("filter", "id");
    case "price":
      return trans._p("filter", "price");
    case "change":
      return trans._p("filter", "change");
    case "response":
      return trans._p("filter", "response");
    case "voltage":
      return trans._p("filter", "voltage");
    case "demand":
      return trans._p("filter", "demand");
    case "moved":
      return trans._p("filter", "moved");
    case "kv":
      return trans._p("filter", "kv");
    case "angle":
      return trans._p("filter", "angle");
    case "loading":
      return trans._p("filter", "loading");
    case "shadow":
      return trans._p("filter", "shadow");
    case "flow":
      return trans._p("filter", "flow");
    case "losses":
      return trans._p("filter", "losses");
    case "rating":
      return trans._p("filter", "rating");
    case "dispatch":
      return trans._p("filter", "dispatch");
    case "min":
      return trans._p("filter", "min");
    case "max":
      return trans._p("filter", "max");
    case "before":
      return trans._p("filter", "before");
    case "after":
      return trans._p("filter", "after");
    default:
      return word;
  }
}
