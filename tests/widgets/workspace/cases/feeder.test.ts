// The power flow of a feeder behind the viewer: refusal with its options, result, loads under a slider, the state after
// a failure.
import { readFile } from "node:fs/promises";
import t, { type Test } from "tap";
import type { McSolution } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import {
  type BUS_VOLTAGES,
  type FeederChange,
  FeederProfile,
  FeederRows,
  type FeederStudy,
  optionsThatHelp,
  saveFeederResult,
  type ViewedNetwork,
  viewDistribution,
  Workspace,
} from "@service/widgets/workspace";

const engine = createNodeEngine();
const example = (name: string) => readFile(new URL(`../../../../examples/${name}`, import.meta.url));
const read = await engine.ingestDistribution(await example("village.dss"), "dss", {
  "village_coordinates.csv": await example("village_coordinates.csv"),
});

function opened(t: Test): FeederStudy {
  const { feeder, capabilities } = viewDistribution(read, engine, "village");
  t.ok(capabilities.has("power_flow") && !capabilities.has("prices"));
  t.teardown(() => feeder?.dispose());
  return feeder as FeederStudy;
}

t.test("a refusal has its options, and one call solves with them", async (t) => {
  const feeder = opened(t);
  const kinds: string[] = [];
  feeder.changed.connect(() => void kinds.push(feeder.state.kind));
  await feeder.solve();
  t.equal(feeder.state.kind, "refused");
  t.equal(feeder.solution, null);
  const { refused } = feeder.state as Extract<FeederStudy["state"], { kind: "refused" }>;
  t.strictSame(optionsThatHelp(refused), { source_impedance: "branch" });
  await feeder.solve(optionsThatHelp(refused) ?? {});
  t.equal(feeder.state.kind, "idle");
  t.equal(feeder.solution?.result.options.source_impedance, "branch");
  t.ok(kinds.includes("solving"));
  t.equal(optionsThatHelp([{ element: "generator.g", option: null }, ...refused]), null);
});

t.test("voltages of buses and the profile", async (t) => {
  const feeder = opened(t);
  await feeder.solve({ source_impedance: "branch" });
  const solution = feeder.solution;
  if (solution === null || feeder.voltages === null) return t.fail("no result");
  const rows = new FeederRows(solution);
  const of = (which: (typeof BUS_VOLTAGES)[number], bus: string) =>
    rows.byBus(which, feeder.voltages?.voltage_pu ?? new Float64Array())[solution.rows.buses.indexOf(bus)] ?? NaN;
  const phases = (["1", "2", "3"] as const).map((phase) => of(phase, "mill8"));
  t.equal(of("lowest", "mill8"), Math.min(...phases));
  t.equal(of("highest", "mill8"), Math.max(...phases));
  t.ok(of("neutral", "mill8") < 0.1);
  t.ok(Number.isNaN(of("lowest", "depot")), "behind an open switch");
  t.strictSame(
    read.graph.buses.map(({ id }) => id),
    solution.rows.buses,
    "rows of picture and result are the same",
  );
  const lines = new FeederProfile(solution).lines(feeder.voltages.voltage_pu);
  t.strictSame([...lines.keys()].sort(), ["1", "2", "3"]);
  // Each segment once: the number of conductors with the phase at both ends.
  const { conductor_element: element, conductor_end: end, conductor_terminal: terminal, is_phase } = solution.columns;
  const ends = new Map<string, number[]>();
  element?.forEach((of, row) => {
    const at = terminal?.[row] ?? -1;
    if (is_phase?.[at] !== 1) return;
    const key = `${of} ${solution.rows.terminals[at]}`;
    ends.set(key, [...(ends.get(key) ?? []), ...(end?.[row] === 1 || end?.[row] === 2 ? [at] : [])]);
  });
  const wanted = new Set([...ends.values()].filter((rows) => rows.length === 2).map((rows) => rows.sort().join(" ")));
  const drawn = [...lines.values()].flatMap((line) => line.filter((point, k) => point !== null && line[k + 1] != null));
  t.equal(drawn.length, wanted.size);
  const furthest = Math.max(...[...lines.values()].flat().map((point) => point?.x ?? 0));
  t.ok(Math.abs(furthest - 0.458) < 0.02, `${furthest} km`);
});

t.test("a profile of many segments omits those that look alike and has the same extent", (t) => {
  // A street of 20,000 houses one metre apart along which the voltage falls, and one outlying segment.
  const houses = 20_000;
  const count = houses + 1;
  const all = <T>(make: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => make(k));
  const solution = {
    rows: { buses: all((k) => `b${k}`), terminals: all(() => "1"), elements: [] },
    columns: {
      terminal_bus: Float64Array.from(all((k) => k)),
      distance_m: Float64Array.from(all((k) => k)),
      is_phase: new Float64Array(count).fill(1),
      conductor_element: Float64Array.from({ length: 2 * houses }, (_, k) => Math.floor(k / 2)),
      conductor_end: Float64Array.from({ length: 2 * houses }, (_, k) => 1 + (k % 2)),
      conductor_terminal: Float64Array.from({ length: 2 * houses }, (_, k) => Math.floor((k + 1) / 2)),
    },
  } as unknown as McSolution;
  const falling = Float64Array.from(all((k) => 1 - (0.1 * k) / houses));
  falling[777] = 0.8;
  const points = new FeederProfile(solution).lines(falling).get("1") ?? [];
  t.ok(points.length < 3 * 1000, `${points.length / 3} of ${houses} segments`);
  const drawn = points.filter((point) => point === null).length;
  t.ok(drawn < 10, `a street with a segment that stands out is few lines: ${drawn}`);
  t.ok(points.some((point) => point?.name === "b777.1" && point.x === 0.777 && point.y === 0.8));
  const furthest = Math.max(...points.map((point) => point?.x ?? 0));
  t.ok(Math.abs(furthest - 20) < 20 / 160, `${furthest} km`);
  t.end();
});

t.test("voltages follow a load, which stays on release and not on failure", async (t) => {
  const feeder = opened(t);
  await feeder.solve({ source_impedance: "branch" });
  const before = feeder.solution;
  const moved = new Promise<void>((resolve) => {
    const done = (_: unknown, change: FeederChange): void => {
      if (change === "voltages") resolve();
    };
    feeder.changed.connect(done);
  });
  feeder.drag("load.sawmill", 60);
  await moved;
  t.equal(feeder.solution, before, "the result stays under a drag");
  t.notSame(feeder.voltages?.voltage_v, before?.columns.voltage_v);
  await feeder.commit();
  t.strictSame(feeder.solution?.result.loads, { "load.sawmill": { p_kw: 60 } });
  const previous = feeder.solution;
  await feeder.commit({ "load.sawmill": { p_kw: NaN } });
  t.equal(feeder.state.kind, "failed");
  t.equal(feeder.solution, previous);
  t.strictSame(feeder.loads, previous?.result.loads);
  const again = feeder.solve({ source_impedance: "branch" });
  feeder.cancel();
  await again;
  t.equal(feeder.state.kind, "idle");
  t.equal(feeder.solution, previous);
  await feeder.commit({});
  t.equal(feeder.solution?.result.result_sha256, before?.result.result_sha256);
  const text = await feeder.save();
  t.equal((await engine.replayMcStudy(text ?? "")).result.result_sha256, before?.result.result_sha256);
});

t.test("loads that are released or dragged while an earlier solve runs are preserved", async (t) => {
  const feeder = opened(t);
  await feeder.solve({ source_impedance: "branch" });
  const [a = "", b = "", c = ""] = feeder.solution?.rows.loads ?? [];
  const release = (load: string, kw: number): Promise<void> => {
    feeder.drag(load, kw);
    return feeder.commit();
  };
  const first = release(a, 10);
  const second = release(b, 20);
  await first; // cancelled by the second
  const third = release(c, 30);
  await Promise.all([second, third]);
  const all = { [a]: { p_kw: 10 }, [b]: { p_kw: 20 }, [c]: { p_kw: 30 } };
  t.strictSame(feeder.solution?.result.loads, all, "three in a row");
  t.equal(feeder.state.kind, "idle");

  await feeder.commit({});
  const earlier = release(a, 11);
  feeder.drag(b, 21);
  await earlier;
  t.strictSame(feeder.solution?.result.loads, { [a]: { p_kw: 11 } });
  t.strictSame(feeder.loads, { [a]: { p_kw: 11 }, [b]: { p_kw: 21 } }, "b is still held");
  await feeder.commit();
  t.strictSame(feeder.solution?.result.loads, { [a]: { p_kw: 11 }, [b]: { p_kw: 21 } });

  const cancelled = release(c, 31);
  feeder.drag(a, 12);
  feeder.cancel();
  await cancelled;
  t.strictSame(
    feeder.loads,
    { [a]: { p_kw: 12 }, [b]: { p_kw: 21 } },
    "what was cancelled goes back, what is held stays",
  );
  feeder.putBack(a);
  t.strictSame(feeder.loads, feeder.solution?.result.loads);
});

t.test("a power flow is saved as a Study file, which opens without a solve", async (t) => {
  const feeder = opened(t);
  await feeder.solve({ source_impedance: "branch" });
  const base = feeder.solution?.result.result_sha256;
  await feeder.commit({ "load.sawmill": { p_kw: 30 } });
  const made = await saveFeederResult({ name: "Village", feeder }, engine);
  t.equal(made.name, "Village.study.json");
  const text = await engine.readMcStudyBundle(made.bytes);
  const packed = await engine.writeMcStudyBundle(text, { gzip: true });
  t.ok(packed.length < made.bytes.length);
  for (const [name, bytes] of [
    ["a.study.json", made.bytes],
    ["a.study.json.gz", packed],
  ] as const) {
    const workspace = new Workspace(engine);
    const networks: ViewedNetwork[] = [];
    t.teardown(() => networks.forEach(({ feeder }) => feeder?.dispose()));
    workspace.opening.connect((_, opening) => void (opening.kind === "network" && networks.push(opening.network)));
    const file = { name, size: bytes.length, arrayBuffer: () => Promise.resolve(bytes.slice().buffer) };
    const [outcome] = await workspace.intake.take([file]);
    t.equal(outcome?.outcome, "distribution", outcome?.sentence ?? "");
    const shown = networks[0]?.feeder;
    t.equal(shown?.solution?.result.result_sha256, feeder.solution?.result.result_sha256);
    t.strictSame(shown?.loads, { "load.sawmill": { p_kw: 30 } });
    t.strictSame((await saveFeederResult({ name: "Village", feeder: shown ?? null }, engine)).bytes, made.bytes);
    await shown?.commit({});
    t.equal(shown?.solution?.result.result_sha256, base, "edits go on from it");
  }
  const damaged = made.bytes.slice(0, -9);
  const outcomes = await new Workspace(engine).intake.take([
    { name: "a.study.json", size: damaged.length, arrayBuffer: () => Promise.resolve(damaged.buffer) },
  ]);
  t.equal(outcomes[0]?.outcome, "refused");
});
