import { formatCount, trans } from "../../text/index.ts";
import { type CaseSession, isInService } from "../../workspace/index.ts";

/** A switch of the network, by dense row of the branches. */
export interface SwitchLook {
  readonly row: number;
  readonly open: boolean;
}

/** An entry of the legend: open or closed, and the number of such switches. */
export interface SwitchKey {
  readonly open: boolean;
  readonly text: string;
}

/** The switches at the published state. */
export function switchLooks({ opened, state }: Pick<CaseSession, "opened" | "state">): SwitchLook[] {
  const isOpen = (row: number): boolean => {
    const branch = opened.branches[row];
    return branch !== undefined && !isInService(opened, state.edits, { kind: "branch", id: branch.id });
  };
  return opened.switchRows.map((row) => ({ row, open: isOpen(row) }));
}

/** The entries of the legend that occur, closed switches first. */
export function switchKeys(switches: readonly SwitchLook[]): SwitchKey[] {
  return [false, true].flatMap((open) => {
    const count = switches.filter((one) => one.open === open).length;
    const counted = formatCount(count);
    const text = open
      ? trans._n("%2 open switch", "%2 open switches", count, counted)
      : trans._n("%2 closed switch", "%2 closed switches", count, counted);
    return count === 0 ? [] : [{ open, text }];
  });
}
