import t from "tap";
import type { SensitivityColumn, Warrant } from "@service/engine";
import {
  asSentence,
  comparisonSentence,
  endSentence,
  intervalSentence,
  noSolutionSentence,
  onePriceSentence,
  oneSidedSentence,
  zeroColumnSentence,
} from "@service/widgets/words";

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

t.test("an interval is told as changes from the base case", async (t) => {
  t.equal(intervalSentence(column({ valid_mw: [-12, 34.2] }), 0), "exact from \u221212.0 to +34.2 MW");
  t.equal(intervalSentence(column({ valid_mw: [-12, 34.2] }), 20), "exact from +8.0 to +54.2 MW");
  t.equal(intervalSentence(column({ valid_mw: [null, 5] }), 0), "exact up to +5.0 MW");
  t.equal(intervalSentence(column({ valid_mw: [-5, null] }), 0), "exact from \u22125.0 MW upwards");
  t.equal(intervalSentence(column({}), 0), "exact for any change");
});

t.test("the ends of an interval name what happens", async (t) => {
  t.equal(endSentence(line, 0, namer), "+34.2 MW, then line 17 (Ash to Birch) binds");
  t.equal(endSentence(unit, 10, namer, "where"), "\u22122.0 MW, where generator 3 reaches its minimum");
  const zero = { mw: -6.2, event: "edit_limit", element: { kind: "bus", id: 1 }, price_jump: null } as const;
  t.equal(endSentence(zero, 0, namer), "\u22126.2 MW, then the demand reaches zero");
});

t.test("a zero column says until where prices do not move", async (t) => {
  t.equal(
    zeroColumnSentence(column({ ends: [unit, line] }), 0, namer),
    "Prices do not move until +34.2 MW, then line 17 (Ash to Birch) binds; down to \u221212.0 MW, then generator 3 reaches its minimum.",
  );
  t.equal(zeroColumnSentence(column({}), 0, namer), "Prices do not move with this change.");
});

t.test("one price everywhere says why", async (t) => {
  t.equal(
    onePriceSentence(6.71, { id: 17, loading: 0.97 }, namer),
    "One price everywhere, 6.71 $/MWh: no line binds; the nearest is line 17 (Ash to Birch) at 97 %.",
  );
  t.equal(
    onePriceSentence(1, { id: 17, loading: 0.9995 }, namer),
    "One price everywhere, 1.00 $/MWh: no line binds; line 17 (Ash to Birch) is full but costs nothing.",
  );
  t.equal(onePriceSentence(6.71, null, namer), "One price everywhere, 6.71 $/MWh: no line binds.");
});

t.test("an end tells a jump of the price, and that nothing is feasible beyond", async (t) => {
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

t.test("preview and exact result side by side", async (t) => {
  t.equal(
    comparisonSentence({ preview: 23.41, exact: 23.4, error: 0.01, relative: 0.0043 }),
    "Preview 23.41, exact 23.40 $/MWh, error 0.01; relative error 0.43 % of the exact change.",
  );
  t.equal(
    comparisonSentence({ preview: 23.41, exact: 23.4, error: 0.01, relative: null }, "bus 3"),
    "Preview 23.41, exact 23.40 $/MWh at bus 3, error 0.01; relative error not defined (exact change is zero).",
  );
  t.equal(
    comparisonSentence({ preview: 5, exact: 5, error: 2e-12, relative: 1e-12 }),
    "Preview 5.00, exact 5.00 $/MWh, error 2e\u221212; relative error 1e\u221210 % of the exact change.",
  );
});

t.test("derivatives to both sides of a breakpoint, never a mean", async (t) => {
  t.equal(
    oneSidedSentence({ left: 0, right: 0.44, jumpUp: 2.1, jumpDown: null }, ""),
    "At a breakpoint the derivative is one-sided: left 0, right 0.440 ($/MWh)/MW; for an increase the price jumps by +2.10 $/MWh.",
  );
  t.equal(
    oneSidedSentence({ left: -0.5, right: undefined, jumpUp: null, jumpDown: 0 }, "bus 3"),
    "At a breakpoint the derivative at bus 3 is one-sided: left \u22120.500, right no solution ($/MWh)/MW.",
  );
});

t.test("edits without a solution name the lines and what would help", async (t) => {
  const line = (branch: number): object => ({ branch, weight: 1 });
  const told = (lines: object[]): string =>
    noSolutionSentence("No solution: engine.", { kind: "lines", shortfall_mw: 4.1, lines }, namer);
  t.equal(
    told([line(12)]),
    "No solution: the limit of line 12 (Ash to Birch) cannot be held. Relaxing it by 4.1 MW would restore one.",
  );
  t.equal(
    told([line(12), line(40)]),
    "No solution: line 12 (Ash to Birch) and line 40 (Ash to Birch) cannot all be held. Relaxing line 12 (Ash to Birch) alone would take at least 4.1 MW.",
  );
  t.match(told([1, 2, 3, 4, 5, 6].map(line)), "and 2 more cannot all be held.");
  t.equal(noSolutionSentence("The demand exceeds it.", undefined, namer), "No solution: The demand exceeds it.");
  t.equal(noSolutionSentence("No solution: short.", { kind: "balance", lines: [] }, namer), "No solution: short.");
});

t.test("messages of other people's readers become sentences, without their codes", async (t) => {
  t.equal(
    asSentence("generator cost curves dropped: no field (EMIT.PSLF.FIELD_DROPPED)"),
    "Generator cost curves dropped: no field.",
  );
  t.equal(asSentence("mpc.bus is missing;"), "mpc.bus is missing.");
  t.equal(asSentence("Bus 7 (Ash) is isolated."), "Bus 7 (Ash) is isolated.");
  t.equal(asSentence("It is called (ABC)"), "It is called (ABC)");
});
