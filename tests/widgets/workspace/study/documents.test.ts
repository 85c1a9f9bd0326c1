// Study documents in the page: written and restored by a session, over the real engine.
import t from "tap";
import type { StudyBundle } from "@service/engine";
import { gzipSync } from "node:zlib";
import { type CaseSession, NO_EDITS, saveStudy, studyRecord, StudyWriter, Workspace } from "@service/widgets/workspace";
import {
  difference,
  engine,
  LINE_2_AT_40,
  openThreeBus,
  PRICES_AT_40,
  shownPrices,
  toldActivity,
} from "../../session.ts";

const ABOUT = { id: "study-1", title: "Three buses" };

/** A session with a named state, one in another formulation that branches off it, and a plan. */
async function worked(): Promise<CaseSession> {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  session.history.rename(1, "Held at 40 MW");
  session.history.annotate(1, "one\ntwo");
  await session.plans.run("bus 2", {
    objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
    candidates: [2],
    max_increase_per_branch_mw: 10,
    budget_mw: 10,
    increment_mw: 5,
    max_changed_lines: 1,
    exact_solve_budget: 8,
  });
  await session.commitElement({ kind: "bus", id: 2 }, 3);
  await session.setFormulation("acpf");
  await session.goTo(1);
  return session;
}

async function written(session: CaseSession): Promise<Uint8Array> {
  return engine.writeStudyBundle(await new StudyWriter(session).bundle(ABOUT));
}

/** The session that a file opens as. */
async function opened(bytes: Uint8Array): Promise<CaseSession> {
  return new Workspace(engine).openStudy(await engine.readStudyBundle(bytes));
}

t.test("a session is restored from its document", async (t) => {
  const session = await worked();
  await session.selectMany([{ kind: "bus", id: 2 }]);
  const bytes = await written(session);
  const bundle = await engine.readStudyBundle(bytes);
  t.equal(bundle.document.title, "Three buses");
  t.equal(bundle.document.base_input, session.opened.sha256);
  const kinds = Object.values(bundle.artifacts).map(({ kind }) => kind);
  t.equal(kinds.filter((kind) => kind === "module").length, 1, "the case is stored once");
  t.ok(kinds.filter((kind) => kind === "solution").length >= 4);

  const again = await opened(bytes);
  const [before, after] = [studyRecord(session), studyRecord(again)];
  t.strictSame(after.states, before.states);
  t.strictSame(after.goals, before.goals);
  for (const pointer of ["applied_state", "inspected_state", "recommended_state", "active_goal"] as const) {
    t.equal(after[pointer], before[pointer], pointer);
  }
  t.ok(difference(shownPrices(again), PRICES_AT_40) < 1e-9);
  t.strictSame(again.selected, [{ kind: "bus", id: 2 }]);
  const labelled = (of: CaseSession): string[] => toldActivity(of).map(({ kind, label }) => `${kind} ${label}`);
  t.strictSame(labelled(again).slice(0, labelled(session).length), labelled(session));
  t.strictSame(after.decisions, before.decisions);
  // The session continues, and reset retains the states.
  const states = again.history.states.length;
  await again.reset();
  t.strictSame(again.live.edits, NO_EDITS);
  t.equal(again.history.states.length, states + 1);
});

t.test("equal content has equal bytes, packed or not", async (t) => {
  const session = await worked();
  const writer = new StudyWriter(session);
  const bytes = await engine.writeStudyBundle(await writer.bundle(ABOUT));
  t.strictSame(await engine.writeStudyBundle(await writer.bundle(ABOUT)), bytes, "solutions are held from the first");
  const packed = await engine.writeStudyBundle(await writer.bundle(ABOUT), { gzip: true });
  t.ok(packed.length < bytes.length / 4);
  t.strictSame(await engine.readStudyBundle(packed), await engine.readStudyBundle(bytes));
});

t.test("the view of a case is saved with its Study", async (t) => {
  const session = await worked();
  const { geography } = session.opened;
  const layer = new TextEncoder().encode("bus,lat,lon\n1,30,-100\n2,31,-99\n3,32,-98\n");
  await geography.applyLayer(layer, "buses.csv");
  const positions = { x: Float64Array.of(1, 2, NaN), y: Float64Array.of(4, 5, NaN), routes: new Map() };
  geography.setDrawing({ positions, source: "three.pwd", buses: 2, branches: 0 });
  const again = await opened(await written(session));
  t.strictSame(again.opened.geography.map?.x, geography.map?.x);
  t.strictSame(again.opened.geography.drawing, geography.drawing);
  t.equal(again.opened.sha256, session.opened.sha256, "positions are no part of the identity");
});

t.test("a file without its base input has no reset", async (t) => {
  const bundle = await new StudyWriter(await worked()).bundle(ABOUT);
  delete bundle.document.base_input;
  const again = await opened(await engine.writeStudyBundle(bundle));
  t.notOk(again.resettable);
  await t.rejects(again.reset());
});

t.test("ids of another writer are accepted, and a different result is reported", async (t) => {
  const bundle = await new StudyWriter(await worked()).bundle(ABOUT);
  const text = JSON.stringify(bundle.document).replaceAll('"s1"', '"first.edit"');
  const renamed: StudyBundle = { ...bundle, document: JSON.parse(text) as StudyBundle["document"] };
  const applied = renamed.document.states["first.edit"];
  if (applied === undefined) {
    throw new Error("no such state");
  }
  delete applied.solution;
  applied.result_sha256 = "0".repeat(64);
  const again = await opened(await engine.writeStudyBundle(renamed));
  t.equal(again.history.current.name, "Held at 40 MW");
  t.match(again.live.remark, /in the file 000000000000/);
});

t.test("goals, references and decisions of another writer are preserved", async (t) => {
  const bundle = await new StudyWriter(await worked()).bundle(ABOUT);
  const { document } = bundle;
  const goal = document.goals["g1"];
  if (goal === undefined) {
    throw new Error("no such goal");
  }
  Object.assign(goal, {
    note: "Prices of the harbour",
    scope: { kind: "elements", elements: [{ kind: "bus", id: 2 }] },
  });
  const at = "2026-11-23T05:00:00.000Z";
  const decision = { label: "Accepted", result: "by the board", note: "with one abstention", at };
  const links = { goal: "g1", state: "s2" };
  document.decisions["board"] = { ...decision, ...links };
  document.decisions["later"] = { label: "Postponed", result: "", at };
  document.experiments["trial"] = { kind: "planning_trial", label: "tried", result: "", at, ...links, trial: 2 };
  document.experiments["decided"] = { kind: "decision", label: "decided", result: "", at, decision: "board" };
  document.experiment_order.push("trial", "decided");
  const again = await engine.readStudyBundle(await written(await opened(await engine.writeStudyBundle(bundle))));
  t.strictSame(again.document.goals["g1"], goal);
  const { experiments, decisions } = again.document;
  const labelled = (label: string) => Object.values(experiments).find((one) => one.label === label);
  t.match(labelled("tried"), { kind: "planning_trial", goal: "g1", state: "s2", trial: 2 });
  t.strictSame(decisions[labelled("decided")?.decision ?? ""], { ...decision, ...links });
  t.match(decisions[labelled("Postponed")?.decision ?? ""], { label: "Postponed", at }, "one without an entry");
});

t.test("states of a goal are retained longest", async (t) => {
  const session = await worked();
  for (let k = 1; k <= 210; k += 1) {
    await session.commitElement({ kind: "bus", id: 2 }, k / 100);
  }
  t.ok(session.history.states.length < 210, "the oldest are forgotten");
  const again = await opened(await written(session));
  t.equal(again.plans.goals[0]?.start, 1);
  t.not(again.history.stateOf(again.plans.goals[0]?.candidate ?? -1), null);
});

t.test("a damaged file opens nothing", async (t) => {
  const bytes = await written(await worked());
  const text = new TextDecoder().decode(bytes);
  const damaged: [string, Uint8Array][] = [
    ["STUDY_FILE.UNREADABLE", bytes.slice(0, -5)],
    ["STUDY_FILE.SCHEMA", new TextEncoder().encode(text.replace("wattbook-study", "wattbook-other"))],
    ["STUDY_FILE.HASH", new TextEncoder().encode(text.replace("pio-ir", "pio-it"))],
    ["STUDY_FILE.REFERENCE", new TextEncoder().encode(text.replace('"parent":"s0"', '"parent":"s9"'))],
    ["STUDY_FILE.TOO_LARGE", gzipSync(new Uint8Array(129 << 20))],
  ];
  for (const [code, file] of damaged) {
    const workspace = new Workspace(engine);
    const outcomes = await workspace.intake.take([
      {
        name: code.endsWith("LARGE") ? "a.study.json.gz" : "a.study.json",
        size: file.length,
        arrayBuffer: () => Promise.resolve(file.slice().buffer),
      },
    ]);
    t.equal(outcomes[0]?.outcome, "refused", code);
    t.equal(workspace.sessions.length, 0);
    await t.rejects(engine.readStudyBundle(file), { code });
  }
});

t.test("a Study keeps its id and title through its files", async (t) => {
  const session = await worked();
  const first = await saveStudy(session, engine);
  t.equal(first.name, "Three_buses.study.json.gz");
  const again = await opened(first.bytes);
  t.strictSame(await saveStudy(again, engine).then(({ name }) => name), first.name);
  const ids = [first.bytes, (await saveStudy(session, engine)).bytes, (await saveStudy(again, engine)).bytes];
  const documents = await Promise.all(ids.map(async (bytes) => (await engine.readStudyBundle(bytes)).document));
  t.equal(new Set(documents.map(({ id }) => id)).size, 1);
  t.equal(documents[2]?.case.id, documents[0]?.case.id);
});

t.test("a dropped file opens as its Study", async (t) => {
  const bytes = await written(await worked());
  const workspace = new Workspace(engine);
  const outcomes = await workspace.intake.take([
    { name: "three.study.json", size: bytes.length, arrayBuffer: () => Promise.resolve(bytes.slice().buffer) },
  ]);
  t.equal(outcomes[0]?.outcome, "case", outcomes[0]?.sentence ?? "");
  t.equal(workspace.sessions[0]?.history.current.name, "Held at 40 MW");
});

t.test("a Study file is recognised by its content under any name", async (t) => {
  const bytes = await written(await worked());
  const take = (content: Uint8Array) =>
    new Workspace(engine).intake.take([
      {
        name: "mail attachment.json",
        size: content.length,
        arrayBuffer: () => Promise.resolve(content.slice().buffer),
      },
    ]);
  const [opened] = await take(bytes);
  t.equal(opened?.outcome, "case", opened?.sentence ?? "");
  const damaged = new TextEncoder().encode(new TextDecoder().decode(bytes).replace("pio-ir", "pio-it"));
  const [refused] = await take(damaged);
  t.match(refused, { outcome: "refused", sentence: /SHA-256/ }, "and refused as one");
});

t.test("decisions, view and line paths are restored, approvals are not", async (t) => {
  const session = await worked();
  const point = (id: number, at: number[]) => ({
    ...{ type: "Feature", properties: { bus: id } },
    geometry: { type: "Point", coordinates: at },
  });
  const points = [point(1, [-100, 30]), point(2, [-99, 31]), point(3, [-98, 32])];
  const line = {
    ...{ type: "Feature", properties: { f_bus: 1, t_bus: 2 } },
    geometry: {
      type: "LineString",
      coordinates: [
        [-100, 30],
        [-99.5, 30.2],
        [-99, 31],
      ],
    },
  };
  const layer = JSON.stringify({ type: "FeatureCollection", features: [...points, line] });
  await session.geography.applyLayer(new TextEncoder().encode(layer), "routes.geojson");
  t.equal(session.geography.map?.routes.size, 1);
  const camera = { x: -99, y: 31, width: 0.5, bearing: 20, pitch: 30, globe: true, drawing: false };
  session.view.restore({ quantity: "lmp", lines: "loading", camera });
  session.previewMode = "first_order";
  const bundle = await new StudyWriter(session).bundle(ABOUT);
  const { document } = bundle;
  const decision = { label: "Approved the proposal", result: "by a click", at: "2026-11-23T05:00:00.000Z" };
  document.decisions["d900"] = { ...decision, approved: true } as typeof decision;
  document.experiments["e900"] = { kind: "decision", ...decision, decision: "d900" };
  document.experiment_order.push("e900");
  Object.assign(document, { approvals: [{ proposal: "p1", token: "abc" }], approved: true });
  const bytes = await engine.writeStudyBundle(bundle);
  t.notMatch(new TextDecoder().decode(bytes), /"approv(ed|als)"/, "approvals are not written");
  const again = await opened(bytes);
  t.strictSame(again.view.view, { quantity: "lmp", lines: "loading", camera });
  t.equal(again.previewMode, "first_order");
  t.strictSame(again.geography.map?.routes, session.geography.map?.routes);
  t.strictSame(studyRecord(again).decisions, { ...studyRecord(session).decisions, d900: decision });
  t.not(again.proposals.state.kind, "approved");
  const second = await engine.readStudyBundle(await written(again));
  const first = await engine.readStudyBundle(bytes);
  t.strictSame(second.document.display?.view, first.document.display?.view, "and are saved again");
});
