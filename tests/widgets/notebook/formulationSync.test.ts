// A switch of the formulation between kernel and page.
import t from "tap";
import { connect } from "./connectedKernel.ts";
import { LINE_2_AT_40 } from "../session.ts";

t.test("a switch of formulation is a commit that both sides follow, and the edits stay", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  t.strictSame(session.formulations, ["dcopf", "socwr", "acpf"], "those that the kernel solves");
  await session.commit(LINE_2_AT_40, 0);
  await session.setFormulation("acpf");
  await follow();
  t.strictSame([session.formulation, kernel.state.formulation], ["acpf", "acpf"]);
  t.strictSame([session.state.revision, kernel.state.revision], [2, 2]);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  t.equal(session.state.otherSha256, null, "both have one result");
  const { result_sha256 } = session.state.solution;
  t.match(kernel.received.at(-1), { kind: "commit", base_revision: 1, formulation: "acpf", result_sha256 });

  await session.undo();
  await follow();
  t.strictSame([session.formulation, kernel.state.formulation], ["dcopf", "dcopf"], "undo comes back");
  await kernel.commit({ 2: 1 }, {}, "socwr");
  await follow();
  t.equal(session.formulation, "socwr", "a switch in a cell is followed");
  t.strictSame(session.state.edits.deltas, { 2: 1 });
  t.equal(session.state.otherSha256, null);
});

t.test("a switch that coincides with a commit of a cell follows it, with the cell's edits", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  const switched = session.setFormulation("acpf");
  await kernel.commit({ 2: 3 }, {});
  await Promise.all([switched, follow()]);
  t.strictSame([session.formulation, kernel.state.formulation], ["acpf", "acpf"]);
  t.strictSame(session.state.edits.deltas, { 2: 3 });
  t.strictSame([session.state.revision, kernel.state.revision], [2, 2]);
});

t.test("a switch refused by the kernel leaves the previous state; an older kernel offers no switch", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  kernel.refusing = { code: "FORMULATION.UNAVAILABLE", message: "Unknown formulation." };
  await t.rejects(session.setFormulation("acpf"), { code: "FORMULATION.UNAVAILABLE" });
  t.strictSame([session.formulation, kernel.state.formulation, session.state.revision], ["dcopf", "dcopf", 0]);
  t.ok(session.store.columns.has("lmp"));
  t.equal(session.status.kind, "failed");
  kernel.refusing = null;
  await session.commitElement({ kind: "bus", id: 2 }, 1);
  t.equal(session.formulation, "dcopf", "the next change is solved in it");

  kernel.state.engine = {};
  t.strictSame(session.formulations, ["dcopf"]);
  kernel.live = false;
  t.ok(session.formulations.includes("dcpf"), "without a kernel the page has all of its own");
});
