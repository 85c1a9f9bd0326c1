import type { OpenedCase } from "./openedCase.ts";

/** Whether a case declares in its name or in the origin of its positions that it is no real network. */
export function isSynthetic({ ingested, name }: Pick<OpenedCase, "ingested" | "name">): boolean {
  return ingested.view?.synthetic_coords === true || /synthetic/i.test(`${ingested.name} ${name}`);
}
