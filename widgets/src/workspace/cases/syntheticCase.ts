import type { OpenedCase } from "./openedCase.ts";

/** Whether a case says of itself that it is no real network: in its name, or of where its buses are. */
export function isSynthetic({ ingested, name }: Pick<OpenedCase, "ingested" | "name">): boolean {
  return ingested.view?.synthetic_coords === true || /synthetic/i.test(`${ingested.name} ${name}`);
}
