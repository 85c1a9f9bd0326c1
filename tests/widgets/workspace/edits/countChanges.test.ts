import t from "tap";
import { countChanges, NO_EDITS } from "@service/widgets/workspace";

t.test("every kind of change counts, a generator once", (t) => {
  t.equal(countChanges(NO_EDITS), 0);
  t.equal(countChanges({ deltas: { 1: 2, 2: -1 }, rates: { 3: 4 } }), 3);
  t.equal(countChanges({ ...NO_EDITS, reactive: { 2: 0 } }), 1, "a reactive demand that stays is a change of its own");
  t.equal(countChanges({ ...NO_EDITS, generators: { 1: { status: false }, 2: { p_min: 1, p_max: 9, cost: 3 } } }), 2);
  t.end();
});
