import t from "tap";
import type { SensitivityColumn, Warrant } from "@service/engine";
import { reachable } from "@service/widgets/workspace";
import { openThreeBus } from "../../session.ts";

const BUS = { kind: "bus", id: 7 } as const;
const low = { mw: -12, event: "line_binds", element: { kind: "branch", id: 1 }, price_jump: 1 } as const;

function column(warrant: Partial<Warrant>): SensitivityColumn {
  const full: Warrant = { kind: "regular", valid_mw: [-12, 5], ends: [low, null], residual: 0, ...warrant };
  return { case: "c", operand: "lmp", parameter: "d", bus: 7, units: "($/MWh)/MW", values: [], warrant: full };
}

t.test("an interval goes no lower than an edit can", async (t) => {
  const lowEnd = (base: number, committed: number, warrant: Partial<Warrant> = {}): unknown[] => {
    const { ends, valid_mw } = reachable(column(warrant), BUS, base, committed).warrant;
    return [valid_mw[0], ends[0]?.event];
  };
  t.strictSame(lowEnd(0, 0), [0, "edit_limit"], "no demand, no decrease");
  t.strictSame(lowEnd(5, 0), [-5, "edit_limit"]);
  t.strictSame(lowEnd(5, 10), [-12, "line_binds"], "what comes first");
  t.strictSame(lowEnd(5, 3), [-8, "edit_limit"]);
  t.strictSame(
    lowEnd(0, 0, { ends: [null, null], valid_mw: [null, 5] }),
    [0, "edit_limit"],
    "an end where there was none",
  );
  t.strictSame(lowEnd(-4, 0), [-12, "line_binds"], "a negative demand has no lowest value");
  t.strictSame(lowEnd(-4, 3), [-12, "line_binds"]);
  t.strictSame(lowEnd(0, 0, { point_only: true, valid_mw: [0, 0], ends: [null, null] }), [0, undefined]);
});

t.test("a bus without demand and a rating have their lowest edits on the page", async (t) => {
  const { session } = await openThreeBus();
  await session.select({ kind: "bus", id: 1 });
  await session.columnSettled;
  t.match(session.column?.warrant, { valid_mw: [0], ends: [{ mw: 0, event: "edit_limit", element: { id: 1 } }] });
  await session.commitElement({ kind: "bus", id: 1 }, 4);
  await session.columnSettled;
  const [end] = session.column?.warrant.ends ?? [];
  t.ok(end !== null && end !== undefined && end.mw >= -4 - 1e-9, "as far down as was added, or less");
  await session.select({ kind: "branch", id: 1 });
  t.ok((session.column?.warrant.valid_mw[0] ?? -Infinity) >= -250 - 1e-9, "a rating down to zero");
});
