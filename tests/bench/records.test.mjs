import t from "tap";
import { baselinesOf, isMiss, verdictOf } from "./corpus/verdicts.mjs";
import { withSection } from "./sections.mjs";
import { FILLED, growth, TOLERANCE } from "./soak/flat.mjs";

const run = (samples, mb) => Array.from({ length: samples }, (_, k) => [60 * (k + 1), mb(k)]);
const hour = (mb) => run(60, mb);

t.test("memory is flat without growth after the warm-up, and not with a slow leak", async (t) => {
  const filling = growth(hour((k) => (k < 14 ? 50 + 3 * k : 92)));
  t.ok(filling.isFlat, "caches that fill first");
  t.strictSame([filling.mb, filling.uncertainty], [0, 0]);
  const leak = growth(hour((k) => 200 + 0.2 * k));
  t.notOk(leak.isFlat);
  t.ok(Math.abs(leak.mb - 0.2 * 45) < 0.5, "over the judged three quarters");
  t.equal(leak.most, TOLERANCE.share * leak.middle);
  const held = (k) => (k % 2 ? 0 : 10 * (k % 7));
  t.ok(growth(hour((k) => 150 + held(k))).isFlat, "memory that an allocator retains for a while");
  t.ok(growth(run(720, (k) => 150 + held(k))).uncertainty < 8, "many samples see through it");
  t.notOk(growth(run(720, (k) => 150 + held(k) + (20 * k) / 720)).isFlat, "and find a leak below it");
  t.ok(growth(hour((k) => 10 + 0.04 * k)).isFlat, "small measures have an absolute tolerance");
  const rarer = (k) => 40 + 2 * Math.floor(Math.log2(k + 1));
  t.notOk(growth(hour(rarer)).isFlat);
  t.ok(growth(hour(rarer), FILLED).isFlat, "the largest need so far, of memory that is never freed");
  t.notOk(
    growth(
      hour((k) => 40 + 0.1 * k),
      FILLED,
    ).isFlat,
    "which a leak raises to the end",
  );
});

t.test("a section is replaced by its name, and others stay", async (t) => {
  const one = withSection("# Page\n\nWords.\n", "soak", "First.");
  const both = withSection(one, "fuzz", "Second.");
  t.match(
    both,
    /^# Page\n\nWords.\n\n<!-- soak: begin -->\n\nFirst.\n\n<!-- soak: end -->\n\n<!-- fuzz: begin -->\n\nSecond./,
  );
  const again = withSection(both, "soak", "Third.");
  t.equal(again, both.replace("First.", "Third."));
});

const BASELINE = `
| **Case Name** | **Nodes** | **Edges** | **DC ($/h)** | **AC ($/h)** | **QC Gap (%)** | **SOC Gap (%)** | ...
| pglib_opf_case14_ieee | 14 | 20 | 2.0515e+03 | 2.1781e+03 | 0.11 | 0.11 | <1 |
| pglib_opf_case14_ieee__sad | 14 | 20 | inf. | 2.7768e+03 | 21.53 | 21.54 | <1 |
`;

t.test("rows of the corpus get the verdicts of their references", async (t) => {
  const printed = baselinesOf(BASELINE);
  t.same(printed.get("pglib_opf_case14_ieee"), { dc: "2.0515e+03", ac: 2178.1, gap: 0.11 });
  const judge = (row, reference) =>
    verdictOf({ name: "pglib_opf_case14_ieee", ...row }, printed.get(row.name ?? "pglib_opf_case14_ieee"), reference);
  const dc = { formulation: "dcopf", status: "optimal", residual_mw: 1e-9, gap: 1e-12 };
  t.equal(judge({ ...dc, objective: 2051.53 }), "agrees");
  t.equal(judge({ ...dc, objective: 2052 }), "differs");
  t.equal(judge({ ...dc, objective: 2051.53, gap: 1e-3 }), "uncertified");
  t.equal(judge({ formulation: "dcopf", status: "SOLVE.INFEASIBLE" }), "differs");
  t.equal(judge({ name: "pglib_opf_case14_ieee__sad", formulation: "dcopf", status: "SOLVE.INFEASIBLE" }), "agrees");
  t.equal(
    judge({ name: "pglib_opf_case1803_snem", ...dc, objective: 87706.53 }),
    "certified",
    "BASELINE.md has no such row here",
  );
  const cone = { formulation: "socwr", status: "optimal", residual_mw: 0, gap: 1e-9 };
  t.equal(judge({ ...cone, objective: 2178.1 * (1 - 0.0011) }), "agrees");
  t.equal(judge({ ...cone, objective: 2178.1 * (1 - 0.0015) }), "differs");
  const other = (row, reference) => verdictOf({ name: "a/b.m", ...row }, undefined, reference);
  t.equal(other({ ...dc, objective: 5, apart: 1e-9 }, { dcopf: 5 }), "agrees");
  t.equal(other({ ...dc, objective: 5, apart: 1e-3 }, { dcopf: 5.1 }), "differs");
  t.equal(other({ ...dc, objective: 5 }, { dcopf: null }), "differs", "the reference has no solution");
  t.equal(other({ ...dc, objective: 5 }), "certified");
  t.equal(other({ formulation: "dcopf", status: "SOLVE.INFEASIBLE" }), "infeasible");
  t.equal(other({ formulation: "acpf", status: "SOLVE.NOT_CONVERGED" }), "unsolved");
  t.equal(other({ formulation: "acpf", status: "PHYSICS.UNSUPPORTED" }), "refused");
  t.ok(isMiss("time"));
  t.notOk(isMiss("refused"));
});
