// Page, Python and command line produce the same sentences: refusals, explanations, ends of paths and invalid edits, on
// a hand-made case and on public ones. The page adds names; here its elements have numbers.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import {
  createNodeEngine,
  EngineError,
  type Explanation,
  type FormulationId,
  type SolveOptions,
  type TrackStop,
} from "@service/engine/node";
import {
  certificateLines,
  errorText,
  eventSentence,
  messageText,
  numbered,
  remedySentence,
} from "@service/widgets/text";
import { DATA } from "../../fixtures/cases.ts";

const [python, wattbook] = ["python", "wattbook"].map((name) =>
  fileURLToPath(new URL(`../../../.venv/bin/${name}`, import.meta.url)),
) as [string, string];
const run = promisify(execFile);

interface Edit {
  demand: Record<string, number>;
  rates: Record<string, number>;
}

/** The answer of one side to an edit. */
interface Sentences {
  refused: string;
  explained: string;
  helps: string;
}

const SCRIPT = `
import json, sys
import wattbook as wb
job = json.load(sys.stdin)
study = wb.open_case(job["path"]).study()
def sentences(edit):
    try:
        study.commit(demand=edit["demand"], ratings=edit["rates"])
        return {"refused": "", "explained": "", "helps": ""}
    except wb.WattbookError as error:
        why = study.explain(edit["demand"], edit["rates"], progress=False) if error.code == "SOLVE.INFEASIBLE" else None
        return {"refused": error.message, "explained": str(why or ""), "helps": why.advice if why else ""}
stop = study.track(bus=job["bus"], to_mw=1e5).stopped
print(json.dumps({"sentences": [sentences(edit) for edit in job["edits"]], "stop": stop.message if stop else ""}))
`;

async function inPython(
  path: string,
  edits: readonly Edit[],
  bus: number,
): Promise<{ sentences: Sentences[]; stop: string }> {
  const running = run(python, ["-c", SCRIPT]);
  running.child.stdin?.end(JSON.stringify({ path, edits, bus }));
  return JSON.parse((await running).stdout) as { sentences: Sentences[]; stop: string };
}

/** The lines of `wattbook solve` for an edit, without the case name and the code. */
async function onCommandLine(path: string, { demand, rates }: Edit): Promise<string[]> {
  const options = (name: string, edits: Record<string, number>): string[] =>
    Object.entries(edits).flatMap(([id, mw]) => [name, `${id}=${mw}`]);
  const command = ["solve", path, ...options("--demand", demand), ...options("--rating", rates)];
  const { stderr } = (await run(wattbook, command).catch((error: unknown) => error)) as { stderr: string };
  return stderr
    .trim()
    .split("\n")
    .map((line) => line.replace(/^wattbook: /, "").replace(/ \[[A-Z_.]+\]$/, ""));
}

/** A formulation with options, as page, Python and command line accept them. */
interface Solve {
  formulation: FormulationId;
  options?: SolveOptions;
}

/** The lines about the certificate in the output of `wattbook solve`. */
async function certificateOnCommandLine(path: string, { formulation, options = {} }: Solve): Promise<string[]> {
  const given = Object.entries(options).flatMap(([name, value]) => ["--option", `${name}=${String(value)}`]);
  const { stdout } = await run(wattbook, ["solve", path, "--formulation", formulation, ...given]);
  const lines = stdout.trimEnd().split("\n");
  const from = lines.findIndex((line) => line.startsWith("certificate "));
  const end = lines.findIndex((line, k) => k > from && !line.startsWith(" "));
  return lines.slice(from, end < 0 ? lines.length : end).map((line) => line.slice("certificate    ".length));
}

/** The certificate in the HTML of a Solution, in Python. */
async function certificateInPython(path: string, solve: Solve): Promise<string> {
  const script = `
import html, json, re, sys
import wattbook as wb
solve = json.loads(sys.argv[2])
shown = wb.open_case(sys.argv[1]).study(**solve).solution._repr_html_()
print(html.unescape("\\n".join(re.findall("<p[^>]*>(.*?)</p>", shown, re.S))))
`;
  return (await run(python, ["-c", script, path, JSON.stringify(solve)])).stdout;
}

/** The events at the breakpoints of a track, in Python. */
async function eventsInPython(path: string, bus: number): Promise<string[]> {
  const script = `
import json, sys
import wattbook as wb
from wattbook.text import words
points = wb.open_case(sys.argv[1]).study().track(bus=int(sys.argv[2]), to_mw=500).breakpoints
print(json.dumps([words.event(row.event, {"kind": row.kind, "id": row.id}) for row in points.itertuples()]))
`;
  return JSON.parse((await run(python, ["-c", script, path, String(bus)])).stdout) as string[];
}

const engine = createNodeEngine();

async function inPage(
  path: string,
  edits: readonly Edit[],
  bus: number,
): Promise<{ sentences: Sentences[]; stop: string }> {
  const { module_json } = await engine.ingestCase(await readFile(path), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  const sentences: Sentences[] = [];
  const { stopped } = await study.track({ bus }, 0, 1e5, { explain: true });
  for (const { demand, rates } of edits) {
    const error: unknown = await study.commit("c", demand, rates).then(
      () => null,
      (error: unknown) => error,
    );
    const isInfeasible = error instanceof EngineError && error.code === "SOLVE.INFEASIBLE";
    const why: Explanation | null = isInfeasible ? await study.explain(demand, rates) : null;
    sentences.push({
      refused: error === null ? "" : errorText(error, numbered),
      explained: why === null ? "" : messageText(why.sentence, numbered),
      helps: why === null ? "" : remedySentence(why, numbered),
    });
  }
  await study.free();
  const textOf = ({ sentence }: TrackStop): string => messageText(sentence, numbered);
  return { sentences, stop: stopped === undefined ? "" : textOf(stopped) };
}

const edit = (demand: Record<string, number>, rates: Record<string, number> = {}): Edit => ({ demand, rates });

/** For each case a bus with demand, and edits that are each refused with a different sentence. */
const CASES: readonly (readonly [path: string, bus: number, edits: readonly Edit[]])[] = [
  [
    fileURLToPath(new URL("../../fixtures/three_bus.m", import.meta.url)),
    2,
    [
      edit({ "2": 600 }),
      edit({ "2": 140 }, { "2": -210 }),
      edit({ "2": -200 }),
      edit({}, { "2": -400 }),
      edit({ "2": 1e12 }),
      edit({}, { "1": -245, "2": -245, "3": -245 }),
    ],
  ],
  ...(DATA === undefined
    ? []
    : ([[`${DATA}/pglib/pglib_opf_case118_ieee.m`, 59, [edit({ "59": 9000 }), edit({ "59": -400 })]]] as const)),
];

t.test("page, Python and command line", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  for (const [path, bus, edits] of CASES) {
    const [page, native] = await Promise.all([inPage(path, edits, bus), inPython(path, edits, bus)]);
    t.match(page.stop, /^No solution above /);
    t.equal(page.stop, native.stop);
    t.strictSame(page.sentences, native.sentences);
    t.ok(
      page.sentences.every(({ refused }) => refused !== ""),
      "every edit is refused",
    );
    t.ok(
      page.sentences.some(({ explained }) => explained !== ""),
      "some are explained",
    );
    for (const [k, sentences] of page.sentences.entries()) {
      const [refused, ...helps] = await onCommandLine(path, edits[k] ?? edit({}));
      t.equal(refused, sentences.refused);
      t.equal(helps.join(" "), sentences.helps);
    }
  }
});

t.test("breakpoints", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  for (const [path, bus] of CASES) {
    const { module_json } = await engine.ingestCase(await readFile(path), "matpower");
    const study = await engine.createStudy(module_json, "dcopf");
    const { breakpoints } = await study.track({ bus }, 0, 500);
    t.ok(breakpoints.length > 0, "the track has breakpoints");
    t.strictSame(
      breakpoints.map((breakpoint) => eventSentence(breakpoint, numbered)),
      await eventsInPython(path, bus),
    );
    await study.free();
  }
});

const SOLVES: readonly Solve[] = [
  { formulation: "dcopf" },
  { formulation: "acpf" },
  { formulation: "acpf", options: { dispatch: "file", slack: "single", q_limits: true } },
  { formulation: "socwr" },
];

t.test("certificates of every formulation", { skip: !existsSync(python) && "no Python environment" }, async (t) => {
  for (const [path] of CASES) {
    const { module_json } = await engine.ingestCase(await readFile(path), "matpower");
    for (const solve of SOLVES) {
      const study = await engine.createStudy(module_json, solve.formulation, solve.options);
      const lines = certificateLines(await study.currentSolution(), numbered).map(({ meaning }) => meaning);
      await study.free();
      // The page lists the objective of an optimum first, which the command prints on a separate line.
      const checked = solve.formulation === "acpf" ? lines : lines.slice(1);
      t.ok(checked.length >= 5, `${path} ${solve.formulation}: ${checked.length} lines`);
      t.strictSame(checked, await certificateOnCommandLine(path, solve));
      t.ok((await certificateInPython(path, solve)).includes(checked.join(" ")), "Python shows the same lines");
    }
  }
});
