// Texts of the page, by key: a test that looks for a control or a remark names the key, and the English text is here
// alone. `catalogue.test.ts` compares every text with the sources and reports the new wording of a changed one.
import { MESSAGES } from "@service/engine";

/** A text of the page with its placeholders `%1`, `%2`; a counted one has two forms, the first for one. */
export type Template = string | readonly [one: string, many: string];

/** Texts of the page that tests look for, by the part of the page. */
export const TEXTS = {
  // map
  closeTable: "Close the table of buses",
  colours: "Colours",
  diagramMissing: "This case has no diagram. Open its .pwd drawing to add one.",
  flowDirection: "Flow and its direction",
  keysHelp: "Shortcuts",
  layersAndStyle: "Layers and style",
  menu: "Menu",
  northUp: "Bring north up (n)",
  resetDemand: "Reset the demand",
  savePicture: "Save picture as %1",
  captionAbove: "Caption above the picture",
  crop: "Crop to the network, legend below",
  figure: "Save figure",
  save: "Save",
  saveFigure: "Save figure\u2026",
  savePictures: "Save picture\u2026",
  select: "Select",
  tableOfBuses: "Table of buses",
  whatCanBeDone: "Actions for this element",
  // what its keys say
  bearingNow: "Bearing %1\u00b0",
  coloursNow: "Colours: %1",
  globeNow: "Globe",
  northUpNow: "North up, seen from above",
  planeNow: "Plane",
  responseNeedsSelection: "Select a bus, a line or a generator first.",
  sensitivity: "LMP sensitivity",
  tiltNow: "Tilt %1\u00b0",
  withoutPrices: "%1 has no prices.",
  // its legend
  aboveEighty: ["%2 more at 80 % or above", "%2 more at 80 % or above"],
  binding: ["%2 binding", "%2 binding"],
  generatorsByCost: "Generators by marginal cost, $/MWh",
  legend: "Legend",
  linesFlow: "Lines: flow and its direction",
  linesShadowPrice: "Lines: shadow price",
  aboveRating: ["%2 above its rating", "%2 above their rating"],
  linesBy: "Lines: %1",
  voltagesOutside: "Limits %1 to %2: %3 below, %4 above",
  // its panel of styles
  generators: "Generators",
  range: "Range",
  upperEnd: "Upper end",
  values: "Values",
  // quantities
  angle: "Voltage angle",
  changeByMove: "Change by this move",
  changeFrom: "Change from %1",
  changeInPrice: "Change in price",
  demand: "Demand",
  energy: "Energy",
  generation: "Generation",
  losses: "Losses",
  preview: "%1, preview",
  price: "Price",
  rating: "Rating",
  ratingChange: "Change of the rating",
  reactiveDemand: "Reactive demand",
  reactiveFlow: "Reactive flow",
  reactivePrice: "Reactive price",
  shadowPrice: "Shadow price",
  tightness: "Tightness of the relaxation",
  linesTight: "%1 of %2 lines are tight",
  unitMagnitudes: "The DC model takes every voltage magnitude as 1 pu.",
  voltageLimits: "Voltage limits",
  voltageMagnitude: "Voltage magnitude",
  // formulations, what a session does, and certificates
  acPowerFlow: "AC power flow",
  formulationStep: "Formulation: %1",
  optionUnread: [
    "The option %2 has no effect in the formulation %3; it is kept for those that read it.",
    "The options %2 have no effect in the formulation %3; they are kept for those that read them.",
  ],
  previewingInfeasible: "Previewing, not feasible",
  previewingLinear: "Previewing, linear estimate",
  angleLimits: "Angle limits",
  balance: "Balance",
  cones: "Cones",
  flows: "Flows",
  lowerBound: "%1 $/h, a lower bound on the cost of AC optimal power flow.",
  prices: "Prices",
  slack: "Slack",
  // panel: case, edits, result
  alsoLineLimits: "The change may be larger than the imbalance, because line limits apply too.",
  applyRelaxation: "Apply the minimum relaxation\u2026",
  caseCounts: "%1 buses, %2 lines, %3 generators",
  changedCount: ["%2 changed", "%2 changed"],
  changesFromBase: "Changes from the base case",
  commitChanges: "Commit these changes",
  compareAgain: "Compare again",
  demandBack: "%1 demand back to its base",
  deselectAll: "Deselect all",
  nothingSelected: "nothing selected",
  onTheMap: "on the map",
  resetOne: "Reset %1",
  whatChanges: "What changes",
  howTheyChange: "How they change",
  newStatus: "New status",
  costsByFuel: "Give costs by fuel\u2026",
  costsByFuelTable: "Costs by fuel",
  costOf: "Cost of %1, $/MWh",
  setCosts: "Set these costs",
  costsAreEdits: [
    "The case has no costs: that of %2 generator is an edit, and all others are zero.",
    "The case has no costs: those of %2 generators are edits, and all others are zero.",
  ],
  changeFuelPrices: "Change fuel prices\u2026",
  fuelPrices: "Fuel prices",
  howFuelPricesChange: "How fuel prices change",
  fuelEstimate: "While dragging the prices are a linear estimate; the exact result follows on release.",
  fuelExact: "Every position is solved exactly.",
  resetThem: "Reset them",
  costCurves: [
    "%2 of them has a cost curve: its mean marginal cost between Pmin and Pmax is changed and replaces the curve.",
    "%2 of them have cost curves: the mean marginal cost of each between Pmin and Pmax is changed and replaces the curve.",
  ],
  resultsBefore: "These results belong to the state before the last change.",
  revisionIs: "Revision %1: %2",
  selectedCount: ["%2 selected", "%2 selected"],
  showMoreOf: "Show %1 more of %2",
  whatWouldChange: "What would change",
  // panel: reactive demand and loadability
  collapseBeyond: "%1: voltages collapse beyond +%2 MW (%3 MW in total).",
  curveOfBefore: "This curve belongs to the state before the last change.",
  findLoadability: "Find the loadability limit",
  growth: "Growth, MW",
  notMvar: "\u201c%1\u201d is not a valid value in MVAr.",
  numbers: "Numbers",
  reactiveChange: "Change of the reactive demand of %1, MVAr",
  reactiveDemandOf: "Reactive demand %1 MVAr",
  reactiveMvar: "reactive demand, MVAr",
  reactiveStep: "%1 reactive demand %2 MVAr",
  system: "System",
  voltageAtLimit: "%1: %2 pu at the limit",
  // panel: interfaces
  atMost: "At most",
  atLeast: "At least",
  interfaceFlow: "The flow over the interface is %1 MW.",
  limitIsNumber: "A limit is a number of MW, or empty for no limit.",
  limitSeveralLines: "Limit the flow over several lines",
  limitsOf: "Limits of %1",
  secure: "N-1 secure",
  securedOutages: "%1 outages, %2 lines monitored",
  upperLimitOf: "Upper limit of %1, MW",
  resetUpperLimit: "Reset the upper limit of %1",
  reverse: "Reverse",
  solveWithLimit: "Solve with this limit",
  // panel: charts
  fromEighty: ["%2 line from 80 % upwards, of which %3 bind.", "%2 lines from 80 % upwards, of which %3 bind."],
  fromPrice: "From, $/MWh",
  loadingOfLines: "Loading of the lines",
  powersOfTen: "Powers of ten",
  priceHistogram: "Price histogram",
  pricesFromTo: "Prices from %1 to %2 $/MWh; most buses, %3, from %4 to %5 $/MWh.",
  selectLines: ["Select %2 line", "Select %2 lines"],
  toPrice: "To, $/MWh",
  // panel: history, comparison, activity
  applied: "Applied",
  backToLive: "Back to the live state",
  baseCase: "Base case",
  exactZero: "not defined (exact change is zero)",
  fromBase: "%1 from the base case",
  goToFrom: "Go to \u201cFrom\u201d",
  inspectState: "Inspect the state %1",
  inspecting: "Inspecting",
  liveState: "Live: %1",
  makeLive: "Restore this state: %1",
  onlyState: "The base case is the only state. Commit a change to add one.",
  recommended: "Recommended",
  redo: "Redo",
  relativeError: "Relative error",
  renameState: "Rename the state %1",
  showChange: "Show the change on the map",
  undo: "Undo",
  writeNote: "Write a note on the state %1",
  // panel: why this price
  meanByDemand: "Mean price by demand",
  noLineLowers: "No line binds, so raising a rating lowers no price.",
  noLongerBinds: "no longer binds",
  raiseBy: "Raise each rating by",
  selectForPrice: "Select a bus to see what its price is made of and why it changed.",
  twoFormulations: "The states are of two formulations, %1 and %2: what one does not model is zero there.",
  verified: [
    "%2 line solved exactly with its rating raised by %3.",
    "%2 lines solved exactly, each with its rating raised by %3 alone.",
  ],
  verify: "Verify exactly",
  // panel: plans
  accepted: "accepted",
  appliedIsLive: "Applied: this is the live state.",
  bestVerified: "Best verified within the budget",
  bindingEnds: "Ends of binding lines",
  bindingLines: "Binding lines",
  budget: "Budget",
  decision: "decision",
  demandMoved: "Demand moved: %1 from %2 to %3",
  increment: "Increment",
  mostMoved: "Maximum demand moved",
  mostPerBus: "Maximum per bus",
  mostPerLine: "Maximum per line",
  onlyAPerson: "Only a person can approve a proposal, by a click.",
  planUsed: "%1 of %2 %3, %4 of %5 lines, %6 of %7 exact solves",
  planningTrial: "planning trial",
  proposalApplied: "Proposal applied",
  proposalApproved: "Proposal approved",
  proposalExpired: "The proposal has expired: the live state has changed. Plan again from there.",
  // panel: outages and tables
  ascending: "Ascending",
  buses: "Buses",
  csv: "CSV",
  filterRows: "Filter rows",
  lines: "Lines",
  openLarge: "Open large",
  rowsCopied: ["%2 row copied", "%2 rows copied"],
  rowsOf: "%1 of %2 rows",
  screenOutages: "Run N-1",
  // files
  close: "Close",
  export: "Export",
  inDownloads: "%1 is in your downloads.",
  saveModule: "Save module",
} as const satisfies Record<string, Template>;

export type TextKey = keyof typeof TEXTS;

/** The English of a text of the page with all of its values; the first value of a counted text is its count. */
export function pageText(key: TextKey, ...values: (string | number)[]): string {
  return templateOf(key, values[0]).replace(PLACE, (_, place: string) => {
    if (place === "%") {
      return "%";
    }
    const value = values[Number(place) - 1];
    if (value === undefined) {
      throw new Error(`the text "${key}" has a value %${place} that was not given`);
    }
    return String(value);
  });
}

/** A text of the page within a longer one, with patterns for values; an omitted value matches anything. */
export function pattern(key: TextKey, ...values: (string | number | RegExp)[]): RegExp {
  return new RegExp(
    patternSource(templateOf(key, values[0]), PLACE, (place) => values[Number(place) - 1]),
    "u",
  );
}

/** A sentence of the engine's catalogue with all of its formatted values. */
export function sentence(key: string, values: Readonly<Record<string, string>> = {}): string {
  return messageOf(key).replace(FIELD, (_, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`the sentence "${key}" has a value {${name}} that was not given`);
    }
    return value;
  });
}

/** A sentence of the engine's catalogue within a longer text; an omitted value matches anything. */
export function sentencePattern(key: string, values: Readonly<Record<string, string | RegExp>> = {}): RegExp {
  return new RegExp(
    patternSource(messageOf(key), FIELD, (name) => values[name]),
    "u",
  );
}

/** Texts and patterns in sequence, with only white space between them. */
export function spaced(...parts: readonly (string | RegExp)[]): RegExp {
  return new RegExp(parts.map(sourceOf).join("\\s*"), "u");
}

/** Texts and patterns in sequence, with anything between them. */
export function inOrder(...parts: readonly (string | RegExp)[]): RegExp {
  return new RegExp(parts.map(sourceOf).join("[^]*?"), "u");
}

function sourceOf(part: string | RegExp): string {
  return typeof part === "string" ? escaped(part) : part.source;
}

/** The source of a pattern that matches a text. */
function escaped(plain: string): string {
  return plain.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const PLACE = /%(%|\d+)/g;
const FIELD = /\{(\w+):\w+\}/g;

function templateOf(key: TextKey, count: unknown): string {
  const template: Template = TEXTS[key];
  return typeof template === "string" ? template : count === 1 ? template[0] : template[1];
}

/** A template of the engine's catalogue; the plural form of a counted one. */
function messageOf(key: string): string {
  const template = MESSAGES[key];
  if (template === undefined) {
    throw new Error(`the catalogue has no sentence "${key}"`);
  }
  return typeof template === "string" ? template : template[1];
}

function patternSource(
  template: string,
  placeholder: RegExp,
  valueOf: (name: string) => string | number | RegExp | undefined,
): string {
  // A split by a pattern with one group gives the text before a placeholder and its name in turn.
  const parts = template.split(placeholder).map((part, k) => {
    const value = k % 2 === 0 || part === "%" ? part : (valueOf(part) ?? /.+?/u);
    return sourceOf(value instanceof RegExp ? value : String(value));
  });
  return parts.join("");
}
