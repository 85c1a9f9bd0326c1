// Exact while dragging: every frame is an optimum, at most one request is pending, and the latest position wins.
import t from "tap";
import type { StudyHandle, Track } from "@service/engine/node";
import { formatLoading, formatMw } from "@service/widgets/text";
import { caseSceneModel, lineKinds, linesNote, MapColours } from "@service/widgets/map";
import { CaseSession, ElementEdit, type SessionChange, type SessionInit, Workspace } from "@service/widgets/workspace";
import { deferred, difference, engine, ingested, openThreeBus, shownPrices } from "../../session.ts";

const createStudy: SessionInit["createStudy"] = (formulation) => engine.createStudy(ingested.module_json, formulation);

const BUS_2 = { kind: "bus", id: 2 } as const;

/** Waits until a session announces a change that satisfies a condition. */
function until(session: CaseSession, change: SessionChange, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const listen = (_: CaseSession, heard: SessionChange): void => {
      if (heard === change && holds()) {
        session.changed.disconnect(listen);
        resolve();
      }
    };
    session.changed.connect(listen);
  });
}

/** A session on bus 2 with its path, in exact mode; `calls` are the operations requested of its Study since. */
async function openExact(): Promise<{
  session: CaseSession;
  calls: string[];
  hold: { gate: Promise<unknown> | null };
}> {
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const calls: string[] = [];
  const hold: { gate: Promise<unknown> | null } = { gate: null };
  const study = new Proxy(await engine.createStudy(ingested.module_json, "dcopf"), {
    get(target, name: keyof StudyHandle) {
      return async (...args: never[]): Promise<unknown> => {
        calls.push(name);
        await hold.gate;
        return (target[name] as (...args: never[]) => unknown).apply(target, args);
      };
    },
  });
  const init = {
    opened,
    caseId: "three_bus",
    caseName: "Three buses",
    formulation: "dcopf",
    options: {},
    leftOut: () => [],
  } as const;
  const session = await CaseSession.create({ ...init, study, createStudy });
  const came = until(session, "path", () => session.path !== null);
  await session.select(BUS_2);
  await came;
  session.previewMode = "exact";
  calls.length = 0;
  return { session, calls, hold };
}

const shown = (session: CaseSession): number => shownPrices(session)[1] ?? NaN;

t.test("frames are exact, intermediate positions are skipped, and one request is pending", async (t) => {
  const { session, calls, hold } = await openExact();
  const gate = deferred<null>();
  hold.gate = gate.promise;
  const settled = until(session, "preview", () => session.shownMw === 400);
  for (const mw of [100, 200, 300, 400]) {
    session.preview(mw);
    await new Promise((resolve) => setTimeout(resolve));
    t.strictSame(calls, ["trackState"], "the rest waits, and only the latest of it");
  }
  t.equal(session.previewMw, 400, "the hand does not wait");
  gate.resolve(null);
  await settled;
  t.strictSame(calls, ["trackState", "trackState"]);
  t.ok(Math.abs(shown(session) - 65.8) < 1e-9, "line 2 is full; the first order would be 49.85 $/MWh");
  t.strictSame(session.status, { kind: "previewing", exact: true });
  t.equal(session.state.revision, 0);
});

t.test("a frame equals a commit", async (t) => {
  const { session } = await openExact();
  for (const mw of [-69, -50, 33.3, 380, 395, 409.9]) {
    const there = until(session, "preview", () => session.shownMw === mw);
    session.preview(mw);
    await there;
    const frame = shownPrices(session).slice();
    const fresh = await engine.createStudy(ingested.module_json, "dcopf");
    await fresh.commit("three_bus", { 2: mw }, {}, null);
    const columns = await fresh.columns();
    await fresh.free();
    const { lmp, shadow } = columns;
    for (const name of [
      "va_rad",
      "demand_mw",
      "flow_mw",
      "loading",
      "rating_mw",
      "dispatch_mw",
      "limit_shadow",
    ] as const) {
      const [now, then] = [session.store.shown(name) ?? [], columns[name] ?? []];
      t.ok(now.length > 0 && difference(now, then) < 1e-7, `${name} at ${mw} MW: ${now.join(" ")}`);
    }
    const shown = Array.from(shadow, (_, row) => session.store.shownShadows?.get(row) ?? 0);
    t.ok(difference(shown, shadow) < 1e-7, `the lines that bind at ${mw} MW: ${shown.join(" ")}`);
    t.ok(
      frame.every((price, row) => Math.abs(price - (lmp[row] ?? NaN)) < 1e-9),
      `at ${mw} MW`,
    );
  }
});

t.test("binding lines on map, legend and card follow the drag", async (t) => {
  const { session } = await openExact();
  const paint = new MapColours(session, "lmp", "loading");
  const card = caseSceneModel(session, paint.lines);
  const row = session.opened.branchRow(2);
  const at = async (mw: number): Promise<{ binding: readonly number[]; note: string | null; card: string }> => {
    const there = until(session, "preview", () => session.shownMw === mw);
    session.preview(mw);
    await there;
    paint.update(false);
    const { rows } = card.card({ kind: "branch", row });
    const note = linesNote(paint.legend);
    return { binding: paint.lines.look.classes.binding, note, card: rows.map((pair) => pair.join(" ")).join("; ") };
  };
  // Flow and loading equal those of a commit there, solved by another Study.
  const rest = async (mw: number): Promise<string> => {
    const fresh = await engine.createStudy(ingested.module_json, "dcopf");
    await fresh.commit("three_bus", { 2: mw }, {}, null);
    const { flow_mw: flow, loading } = await fresh.columns();
    await fresh.free();
    const share = formatLoading(loading[row] ?? NaN);
    return `Flow ${formatMw(flow[row] ?? NaN)} MW; Rating 250.0 MW; Loading ${share}`;
  };
  t.strictSame(await at(300), {
    binding: [],
    note: null,
    card: `At this position does not bind; ${await rest(300)}`,
  });
  const { look } = paint.lines;
  await at(310);
  t.equal(paint.lines.look, look, "nothing is made anew between two breakpoints");
  // Line 2 carries one third of the output at bus 1 and none of that at bus 2: 3 (65.8 - 55.6).
  const saves = "Shadow price 30.60 $/MWh";
  const there = `At this position binds; ${await rest(400)}; ${saves}`;
  t.match(there, "Loading 100 %");
  t.strictSame(await at(400), { binding: [row], note: null, card: there });
  t.strictSame(
    lineKinds(paint.legend).map(({ text }) => text),
    ["1 binding", "1 more at 80 % or above"],
    "of the 490 MW line 1 brings what line 2 does not: 240 of 250",
  );
  paint.branchQuantity = "shadow";
  paint.update(false);
  t.ok((paint.lines.look.places?.[row] ?? -1) >= 0, "its shadow price is that of the position");
  session.previewMode = "first_order";
  paint.branchQuantity = "loading";
  paint.update(false);
  t.strictSame(paint.lines.look.classes.binding, [], "a first order knows no lines");
  t.equal(linesNote(paint.legend), "before the edit");
  session.cancelPreview();
  paint.update(false);
  t.equal(linesNote(paint.legend), null);
});

t.test("a release is compared with the path, and the next drag is exact again", async (t) => {
  const { session, calls } = await openExact();
  const hand = new ElementEdit(session);
  hand.move(400);
  await hand.release(400);
  await session.columnSettled;
  t.equal(session.state.revision, 1);
  const reconciled = session.state.reconciled;
  t.match(reconciled, { mode: "exact", row: 1 });
  t.ok(Math.abs((reconciled?.preview ?? NaN) - 65.8) < 1e-9 && Math.abs((reconciled?.exact ?? NaN) - 65.8) < 1e-9);
  t.ok((reconciled?.worst.usdPerMwh ?? NaN) < 1e-9);
  calls.length = 0;
  const there = until(session, "preview", () => session.status.kind === "previewing" && session.status.exact);
  session.preview(395);
  t.equal(session.shownMw, 395, "the first frame does not wait for the path");
  await there;
  t.strictSame(calls, ["track", "trackState"], "a commit drops the path that the Study held");
  t.ok(Math.abs(shown(session) - 60.55) < 1e-9);
});

t.test("until the path is known the linear estimate is shown and marked", async (t) => {
  const { session } = await openThreeBus();
  session.previewMode = "exact";
  await session.select(BUS_2);
  t.equal(session.path, null);
  session.preview(400);
  t.strictSame(session.status, { kind: "previewing", exact: false });
  t.ok(Math.abs(shown(session) - (448 + 400 * 22 * 0.17) / 39) < 1e-9);
  await until(session, "preview", () => session.status.kind === "previewing" && session.status.exact);
  t.ok(Math.abs(shown(session) - 65.8) < 1e-9);
});

t.test("beyond the end of feasibility the reason is shown without a solve", async (t) => {
  const { session, calls } = await openExact();
  session.preview(4000);
  t.strictSame(session.status, { kind: "previewing", exact: false });
  t.match(session.passedLimit, { reason: "infeasible" });
  t.strictSame(calls, []);
});

t.test("a typed change does not wait for a discarded path", async (t) => {
  const { session, calls } = await openExact();
  const hand = new ElementEdit(session);
  for (const mw of [400, 300]) {
    hand.move(mw);
    await hand.release(mw);
    await session.columnSettled;
  }
  t.equal(session.state.revision, 2);
  t.notOk(calls.includes("track"));
  t.match(session.state.reconciled, { mode: "first_order" });
});

t.test("the mode can change during a drag", async (t) => {
  const { session } = await openExact();
  const exact = until(session, "preview", () => session.shownMw === 400);
  session.preview(400);
  await exact;
  const heard: SessionChange[] = [];
  session.changed.connect((_, change) => heard.push(change));
  session.previewMode = "first_order";
  t.ok(heard.includes("mode") && heard.includes("status"), "reported, with the status");
  t.strictSame(session.status, { kind: "previewing", exact: false });
  t.ok(shown(session) < 50);
});

t.test("an answer after the release changes nothing", async (t) => {
  const { session, hold } = await openExact();
  const gate = deferred<null>();
  hold.gate = gate.promise;
  session.preview(400);
  await new Promise((resolve) => setTimeout(resolve));
  session.cancelPreview();
  gate.resolve(null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.notOk(session.store.previewing);
  t.equal(session.status.kind, "ready");
});

t.test("a path with too many breakpoints continues from the released position", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const created = await engine.createStudy(ingested.module_json, "dcopf");
  let cut: number | null = 50;
  const study = new Proxy(created, {
    get(target, name: keyof StudyHandle) {
      return async (...args: never[]): Promise<unknown> => {
        const answer = await (target[name] as (...args: never[]) => Promise<unknown>).apply(target, args);
        if (name !== "track" || cut === null) {
          return answer;
        }
        const track = answer as Track; // like a path that is too long for the engine
        const segments = track.segments
          .filter(({ from_mw }) => from_mw < (cut ?? 0))
          .map((segment) => ({ ...segment, to_mw: Math.min(segment.to_mw, cut ?? 0) }));
        const stopped = { mw: cut, reason: "too_many_breakpoints", message: "Too many." };
        return { ...track, segments, breakpoints: track.breakpoints.filter(({ mw }) => mw < (cut ?? 0)), stopped };
      };
    },
  });
  const init = {
    opened,
    caseId: "three_bus",
    caseName: "Three buses",
    formulation: "dcopf",
    options: {},
    leftOut: () => [],
  } as const;
  const session = await CaseSession.create({ ...init, study, createStudy });
  const came = until(session, "path", () => session.path !== null);
  await session.select(BUS_2);
  await came;
  t.equal(session.path?.max, 50);
  t.ok((session.range?.max ?? 0) >= 100, "the slider goes on");
  await session.commitElement(BUS_2, 20);
  t.equal(session.path?.max, 50, "inside it nothing is requested again");
  cut = null;
  const again = until(session, "path", () => session.path?.covers(80) === true);
  await session.commitElement(BUS_2, 80);
  await again;
  t.ok((session.path?.max ?? 0) >= 100);
  await created.free();
});
