import type { CaseSession } from "../workspace/index.ts";
import type { MapColours } from "./colour/mapColours.ts";

/** Publishes the state of a map in attributes, for styles, tests and tools that read the page. */
export function describeMap(node: HTMLElement, session: CaseSession, colours: MapColours): void {
  const { state, status, caseId, shownMw, previewMode, inspection } = session;
  const { quantity, branchQuantity, binding, style } = colours;
  const exact = status.kind === "previewing" ? status.exact : true;
  Object.assign(node.dataset, { case: caseId, revision: state.revision, status: status.kind, quantity });
  Object.assign(node.dataset, { exact, previewMode, shownMw: shownMw ?? "", surface: style.surface });
  Object.assign(node.dataset, { branchQuantity, binding, inspected: inspection.state?.id ?? "" });
  node.dataset["step"] = String(session.series.shown?.step ?? "");
}
