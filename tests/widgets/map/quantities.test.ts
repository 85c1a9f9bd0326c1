// What a result has is offered, listed and told; what it has not is nowhere, whatever the views are called.
import t from "tap";
import {
  branchQuantities,
  BranchPaint,
  BusPaint,
  busQuantities,
  caseSceneModel,
  MapColours,
} from "@service/widgets/map";
import { caseTable, compareTable } from "@service/widgets/tables";
import { type CaseSession, QuantityTable } from "@service/widgets/workspace";
import { openThreeBus } from "../session.ts";

/** Voltage magnitudes as an AC formulation has them, losses under a name that no view knows. */
const MAGNITUDES = { name: "vm_pu", element: "bus", unit: "pu", values: Float64Array.of(1.01, 0.985, 1) } as const;
const LOSSES = { name: "losses_mw", element: "branch", unit: "MW", values: Float64Array.of(0.25, 0.5, 1.5) } as const;

const cardOf = (session: CaseSession, kind: "bus" | "branch", row: number): Map<string, string> =>
  new Map(caseSceneModel(session, new BranchPaint(session)).card({ kind, row }).rows);

t.test("a quantity that a formulation brings is in legend, tables and cards under its name", async (t) => {
  const { session } = await openThreeBus();
  t.notOk(busQuantities(session).has("vm_pu"));
  t.type(busQuantities(session).get("voltage")?.missing(session), "string", "the DC model says why it has none");
  session.store.publish(session.store.columns.with(MAGNITUDES, LOSSES));

  t.equal(busQuantities(session).get("voltage")?.missing(session), null);
  const losses = branchQuantities(session).get("losses_mw");
  t.match(losses, { label: "Losses", unit: "MW", scale: "branch" });
  t.strictSame(losses?.values(session), LOSSES.values);
  const colours = new MapColours(session, "lmp", "losses_mw");
  colours.choose("voltage");
  colours.update(false);
  t.match(colours.legend, {
    buses: { title: "Voltage magnitude", unit: "p.u.", scale: { range: { low: 0.984, high: 1.01 } } },
    lines: { title: "Lines: Losses", unit: "MW" },
  });

  const buses = caseTable(session, "buses");
  const magnitude = buses.columns.find(({ key }) => key === "vm_pu");
  t.match(magnitude, { title: "Voltage magnitude", unit: "p.u." });
  t.strictSame(
    [0, 1, 2].map((row) => magnitude?.value(row)),
    [1.01, 0.985, 1],
  );
  t.equal(magnitude?.text(1), "0.9850");
  t.equal(
    caseTable(session, "branches")
      .columns.find(({ key }) => key === "losses_mw")
      ?.text(2),
    "1.5",
  );
  t.equal(cardOf(session, "bus", 1).get("Voltage magnitude"), "0.9850 p.u.");
  t.equal(cardOf(session, "branch", 2).get("Losses"), "1.5 MW");
});

t.test("a result without prices shows none", async (t) => {
  const { session } = await openThreeBus();
  const kept = (["bus", "branch", "generator"] as const)
    .flatMap((element) => session.store.columns.of(element))
    .filter(({ name }) => name !== "lmp" && name !== "shadow");
  session.store.publish(new QuantityTable([...kept, MAGNITUDES]));

  const named = [...busQuantities(session).keys(), ...branchQuantities(session).keys()];
  t.strictSame(named, ["voltage", "angle", "demand", "generation", "loading", "flow", "rating_change"]);
  const colours = new MapColours(session, "lmp", "shadow");
  colours.update(false);
  t.equal(colours.quantity, "voltage", "the first that there is, in the place of the price");
  t.equal(colours.legend.lines, null);
  t.equal(colours.binding, 0);
  new BusPaint().update(session, "lmp", false);

  const words = (["buses", "branches", "generators"] as const).flatMap((kind) =>
    caseTable(session, kind).columns.map(({ key }) => key),
  );
  t.strictSame(
    words.filter((key) => /price|usd|lmp|shadow/.test(key)),
    [],
  );
  const cards = [...cardOf(session, "bus", 1).keys(), ...cardOf(session, "branch", 1).keys()];
  t.strictSame(
    cards.filter((term) => /price/i.test(term)),
    [],
  );
  const compared = compareTable(session, "buses", session.store.columns, session.store.columns);
  t.ok(
    compared.columns.some(({ key }) => key.startsWith("va_rad_before")),
    "another number takes its place",
  );
});
