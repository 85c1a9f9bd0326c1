// One case in several formulations: a switch preserves the edits, a failed one the state, and nothing is solved twice.
import t from "tap";
import { createNodeEngine, type FormulationId } from "@service/engine/node";
import { type CaseSession, ElementSlider, type SessionChange, Workspace } from "@service/widgets/workspace";
import { certificateLines, collapseSentence, voltageEstimateSentence } from "@service/widgets/text";
import { branchQuantities, busQuantities } from "@service/widgets/map";
import { caseTable } from "@service/widgets/tables";
import { changeSentence, readout, statusText } from "@service/widgets/ui";
import {
  difference,
  engine,
  ingested,
  LINE_2_AT_40,
  openThreeBus,
  PRICES_AT_40,
  shownPrices,
  toldActivity,
} from "../session.ts";
import { pattern, pageText } from "../catalogue.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;

/** A session whose Studies are counted by formulation; `refuse` makes those of a formulation fail. */
async function openCounted(): Promise<{
  session: CaseSession;
  created: FormulationId[];
  refuse: Set<FormulationId>;
  commits: FormulationId[];
}> {
  const created: FormulationId[] = [];
  const commits: FormulationId[] = [];
  const refuse = new Set<FormulationId>();
  const counting: typeof engine = {
    ...engine,
    createStudy: async (module, formulation, options, signal) => {
      created.push(formulation);
      const study = await engine.createStudy(module, formulation, options, signal);
      return new Proxy(study, {
        get(target, name: keyof typeof study) {
          if (name === "commit") {
            commits.push(formulation);
            if (refuse.has(formulation)) {
              return () =>
                Promise.reject(Object.assign(new Error("It does not converge."), { code: "SOLVE.NOT_CONVERGED" }));
            }
          }
          const value = target[name] as ((...args: never[]) => unknown) | undefined;
          return value && ((...args: never[]): unknown => value.apply(target, args));
        },
      });
    },
  };
  const workspace = new Workspace(counting);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const which = { opened, caseId: "three_bus", caseName: "Three buses", formulation: "dcopf" } as const;
  return { session: await workspace.openSession(which), created, refuse, commits };
}

t.test("a switch solves the same edits in another formulation, and undo returns without a solve", async (t) => {
  const { session, created, commits } = await openCounted();
  await session.commit(LINE_2_AT_40, 0);
  const heard: SessionChange[] = [];
  session.changed.connect((_, change) => heard.push(change));

  await session.setFormulation("acpf");
  t.equal(session.formulation, "acpf");
  t.equal(session.state.revision, 2);
  t.strictSame(session.state.edits, LINE_2_AT_40, "the edits stay");
  t.equal(heard.filter((change) => change === "state").length, 1);
  const can = session.capabilities;
  t.ok(can.has("edits") && !can.has("prices") && !can.has("sensitivities"));
  t.notOk(session.store.columns.has("lmp"));
  t.equal(session.state.solution.objective, undefined);
  t.match(session.history.current, { formulation: "acpf", objective: null, event: { kind: "formulation" } });
  t.equal(session.stepText(session.history.current.event), pageText("formulationStep", pageText("acPowerFlow")));

  const before = commits.length;
  await session.undo();
  t.equal(session.formulation, "dcopf");
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  await session.setFormulation("acpf");
  t.equal(commits.length, before, "both results are held");
  await session.setFormulation("dcopf");
  await session.commitElement(BUS_2, 1);
  t.equal(session.formulation, "dcopf");
  t.strictSame(created, ["dcopf", "acpf"], "each Study is created once");
});

t.test("ratings of the relaxation are edited in MVA, in words and in the history", async (t) => {
  const { session } = await openCounted();
  const line = { kind: "branch", id: 2 } as const;
  const slider = new ElementSlider(session, line, () => () => undefined);
  t.equal(slider.unit, "MW");
  t.equal(slider.typedMw("20 MVA", "change"), null, "an active rating takes no apparent power");
  await session.setFormulation("socwr");
  t.equal(slider.unit, "MVA");
  t.equal(slider.typedMw("20 MVA", "change"), 20);
  t.equal(slider.typedMw("20 MW", "change"), null);
  await slider.commit(-10);
  const { event } = session.history.current;
  t.equal(session.stepText(event), "Line 2 (2 to 3) rating \u221210.0 MVA");
  t.match(toldActivity(session).at(-1), { label: "Line 2 (2 to 3) rating \u221210.0 MVA" });
  t.equal(changeSentence("rating", slider.baseMw, slider.mw, slider.unit), "Rating 250.0 \u2192 240.0 MVA");
  await session.select(line);
  t.match(readout(session).text, /^(The l|L)inear estimate|^Prices stay unchanged/);
  t.notMatch(readout(session).text, /\d MW/);
  await session.setFormulation("dcopf");
  t.equal(
    session.stepText(event),
    "Line 2 (2 to 3) rating \u221210.0 MVA",
    "an entry keeps the unit of its formulation",
  );
});

t.test("previews of the relaxation are linear estimates that are never called exact", async (t) => {
  const { session } = await openCounted();
  await session.setFormulation("socwr");
  await session.select(BUS_2);
  t.match(readout(session).text, /^Linear estimate/);
  const before = shownPrices(session).slice();
  session.preview(1);
  t.equal(statusText(session), pageText("previewingLinear"));
  t.match(readout(session).text, /^Linear estimate/);
  t.notMatch(readout(session).text, /exact/i);
  t.ok(session.curved);
  t.equal(new ElementSlider(session, BUS_2, () => () => undefined).exact, null, "no band says where it is exact");
  const shown = shownPrices(session).slice();
  t.ok(difference(shown, before) > 0, "prices move");
  await session.commitElement(BUS_2, 1);
  t.ok(difference(shown, shownPrices(session)) < difference(before, shownPrices(session)), "towards the optimum");
});

t.test(
  "the growth of a demand is followed to the collapse of voltages, with progress, and can be cancelled",
  async (t) => {
    const { session } = await openCounted();
    t.notOk(session.capabilities.has("loadability"));
    await session.setFormulation("acpf");
    t.ok(session.capabilities.has("loadability"));
    const run = session.loadability;
    const fractions: number[] = [];
    run.changed.connect((_, _none) => {
      if (run.state.kind === "running") fractions.push(run.state.fraction);
    });
    await run.run({ bus: 2 });
    const { state } = run;
    t.equal(state.kind, "done");
    if (state.kind === "done") {
      const { margin_mw, no_solution_mw, added_mw, buses } = state.found;
      t.ok(margin_mw > 0 && (no_solution_mw === null || no_solution_mw > margin_mw));
      t.equal(added_mw.at(-1), margin_mw, "the curve ends at the limit");
      t.ok(buses.every(({ vm_pu }) => vm_pu.length === added_mw.length));
      t.ok((buses[0]?.vm_pu.at(-1) ?? NaN) < (buses[0]?.vm_pu[0] ?? NaN), "the first bus falls");
    }
    t.ok(fractions.length > 0);
    t.ok(run.isOf(session.state.edits));
    await session.commitElement(BUS_2, 1);
    t.notOk(run.isOf(session.state.edits), "after a change the curve is of the state before");

    const running = run.run({ system: true });
    run.cancel();
    await running;
    t.equal(run.state.kind, "none", "cancelled");
    await run.run({ bus: 99 });
    t.match(run.state, { kind: "failed", message: /99/ });
  },
);

t.test("views show the gap, reactive prices and certificate of the relaxation", async (t) => {
  const { session, opened } = await openThreeBus().then(async (one) => {
    await one.session.setFormulation("socwr");
    return one;
  });
  const gap = branchQuantities(session).get("cone_gap");
  t.match(gap, { label: pageText("tightness"), unit: "%" });
  t.match(gap?.note?.(session), pattern("linesTight", /^\d/, 3));
  const gaps = session.store.columns.values("cone_gap");
  gap?.values(session)?.forEach((shown, row) => {
    const value = gaps?.[row] ?? NaN;
    t.equal(Number.isNaN(shown) ? value < 1e-6 : shown === 100 * value, true, "tight lines have no colour");
  });
  t.match(busQuantities(session).get("lmp_q"), { label: pageText("reactivePrice"), unit: "$/MVArh", scale: "change" });
  t.equal(branchQuantities(session).get("rating_change")?.unitOf?.(session), "MVA");
  const lines = caseTable(session, "branches").columns;
  t.match(lines.find(({ key }) => key === "cone_gap")?.text(0), /^tight$|^\d/);
  t.match(
    lines.find(({ key }) => key.startsWith("shadow")),
    { key: "shadow_usd_per_mvah", unit: "$/MVAh" },
  );
  const terms = certificateLines(session.state.solution, opened).map(({ term }) => term);
  for (const term of [pageText("flows"), pageText("cones"), pageText("voltageLimits"), pageText("angleLimits")]) {
    t.ok(terms.includes(term), term);
  }
  t.match(certificateLines(session.state.solution, opened)[0]?.meaning, pattern("lowerBound"));
});

t.test(
  "formulations are compared when somebody asks, and a change does not wait for those that nobody wants",
  async (t) => {
    const { session, commits } = await openCounted();
    const { comparison, formulations } = session;
    await session.commit(LINE_2_AT_40, 0);
    await comparison.run();
    const compared = comparison.state.kind === "done" ? comparison.state.results : [];
    t.strictSame(
      compared.map(({ id }) => id),
      formulations,
    );
    t.ok(compared.every((one) => "result" in one));
    t.ok(comparison.isOf(session.state.edits));
    const before = commits.length;
    await session.commitElement(BUS_2, 1);
    t.strictSame(commits.slice(before), ["dcopf"], "an edit solves itself alone");
    t.notOk(comparison.isOf(session.state.edits));
    await session.undo();
    t.ok(comparison.isOf(session.state.edits), "it is of that state still");

    const sent = commits.length;
    const comparing = comparison.run();
    await session.commitElement(BUS_2, 2);
    await comparing;
    t.equal(comparison.state.kind, "none", "a change ends it");
    t.ok(commits.slice(sent).filter((formulation) => formulation !== "dcopf").length <= 1, commits.slice(sent).join());

    const waiting = commits.length;
    const edit = session.commitElement(BUS_2, 3);
    const control = new AbortController();
    const unwanted = session.comparison.resultIn("acpf", control.signal);
    control.abort();
    await t.rejects(unwanted, { code: "ABORTED" });
    await edit;
    await session.predict(session.live.edits); // after it in the queue
    t.strictSame(commits.slice(waiting), ["dcopf"], "what is not wanted any more when its turn comes is not solved");
  },
);

t.test("a failed switch leaves the previous state", async (t) => {
  const { session, refuse } = await openCounted();
  await session.commit(LINE_2_AT_40, 0);
  const before = session.state;
  refuse.add("acpf");
  await t.rejects(session.setFormulation("acpf"), { code: "SOLVE.NOT_CONVERGED" });
  t.equal(session.state, before);
  t.equal(session.formulation, "dcopf");
  t.match(session.status, { kind: "failed", tried: { formulation: "acpf" } });
  t.equal(session.relaxationSearch, null, "a power flow has no limits to relax");
  t.equal(session.history.states.length, 2);
  await session.commitElement(BUS_2, 1);
  t.equal(session.status.kind, "ready", "the queue goes on, in the formulation before");
  t.equal(session.formulation, "dcopf");
});

t.test("without sensitivities a selected element has a range and no column, and a commit is exact", async (t) => {
  const { session } = await openThreeBus();
  await session.setFormulation("acpf");
  await session.select(BUS_2);
  t.equal(session.column, null);
  t.equal(session.columnProblem, null);
  t.ok((session.range?.max ?? 0) > 0, "it can be moved");
  const flow = session.store.columns.at("flow_mw", 0);
  session.preview(5);
  t.equal(session.status.kind, "previewing");
  await session.commitElement(BUS_2, 5);
  t.equal(session.path, null);
  t.not(session.store.columns.at("flow_mw", 0), flow);
  t.match(session.history.current, { formulation: "acpf", event: { kind: "edit" } });
});

t.test("a session may begin in a formulation without prices; its certificate is that of a power flow", async (t) => {
  const workspace = new Workspace(createNodeEngine());
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const session = await workspace.openSession({
    opened,
    caseId: "three_bus",
    caseName: "Three buses",
    formulation: "acpf",
  });
  t.equal(session.formulation, "acpf");
  t.match(statusText(session), /^Solved, .*mismatch/);
  const terms = certificateLines(session.state.solution, opened).map(({ term }) => term);
  t.ok(terms.includes(pageText("balance")) && terms.includes(pageText("slack")));
  t.notOk(terms.includes(pageText("prices")));
  await session.setFormulation("dcopf");
  t.ok(session.store.columns.has("lmp"));
  session.dispose();
});

t.test(
  "in an AC power flow voltages are estimated while a demand moves, and the estimate says how good it is",
  async (t) => {
    const { session, opened } = await openThreeBus();
    await session.setFormulation("acpf");
    await session.select(BUS_2);
    const { estimate } = session.store;
    t.ok(estimate !== null && estimate.head.warrant.kind === "estimate");
    if (estimate === null) {
      return;
    }
    t.equal(session.column, null, "it is no column of prices");
    const { collapse } = estimate.head;
    if (collapse !== undefined) {
      t.match(collapseSentence(session.collapseOf(BUS_2), opened), /^Voltages collapse near \+.*; bus \d.* first\.$/);
      t.equal(session.range?.max, collapse.mw, "the slider ends where voltages collapse");
    }
    const before = session.store.columns.values("vm_pu") ?? new Float64Array();
    session.preview(5);
    t.equal(statusText(session), pageText("previewingLinear"));
    const foretold = (session.store.shown("vm_pu") ?? new Float64Array()).slice();
    t.ok(difference(foretold, before) > 0, "the voltages shown move");
    t.equal(session.store.columns.values("vm_pu"), before, "the state does not");
    await session.commitElement(BUS_2, 5);
    const exact = session.store.columns.values("vm_pu") ?? new Float64Array();
    const { error_below_pu: error = 0, valid_mw: valid } = estimate.head.warrant;
    t.ok((valid[1] ?? Infinity) > 5, "within the interval of the estimate");
    t.ok(error > 0 && difference(foretold, exact) < error, "the error is below the estimate");
    t.match(voltageEstimateSentence(estimate.head, 0), /^Linear estimate of voltages: error below 0\.001 pu /);
    await session.select({ kind: "branch", id: 2 });
    t.equal(session.store.estimate, null, "a rating moves no voltage");
    t.equal(session.columnProblem, null);
  },
);

t.test(
  "the slider of a demand ends where voltages collapse, traced, and the sentence names who falls first",
  async (t) => {
    const { session, opened } = await openThreeBus();
    await session.setFormulation("acpf");
    await session.select(BUS_2);
    await session.pathSettled;
    const curve = session.voltageCurve;
    const ahead = session.collapseOf(BUS_2);
    if (curve?.collapse == null || ahead === null) {
      t.fail("the growth of this demand ends");
      return;
    }
    t.strictSame(ahead, curve.collapse);
    t.ok(ahead.traced && ahead.buses.length > 0);
    t.equal(session.range?.max, ahead.mw);
    t.equal(curve.positions[0], 0);
    t.match(readout(session).text, /Voltages collapse beyond \+[\d,.]+ MW; bus \d .*first\.$/);

    await session.commitElement(BUS_2, 0.5 * ahead.mw);
    await session.pathSettled;
    t.equal(session.voltageCurve, curve, "a state on the curve is no reason to follow it again");
    const half = session.store.columns.at("vm_pu", opened.busRow(ahead.buses[0] ?? 0));
    const { vm_pu: voltages = [] } = curve.buses[0] ?? {};
    t.ok(half < (voltages[0] ?? NaN) && half > (voltages.at(-1) ?? NaN), "its voltage lies on the way down");
    await session.commitElement(BUS_2, ahead.mw);
    t.equal(session.committedMw, ahead.mw, "the end has a solution");
    await t.rejects(session.commitElement(BUS_2, 1.001 * ahead.mw), { code: "SOLVE.NOT_CONVERGED" });

    await session.commit({ ...session.state.edits, deltas: { 2: -5 } }, session.state.revision);
    await session.pathSettled;
    await session.columnSettled;
    await session.pathSettled;
    t.not(session.voltageCurve, curve, "it begins above this state");
    t.equal(session.voltageCurve?.min, -5);
    t.ok(Math.abs((session.voltageCurve?.max ?? NaN) - ahead.mw) < 1e-3 * ahead.mw, "the end is where it was");

    await session.setFormulation("dcopf");
    t.equal(session.voltageCurve, null);
    t.equal(session.collapseOf(BUS_2), null);
    session.dispose();
  },
);

t.test("a switch preserves the options; those that a formulation does not read apply after the return", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const options = { set_point_pu: 1.02, dc_convention: "matpower" } as const;
  const which = { opened, caseId: "three_bus", caseName: "Three buses", formulation: "acpf", options } as const;
  const session = await workspace.openSession(which);
  t.teardown(() => session.dispose());
  const { result_sha256 } = session.state.solution;
  t.equal(session.state.remark, undefined);

  await session.setFormulation("dcopf");
  t.equal(session.state.solution.dc_convention, "matpower", "an option that both read is preserved");
  t.equal(session.state.remark, pageText("optionUnread", 1, "set_point_pu", "DC OPF"));
  await session.select(BUS_2);
  await session.columnSettled;
  t.match(readout(session).text, pageText("optionUnread", 1, "set_point_pu", "DC OPF"));
  await session.setFormulation("acpf");
  t.equal(session.state.solution.result_sha256, result_sha256, "the set-points are those of before");
  t.equal(session.state.remark, undefined);
});

t.test("a Study whose options are for another formulation opens", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const options = { set_point_pu: 1.02 };
  const which = { opened, caseId: "three_bus", caseName: "Three buses", formulation: "dcopf", options } as const;
  const session = await workspace.openSession(which);
  t.teardown(() => session.dispose());
  t.equal(session.formulation, "dcopf");
  await session.setFormulation("acpf");
  const held = session.store.columns.at("vm_pu", opened.busRow(1));
  t.equal(Math.round(held * 1e6) / 1e6, 1.02, "the set-point of the options");
});
