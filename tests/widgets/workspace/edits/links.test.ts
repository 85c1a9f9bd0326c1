// Edits of HVDC links as tables: values, status, the slider's change, and added links.
import t from "tap";
import {
  type AddedElement,
  countChanges,
  deltaOf,
  listAdded,
  NO_EDITS,
  type OpenedCase,
  sameEdits,
  withAdded,
  withDelta,
  withLinkEdit,
  withoutAdded,
  withStatus,
} from "@service/widgets/workspace";

const LINK = { kind: "link", id: 1 } as const;
const BASE = { baseMw: ({ value }: { value?: string | undefined }) => (value === "p" ? 50 : 60) } as Pick<
  OpenedCase,
  "baseMw"
>;

t.test("values of a link replace those of the case, and undefined restores them", (t) => {
  const limited = withLinkEdit(NO_EDITS, 1, { p_max: 40, loss: 0 });
  t.strictSame(limited, { deltas: {}, rates: {}, links: { 1: { p_max: 40, loss: 0 } } });
  t.equal(countChanges(limited), 1);
  t.notOk(sameEdits(limited, withLinkEdit(NO_EDITS, 1, { p_max: 40 })));
  t.ok(sameEdits(withLinkEdit(limited, 1, { p_max: undefined, loss: undefined }), NO_EDITS));
  const out = withStatus(limited, LINK, false);
  t.strictSame(out.links, { 1: { p_max: 40, loss: 0, status: false } });
  t.equal(out.branches, undefined, "a line of the same number stays");
  t.strictSame(withStatus(out, LINK, undefined).links, limited.links);
  t.end();
});

t.test("a slider moves the upper limit or the schedule by a change from the case", (t) => {
  const wider = withDelta(NO_EDITS, LINK, 25, BASE);
  t.strictSame(wider.links, { 1: { p_max: 85 } });
  t.equal(deltaOf(wider, LINK, BASE), 25);
  const moved = withDelta(wider, { ...LINK, value: "p" }, -20, BASE);
  t.strictSame(moved.links, { 1: { p_max: 85, p: 30 } });
  t.strictSame(withDelta(moved, LINK, 0, BASE).links, { 1: { p: 30 } });
  t.end();
});

t.test("added links have ids after those of the case, and edits follow them when one is removed", (t) => {
  const ofCase = { branches: [], generators: [], links: [{}], storage: [] };
  const links = [
    { name: "first", from: 1, to: 2, p_max: 10 },
    { name: "second", from: 1, to: 2, p_max: 20 },
  ];
  const added = withAdded(withLinkEdit(NO_EDITS, 3, { p_max: 5 }), { links });
  const [first] = listAdded(added.added) as [AddedElement];
  t.strictSame(withoutAdded(added, first, ofCase), {
    ...NO_EDITS,
    links: { 2: { p_max: 5 } },
    added: { links: [links[1]] },
  });
  t.end();
});
