// Answers of the audit programs in one form: known vulnerabilities of a package, or the reason why there is no answer.

/** @typedef {{ findings: string[] } | { unknown: string }} Outcome */

/** The JSON of `npm audit --json`. */
export function npmOutcome(text) {
  const answer = read(text);
  if (answer?.auditReportVersion !== 2) return { unknown: reasonOf(answer?.message ?? answer?.error?.summary, text) };
  const findings = Object.values(answer.vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range}: ${severity}`,
  );
  return { findings };
}

/** The JSON of `cargo audit --json`. */
export function cargoOutcome(text) {
  const answer = read(text);
  if (answer?.vulnerabilities?.list === undefined) return { unknown: reasonOf(undefined, text) };
  const findings = answer.vulnerabilities.list.map(
    ({ package: { name, version }, advisory }) => `${name} ${version}: ${advisory.id}, ${advisory.title}`,
  );
  return { findings };
}

/** The JSON of `pip-audit --format json`. */
export function pipOutcome(text) {
  const answer = read(text);
  if (answer?.dependencies === undefined) return { unknown: reasonOf(undefined, text) };
  const skipped = answer.dependencies.filter(({ skip_reason: reason }) => reason !== undefined);
  if (skipped.length > 0) return { unknown: `${skipped.length} packages were skipped: ${skipped[0].skip_reason}` };
  const findings = answer.dependencies.flatMap(({ name, version, vulns }) =>
    vulns.map(({ id }) => `${name} ${version}: ${id}`),
  );
  return { findings };
}

/** Number of packages by licence, from the lists of THIRD-PARTY-NOTICES.txt, most first. */
export function licencesOf(notices) {
  const [lists = ""] = notices.split(/^={80}$/m);
  const count = new Map();
  for (const [, licence] of lists.matchAll(/^\S+ \S+: ([^;\n]+)/gm)) count.set(licence, (count.get(licence) ?? 0) + 1);
  return [...count].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // an error message, which becomes the reason below
  }
}

function reasonOf(message, text) {
  const lines = text.trim().split("\n");
  return message || lines.find((line) => line.startsWith("error")) || lines.at(-1) || "it printed nothing";
}
