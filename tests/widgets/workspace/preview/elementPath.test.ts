// Paths of the three-bus network in closed form, through the real engine; their drawing, and the words for their breakpoints.
import t, { type Test } from "tap";
import { priceCurve } from "@service/widgets/charts";
import { staircase } from "@service/widgets/map";
import { readout, statusText } from "@service/widgets/ui";
import {
  aheadSentence,
  breakpointSentence,
  floorSentence,
  oneSidedSentence,
  priceIntervalSentence,
  stopSentence,
} from "@service/widgets/text";
import { type CaseSession, ElementPath, type Selection } from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus } from "../../session.ts";
import { pageText } from "../../catalogue.ts";
import { eventually } from "../../../eventually.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;

/** The path of the selected element, once it is known. */
async function pathOf(session: CaseSession): Promise<ElementPath> {
  if (session.path === null) {
    await new Promise<void>((resolve) => {
      session.changed.connect((_, change) => {
        if (change === "path") {
          resolve();
        }
      });
    });
  }
  if (session.path === null) {
    throw new Error(session.pathProblem ?? "no path");
  }
  return session.path;
}

function near(t: Test, found: readonly number[], wanted: readonly number[], what: string): void {
  t.equal(found.length, wanted.length, `${what}: ${found.join(" ")}`);
  found.forEach((value, k) => t.ok(Math.abs(value - (wanted[k] ?? NaN)) < 1e-7, `${what} ${k}: ${value}`));
}

/*
 * Demand D at bus 2 is met by 0.22 g1 + 5 = 0.17 g2 + 1.2 until generator 1 is at its minimum of 10 MW (D = 7.7 / 0.17),
 * generator 2 at its maximum of 270 MW (D = 101.5 / 0.22), and line 2, which carries (g1 + 2 g2) / 3, at 250 MW (D = 480).
 * Then the price is that of 2 g1 - g2. Both generators give at least 20 MW (D - 90 = -70); at D = 500 line 1 is full too.
 */
const AT = [7.7 / 0.17 - 90, 101.5 / 0.22 - 90, 390];

t.test("a selected bus has its price path between the ends of feasibility", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const path = await pathOf(session);
  t.equal(path.watchedBus, 2);
  near(t, [path.min, path.max], [-70, 410], "ends");
  t.strictSame([path.below?.reason, path.above?.reason], ["infeasible", "infeasible"]);
  t.strictSame(session.range, { min: path.min, max: path.max }, "the slider ends where the path does");
  near(
    t,
    path.breakpoints.map(({ mw }) => mw),
    AT,
    "breakpoint",
  );
  t.strictSame(
    path.segments.map(({ slope }) => Number(slope.toFixed(9))),
    [0.17, (0.22 * 0.17) / 0.39, 0.22, 1.05].map((slope) => Number(slope.toFixed(9))),
  );
  const [, , jump] = path.breakpoints; // at 390 MW up to rounding
  near(
    t,
    [-70, 0, 380, jump?.mw ?? NaN, 400].map((mw) => path.priceAt(mw)),
    [2.9, 448 / 39, 49, 51.2, 65.8],
    "price",
  );
  t.ok(Number.isNaN(path.priceAt(411)) && Number.isNaN(path.priceAt(-71)), "none outside");
  t.notOk(path.covers(410.1));
  t.ok(path.covers(path.max + 1e-9), "up to rounding");
  t.equal(path.within(path.max + 1e-9), path.max);
});

t.test("the next events are stated in words, in both directions", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const path = await pathOf(session);
  const namer = session.opened;
  const ahead = (mw: number, up: boolean): string => {
    const breakpoint = path.ahead(mw, up);
    return breakpoint === null ? "nothing" : aheadSentence(breakpoint, up, namer);
  };
  t.equal(ahead(0, true), "Linear up to +371.4 MW, where generator 2 at bus 3 reaches its maximum");
  t.match(
    ahead(375, true),
    /^Linear up to \+390\.0 MW, where line 2 \(2 to 3\) binds and the price jumps by \+4\.10 \$\/MWh$/,
  );
  t.match(ahead(0, false), /^Linear down to \u221244\.7 MW, where generator 1 at bus 1 /);
  t.match(ahead(400, false), /the price jumps by \u22124\.10 \$\/MWh$/, "downwards the jump has the other sign");
  t.equal(ahead(400, true), "nothing");
  t.equal(ahead(390, true), "nothing", "the breakpoint one stands at is not ahead");
  const [, , jump] = path.breakpoints;
  t.ok(jump !== undefined);
  if (jump !== undefined) {
    t.match(
      breakpointSentence(jump, namer),
      "+390.0 MW: line 2 (2 to 3) binds; the price jumps by +4.10 $/MWh from 51.20 to 55.30",
    );
  }
  t.equal(stopSentence(path.above, "above", namer), "No solution above");
  t.equal(stopSentence(null, "above", namer), "");
});

t.test("the staircase is affine between breakpoints and vertical at jumps", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const path = await pathOf(session);
  const stairs = staircase(priceCurve(path, 0), { min: -70, max: 410 }, 0.5);
  near(t, [stairs.low, stairs.high], [2.9, 76.3], "prices");
  const points = stairs.line.slice(1).split("L");
  t.equal(points.length, 8, "two points a stretch");
  t.equal(points[0], "0 100", "the lowest price at the lower end");
  t.equal(points.at(-1), "1000 0");
  t.equal(points[5]?.split(" ")[0], points[6]?.split(" ")[0], "a jump goes straight up");
  t.not(points[5]?.split(" ")[1], points[6]?.split(" ")[1]);
  t.equal(points[3]?.split(" ")[1], points[4]?.split(" ")[1], "a corner does not");
  t.equal(stairs.heightOf(1000), 0, "prices off the drawing stay at its edge");
});

t.test("a capacity is followed by its exact path, in changes from the base case", async (t) => {
  const { session, opened } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.select({ kind: "generator", id: 2 });
  const path = await pathOf(session);
  // Of 270 MW: line 2 binds down to 30 MW, and 10 MW is Pmin.
  t.equal(path.watchedBus, 3);
  near(
    t,
    path.breakpoints.map(({ mw }) => mw),
    [30 - 270],
    "breakpoint",
  );
  near(t, [path.min, path.priceAt(path.min)], [10 - 270, 0.22 * 80 + 5], "Pmax at Pmin");
  t.equal(path.below?.reason ?? "the range", "the range", "the slider ends there too");
  t.equal(session.range?.min, path.min);
  session.previewMode = "exact";
  for (const mw of [path.min, 20 - 270, -100, path.max]) {
    session.preview(mw);
    await session.pathSettled;
    await eventually.equal(t, () => Promise.resolve(session.shownMw), mw);
    t.strictSame(session.status, { kind: "previewing", exact: true });
    const price = session.store.shownAt("lmp", opened.busRow(3));
    t.ok(Math.abs(price - path.priceAt(mw)) < 1e-7, `${mw}: ${price}`);
  }
  await session.select({ kind: "generator", id: 2, value: "cost" });
  t.equal(session.path, null, "a cost has none");
});

t.test("a steep end does not flatten the rest at any present value", (t) => {
  // 20 to 30 $/MWh over most of the range, 3000 at its end.
  const points = [
    { x: -100, y: 20 },
    { x: 90, y: 30 },
    { x: 100, y: 3000 },
  ];
  const range = { min: -100, max: 100 };
  for (const x0 of [-100, 0, 50, 85]) {
    const { low, high, heightOf } = staircase(points, range, 0.5, x0);
    t.ok(low < 20 && low > 10 && high > 29 && high < 50, `from ${x0} MW: ${low} to ${high}`);
    t.ok(heightOf(20) - heightOf(30) > 0.3, "the usual prices are distinguishable");
    t.equal(heightOf(3000), 0, "the extreme runs along the edge");
  }
  const steep = staircase(points, range, 0.5, 99);
  t.ok(steep.low <= 30 && steep.high >= 3000, "a hand on the steep end sees where it goes");
  const falling = staircase(
    [
      { x: -100, y: -50_000 },
      { x: -95, y: 20 },
      { x: 100, y: 40 },
    ],
    range,
    0.5,
    -60,
  );
  t.ok(falling.low > 0 && falling.high < 60, `${falling.low} to ${falling.high}`);
  const step = [
    { x: -100, y: 20 },
    { x: 80, y: 20 },
    { x: 80, y: 40 },
    { x: 100, y: 40 },
  ];
  const { low, high } = staircase(step, range, 0.5, 0);
  t.strictSame([low, high], [20, 40], "a jump of a staircase is no extreme");
  t.end();
});

t.test("a constant price is a line in the middle", async (t) => {
  const flat = { from_mw: 0, to_mw: 10, price: 20, slope: 0, objective: 0, objective_end: 0 };
  const track = {
    target: { kind: "bus", id: 1 },
    watched_bus: 1,
    from_mw: 0,
    to_mw: 10,
    breakpoints: [],
    segments: [flat],
  };
  const request = {
    edits: { deltas: {}, rates: {} },
    selection: { kind: "bus", id: 1 },
    range: { min: 0, max: 10 },
  } as const;
  const stairs = staircase(priceCurve(new ElementPath(request, track), 0), { min: 0, max: 10 }, 0.5);
  t.equal(stairs.line, "M0 50L1000 50");
  t.strictSame([stairs.low, stairs.high], [19.75, 20.25]);
});

t.test("the path of a line shows the bus whose price it moves most", async (t) => {
  const { session } = await openThreeBus();
  await session.select({ kind: "branch", id: 2 });
  const path = await pathOf(session);
  t.equal(path.watchedBus, 2);
  // Base flow of line 2 is (29.487179 + 2 * 60.512821) / 3 = 50.170940 MW: only a rating below that changes prices.
  near(
    t,
    path.breakpoints.slice(-1).map(({ mw }) => mw),
    [150.5128205128205 / 3 - 250],
    "last breakpoint",
  );
  t.ok(Math.abs(path.priceAt(40 - 250) - 30.1) < 1e-9);
  t.ok(Math.abs(path.priceAt(0) - 448 / 39) < 1e-9);
});

t.test("a path stays while only its element moves, and is computed again after any other change", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const path = await pathOf(session);
  await session.commitElement(BUS_2, 10);
  t.equal(session.path, path);
  await session.commit({ ...session.state.edits, ...{ rates: LINE_2_AT_40.rates } }, session.state.revision);
  t.equal(session.path, null, "line 2 is another now");
  const other = await pathOf(session);
  t.not(other, path);
  t.ok(other.max < path.max);
  await session.select(null);
  t.equal(session.path, null);
});

t.test("a selection that changes cancels the path before it is requested", async (t) => {
  const { session } = await openThreeBus();
  const first = session.select(BUS_2);
  const second = session.select({ kind: "bus", id: 3 });
  await Promise.all([first, second]);
  t.strictSame((await pathOf(session)).request.selection, { kind: "bus", id: 3 });
});

t.test("a linear estimate beyond feasibility states the limit and the reason", async (t) => {
  const { session } = await openThreeBus();
  session.previewMode = "first_order";
  await session.select(BUS_2);
  await pathOf(session);
  session.preview(400);
  t.equal(session.passedLimit, null);
  t.equal(statusText(session), pageText("previewingLinear"));
  session.preview(430);
  near(t, [session.passedLimit?.mw ?? NaN, session.passedLimit?.beyondMw ?? NaN], [410, 20], "limit");
  t.equal(statusText(session), pageText("previewingInfeasible"));
  const { text, failed, limit, details } = readout(session);
  t.equal(text, "Not feasible. At most +410.0 MW.");
  t.strictSame(limit, { mw: 410, text: "+410.0 MW" });
  t.equal(
    details,
    "Not feasible: 20.0 MW beyond the limit of +410.0 MW. Colours show the linear estimate. No solution above 500.0 MW at bus 2: " +
      "the limits of line 2 (2 to 3) and line 1 (1 to 2) cannot both be met.",
  );
  t.ok(failed);
  session.preview(-80);
  t.match(
    readout(session).details ?? "",
    /^Not feasible: 10\.0 MW beyond the limit of \u221270\.0 MW\. .* No solution below 20\.0 MW/,
  );
  session.cancelPreview();
  t.equal(session.passedLimit, null);
  await session.select({ kind: "bus", id: 1 });
  await session.pathSettled;
  session.preview(-3);
  t.match(readout(session).text, "Not possible: the demand reaches zero at 0.0 MW. Colours show the linear estimate.");
});

t.test("a bus without demand has no decrease", async (t) => {
  const sides = { left: 0.1, right: 0.44, jumpUp: 2.1, jumpDown: 1, floor: "the demand cannot go lower" };
  const jump = "for an increase the price jumps by +2.10 $/MWh; the demand cannot go lower.";
  t.equal(oneSidedSentence(sides), `At a breakpoint: the derivative for an increase is 0.440 ($/MWh)/MW; ${jump}`);
  const { session } = await openThreeBus();
  const bus: Selection = { kind: "bus", id: 1 };
  await session.select(bus);
  const { column } = session;
  if (column === null) {
    return t.fail("no column");
  }
  t.equal(floorSentence(column), "the demand cannot go lower");
  const unsure = { ...column, warrant: { ...column.warrant, price_interval: [3, 4] as [number, number] } };
  t.equal(
    priceIntervalSentence(unsure),
    "The price here is not unique: the demand cannot go lower, one MW more costs at least 4.00 $/h.",
  );
  await session.commitElement(bus, 5);
  t.equal(session.column && floorSentence(session.column), null);
});
