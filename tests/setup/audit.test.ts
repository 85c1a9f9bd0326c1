// The outcomes of `npm run audit` for answers of the three audit programs, and the licences it lists.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "tap";
// @ts-expect-error plain JavaScript
import { cargoOutcome, licencesOf, npmOutcome, pipOutcome } from "../../binder/audit/outcomes.mjs";

const NOTICES = fileURLToPath(new URL("../../THIRD-PARTY-NOTICES.txt", import.meta.url));
const text = JSON.stringify;

test("npm", async (t) => {
  const vulnerabilities = { lodash: { name: "lodash", severity: "high", range: "<4.17.21" } };
  t.strictSame(npmOutcome(text({ auditReportVersion: 2, vulnerabilities })), { findings: ["lodash <4.17.21: high"] });
  t.strictSame(npmOutcome(text({ auditReportVersion: 2, vulnerabilities: {} })), { findings: [] });
  t.strictSame(npmOutcome(text({ message: "405 Method Not Allowed", statusCode: 405, error: { summary: "" } })), {
    unknown: "405 Method Not Allowed",
  });
});

test("cargo audit", async (t) => {
  const one = {
    advisory: { id: "RUSTSEC-2021-0003", title: "Buffer overflow" },
    package: { name: "smallvec", version: "1.6.0" },
  };
  t.strictSame(cargoOutcome(text({ vulnerabilities: { found: true, list: [one] } })), {
    findings: ["smallvec 1.6.0: RUSTSEC-2021-0003, Buffer overflow"],
  });
  t.strictSame(cargoOutcome(text({ vulnerabilities: { found: false, list: [] } })), { findings: [] });
  t.strictSame(cargoOutcome("error: no such command: `audit`\n"), { unknown: "error: no such command: `audit`" });
});

test("pip-audit", async (t) => {
  const found = { name: "flask", version: "0.5", vulns: [{ id: "PYSEC-2019-179" }] };
  const clean = { name: "six", version: "1.16.0", vulns: [] };
  t.strictSame(pipOutcome(text({ dependencies: [found, clean] })), { findings: ["flask 0.5: PYSEC-2019-179"] });
  t.strictSame(pipOutcome(text({ dependencies: [clean, { name: "x", skip_reason: "not found on PyPI" }] })), {
    unknown: "1 packages were skipped: not found on PyPI",
  });
  t.strictSame(pipOutcome(""), { unknown: "it printed nothing" });
});

test("licences", async (t) => {
  const licences = new Map(licencesOf(readFileSync(NOTICES, "utf8")) as [string, number][]);
  t.ok((licences.get("MIT") ?? 0) > 20, "most npm packages");
  t.notOk(
    [...licences.keys()].some((licence) => licence.includes("GPL")),
    "nothing that would bind users",
  );
});
