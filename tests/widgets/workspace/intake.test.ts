// Batches of files: limits, any order, one bad file, cancelling. Over the real engine.
import { readFile } from "node:fs/promises";
import t from "tap";
import {
  costsMark,
  costsNotice,
  type FileOutcome,
  type IntakeFile,
  type LocalOpening,
  MOST_BYTES,
  MOST_FILES,
  StudyWriter,
  takeIn,
  Workspace,
} from "@service/widgets/workspace";
import { fixture } from "../../fixtures/cases.ts";
import { displayFile } from "../../fixtures/displayFile.ts";
import { engine, openThreeBus } from "../session.ts";
import { type CountedFile, file } from "./intakeFile.ts";

const CASE = await fixture("three_bus.m");
const COORDINATES = "bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n";
const DRAWING = displayFile(
  [
    { number: 1, name: "ONE", x: 1000, y: 1000 },
    { number: 2, name: "TWO", x: 3000, y: 1000 },
    { number: 3, name: "THREE", x: 2000, y: 3000 },
  ],
  [
    {
      from: 2,
      to: 1,
      points: [
        [3000, 1000],
        [2000, 500],
        [1000, 1000],
      ],
    },
  ],
);

interface Taken {
  workspace: Workspace;
  openings: LocalOpening[];
  outcomes: FileOutcome[];
}

/** Takes a batch into a new workspace. */
async function take(files: IntakeFile[], signal?: AbortSignal): Promise<Taken> {
  const workspace = new Workspace(engine);
  const openings: LocalOpening[] = [];
  workspace.opening.connect((_, opening) => openings.push(opening));
  const outcomes = await takeIn(files, workspace, signal === undefined ? {} : { signal });
  return { workspace, openings, outcomes };
}

/** The result of a batch as one comparable value. */
function seen({ openings, outcomes }: Taken): unknown {
  return {
    outcomes: [...outcomes].sort((a, b) => (a.name < b.name ? -1 : 1)),
    openings: openings.map((opening) => {
      const { geography } = opening.kind === "case" ? opening.session.opened : opening.network;
      const { map, drawing } = geography;
      return [
        opening.kind,
        [...(map?.x ?? [])],
        [...(map?.y ?? [])],
        drawing?.source,
        [...(drawing?.positions.x ?? [])],
      ];
    }),
  };
}

function permutations<T>(list: T[]): T[][] {
  return list.length < 2
    ? [list]
    : list.flatMap((first, k) => permutations(list.toSpliced(k, 1)).map((rest) => [first, ...rest]));
}

t.test("case, positions and drawing of one batch are joined in any order", async (t) => {
  const make = (): CountedFile[] => [
    file("three.m", CASE),
    file("places.csv", COORDINATES),
    file("one-line.pwd", DRAWING),
    file("rubbish.raw", "not a case"),
  ];
  const first = await take(make());
  t.strictSame(
    first.outcomes.map(({ outcome }) => outcome),
    ["case", "geography", "display", "refused"],
  );
  t.equal(first.outcomes[0]?.sentence, "Opened three.m: 3 buses, 3 lines, 2 generators.");
  t.match(first.outcomes[1]?.sentence, /^Places 3 of 3 buses of three_bus on the map\.$/);
  t.match(first.outcomes[2]?.sentence, /^Draws 3 of 3 buses and 1 line of three_bus in the diagram\.$/);
  t.match(first.outcomes[3], { code: /^INPUT\./, sentence: /\w/ });
  const [opening] = first.openings;
  t.equal(opening?.kind, "case");
  if (opening?.kind === "case") {
    const { geography } = opening.session.opened;
    t.strictSame([...(geography.map?.x ?? [])], [-105, -104, -104.5]);
    t.strictSame([...(geography.map?.y ?? [])], [40, 40.5, 39.5]);
    t.strictSame([...(geography.drawing?.positions.x ?? [])], [1000, 3000, 2000]);
    t.strictSame(geography.drawing?.positions.routes.get(0), [
      [1000, 1000],
      [2000, 500],
      [3000, 1000],
    ]);
  }
  for (const order of permutations([0, 1, 2, 3]).slice(1)) {
    const files = make();
    const taken = await take(order.flatMap((k) => files[k] ?? []));
    t.strictSame(
      taken.outcomes.map(({ name }) => name),
      order.map((k) => files[k]?.name),
      "outcomes come in the order of the files",
    );
    t.strictSame(seen(taken), seen(first), order.join());
  }
});

t.test("a case without costs has a notice", async (t) => {
  const free = new TextDecoder().decode(CASE).replace(/mpc\.gencost = \[[^\]]*\];/, "");
  const { outcomes, openings } = await take([file("free.m", free)]);
  t.match(
    outcomes[0]?.sentence,
    "Opened free.m: 3 buses, 3 lines, 2 generators; it has no costs: all generation costs are zero until you add costs.",
  );
  const [opening] = openings;
  if (opening?.kind !== "case") {
    return t.fail("it has a session");
  }
  const { ingested, moduleJson } = opening.session.opened;
  t.equal(costsNotice(ingested), "The case has no costs: all generation costs are zero until you add costs.");
  t.equal(costsMark(ingested), "The case has no costs");
  // Like a kernel, which marks a module with assumed costs.
  const module = JSON.parse(moduleJson) as { diagnostics?: object[] };
  const message = "The costs of 2 of 2 units are assumed: typical costs by fuel and size.";
  module.diagnostics = [{ id: "d0", severity: "warning", code: "WATTBOOK.COST.ASSUMED", message }];
  const assumed = await engine.inspectModule(JSON.stringify(module));
  t.equal(costsNotice(assumed), message);
  t.equal(costsMark(assumed), "Assumed costs");
  t.equal(costsNotice(await engine.ingestCase(CASE, "matpower")), null, "costs of the file need no remark");
});

t.test("a batch beyond the limits is refused before anything is read", async (t) => {
  const many = Array.from({ length: MOST_FILES + 1 }, (_, k) => file(`case${k}.m`, CASE));
  const large = [file("good.m", CASE), file("large.m", CASE, MOST_BYTES + 1)];
  const half = MOST_BYTES / 2 + 1;
  const together = [file("a.m", CASE, half), file("b.m", CASE, half)];
  for (const [files, code, words] of [
    [many, "INPUT.TOO_MANY", /33 files are more than the 32/],
    [large, "INPUT.TOO_LARGE", /large\.m has 128\.0 MiB; a file may have 128 MiB/],
    [together, "INPUT.TOO_LARGE", /Together the files have 128\.0 MiB/],
  ] as const) {
    const { outcomes, openings } = await take(files);
    t.equal(outcomes.length, files.length);
    t.ok(outcomes.every((outcome) => outcome.outcome === "refused" && outcome.code === code));
    t.match(outcomes[0]?.sentence, words);
    t.equal(openings.length, 0);
    t.ok(files.every(({ reads }) => reads === 0));
  }
  const most = Array.from({ length: MOST_FILES }, (_, k) => file(`rubbish${k}.log`, "x"));
  t.ok((await take(most)).outcomes.every(({ code }) => code === "INPUT.EXTENSION"));
});

t.test("reading ends at a file larger than its stated size", async (t) => {
  const liar: IntakeFile = {
    name: "b.m",
    size: 10,
    arrayBuffer: () => Promise.resolve(new ArrayBuffer(MOST_BYTES + 1)),
  };
  const { outcomes } = await take([file("a.m", CASE), liar]);
  t.equal(outcomes[0]?.outcome, "case");
  t.match(outcomes[1], { outcome: "refused", code: "INPUT.TOO_LARGE" });
});

t.test("bad files of every kind fail alone", async (t) => {
  const unreadable: IntakeFile = {
    name: "folder.m",
    size: 4096,
    arrayBuffer: () => Promise.reject(new Error("A directory")),
  };
  const { outcomes, openings } = await take([
    file("empty.m", ""),
    unreadable,
    file("deep.json", "[".repeat(200_000)),
    file(
      "binary.pwb",
      Uint8Array.from({ length: 5000 }, (_, k) => (k * 7919) % 256),
    ),
    file("noise.pwd", "not a drawing"),
    file("elsewhere.csv", "bus,lat,lon\n77,1,2\n"),
    file("prose.csv", "dear sir,\nplease find attached\n"),
    file("letter.docx", "x"),
    file("three.m", CASE),
  ]);
  const [, , , , , elsewhere] = outcomes;
  t.strictSame(
    outcomes.map(({ outcome }) => outcome),
    [...Array.from({ length: 8 }, () => "refused"), "case"],
  );
  for (const { name, sentence, code } of outcomes.slice(0, 8)) {
    t.match(code, /^[A-Z_]+\.[A-Z_]+$/, name);
    t.match(sentence, /^[A-Z].*[.?!)]$/s, `${name} is reported in a sentence`);
  }
  t.match(elsewhere, { code: "INPUT.GEO_NO_MATCH" });
  t.match(outcomes[8]?.sentence, "It has no coordinates: click the map to place it.", "the case stays placeable");
  t.equal(openings.length, 1);
});

t.test("JSON is classified by content: a module is a case, other JSON is tried as a layer", async (t) => {
  const module = await engine.ingestCase(CASE, "matpower");
  const layer = JSON.stringify([
    { bus: 1, lat: 40, lon: -105 },
    { bus: 2, lat: 40.5, lon: -104 },
    { bus: 3, lat: 39.5, lon: -104.5 },
  ]);
  const { outcomes } = await take([
    file("a.json", layer),
    file("b.json", module.module_json),
    file("c.json", '{"readings": [1.5, 2.5]}'),
  ]);
  t.strictSame(
    outcomes.map(({ outcome }) => outcome),
    ["geography", "case", "refused"],
  );
  t.match(outcomes[2]?.sentence, /^Unrecognised case format; read as a geographic layer: /);
});

t.test("files without readable content are reported, and need no case", async (t) => {
  const { outcomes } = await take([
    file("cut.json", "{"),
    file("empty.json", "{}"),
    file("list.json", "[]"),
    file("minutes.json", '{"title": "minutes of the meeting", "hours": 1.5}'),
    file("plain.txt", "minutes of the meeting\n"),
  ]);
  const nothing = "The file has no case, Study, costs, demand profile or positions.";
  t.strictSame(
    outcomes.map(({ sentence, code }) => [sentence, code]),
    [
      ["The file is not valid JSON; it may be cut off.", "INPUT.FORMAT"],
      ...[0, 1, 2, 3].map(() => [nothing, "INPUT.FORMAT"]),
    ],
  );
  const { outcomes: positions } = await take([file("places.txt", "1 40.5 -105\n")]);
  t.match(positions, [
    {
      code: "INPUT.NO_CASE",
      sentence:
        "Neither a case nor a Study; the file may have positions of buses. No open case matches it: drop it together with its case.",
    },
  ]);
});

t.test("a case in a text or document of any name is read by its content", async (t) => {
  const cdf = await readFile(new URL("../../../engine/fuzz/seeds/five_bus.cdf", import.meta.url), "utf8");
  const { module_json } = await engine.ingestCase(new TextEncoder().encode(CASE.toString()), "matpower");
  const rawx = new TextDecoder().decode((await engine.exportModule(module_json, "psse-rawx")).bytes);
  for (const [name, text, buses] of [
    ["ieee5cdf.txt", cdf, 5],
    ["five.CDF", cdf, 5],
    ["three.rawx", rawx, 3],
    ["three.json", rawx, 3],
  ] as const) {
    const { openings, outcomes } = await take([file(name, text)]);
    t.equal(outcomes[0]?.outcome, "case", `${name}: ${outcomes[0]?.sentence ?? ""}`);
    const [opening] = openings;
    t.equal(opening?.kind === "case" ? opening.session.opened.ingested.n_bus : undefined, buses, name);
  }
});

t.test("layers and drawings without a case go to the displayed case, or are reported", async (t) => {
  const { workspace, openings } = await take([file("three.m", CASE)]);
  const alone = [file("places.csv", COORDINATES), file("one-line.pwd", DRAWING), file("odd.json", "[[1, 2]]")];
  const without = await takeIn(alone, workspace);
  t.ok(without.every(({ code }) => code === "INPUT.NO_CASE"));
  const [opening] = openings;
  if (opening?.kind !== "case") {
    return t.fail("no case");
  }
  const { opened } = opening.session;
  const before = opened.sha256;
  const orphans = await takeIn([file("broken.m", "no case"), ...alone.slice(0, 2)], workspace, {
    target: () => Promise.resolve(opened),
  });
  t.ok(
    orphans.slice(1).every(({ code }) => code === "INPUT.NO_CASE"),
    "layers of another case leave this one alone",
  );
  t.equal(opened.geography.map, null);
  const outcomes = await takeIn(alone.slice(0, 2), workspace, { target: () => Promise.resolve(opened) });
  t.strictSame(
    outcomes.map(({ outcome }) => outcome),
    ["geography", "display"],
  );
  t.ok(opened.geography.map);
  t.equal(opened.sha256, before, "the identity of the case is that of its bytes");
  t.equal(openings.length, 1, "nothing else was opened");
});

t.test("layers of routes come after those of buses, whatever their names", async (t) => {
  const routes = JSON.stringify({
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { branch_id: 1, from_bus: 1, to_bus: 2 },
        geometry: {
          type: "LineString",
          coordinates: [
            [-105, 40],
            [-104.5, 40.6],
            [-104, 40.5],
          ],
        },
      },
    ],
  });
  const { outcomes, openings } = await take([
    file("a-routes.geojson", routes),
    file("b-places.csv", COORDINATES),
    file("three.m", CASE),
  ]);
  t.match(outcomes[0]?.sentence, "the routes of 1 line");
  const [opening] = openings;
  t.equal(opening?.kind === "case" && opening.session.opened.geography.map?.routes.get(0)?.length, 3);
});

t.test("a case whose base problem has no solution is shown without prices", async (t) => {
  const text = new TextDecoder().decode(CASE).replace("2\t1\t90", "2\t1\t9000");
  const { outcomes, openings } = await take([file("hungry.m", text)]);
  t.equal(outcomes[0]?.outcome, "case");
  t.match(outcomes[0]?.sentence, "It is shown without prices: ");
  const [opening] = openings;
  t.equal(opening?.kind, "network");
  t.ok(opening?.kind === "network" && opening.network.problem);
});

t.test("a Study whose case has no solution is refused, and other files of its batch are opened", async (t) => {
  const { session } = await openThreeBus();
  const { document } = await new StudyWriter(session).bundle(undefined, { solutions: false });
  const text = new TextDecoder().decode(CASE).replace("2\t1\t90", "2\t1\t9000");
  const hungry = await engine.ingestCase(new TextEncoder().encode(text), "matpower");
  const study = await engine.writeStudyBundle({
    document: { ...document, case: { ...document.case, sha256: hungry.sha256 } },
    artifacts: { base: { kind: "module", text: hungry.module_json } },
  });
  const { outcomes, openings, workspace } = await take([file("a.study.json", study), file("b.m", CASE)]);
  t.match(outcomes, [
    { outcome: "refused", code: "SOLVE.INFEASIBLE", sentence: /\w/ },
    { outcome: "case", sentence: /^Opened b\.m: / },
  ]);
  t.equal(openings.length, 1);
  t.equal(workspace.sessions.length, 1);

  const viewer = await take([file("hungry.m", text)]);
  const [shown] = viewer.openings;
  if (shown?.kind !== "network") return t.fail("the case itself is shown without prices");
  viewer.workspace.activateNetwork(shown.network);
  t.match(await takeIn([file("a.study.json", study)], viewer.workspace), [{ outcome: "refused" }]);
  t.equal(viewer.workspace.network, shown.network, "and stays in front");
});

t.test("after a cancel nothing is opened, and each file is reported", async (t) => {
  const abort = new AbortController();
  const second = file("b.m", CASE);
  const first: IntakeFile = {
    ...file("a.m", CASE),
    arrayBuffer: () => {
      abort.abort();
      return Promise.resolve(CASE.buffer.slice(CASE.byteOffset, CASE.byteOffset + CASE.length) as ArrayBuffer);
    },
  };
  const { outcomes, openings } = await take([first, second, file("p.csv", COORDINATES)], abort.signal);
  t.ok(outcomes.every(({ outcome, code }) => outcome === "refused" && code === "ABORTED"));
  t.equal(openings.length, 0);
  t.equal(second.reads, 0);
});

t.test("progress names the file and rises; the report stays until it is closed", async (t) => {
  const workspace = new Workspace(engine);
  const { intake } = workspace;
  const stages: string[] = [];
  intake.changed.connect(() => {
    for (const { progress } of intake.running) {
      stages.push(`${progress.stage} ${progress.done}/${progress.total} ${progress.file}`);
    }
  });
  await intake.take([file("b.txt", "x"), file("a.m", CASE)]);
  t.ok(stages.includes("reading 0/2 a.m"));
  t.equal(stages.at(-1), "solving 1/2 a.m", "a long step has its name");
  t.strictSame(intake.running, []);
  t.equal(intake.outcomes.length, 2);
  intake.dismiss();
  t.equal(intake.outcomes.length, 0);
});

t.test("names of files are in outcomes and cases without invisible characters", async (t) => {
  const plain = new TextDecoder().decode(CASE).replace(/function mpc = \w+/, "function mpc = case");
  const { outcomes, openings } = await take([file("\u202egn\u200bid.m", plain), file("\u2067x.exe", "")]);
  t.strictSame(
    outcomes.map(({ name }) => name),
    ["gnid.m", "x.exe"],
  );
  const [opening] = openings;
  t.equal(opening?.kind === "case" ? opening.session.caseName : null, "gnid");
});

t.test("a list of outages sets the option of the case, and says what the case does not have", async (t) => {
  const contingencies = `CONTINGENCY 'A'
OPEN LINE FROM BUS 1 TO BUS 2
END
CONTINGENCY 'B'
OPEN LINE FROM BUS 1 TO BUS 9
END
SINGLE BRANCH IN SUBSYSTEM 'BOTH'
`;
  const subsystems = "SUBSYSTEM 'BOTH'\nBUSES 1 2\nEND\n";
  const { openings, outcomes } = await take([
    file("x.con", contingencies),
    file("x.sub", subsystems),
    file("three.m", CASE),
  ]);
  t.strictSame(
    outcomes.map(({ outcome }) => outcome),
    ["security", "security", "case"],
  );
  t.equal(outcomes[0]?.sentence, "Solved with the limits after 2 outages.");
  t.strictSame(outcomes[0]?.notes, ["The case does not have: line 5, OPEN LINE FROM BUS 1 TO BUS 9."]);
  t.strictSame(outcomes[1]?.notes, []);
  const last = openings.at(-1);
  t.equal(openings.length, 2);
  t.strictSame(last?.kind === "case" && last.session.options.security, {
    outages: [{ name: "A", branches: [1] }, 1],
  });
});

t.test("lists are told from cases and positions by their content", async (t) => {
  const contingencies =
    'Contingency (Name)\n{\n"A"\n<SUBDATA CTGElement>\n"BRANCH 2 3 1 OPEN" "" CHECK\n</SUBDATA>\n}\n';
  const { openings, outcomes } = await take([file("three.m", CASE), file("x.aux", contingencies)]);
  t.equal(outcomes[1]?.outcome, "security");
  const last = openings.at(-1);
  t.match(last?.kind === "case" && last.session.options.security, { outages: [{ name: "A" }] });
  const table = await take([file("three.m", CASE), file("x.csv", "outage,from_bus,to_bus\nA,2,3\n")]);
  t.equal(table.outcomes[1]?.sentence, "Solved with the limits after 1 outage.");
  const alone = await take([file("x.con", "CONTINGENCY A\nEND\n")]);
  t.match(alone.outcomes[0], { outcome: "refused", code: "INPUT.NO_CASE" });
});
