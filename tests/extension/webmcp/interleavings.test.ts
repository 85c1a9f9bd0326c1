// Random sequences and races of edits, proposals, approvals, failures, cancellations, kernel commits and calls of
// agents, beside a model that implements only the table of transitions.
import fc from "fast-check";
import t from "tap";
import { sameEdits } from "@service/widgets/workspace";
import { fresh, steps } from "./interleavings/commands.ts";
import type { Model } from "./interleavings/model.ts";
import { type Racer, RACERS } from "./interleavings/races.ts";

/** Runs of each property; `WATTBOOK_RUNS` sets more. */
const RUNS = Number(process.env["WATTBOOK_RUNS"] ?? 40);

t.test("single steps follow the table", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 30, size: "max" }), async (commands) => {
      const real = await fresh();
      const model: Model = {
        ...{ revision: 1, formulation: "dcopf", edits: { deltas: {}, rates: { 2: -210 } } },
        ...{ proposal: "none", solvable: true, base: 1 },
      };
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands);
      } finally {
        real.offered.dispose();
        [...real.workspace.sessions].forEach((one) => real.workspace.closeSession(one));
      }
    }),
    { numRuns: RUNS },
  );
  t.pass(`${RUNS} sequences`);
});

t.test(
  "all at once: a revision for each state, an application for each approval, an update for each revision",
  async (t) => {
    const racer = fc.constantFrom(...Object.keys(RACERS));
    const started = fc.record({ what: racer, after: fc.integer({ min: 0, max: 6 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(started, { minLength: 2, maxLength: 16 }), async (race) => {
        const real = await fresh();
        const { session, workspace } = real;
        const { proposals } = session;
        let states = 0;
        let networks = 0;
        const approved = new Map<string, number>();
        const applied: string[] = [];
        session.changed.connect((_, change) => {
          if (change === "state") states += 1;
        });
        workspace.changed.connect((_, change) => {
          if (change === "active" && workspace.active !== session) networks += 1;
        });
        proposals.changed.connect(() => {
          const { state } = proposals;
          if (state.kind === "approved") approved.set(state.proposal.id, state.proposal.baseRevision);
          if (state.kind === "applied" && applied.at(-1) !== state.proposal.id) {
            applied.push(state.proposal.id);
            if (approved.get(state.proposal.id) !== proposals.revision - 1) throw new Error("applied to another state");
            if (!sameEdits(session.live.edits, state.proposal.edits)) throw new Error("another state was applied");
          }
        });
        const updates: unknown[] = [];
        const running: Promise<unknown>[] = [];
        for (const { what, after } of race) {
          for (let k = 0; k < after; k += 1)
            await (k < 4 ? Promise.resolve() : new Promise((done) => setImmediate(done)));
          const done = (RACERS[what] as Racer)(real).then(
            (answer) => {
              const { ok, data } = (answer ?? {}) as { ok?: boolean; data?: { revision: number } };
              if (what === "agent" && ok === true) updates.push(data?.revision);
            },
            () => undefined, // refused
          );
          running.push(done);
        }
        await Promise.all(running);
        const counted = proposals.revision - 1;
        const expected = states + networks;
        real.offered.dispose();
        [...workspace.sessions].forEach((one) => workspace.closeSession(one));
        if (counted !== expected) throw new Error(`revision ${counted}, ${states} states, ${networks} networks`);
        if (new Set(applied).size !== applied.length) throw new Error("a proposal was applied twice");
        if (applied.some((id) => !approved.has(id))) throw new Error("applied without approval");
        if (new Set(updates).size !== updates.length) throw new Error("two updates made one revision");
      }),
      { numRuns: RUNS },
    );
    t.pass(`${RUNS} races`);
  },
);
