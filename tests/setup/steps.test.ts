// The set-up's steps: completed steps are skipped, changed ones run again, failed ones are retried.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Test, test } from "tap";
// @ts-expect-error plain JavaScript, which runs before TypeScript is installed
import { runSteps } from "../../binder/lib/steps.mjs";
// @ts-expect-error plain JavaScript as well
import { run } from "../../binder/lib/run.mjs";

type Mode = "dev" | "ship";

/** A step that writes one file and counts its runs. */
function fileStep(file: string, name = "file", after: string[] = []) {
  const step = {
    name,
    title: name,
    after,
    ran: 0,
    inputs: "one",
    key: () => step.inputs,
    outputs: () => [file],
    run: async () => {
      step.ran += 1;
      writeFileSync(file, step.inputs);
    },
  };
  return step;
}

const contextOf = (t: Test, mode: Mode = "dev") => ({ stamps: t.testdir({}), mode });

test("a finished step is skipped until its inputs change", async (t) => {
  const context = contextOf(t);
  const step = fileStep(join(context.stamps, "out"));
  t.equal(await runSteps([step], context), 1);
  t.equal(await runSteps([step], context), 0);
  step.inputs = "two";
  t.equal(await runSteps([step], context), 1);
  t.equal(step.ran, 2);
});

test("a step whose output was deleted runs again", async (t) => {
  const context = contextOf(t);
  const step = fileStep(join(context.stamps, "out"));
  await runSteps([step], context);
  rmSync(join(context.stamps, "out"));
  t.equal(await runSteps([step], context), 1);
});

test("after a failure the next run continues at the failed step", async (t) => {
  const context = contextOf(t);
  const first = fileStep(join(context.stamps, "first"), "first");
  const second = fileStep(join(context.stamps, "second"), "second", ["first"]);
  const third = fileStep(join(context.stamps, "third"), "third", ["second"]);
  const work = second.run;
  second.run = async () => {
    throw new Error("no network");
  };
  await t.rejects(runSteps([first, second, third], context), { message: "no network" });
  t.equal(third.ran, 0, "what needs it is not begun");
  second.run = work;
  t.equal(await runSteps([first, second, third], context), 2);
  t.same([first.ran, second.ran, third.ran], [1, 1, 1]);
});

test("steps run side by side, each after those that it needs", async (t) => {
  const context = contextOf(t);
  const events: string[] = [];
  const step = (name: string, after: string[], ms: number) => {
    const one = fileStep(join(context.stamps, name), name, after);
    const { run: work } = one;
    one.run = async () => {
      events.push(`${name} begins`);
      await sleep(ms);
      await work();
      events.push(`${name} ends`);
    };
    return one;
  };
  const steps = [step("long", [], 200), step("short", [], 20), step("last", ["long", "short", "absent"], 0)];
  t.equal(await runSteps(steps, context), 3);
  t.same(events, ["long begins", "short begins", "short ends", "long ends", "last begins", "last ends"]);
});

test("every step depends on existing steps", async (t) => {
  const names = ["chromium", "engine", "javascript", "jupyter", "node", "notices", "python"];
  const modules = await Promise.all(names.map((name) => import(`../../binder/steps/${name}.mjs`)));
  const all: { name: string; after?: string[] }[] = modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is { name: string; title: string } => typeof value === "object" && "title" in (value ?? {}));
  t.equal(all.length, 14);
  for (const { name, after = [] } of all) {
    const missing = after.filter((other) => !all.some((step) => step.name === other));
    t.same(missing, [], name);
  }
});

test("a step beside a failed one is completed and recorded", async (t) => {
  const context = contextOf(t);
  const long = fileStep(join(context.stamps, "long"), "long");
  const { run: work } = long;
  long.run = async () => {
    await sleep(50);
    await work();
  };
  const broken = fileStep(join(context.stamps, "broken"), "broken");
  broken.run = async () => {
    throw new Error("no network");
  };
  await t.rejects(runSteps([long, broken], context), { message: "no network" });
  await t.rejects(runSteps([long, broken], context), { message: "no network" });
  t.equal(long.ran, 1);
});

test("a step without its output fails and is not recorded", async (t) => {
  const context = contextOf(t);
  const step = fileStep(join(context.stamps, "never"));
  step.run = async () => {};
  await t.rejects(runSteps([step], context), { message: /ended without .*never/ });
  await t.rejects(runSteps([step], context), { message: /ended without .*never/ });
});

test("a ship build serves development, but not the reverse", async (t) => {
  const dev = contextOf(t);
  const ship = { ...dev, mode: "ship" };
  const step = fileStep(join(dev.stamps, "out"));
  await runSteps([step], dev);
  t.equal(await runSteps([step], ship), 1);
  t.equal(await runSteps([step], dev), 0);
});

test("an undefined variable is removed from a program's environment", async (t) => {
  // maturin refuses to build where conda's base is active beside our own environment.
  const before = process.env["CONDA_PREFIX"];
  process.env["CONDA_PREFIX"] = "/opt/conda";
  t.teardown(() => {
    if (before === undefined) delete process.env["CONDA_PREFIX"];
    else process.env["CONDA_PREFIX"] = before;
  });
  const look = ["-e", "process.exit('CONDA_PREFIX' in process.env ? 3 : 0)"];
  await t.rejects(run(process.execPath, look), /exit code 3/);
  await t.resolves(run(process.execPath, look, { env: { CONDA_PREFIX: undefined } }));
});
