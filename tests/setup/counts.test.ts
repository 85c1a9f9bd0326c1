// tests/run.mjs adds up the closing lines of the runners, which are these.
import { test } from "tap";
// @ts-expect-error plain JavaScript, which runs before TypeScript is installed
import { countCargo, countLint, countPytest, countTap, failedFiles, judge, mended } from "../counts.mjs";

test("cargo: one line for each test binary", async (t) => {
  const output = [
    "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
  ].join("\n");
  t.same(countCargo(output), { passed: 15, failed: 2, skipped: 1 });
});

test("cargo: a test without its data is skipped, not passed", async (t) => {
  const output = [
    "successes:",
    "",
    "---- objectives stdout ----",
    "skipped: 1 corpus test, no data",
    "",
    "---- columns stdout ----",
    "31 columns agree",
    "",
    "successes:",
    "    objectives",
    "    columns",
    "",
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
  ].join("\n");
  t.same(countCargo(output), { passed: 1, failed: 0, skipped: 1 });
});

test("tap: the last total, not a test's own comment", async (t) => {
  const output = "    # { total: 99, pass: 99 }\n# { total: 12, pass: 9, fail: 1, skip: 1, todo: 1 }\n# time=1ms\n";
  t.same(countTap(output), { passed: 9, failed: 1, skipped: 2 });
});

test("failed files run again, and the second run counts", async (t) => {
  const output = [
    "ok 1 - tests/e2e/page/plan.test.ts # time=1ms",
    "    not ok 1 - tests/e2e/inner.test.ts",
    "not ok 2 - tests/e2e/page/page.test.ts # time=53198.394ms",
    "# { total: 12, pass: 9, fail: 3 }",
  ].join("\n");
  t.same(failedFiles(output), ["tests/e2e/page/page.test.ts"]);
  const first = countTap(output);
  t.same(mended(first, { passed: 4, failed: 0, skipped: 0 }), { passed: 12, failed: 0, skipped: 0 });
  t.same(mended(first, { passed: 3, failed: 1, skipped: 0 }), { passed: 11, failed: 1, skipped: 0 });
});

test("pytest: totals with and without rules around the line", async (t) => {
  t.same(countPytest("=== 1 failed, 3 passed, 2 skipped, 1 warning in 0.12s ===\n"), {
    passed: 3,
    failed: 1,
    skipped: 2,
  });
  t.same(countPytest("4 passed, 1 error in 61.20s (0:01:01)\n"), { passed: 4, failed: 1, skipped: 0 });
  t.same(countPytest("===== no tests ran in 0.01s =====\n"), { passed: 0, failed: 0, skipped: 0 });
});

test("lint: every tool is one test", async (t) => {
  t.same(countLint("ok   eslint (1.0 s)\nlint: 6 passed, 1 failed\n"), { passed: 6, failed: 1, skipped: 0 });
});

test("a run that fails without a failed test, or runs none, is one failure", async (t) => {
  t.same(judge({ passed: 3, failed: 0, skipped: 0 }, 0), { passed: 3, failed: 0, skipped: 0 });
  t.same(judge({ passed: 3, failed: 0, skipped: 0 }, 101), { passed: 3, failed: 1, skipped: 0 });
  t.same(judge({ passed: 3, failed: 2, skipped: 0 }, 1), { passed: 3, failed: 2, skipped: 0 });
  t.same(judge({ passed: 0, failed: 0, skipped: 0 }, 0), { passed: 0, failed: 1, skipped: 0 });
  t.same(judge({ passed: 3, failed: 0, skipped: 0 }, null), { passed: 3, failed: 1, skipped: 0 });
});
