// A move on the map: small price changes have their own scale, newly binding lines flash, units at limits are marked.
import t from "tap";
import { MapColours, MoveEvents } from "@service/widgets/map";
import { readout } from "@service/widgets/ui";
import type { CaseSession } from "@service/widgets/workspace";
import { eventually } from "../../../eventually.ts";
import { inOrder, sentence, pageText } from "../../catalogue.ts";
import { LINE_2_AT_40, openThreeBus } from "../../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;

async function selected(session: CaseSession): Promise<void> {
  await session.select(BUS_2);
  await session.columnSettled;
  await session.pathSettled;
}

t.test("a small move shows price changes, a large one prices, and a chosen quantity stays", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await selected(session);
  session.previewMode = "first_order";
  const colours = new MapColours(session, "lmp", "loading");
  const move = (mw: number): string => {
    session.preview(mw);
    colours.previewMoved();
    colours.update(false);
    return colours.quantity;
  };
  t.equal(move(0.5), "lmp_move");
  t.match(colours.legend.buses.title, pageText("preview", pageText("changeByMove")));
  const { high = NaN } = colours.buses.scale?.range ?? {};
  t.ok(high > 0 && high < 1, `a scale of its own: ${high} $/MWh`);
  t.equal(move(2), "lmp_move");
  t.ok((colours.buses.scale?.range.high ?? NaN) > 2 * high, "which grows with the hand");
  t.notOk(colours.buses.held);
  t.equal(move(500), "lmp", "prices move by a quarter of their scale");
  t.equal(move(0.5), "lmp", "and the colours mean the same until the hand lets go");
  session.cancelPreview();
  colours.previewMoved();
  t.equal(colours.quantity, "lmp");

  t.equal(move(0.5), "lmp_move");
  await session.commitElement(BUS_2, 0.5);
  colours.stateChanged();
  colours.update(false);
  t.equal(colours.quantity, "lmp_move", "what the move changed stays until the next action");
  colours.selectionChanged();
  t.not(colours.quantity, "lmp_move");
  await session.undo();
  colours.choose("lmp");
  t.equal(move(0.5), "lmp");
});

t.test("with one price everywhere, a move shows prices", async (t) => {
  const { session } = await openThreeBus();
  await selected(session);
  const colours = new MapColours(session, "lmp", "loading");
  session.preview(50);
  colours.previewMoved();
  t.equal(colours.quantity, "lmp");
});

t.test(
  "a line that begins to bind flashes once, units at limits are marked, and the readout names the event",
  async (t) => {
    const { session } = await openThreeBus();
    await selected(session);
    const events = new MoveEvents(session, () => false);
    const calm = new MoveEvents(session, () => true);
    const at = async (mw: number): Promise<void> => {
      session.preview(mw);
      await eventually.equal(t, () => Promise.resolve(session.shownMw), mw);
      await eventually.ok(t, () => {
        const { status } = session;
        return Promise.resolve(status.kind === "previewing" && status.exact);
      });
    };
    const lines = (from: MoveEvents, now: number): number[] =>
      from.marks(now).flatMap(({ kind, row }) => (kind === "branch" ? [row] : []));
    t.strictSame(events.marks(0), []);
    calm.marks(0);
    const binds = session.path?.breakpoints.find(({ event }) => event === "line_binds");
    const row = session.opened.branchRow(binds?.element.id ?? -1);
    await at((binds?.mw ?? NaN) + 1);
    t.strictSame(lines(events, 1000), [row]);
    t.strictSame(lines(calm, 1000), [], "not where motion is to be reduced");
    t.ok((events.marks(1400).find(({ kind }) => kind === "branch")?.strength ?? 1) < 0.5, "it fades");
    t.strictSame(lines(events, 1800), [], "once");
    t.match(
      readout(session).text,
      inOrder(/\+\d+\.\d MW,/, sentence("event.line_binds", { element: "line 2 (2 to 3)" })),
    );
    await at((binds?.mw ?? NaN) - 1);
    t.strictSame(lines(events, 2000), [row], "and again on the way back");
    session.cancelPreview();
    t.strictSame(events.marks(9000), [], "nothing is marked at rest");
  },
);
