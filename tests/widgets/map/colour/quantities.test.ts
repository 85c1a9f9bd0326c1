// Quantities of a result are offered, listed and described; missing ones appear nowhere, whatever the views are called.
import t from "tap";
import {
  branchQuantities,
  BranchPaint,
  BusPaint,
  busQuantities,
  caseSceneModel,
  lineKinds,
  MapColours,
} from "@service/widgets/map";
import { caseTable, compareTable } from "@service/widgets/tables";
import {
  type CaseSession,
  type NamedQuantity,
  QuantityTable,
  totalLosses,
  voltageStatistics,
} from "@service/widgets/workspace";
import { difference, openThreeBus } from "../../session.ts";
import { pageText } from "../../catalogue.ts";

/** Voltage magnitudes as in an AC formulation, and losses under a name that no view knows. */
const MAGNITUDES = { name: "vm_pu", element: "bus", unit: "pu", values: Float64Array.of(1.01, 0.985, 1) } as const;
const LOSSES = { name: "losses_mw", element: "branch", unit: "MW", values: Float64Array.of(0.25, 0.5, 1.5) } as const;

const cardOf = (session: CaseSession, kind: "bus" | "branch", row: number): Map<string, string> =>
  new Map(caseSceneModel(session, new BranchPaint(session)).card({ kind, row }).rows);

t.test("a quantity of a formulation appears in legend, tables and cards under its name", async (t) => {
  const { session } = await openThreeBus();
  t.notOk(busQuantities(session).has("vm_pu"));
  t.type(busQuantities(session).get("voltage")?.missing(session), "string", "the DC model says why it has none");
  session.store.publish(session.store.columns.with(MAGNITUDES, LOSSES));

  t.equal(busQuantities(session).get("voltage")?.missing(session), null);
  const losses = branchQuantities(session).get("losses_mw");
  t.match(losses, { label: pageText("losses"), unit: "MW", scale: "branch" });
  t.strictSame(losses?.values(session), LOSSES.values);
  const colours = new MapColours(session, "lmp", "losses_mw");
  colours.choose("voltage");
  colours.update(false);
  t.match(colours.legend, {
    buses: { title: pageText("voltageMagnitude"), unit: "pu", scale: { range: { low: 0.95, high: 1.05 } } },
    lines: { title: pageText("linesBy", pageText("losses")), unit: "MW" },
  });

  const buses = caseTable(session, "buses");
  const magnitude = buses.columns.find(({ key }) => key === "vm_pu");
  t.match(magnitude, { title: pageText("voltageMagnitude"), unit: "pu" });
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
  t.equal(cardOf(session, "bus", 1).get(pageText("voltageMagnitude")), "0.9850 pu");
  t.equal(cardOf(session, "branch", 2).get(pageText("losses")), "1.5 MW");
});

t.test("a result without prices shows none", async (t) => {
  const { session } = await openThreeBus();
  const others = (["bus", "branch", "generator"] as const)
    .flatMap((element) => session.store.columns.of(element))
    .filter(({ name }) => !["lmp", "shadow", "limit_shadow"].includes(name));
  session.store.publish(new QuantityTable([...others, MAGNITUDES]));

  const named = [...busQuantities(session).keys(), ...branchQuantities(session).keys()];
  t.strictSame(named, [
    ...["voltage", "angle", "demand", "generation", "net_injection", "area", "zone"],
    ...["loading", "flow", "rating_change"],
  ]);
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
    ["marginal_cost_usd_per_mwh"], // of the case, not of the result
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

/** Voltages, reactive power and both ends of the lines, as in an AC power flow. */
const AC: readonly NamedQuantity[] = [
  ["vm_pu", "bus", "pu", [1.07, 0.985, 0.92]],
  ["va_rad", "bus", "rad", [0, -0.1, -0.05]],
  ["demand_mvar", "bus", "MVAr", [0, 30, -5]],
  ["vm_min_pu", "bus", "pu", [0.94, 0.94, 0.94]],
  ["vm_max_pu", "bus", "pu", [1.06, 1.06, 1.06]],
  ["flow_mw", "branch", "MW", [10, -20, 30]],
  ["flow_mvar", "branch", "MVAr", [4, -5, 6]],
  ["flow_to_mw", "branch", "MW", [-9.5, 20.5, -29]],
  ["flow_to_mvar", "branch", "MVAr", [-3, 6, -5]],
  ["loading", "branch", "fraction of rating", [0.1, 0.2, 0.3]],
  ["rating_mva", "branch", "MVA", [250, 250, 250]],
  ["dispatch_mvar", "generator", "MVAr", [12, -3]],
].map(
  ([name, element, unit, values]) =>
    ({ name, element, unit, values: Float64Array.from(values as number[]) }) as NamedQuantity,
);

t.test("an AC power flow: voltages against their limits, reactive power, losses", async (t) => {
  const { session } = await openThreeBus();
  session.store.publish(new QuantityTable(AC));
  t.strictSame(
    [...busQuantities(session).keys()],
    ["voltage", "voltage_excess", "angle", "reactive_demand", "reactive_generation"],
  );
  t.strictSame([...branchQuantities(session).keys()], ["loading", "flow", "reactive_flow", "losses", "rating_change"]);

  const excess = busQuantities(session).get("voltage_excess")?.values(session) ?? new Float64Array();
  t.ok(difference(excess, [0.01, 0, -0.02]) < 1e-12, "over the upper limit, within, under the lower one");
  t.ok(difference(branchQuantities(session).get("losses")?.values(session) ?? [], [0.5, 0.5, 1]) < 1e-12);
  const paint = new BranchPaint(session);
  paint.update(session, "reactive_flow", false);
  t.strictSame(paint.look.directions, Int8Array.of(1, -1, 1));
  const found = voltageStatistics(session.store.columns);
  t.match(found, { min: { pu: 0.92, row: 2 }, max: { pu: 1.07, row: 0 }, above: [0], below: [2] });
  t.ok(Math.abs((totalLosses((name) => session.store.shown(name)) ?? NaN) - 2) < 1e-12);

  const bus = cardOf(session, "bus", 2);
  t.equal(bus.get(pageText("voltageMagnitude")), "0.9200 pu");
  t.equal(bus.get(pageText("voltageLimits")), "0.9400 to 1.0600 pu");
  t.equal(bus.get(pageText("angle")), "\u22122.86\u00b0");
  t.equal(bus.get(pageText("reactiveDemand")), "\u22125.0 MVAr");
  const line = cardOf(session, "branch", 0);
  t.strictSame(
    [line.get(pageText("reactiveFlow")), line.get(pageText("losses")), line.get(pageText("rating"))],
    ["4.0 MVAr", "0.500 MW", "250.0 MVA"],
  );
  t.notOk([...bus.keys(), ...line.keys()].some((term) => /price/i.test(term)));
  const rows = caseTable(session, "branches").columns.find(({ key }) => key === "losses_mw");
  t.equal(rows?.text(2), "1.0");
});

t.test("voltages within their limits are reported as such", async (t) => {
  const { session } = await openThreeBus();
  const within = { name: "vm_pu", element: "bus", unit: "pu", values: Float64Array.of(1.06 + 1e-9, 1, 0.94) } as const;
  session.store.publish(new QuantityTable(AC).with(within));
  const info = busQuantities(session).get("voltage_excess");
  t.strictSame(info?.values(session), new Float64Array(3), "a limit that is met to rounding is not violated");
  t.type(info?.uniform?.(session, { binding: 0, high: 0 }), "string");
  t.strictSame(voltageStatistics(session.store.columns)?.above, []);
});

t.test("voltages are coloured from limit to limit around 1 pu, and the legend counts those outside", async (t) => {
  const { session } = await openThreeBus();
  session.store.publish(new QuantityTable(AC));
  const colours = new MapColours(session, "lmp", "loading");
  colours.update(false);
  t.equal(colours.quantity, "voltage", "without prices the voltages come first");
  const { buses, keepsRatings } = colours.legend;
  t.match(buses, {
    title: pageText("voltageMagnitude"),
    scale: { kind: "magnitude", range: { low: 0.95, high: 1.05 } },
  });
  t.equal(buses.note, pageText("voltagesOutside", "0.940", "1.060", 1, 1));
  t.match(buses.outside, { below: 1, above: 1, lowest: 0.92, highest: 1.07 });
  t.strictSame([...colours.buses.sides], [1, 0, -1], "those outside are marked by their form too");
  const { scale } = buses;
  const middle = ((scale?.palette.length ?? 0) - 1) / 2;
  t.equal(scale?.place(1), middle);
  t.strictSame([scale?.place(0.94), scale?.place(1.06)], [0, 2 * middle]);
  t.equal(keepsRatings, false);

  const heavy = { name: "loading", element: "branch", unit: "", values: Float64Array.of(1.2, 0.9, 0.3) } as const;
  session.store.publish(new QuantityTable(AC).with(heavy));
  colours.update(false);
  t.strictSame(
    lineKinds(colours.legend).map(({ text }) => text),
    [pageText("aboveRating", 1, 1), pageText("aboveEighty", 1, 1)],
  );
  t.strictSame(colours.lines.look.classes.binding, [0], "drawn as a line that stands out");
  const state = caseTable(session, "branches").columns.find(({ key }) => key === "state");
  t.strictSame([state?.value(0), state?.value(1)], ["above its rating", "heavy"]);
  t.equal(caseTable(session, "buses").sorting.key, "vm_pu");
});
