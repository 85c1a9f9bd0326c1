// The drawing of a tree of states, and the parts of a plan that need no engine.
import t from "tap";
import { planCourse, stateLanes } from "@service/widgets/workspace";

t.test("a chain has one lane", async (t) => {
  const lanes = stateLanes([
    { id: 2, parent: 1 },
    { id: 1, parent: 0 },
    { id: 0, parent: null },
  ]);
  t.strictSame(lanes, [
    { lane: 0, above: [], below: [0], joins: [] },
    { lane: 0, above: [0], below: [0], joins: [] },
    { lane: 0, above: [0], below: [], joins: [] },
  ]);
});

t.test("a branch has its own lane, which ends at its origin", async (t) => {
  const lanes = stateLanes([
    { id: 3, parent: 2 },
    { id: 2, parent: 0 },
    { id: 1, parent: 0 },
    { id: 0, parent: null },
  ]);
  t.strictSame(
    lanes.map(({ lane }) => lane),
    [0, 0, 1, 0],
  );
  t.strictSame(lanes[2], { lane: 1, above: [0], below: [0, 1], joins: [] });
  t.strictSame(lanes[3], { lane: 0, above: [0, 1], below: [], joins: [1] });
});

t.test("the course of a plan counts from its start, and only accepted trials move the best", async (t) => {
  const trial = (exact_solve: number, exact_phi_delta: number | null, accepted: boolean) => {
    return { exact_solve, exact_phi_delta, accepted };
  };
  const { best, tried } = planCourse([
    trial(2, -1, true),
    trial(3, 2, false),
    trial(4, null, false),
    trial(5, -3, true),
  ]);
  t.strictSame(
    best.map(({ y }) => y),
    [0, -1, -1, -1, -4],
  );
  t.strictSame(
    tried.map(({ x, y }) => [x, y]),
    [
      [2, -1],
      [3, 1],
      [5, -4],
    ],
    "one without a solution is no point",
  );
});
