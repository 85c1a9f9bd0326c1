// A line without impedance and without a rating: nothing limits it, and it has no rating to change.
import t from "tap";
import { BranchPaint, caseSceneModel } from "@service/widgets/map";
import { caseTable } from "@service/widgets/tables";
import { changeSentence } from "@service/widgets/ui";
import { ElementSlider, Workspace } from "@service/widgets/workspace";
import { tiedThreeBus } from "../../../fixtures/cases.ts";
import { BASE_PRICE, difference, engine, shownPrices } from "../../session.ts";
import { pageText } from "../../catalogue.ts";

t.test("card, table and slider of a line without a rating show none", async (t) => {
  const tied = await engine.ingestCase(await tiedThreeBus(), "matpower");
  t.match(tied.topology.branches[3], { rate_mw: null, rate_is_fallback: true });
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(tied.sha256, () => Promise.resolve(tied.module_json));
  const session = await workspace.openSession({ opened, caseId: "tied", caseName: "Tied", formulation: "dcopf" });
  t.ok(difference(shownPrices(session), [BASE_PRICE, BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-6);

  const card = new Map(caseSceneModel(session, new BranchPaint(session)).card({ kind: "branch", row: 3 }).rows);
  t.equal(card.get(pageText("rating")), "none");
  t.match(card.get("Loading"), /^0/);
  const ratings = caseTable(session, "branches").columns.find(({ key }) => key === "rating_mw");
  t.strictSame(
    [0, 3].map((row) => ratings?.text(row)),
    ["250.0", ""],
  );

  await session.select({ kind: "branch", id: 4 });
  const slider = new ElementSlider(session, { kind: "branch", id: 4 }, () => () => undefined);
  t.equal(changeSentence(slider.what, slider.baseOrNone, slider.mw, slider.unit), "Rating none");
  t.equal(
    slider.problem,
    "Line 4 (2 to 4) has no impedance, and the file gives it no rating that could change. Give it one in the file.",
  );
});
