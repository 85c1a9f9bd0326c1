// Edits of limits of interfaces by name, and the ranges of their sliders.
import t from "tap";
import type { SolveOptions } from "@service/engine";
import {
  type CaseEdits,
  type CaseSession,
  countChanges,
  editsText,
  InterfaceSlider,
  limitedInterfaces,
  NO_EDITS,
  type OpenedCase,
  sameEdits,
  withInterfaceEdit,
} from "@service/widgets/workspace";

const branches = [{ branch: 1 }];
const OPTIONS: SolveOptions = {
  limits: {
    interfaces: [
      { name: "North", branches, min_mw: -50, max_mw: 400 },
      { name: "12", branches, min_mw: -300 },
    ],
  },
};

t.test("limits replace those of the options, and undefined restores them", (t) => {
  const wider = withInterfaceEdit(NO_EDITS, "North", { max_mw: 450 });
  t.strictSame(wider, { deltas: {}, rates: {}, interfaces: { North: { max_mw: 450 } } });
  t.equal(countChanges(wider), 1);
  t.equal(countChanges({ ...wider, name: "of a saved state" } as CaseEdits), 1);
  t.match(limitedInterfaces(OPTIONS, wider), [{ name: "North", min_mw: -50, max_mw: 450 }, { min_mw: -300 }]);
  t.notOk(sameEdits(wider, NO_EDITS));
  t.ok(sameEdits(withInterfaceEdit(wider, "North", { max_mw: undefined }), NO_EDITS));
  const text = (before: CaseEdits, after: CaseEdits): string => editsText(before, after, {} as OpenedCase, "dcopf");
  t.equal(text(NO_EDITS, wider), "Interface North upper limit 450.0 MW");
  const both = withInterfaceEdit(wider, "12", { min_mw: -200 });
  t.equal(text(wider, both), "Interface 12 lower limit −200.0 MW");
  t.equal(text(NO_EDITS, both), "2 interfaces changed");
  t.equal(
    text(both, withInterfaceEdit(both, "North", { max_mw: undefined })),
    "Interface North upper limit back to its base",
  );
  t.end();
});

t.test("a slider ends where the limits meet", (t) => {
  const range = (name: string, limit: "min_mw" | "max_mw", edits: CaseEdits = NO_EDITS) => {
    const session = { live: { edits }, options: OPTIONS } as CaseSession;
    return new InterfaceSlider(session, name, limit, () => undefined).range;
  };
  t.strictSame(range("North", "max_mw"), { min: 0, max: 800 });
  t.strictSame(range("North", "max_mw", withInterfaceEdit(NO_EDITS, "North", { min_mw: 100 })), { min: 100, max: 800 });
  t.strictSame(range("North", "min_mw"), { min: -150, max: 0 });
  t.strictSame(range("12", "min_mw"), { min: -600, max: 0 });
  const far = withInterfaceEdit(NO_EDITS, "North", { max_mw: -40 });
  t.strictSame(range("North", "min_mw", far), { min: -150, max: -40 });
  t.strictSame(range("North", "max_mw", far), { min: -40, max: 800 });
  t.end();
});
