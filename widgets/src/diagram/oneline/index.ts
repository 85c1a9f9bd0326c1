export { OneLine } from "./oneLine.ts";
export { oneLineLegend } from "./oneLineLegend.ts";
export { type Phase, phaseOf, PHASES, phaseOrder } from "./phases.ts";
export { symbolPath } from "./symbols.ts";
