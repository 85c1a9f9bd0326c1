import t from "tap";
import {
  absoluteError,
  type CommitAnswer,
  ElementEdit,
  relativeError,
  type SessionChange,
  StaleRevisionError,
  withDelta,
} from "@service/widgets/workspace";
import {
  BASE_PRICE,
  deferred,
  difference,
  engine,
  LINE_2_AT_40,
  openThreeBus,
  PRICES_AT_40,
  shownPrices,
} from "../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;

t.test("a session begins with one request to its Study", async (t) => {
  const requests: string[] = [];
  const { session } = await openThreeBus({
    ...engine,
    createStudy: async (...args: Parameters<typeof engine.createStudy>) =>
      new Proxy(await engine.createStudy(...args), {
        get: (study: object, name) => {
          const value: unknown = Reflect.get(study, name);
          if (typeof value !== "function") return value;
          return (...given: unknown[]) => {
            requests.push(String(name));
            return (value as (...all: unknown[]) => unknown).apply(study, given);
          };
        },
      }),
  } as typeof engine);
  t.strictSame(requests, ["current"]);
  t.ok(difference(shownPrices(session), [BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-9);
});

t.test("exact prices do not wait for the hash of their result", async (t) => {
  const hash = deferred<undefined>();
  const requests: unknown[] = [];
  const { session } = await openThreeBus({
    ...engine,
    createStudy: async (...args: Parameters<typeof engine.createStudy>) => {
      const study = await engine.createStudy(...args);
      const commit: typeof study.commit = async (...given) => {
        requests.push(given[4]?.hashLater);
        const committed = await study.commit(...given);
        const { solution, hashed } = committed;
        if (hashed === undefined) return committed;
        const late = Promise.all([hashed, hash.promise]).then(() => undefined);
        // The engine's own hash is known by then: it is withheld here like a slow one.
        await hashed;
        const known = solution.result_sha256;
        solution.result_sha256 = "";
        return { ...committed, hashed: late.then(() => void (solution.result_sha256 = known)) };
      };
      return new Proxy(study, {
        get: (of: object, name) => {
          const value: unknown = name === "commit" ? commit : Reflect.get(of, name);
          return typeof value === "function" ? (value.bind(of) as unknown) : value;
        },
      });
    },
  } as typeof engine);
  const change = session.commit(LINE_2_AT_40, 0);
  const published = new Promise((resolve) => session.changed.connect((_, what) => what === "state" && resolve(what)));
  await published;
  t.strictSame(requests, [true]);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9, "published");
  t.equal(session.history.current.resultSha256, "");

  const heard: SessionChange[] = [];
  session.changed.connect((_, what) => heard.push(what));
  hash.resolve(undefined);
  await change;
  t.match(session.state.solution.result_sha256, /^[0-9a-f]{64}$/);
  t.equal(session.history.current.resultSha256, session.state.solution.result_sha256, "the history has it too");
  t.ok(heard.includes("status"), "views are notified");
});

t.test("a commit publishes one exact state at the next revision", async (t) => {
  const { session } = await openThreeBus();
  const heard: SessionChange[] = [];
  session.changed.connect((_, change) => heard.push(change));
  t.ok(difference(shownPrices(session), [BASE_PRICE, BASE_PRICE, BASE_PRICE]) < 1e-9);

  await session.commit(LINE_2_AT_40, 0);
  t.equal(session.state.revision, 1);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  t.ok(Math.abs((session.state.solution.objective ?? NaN) - 808.5) < 1e-6);
  t.equal(heard.filter((change) => change === "state").length, 1);
  t.equal(session.status.kind, "ready");

  await session.reset();
  t.equal(session.state.revision, 2, "reset is a commit like any other");
  t.strictSame(session.state.edits, { deltas: {}, rates: {} });
});

t.test("a commit without a solution changes nothing, and the queue continues", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const before = session.state;
  await t.rejects(session.commit({ deltas: { 2: 5000 }, rates: {} }, 1), { code: "SOLVE.INFEASIBLE" });
  t.equal(session.state, before);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  t.match(session.status, { kind: "failed", code: "SOLVE.INFEASIBLE" });
  await session.commit({ deltas: { 2: 1 }, rates: {} }, 1);
  t.equal(session.state.revision, 2);
});

t.test("the next change clears the message of a failed one", async (t) => {
  const { session } = await openThreeBus();
  const fail = async (): Promise<void> => {
    await t.rejects(session.commit({ deltas: { 2: 5000 }, rates: {} }, session.state.revision));
    t.equal(session.status.kind, "failed");
  };
  await fail();
  await session.select(BUS_2);
  t.equal(session.status.kind, "ready", "selecting");
  await fail();
  session.forgetFailure();
  t.equal(session.status.kind, "ready", "typing");
  await t.rejects(session.adopt({ revision: 1, edits: { deltas: { 2: 5000 }, rates: {} }, resultSha256: "" }));
  await session.select(null);
  t.equal(session.status.kind, "failed", "that the kernel is elsewhere stays true");
});

t.test("the preview is beside the exact result until another element is selected", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  await session.commitElement(BUS_2, 1);
  t.ok(session.state.reconciled !== null);
  await session.select({ kind: "bus", id: 1 });
  t.equal(session.state.reconciled, null);
});

t.test("the expected revision is checked inside the queue", async (t) => {
  const { session } = await openThreeBus();
  const first = session.commit(LINE_2_AT_40, 0);
  const second = session.commit({ deltas: { 2: 1 }, rates: {} }, 0);
  await first;
  await t.rejects(second, StaleRevisionError);
  t.equal(session.state.revision, 1);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
});

t.test("a selected bus has the closed-form column of the congested case", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.select(BUS_2);
  t.ok(difference(session.store.column ?? [], [0.44, 1.05, -0.17]) < 1e-9);
  await session.select({ kind: "branch", id: 2 });
  t.ok(difference(session.store.column ?? [], [-0.66, -1.83, 0.51]) < 1e-9);
  await session.select({ kind: "bus", id: 99 });
  t.equal(session.selection, null, "an unknown element is not selected");
  t.equal(session.store.column, null);
});

t.test("a preview is base plus column times step, and exact inside its interval", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.select(BUS_2);
  const [, high] = session.column?.warrant.valid_mw ?? [null, null];
  t.ok(high !== null && high > 1);

  session.preview(1);
  t.equal(session.status.kind, "previewing");
  t.ok(difference(shownPrices(session), [18.64, 31.15, 6.13]) < 1e-9);
  t.equal(session.state.revision, 1, "nothing is committed");
  session.cancelPreview();
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);

  session.preview(1);
  const previewed = shownPrices(session).slice();
  await session.commitElement(BUS_2, 1);
  t.ok(difference(shownPrices(session), previewed) < 1e-9, "the exact solve agrees");
  const reconciled = session.state.reconciled;
  t.ok(reconciled !== null);
  if (reconciled !== null) {
    t.match(reconciled, { mode: "first_order", row: 1 });
    t.ok(absoluteError(reconciled) < 1e-9 && reconciled.worst.usdPerMwh < 1e-9);
    t.ok((relativeError(reconciled) ?? NaN) < 1e-9, "of a change of 1.05 $/MWh");
  }
  t.equal(session.previewMw, null);
});

t.test("beyond the interval the error of the linear estimate is reported, with its bus", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  session.preview(400);
  const previewed = shownPrices(session).slice();
  await session.commitElement(BUS_2, 400);
  const reconciled = session.state.reconciled;
  t.ok(reconciled !== null);
  if (reconciled !== null) {
    t.equal(reconciled.preview, previewed[1]);
    // 448/39 + 400 * 0.22 * 0.17 / 0.39 predicted, and 65.80 with line 2 full
    t.ok(Math.abs(absoluteError(reconciled) - (65.8 - (448 + 400 * 22 * 0.17) / 39)) < 1e-7);
    t.ok(Math.abs((relativeError(reconciled) ?? NaN) - absoluteError(reconciled) / (65.8 - 448 / 39)) < 1e-9);
    t.equal(reconciled.worst.usdPerMwh, difference(previewed, session.store.columns.values("lmp") ?? []));
  }
});

t.test("a state from elsewhere during a drag leaves the slider at its position", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  session.preview(5);
  await session.adopt({ revision: 7, edits: LINE_2_AT_40, resultSha256: "" });
  await session.columnSettled;
  t.equal(session.state.revision, 7);
  t.equal(session.previewMw, 5);
  t.equal(session.status.kind, "previewing");
  const wanted = PRICES_AT_40.map((price, k) => price + 5 * ([0.44, 1.05, -0.17][k] ?? NaN));
  t.ok(difference(shownPrices(session), wanted) < 1e-9);
});

t.test("a state from elsewhere with another hash is reported", async (t) => {
  const { session } = await openThreeBus();
  await session.adopt({ revision: 1, edits: LINE_2_AT_40, resultSha256: "not ours" });
  t.equal(session.state.otherSha256, "not ours");
  await session.adopt({ revision: 1, edits: LINE_2_AT_40, resultSha256: session.state.solution.result_sha256 });
  t.equal(session.state.otherSha256, null);
  t.equal(session.state.revision, 1);
});

t.test("without a change the relative error is undefined", async (t) => {
  const { session } = await openThreeBus();
  const LINE_2 = { kind: "branch", id: 2 } as const;
  await session.select(LINE_2);
  await session.commitElement(LINE_2, 10);
  const reconciled = session.state.reconciled;
  t.ok(reconciled !== null);
  if (reconciled !== null) {
    t.ok(absoluteError(reconciled) < 1e-9);
    t.equal(relativeError(reconciled), null);
  }
});

t.test("a state of the kernel is not compared with an unseen preview", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  await session.adopt({ revision: 1, edits: { deltas: { 2: 5 }, rates: {} }, resultSha256: "" });
  t.equal(session.state.revision, 1);
  t.equal(session.state.reconciled, null);
});

t.test("while a kernel orders, the candidate is shown but not published", async (t) => {
  const { session } = await openThreeBus();
  const answer = deferred<CommitAnswer>();
  const requests = deferred<null>();
  session.setOrderer({
    formulations: null,
    waitsFor: "the kernel",
    order: () => {
      requests.resolve(null);
      return answer.promise;
    },
  });
  const commit = session.commit(LINE_2_AT_40, 0);
  await requests.promise;
  t.strictSame(session.status, { kind: "waiting", waitsFor: "the kernel" });
  t.equal(session.state.revision, 0);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  answer.resolve({ kind: "ack", revision: 4, resultSha256: "" });
  await commit;
  t.equal(session.state.revision, 4);
});

t.test("a stale answer brings the newer state and is reported", async (t) => {
  const { session } = await openThreeBus();
  session.setOrderer({
    formulations: null,
    waitsFor: "the kernel",
    order: () => Promise.resolve({ kind: "stale", revision: 9, edits: LINE_2_AT_40, resultSha256: "" }),
  });
  await t.rejects(session.commit({ deltas: { 2: 1 }, rates: {} }, 0), StaleRevisionError);
  t.equal(session.state.revision, 9);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  t.match(session.status, { kind: "failed", code: "REVISION.STALE" });
});

t.test("only the latest release during a commit counts", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const hand = new ElementEdit(session);
  hand.move(1);
  const first = hand.release(1);
  void hand.release(2);
  void hand.release(3);
  await first;
  t.strictSame(session.state.edits, withDelta({ deltas: {}, rates: {} }, BUS_2, 3));
  t.equal(session.state.revision, 2);
  hand.move(4);
  await hand.release(3);
  t.equal(session.state.revision, 2, "letting go where it was is no change");
  t.equal(session.status.kind, "ready");
});

t.test("a release belongs to the element selected at that time", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  const hand = new ElementEdit(session);
  const first = hand.release(1);
  const second = hand.release(2);
  const moving = session.select({ kind: "bus", id: 1 });
  await Promise.all([first, second, moving]);
  await session.columnSettled;
  t.strictSame(session.state.edits.deltas, { 2: 2 });
  t.strictSame(session.column?.bus, 1, "the column shown is that of the element selected now");
});

t.test("at a breakpoint the linear estimate has two sides", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  await session.commitElement(BUS_2, 390); // line 2 is full, generator 2 still at its maximum
  await session.columnSettled;
  t.equal(session.column?.warrant.kind, "one_sided");
  const { left, right, values } = session.store.dense ?? {};
  t.ok(Math.abs((left?.[1] ?? NaN) - 0.22) < 1e-9 && Math.abs((right?.[1] ?? NaN) - 1.05) < 1e-9);
  t.equal(values, right, "the map shows one side and no mean");
  const [before = NaN] = [session.store.columns.at("lmp", 1)];
  session.preview(395);
  t.ok(Math.abs((shownPrices(session)[1] ?? NaN) - before - 5 * 1.05) < 1e-9);
  session.preview(385);
  t.ok(Math.abs((shownPrices(session)[1] ?? NaN) - before + 5 * 0.22) < 1e-9);
});

t.test("an ended session is silent and its Study is freed", async (t) => {
  const { session, workspace } = await openThreeBus();
  let heard = 0;
  session.changed.connect(() => (heard += 1));
  workspace.closeSession(session);
  await t.rejects(session.commit(LINE_2_AT_40, 0), { code: "STUDY.FREED" });
  t.equal(heard, 0);
});
