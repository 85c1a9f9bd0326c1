import {
  type CaseEdits,
  type CaseSession,
  type ElementMove,
  type MoveMode,
  type NetworkElement,
  withMoves,
} from "@service/widgets/workspace";
import { ToolError } from "./answers.ts";

/** An element as named by an agent: by original id or row uid. */
export type ElementId = string | number;

/** The element of an id. Throws `BUS.UNKNOWN`, `BRANCH.UNKNOWN`. */
export function elementOf({ opened }: CaseSession, kind: NetworkElement["kind"], id: ElementId): NetworkElement {
  const row = opened.keyRow(kind, String(id));
  const element = (kind === "bus" ? opened.buses : opened.branches)[row];
  if (element === undefined) {
    const code = kind === "bus" ? "BUS.UNKNOWN" : "BRANCH.UNKNOWN";
    throw new ToolError(code, `The case has no ${kind} with id ${JSON.stringify(id)}.`);
  }
  return { kind, id: element.id };
}

/** The edits that an agent requests. */
export interface RequestedEdits {
  demand?: readonly { bus_id: ElementId; delta_mw: number }[];
  ratings?: readonly { branch_id: ElementId; delta_mw: number }[];
  mode?: MoveMode;
}

/**
 * A batch of edits: the edited elements, and the resulting absolute edits of a state. Throws where an element is
 * unknown or named twice.
 */
export function editBatch(session: CaseSession, { demand = [], ratings = [], mode = "set" }: RequestedEdits) {
  const moves: ElementMove<NetworkElement>[] = [
    ...demand.map(({ bus_id, delta_mw: mw }) => ({ element: elementOf(session, "bus", bus_id), mw })),
    ...ratings.map(({ branch_id, delta_mw: mw }) => ({ element: elementOf(session, "branch", branch_id), mw })),
  ];
  const seen = new Set<string>();
  for (const { element } of moves) {
    const key = `${element.kind} ${element.id}`;
    if (seen.has(key)) {
      throw new ToolError("DELTA.DUPLICATE", `The batch names ${key} twice.`);
    }
    seen.add(key);
  }
  return { moves, edits: (before: CaseEdits): CaseEdits => withMoves(before, moves, mode) };
}
