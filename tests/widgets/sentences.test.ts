import t from "tap";
import type { SensitivityColumn, Warrant } from "@service/engine";
import {
  asSentence,
  endSentence,
  intervalSentence,
  onePriceSentence,
  previewErrorSentence,
  zeroColumnSentence,
} from "@service/widgets/words";

const namer = {
  nameOf: (kind: string, id: number): string => (kind === "branch" ? `line ${id} (Ash to Birch)` : `${kind} ${id}`),
};
const line = { mw: 34.2, event: "line_binds", element: { kind: "branch", id: 17 } } as const;
const unit = { mw: -12, event: "generator_reaches_min", element: { kind: "generator", id: 3 } } as const;

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
  const zero = { mw: -6.2, event: "edit_limit", element: { kind: "bus", id: 1 } } as const;
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

t.test("the error of a preview", async (t) => {
  t.equal(previewErrorSentence(0.0218), "First order missed by at most 0.02 $/MWh");
  t.equal(previewErrorSentence(1e-9), "First order missed by less than 0.01 $/MWh");
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
