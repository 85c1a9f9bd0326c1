export { CaseMap, type CaseMapView } from "./caseMap.ts";
export * from "./colourRange.ts";
export * from "./colourScale.ts";
export * from "./editRange.ts";
export * from "./loading.ts";
export { columnIsZero, readout } from "./readout.ts";
export { statusText } from "./statusPill.ts";
