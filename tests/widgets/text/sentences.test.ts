import t from "tap";
import type { Message, MessageValue, SensitivityColumn, Warrant, WarrantEnd } from "@service/engine";
import {
  breakpointSentence,
  comparisonSentence,
  endSentence,
  exactSentence,
  intervalSentence,
  noSolutionHead,
  noSolutionSentence,
  onePriceSentence,
  oneSidedSentence,
  pathEndReason,
  pathProblemSentence,
  type Refusal,
  stopSentence,
  zeroColumnSentence,
} from "@service/widgets/text";

const namer = {
  nameOf: (kind: string, id: number): string => (kind === "branch" ? `line ${id} (Ash to Birch)` : `${kind} ${id}`),
};
const line = { mw: 34.2, event: "line_binds", element: { kind: "branch", id: 17 }, price_jump: null } as const;
const unit = {
  mw: -12,
  event: "generator_reaches_min",
  element: { kind: "generator", id: 3 },
  price_jump: null,
} as const;

function column(warrant: Partial<Warrant>): SensitivityColumn {
  const full: Warrant = { kind: "regular", valid_mw: [null, null], ends: [null, null], residual: 0, ...warrant };
  return { case: "c", operand: "lmp", parameter: "d", bus: 1, units: "($/MWh)/MW", values: [], warrant: full };
}

t.test("an interval is stated as changes from the base case", async (t) => {
  t.equal(intervalSentence(column({ valid_mw: [-12, 34.2] }), 0), "exact from \u221212.0 to +34.2 MW");
  t.equal(intervalSentence(column({ valid_mw: [-12, 34.2] }), 20), "exact from +8.0 to +54.2 MW");
  t.equal(intervalSentence(column({ valid_mw: [null, 5] }), 0), "exact up to +5.0 MW");
  t.equal(intervalSentence(column({ valid_mw: [-5, null] }), 0), "exact from \u22125.0 MW upwards");
  t.equal(intervalSentence(column({}), 0), "exact for any change");
});

t.test("the ends of an interval name their events", async (t) => {
  t.equal(endSentence(line, 0, namer), "+34.2 MW, then line 17 (Ash to Birch) binds");
  t.equal(endSentence(unit, 10, namer, "where"), "\u22122.0 MW, where generator 3 reaches its minimum");
  const zero = { mw: -6.2, event: "edit_limit", element: { kind: "bus", id: 1 }, price_jump: null } as const;
  t.equal(endSentence(zero, 0, namer), "\u22126.2 MW, then the demand reaches zero");
});

t.test("a zero column states the range in which prices do not move", async (t) => {
  t.equal(
    zeroColumnSentence(column({ ends: [unit, line] }), 0, namer),
    "Prices stay unchanged until the demand rises by 34.2 MW, when line 17 (Ash to Birch) binds, or falls by 12.0 MW, when generator 3 reaches its minimum.",
  );
  const rating = { ...column({ ends: [{ ...line, mw: -40.1 }, null] }), branch: 4 };
  t.equal(
    zeroColumnSentence(rating, 100, namer),
    "Prices stay unchanged until the rating falls by 40.1 MW; then line 17 (Ash to Birch) binds.",
  );
  t.equal(zeroColumnSentence(column({}), 0, namer), "Prices do not respond to this change.");
});

t.test("equal prices everywhere are explained", async (t) => {
  t.equal(
    onePriceSentence(6.71, { id: 17, loading: 0.97 }, namer),
    "One price everywhere, 6.71 $/MWh: no line binds; the nearest is line 17 (Ash to Birch) at 97 %.",
  );
  t.equal(
    onePriceSentence(1, { id: 17, loading: 0.9995 }, namer),
    "One price everywhere, 1.00 $/MWh: no line binds; line 17 (Ash to Birch) is at its limit with zero shadow price.",
  );
  t.equal(onePriceSentence(6.71, null, namer), "One price everywhere, 6.71 $/MWh: no line binds.");
});

t.test("a jump too small for two decimals has more of them", async (t) => {
  const at = (price_before: number, price_after: number): string =>
    breakpointSentence({ mw: 34.2, event: "line_binds", element: line.element, price_before, price_after }, namer);
  t.equal(
    at(18.0465, 18.0535),
    "+34.2 MW: line 17 (Ash to Birch) binds; the price jumps by +0.0070 $/MWh from 18.0465 to 18.0535",
  );
  t.match(at(18.044, 18.052), /jumps by \+0\.01 \$\/MWh from 18\.04 to 18\.05$/);
  t.match(at(18, 16), /jumps by \u22122\.00 \$\/MWh from 18\.00 to 16\.00$/);
  t.match(endSentence({ ...line, price_jump: 0.0003 }, 0, namer), /jumps by \+0\.000300 \$\/MWh$/);
});

t.test("an end states a jump of the price, and the end of feasibility", async (t) => {
  t.equal(
    endSentence({ ...line, price_jump: 2.1 }, 0, namer),
    "+34.2 MW, then line 17 (Ash to Birch) binds and the price jumps by +2.10 $/MWh",
  );
  t.equal(
    endSentence({ ...line, price_jump: 1e-9 }, 0, namer),
    "+34.2 MW, then line 17 (Ash to Birch) binds",
    "rounding is no jump",
  );
  t.equal(
    endSentence({ ...line, no_solution_beyond: true }, 0, namer),
    "+34.2 MW, then line 17 (Ash to Birch) binds and there is no solution beyond",
  );
});

t.test("preview and exact result are side by side with the difference of their printed numbers", async (t) => {
  const formatted = (preview: number, exact: number, at = "", relative: number | null = null): string =>
    comparisonSentence({ preview, exact }, relative, at);
  t.equal(formatted(23.41, 23.4), "Preview 23.41, exact 23.40 $/MWh, error 0.01.", "the exact change is zero");
  t.equal(
    formatted(42.02, 28.17, "", 13.85 / 1.2),
    "Preview 42.02, exact 28.17 $/MWh, error 13.85, 1,154 % of the change.",
  );
  t.equal(
    formatted(42, 28, "bus 3", 0.5),
    "Preview 42.00, exact 28.00 $/MWh at bus 3, error 14.00, 50 % of the change.",
  );
  t.equal(formatted(5, 5 + 2e-12, "", 1e-12), "Preview = exact: 5.00 $/MWh.", "rounding is no error");
  t.equal(formatted(23.41, 23.4, "bus 3"), "Preview 23.41, exact 23.40 $/MWh at bus 3, error 0.01.");
  t.equal(formatted(41.4049, 41.2151), "Preview 41.40, exact 41.22 $/MWh, error 0.18.", "not 0.19");
  t.equal(formatted(5, 5 + 2e-12, "bus 3"), "Preview = exact: 5.00 $/MWh at bus 3.");
  t.equal(formatted(41.396, 41.404), "Preview 41.40, exact 41.40 $/MWh, error 0.008.");
  t.equal(formatted(5, 5 + 2e-6), "Preview 5.00, exact 5.00 $/MWh, error 0.0000020.");
  t.equal(formatted(-0.004, 0.001), "Preview 0.00, exact 0.00 $/MWh, error 0.005.");
});

t.test("an interval longer than the slider ends with the slider", async (t) => {
  const far = column({
    ends: [
      { ...unit, mw: -300 },
      { ...line, mw: 823.4 },
    ],
    valid_mw: [-300, 823.4],
  });
  const slider = { min: -61.2, max: 100 };
  const ends = "up to +100.0 MW, the end of the slider; down to \u221261.2 MW, the end of the slider.";
  t.equal(exactSentence(far, 0, namer, slider), `The linear estimate is exact ${ends}`);
  t.equal(zeroColumnSentence(far, 0, namer, slider), `Prices stay unchanged ${ends}`);
  t.match(exactSentence(far, -730, namer, slider), /^The linear estimate is exact up to \+93\.4 MW, then line 17/);
  t.match(exactSentence(far, 0, namer), /^The linear estimate is exact up to \+823\.4 MW, then line 17/);
});

t.test("an interval states the lowest possible edit", async (t) => {
  const zero = (mw: number, kind = "bus"): WarrantEnd => {
    return { mw, event: "edit_limit", element: { kind, id: 1 }, price_jump: null };
  };
  const formatted = (low: WarrantEnd | null, high: WarrantEnd | null, offset = 0): string =>
    exactSentence(column({ ends: [low, high], valid_mw: [low?.mw ?? null, high?.mw ?? null] }), offset, namer);
  const up = "The linear estimate is exact up to +34.2 MW, then line 17 (Ash to Birch) binds";
  t.equal(formatted(zero(0), line), `${up}; the demand cannot go lower.`);
  t.equal(formatted(zero(-6.2), line), `${up}; down to \u22126.2 MW, then the demand reaches zero.`);
  t.equal(
    formatted(zero(0, "branch"), null),
    "The linear estimate is exact from 0.0 MW upwards; the rating cannot go lower.",
  );
  t.equal(formatted(null, null), "The linear estimate is exact for any change.");
  const [below, above] = [
    { ...unit, mw: -1e-9 },
    { ...line, mw: 0, no_solution_beyond: true },
  ];
  const both =
    ": upwards line 17 (Ash to Birch) binds and there is no solution beyond; downwards generator 3 reaches its minimum.";
  t.equal(formatted(below, above, 150), `The linear estimate is exact only here${both}`, "an interval without width");
  t.equal(
    formatted(zero(0), { ...line, mw: 0 }),
    "The linear estimate is exact only here: upwards line 17 (Ash to Birch) binds; the demand cannot go lower.",
  );
  const here = column({ ends: [below, above], valid_mw: [-1e-9, 0] });
  t.equal(intervalSentence(here, 150), "exact only here");
  t.equal(zeroColumnSentence(here, 150, namer), `Prices do not change at first${both}`);
});

t.test("the end of a path states the reason and the remedy", async (t) => {
  const stop = {
    mw: 40,
    message: "No matter.",
    sentence: { key: "stop.demand_zero" },
    reason: "too_many_breakpoints",
  } as const;
  t.equal(stopSentence({ ...stop, reason: "edit_limit" }, "below", namer), "The demand at the bus reaches zero.");
  t.equal(stopSentence(stop, "above", namer), "More breakpoints beyond +40.0 MW: release there to see them");
  t.equal(pathEndReason(stop), "solved separately: the path has too many breakpoints to continue");
  t.match(pathEndReason({ ...stop, reason: "not_followed" }), "could not be followed");
  t.equal(
    pathProblemSentence("It cycled."),
    "No exact path; every position is still solved exactly on release. It cycled.",
  );
});

t.test("derivatives to both sides of a breakpoint, never a mean", async (t) => {
  t.equal(
    oneSidedSentence({ left: 0, right: 0.44, jumpUp: 2.1, jumpDown: null }, ""),
    "At a breakpoint the derivative is one-sided: left 0, right 0.440 ($/MWh)/MW; for an increase the price jumps by +2.10 $/MWh.",
  );
  t.equal(
    oneSidedSentence({ left: -0.5, right: undefined, jumpUp: null, jumpDown: 0 }, "bus 3"),
    "At a breakpoint the derivative at bus 3 is one-sided: left \u22120.500 ($/MWh)/MW, right no solution.",
  );
});

t.test("without a checked explanation edits without a solution name the lines", async (t) => {
  const branch = (id: number): MessageValue => ({ element: { kind: "branch", id } });
  const lines: Message = { key: "reason.two_lines", values: { lines: { list: [branch(12), branch(40)] } } };
  const refusal: Refusal = {
    message: "in English",
    sentence: { key: "no_solution", values: { reason: { message: lines } } },
    details: { kind: "lines" },
  };
  const formatted = "No solution: the limits of line 12 (Ash to Birch) and line 40 (Ash to Birch) cannot both be met.";
  t.equal(noSolutionSentence(refusal, namer), formatted);
  t.equal(noSolutionHead(refusal, namer), formatted);
  t.equal(noSolutionSentence({ ...refusal, sentence: null }, namer), "in English", "the words of others stay");
});
