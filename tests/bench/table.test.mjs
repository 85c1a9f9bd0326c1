import t from "tap";
import { geometricMean, percentile } from "./table.mjs";
import { agrees, baselines, bestOf, hasDigits, hashOfBits, judge } from "./solver.mjs";
import { verdict } from "./dcopf.mjs";
import { functionsOf } from "./wasmFile.mjs";

t.test("percentiles are of nearest rank", async (t) => {
  const list = Array.from({ length: 100 }, (_, k) => 100 - k);
  t.equal(percentile(list, 50), 50);
  t.equal(percentile(list, 95), 95);
  t.equal(percentile(list, 100), 100);
  t.equal(percentile([3, 10, 2], 50), 3);
  t.equal(percentile([], 50), undefined);
});

t.test("a geometric mean omits missing values", async (t) => {
  t.ok(Math.abs(geometricMean([10, undefined, 1000]) - 100) < 1e-9);
  t.equal(geometricMean([undefined]), undefined);
});

const OURS = { status: "optimal", objective: 1000 };
const NONE = { status: "SOLVE.INFEASIBLE", objective: null };

t.test("a peer's answer is right if status and objective equal ours", async (t) => {
  t.ok(agrees(1000, 1000.009));
  t.notOk(agrees(1000, 1000.02));
  t.equal(judge({ status: "optimal", objective: 1000.001 }, OURS), "right");
  t.equal(judge({ status: "optimal", objective: 1001 }, OURS), "wrong");
  t.equal(judge({ status: "optimal", objective: 1000 }, NONE), "wrong");
  t.equal(judge({ status: "infeasible", objective: null }, NONE), "right");
  t.equal(judge({ status: "infeasible", objective: null }, OURS), "wrong");
  t.equal(judge({ status: "time", objective: null }, OURS), "time");
  t.equal(judge({ status: "kSolveError", objective: null }, OURS), "kSolveError");
});

t.test("the best peer is the fastest right one", async (t) => {
  const rows = [
    { peer: "quick", status: "optimal", objective: 5, ms: 1 },
    { peer: "slow", status: "optimal", objective: 1000, ms: 30 },
    { peer: "good", status: "optimal", objective: 1000, ms: 20 },
  ];
  t.match(bestOf(rows, OURS), { ms: 20, side: "good" });
  t.match(bestOf([rows[0], { peer: "late", status: "time", ms: 60000 }], OURS), { why: "wrong / time", ms: undefined });
});

t.test("rows are compared by the digits of BASELINE.md", async (t) => {
  const text = `| **Case Name** | **Nodes** | **Edges** | **DC** |
| --- | --- | --- | --- |
| pglib_opf_case3_lmbd | 3 | 3 | 5.6959e+03 | 5.8126e+03 |
| pglib_opf_case5_pjm__sad | 5 | 6 | inf. | inf. |`;
  const table = baselines(text);
  t.same(
    [...table],
    [
      ["pglib_opf_case3_lmbd", "5.6959e+03"],
      ["pglib_opf_case5_pjm__sad", "inf."],
    ],
  );
  t.ok(hasDigits(5695.94, "5.6959e+03"));
  t.notOk(hasDigits(5696.06, "5.6959e+03"));
  const solved = (name, objective) => ({ case: name, status: "optimal", objective });
  t.equal(verdict(solved("a", 5695.94), "5.6959e+03"), "equal");
  t.equal(verdict(solved("a", 5697), "5.6959e+03"), "differs");
  t.equal(verdict(solved("pglib_opf_case1803_snem", 87706.53), "8.7696e+04"), "corrected");
  t.equal(verdict(solved("a", 1), "inf."), "differs");
  t.equal(verdict({ case: "a", ...NONE }, "inf."), "equal");
  t.equal(verdict({ case: "a", ...NONE }, undefined), "differs");
});

t.test("hashes of hashes are those of the native side", async (t) => {
  // FNV-1a of an empty input, and of eight zero bytes.
  t.equal(hashOfBits([]), "cbf29ce484222325");
  t.equal(hashOfBits(["0000000000000000"]), "a8c7f832281a39c5");
  t.not(hashOfBits(["0000000000000001"]), hashOfBits(["0000000000000100"]));
});

t.test("functions of a WebAssembly file have their names", async (t) => {
  // One imported function, one defined function with the body `i32.const 7`, and a name section for both.
  const text = (word) => [word.length, ...Buffer.from(word)];
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  const names = [2, 0, ...text("outside"), 1, ...text("wattbook_solve::step")];
  const file = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(2, [1, ...text("env"), ...text("f"), 0, 0]),
    ...section(3, [1, 0]),
    ...section(10, [1, 4, 0, 0x41, 7, 0x0b]),
    ...section(0, [...text("name"), 1, names.length, ...names]),
  ]);
  t.ok(WebAssembly.validate(file));
  const [only, ...more] = functionsOf(file);
  t.same(more, []);
  t.equal(only.name, "wattbook_solve::step");
  t.same([...only.body], [0, 0x41, 7, 0x0b]);
  t.throws(() => functionsOf(file.slice(0, 8)), /no function names/);
});
