// Reads how many tests passed, failed and were skipped from the closing lines of the runners' output.

const none = () => ({ passed: 0, failed: 0, skipped: 0 });

/**
 * `test result: ok. 12 passed; 0 failed; 1 ignored; ...`, one line for each test binary. A test without its data passes
 * for cargo and prints `skipped: ...`: it counts as skipped.
 */
export function countCargo(output) {
  const counts = none();
  for (const [, passed, failed, ignored] of output.matchAll(
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
    counts.skipped += Number(ignored);
  }
  const sections = output.split(/^---- .* stdout ----$/m).slice(1);
  const idle = sections.filter((text) => /^skipped: /m.test(text.split(/^successes:$/m)[0])).length;
  counts.passed -= idle;
  counts.skipped += idle;
  return counts;
}

/** `# { total: 12, pass: 10, fail: 1, skip: 1 }`, unindented, once at the end. */
export function countTap(output) {
  const counts = none();
  const line = [...output.matchAll(/^# \{ (total: .*) \}$/gm)].at(-1)?.[1] ?? "";
  const number = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  counts.passed = number("pass");
  counts.failed = number("fail");
  counts.skipped = number("skip") + number("todo");
  return counts;
}

/** The files that failed under tap: `not ok 3 - tests/e2e/page/page.test.ts # time=53198.394ms`, unindented. */
export function failedFiles(output) {
  return [...output.matchAll(/^not ok \d+ - (\S+\.test\.\w+)/gm)].map(([, file]) => file);
}

/** The counts after a second run of the failed files: a test that failed only at first has passed. */
export function mended(first, second) {
  return { ...first, passed: first.passed + Math.max(0, first.failed - second.failed), failed: second.failed };
}

/** `=== 1 failed, 3 passed, 2 skipped in 0.12s ===`. */
export function countPytest(output) {
  const counts = none();
  const line = [...output.matchAll(/^=* ?((?:\d+ \w+,? ?)+) in [\d.]+s.*$/gm)].at(-1)?.[1] ?? "";
  for (const [, count, word] of line.matchAll(/(\d+) (\w+)/g)) {
    if (word === "passed" || word === "xpassed") counts.passed += Number(count);
    else if (/^(failed|errors?)$/.test(word)) counts.failed += Number(count);
    else if (/^(skipped|xfailed)$/.test(word)) counts.skipped += Number(count);
  }
  return counts;
}

/** `lint: 6 passed, 1 failed`. */
export function countLint(output) {
  const match = /^lint: (\d+) passed, (\d+) failed$/m.exec(output);
  return { passed: Number(match?.[1] ?? 0), failed: Number(match?.[2] ?? 0), skipped: 0 };
}

/**
 * The counts of a run. A run that failed without naming the test, or that ran no test at all, counts as one failure.
 *
 * @param {{passed: number, failed: number, skipped: number}} counts
 * @param {number | null} exitCode
 */
export function judge(counts, exitCode) {
  const silent = exitCode !== 0 && counts.failed === 0;
  const empty = counts.passed + counts.failed + counts.skipped === 0;
  return silent || empty ? { ...counts, failed: counts.failed + 1 } : counts;
}
