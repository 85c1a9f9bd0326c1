// Alternative problems offered where one has no solution, and notices about what an answer omits.
import t from "tap";
import type { IngestedCase } from "@service/engine";
import { BranchPaint, caseSceneModel } from "@service/widgets/map";
import { statusText } from "@service/widgets/ui";
import {
  answerMark,
  answerNotices,
  NO_EDITS,
  offersOfNetwork,
  offersOfSession,
  type OpenedCase,
  ratingsNotice,
  ratingsOffer,
  securityOffer,
  type ViewedNetwork,
  Workspace,
} from "@service/widgets/workspace";
import { engine } from "../session.ts";

/** 20 $/MWh at bus 1, 5 or 50 $/MWh at bus 2 with the demand; a line of 0.1 pu carries 1000 MW at 1 pu, one of 0.5 pu has 180.5 MW assumed. */
function twoBuses(demand: number, cheap: number, most: number, cost: number, x: number, vmax: number): string {
  return `function mpc = two
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 1 ${vmax} 0 230 1 ${vmax} 0.9; 2 2 ${demand} 0 0 0 1 ${vmax} 0 230 1 ${vmax} 0.9];
mpc.gen = [1 ${cheap} 0 900 -900 ${vmax} 100 1 1500 0; 2 0 0 900 -900 ${vmax} 100 1 ${most} 0];
mpc.branch = [1 2 0 ${x} 0 0 0 0 0 0 1 -360 360];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 ${cost} 0];
`;
}

async function read(text: string): Promise<IngestedCase> {
  return engine.ingestCase(new TextEncoder().encode(text), "matpower");
}

async function open(workspace: Workspace, text: string): Promise<OpenedCase> {
  const ingested = await read(text);
  return workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
}

t.test("a dispatch without a power flow offers that of the optimum by one click", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await open(workspace, twoBuses(1400, 1400, 1000, 5, 0.1, 1));
  const session = await workspace.openSession({ opened, caseId: "two", caseName: "Two", formulation: "dcopf" });
  await t.rejects(session.setFormulation("acpf"), { code: "SOLVE.NOT_CONVERGED" });
  const [offer, ...others] = offersOfSession(session);
  t.strictSame([offer?.label, others.length], ["Use the DC OPF dispatch", 0]);
  if (offer === undefined) return;
  t.match(offer, { formulation: "acpf", options: { dispatch: "dcopf" } });
  const solved = await workspace.openOffer(offer);
  t.match(solved.state.solution.power_flow, { dispatch: "dcopf", slack: "distributed" });
  t.match(statusText(solved), /DC OPF dispatch/);
  t.equal(session.formulation, "dcopf", "the case in front is as it was");
});

t.test("a case without an optimum offers its power flow and a solve without assumed ratings", async (t) => {
  const workspace = new Workspace(engine);
  const networks: ViewedNetwork[] = [];
  workspace.opening.connect((_, opening) => {
    if (opening.kind === "network") networks.push(opening.network);
  });
  // The line carries 180.5 MW at 0.95 pu, so the file has 50 MW of output at bus 2.
  const text = twoBuses(200, 0, 10, 50, 0.5, 0.95).replace("2 0 0 900", "2 50 0 900");
  await workspace.intake.take([new File([text], "two.m")]);
  const [network] = networks;
  t.not(network, undefined);
  if (network === undefined) return;
  const offers = offersOfNetwork(network);
  t.strictSame(
    offers.map(({ label }) => label),
    ["Solve without assumed ratings", "Solve the AC power flow"],
  );
  const sessions = await Promise.all(offers.map((offer) => workspace.openOffer(offer)));
  t.ok(Math.abs((sessions[0]?.state.solution.objective ?? NaN) - 4000) < 1e-6);
  t.match(sessions[1]?.state.solution.power_flow, { dispatch: "file", slack: "single" });
  network.unsolved?.search.dispose();
});

t.test("assumed ratings are marked and left out by one click", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await open(workspace, twoBuses(300, 0, 900, 50, 0.5, 0.95));
  const session = await workspace.openSession({ opened, caseId: "two", caseName: "Two", formulation: "dcopf" });
  const card = new Map(caseSceneModel(session, new BranchPaint(session)).card({ kind: "branch", row: 0 }).rows);
  t.equal(card.get("Rating"), "180.5 MW, assumed");
  t.match(ratingsNotice(opened.ingested, false), /no rating of 1 line/);
  const offer = ratingsOffer(session);
  t.match(offer, { label: "Solve without assumed ratings", options: { assumed_ratings: false } });
  if (offer === null) return;
  const free = await workspace.openOffer(offer);
  t.ok(Math.abs((free.store.columns.values("flow_mw")?.[0] ?? 0) - (100 * Math.PI) / 3 / 0.5) < 1e-6);
  const freeCard = new Map(caseSceneModel(free, new BranchPaint(free)).card({ kind: "branch", row: 0 }).rows);
  t.equal(freeCard.get("Rating"), "none");
  t.match(statusText(free), /no assumed ratings/);
  t.equal(ratingsOffer(free)?.label, "Solve with assumed ratings");
});

t.test("limits after outages are one click away, and one back", async (t) => {
  const workspace = new Workspace(engine);
  const opened = await open(workspace, twoBuses(100, 0, 900, 50, 0.1, 1.1));
  const session = await workspace.openSession({ opened, caseId: "two", caseName: "Two", formulation: "dcopf" });
  t.equal(session.state.solution.security, undefined);
  const offer = securityOffer(session);
  t.match(offer, { label: "Solve with limits after the outage of any line", options: { security: {} } });
  if (offer === null) return;
  const secured = await workspace.openOffer(offer);
  // The only line is a bridge.
  t.match(secured.state.solution.security, { outages: 0, splitting: [[1]], binding: [] });
  t.match(statusText(secured), /N-1 secure/);
  t.equal(secured.caseName, "two, N-1 secure", "the name of its tab");
  const back = securityOffer(secured);
  t.match(back, { label: "Solve without limits after outages", options: {} });
  if (back === null) return;
  // Back to the session that is open, with the edits of the other one.
  const edits = { deltas: { "2": 5 }, rates: {} };
  t.equal(await workspace.openOffer({ ...back, edits }), session);
  t.strictSame(session.live.edits, edits);
  t.equal(workspace.active, session);
  t.equal(workspace.sessions.length, 2);
  const flow = await workspace.openSession({ opened, caseId: "two", caseName: "Two", formulation: "acpf" });
  t.equal(securityOffer(flow), null, "other formulations have none");
});

t.test("omissions of the reader come before its assumptions", async (t) => {
  const ingested = await read(twoBuses(100, 100, 900, 50, 0.1, 1.1));
  const sentence = { key: "pandapower.left_out", values: {} };
  const answer = {
    ...ingested,
    warnings: [
      { code: "INPUT.LEFT_OUT", message: "6 MW", sentence, element: null },
      { code: "COST.ASSUMED", message: "assumed", sentence, element: null },
    ],
  } as unknown as IngestedCase;
  t.equal(answerNotices(answer, true, NO_EDITS).length, 2);
  t.equal(answerNotices(answer, false, NO_EDITS).length, 1);
  t.equal(answerMark(answer, true, NO_EDITS), "Parts of the file left out, Assumed costs");
  t.equal(answerMark(answer, false, NO_EDITS), "Parts of the file left out");
  t.equal(answerMark(ingested, true, NO_EDITS), null);
});
