import { existsSync } from "node:fs";
import { relative } from "node:path";
import { SetupError } from "./fail.mjs";
import { ROOT } from "./paths.mjs";
import { readStamp, writeStamp } from "./stamps.mjs";

/**
 * The environment of the steps.
 *
 * @typedef {object} Context
 * @property {string} python      Python of the environment that the product is installed into
 * @property {string} prefix      that environment's folder
 * @property {string} stamps      folder in which finished steps are recorded
 * @property {"dev" | "ship"} mode  quick build, or the one for distribution
 */

/**
 * One step of the set-up.
 *
 * A step with `key` runs when the key differs from that of its last success or when an output is missing; a step with
 * `current` decides for itself. A build for distribution also serves development, but not vice versa.
 *
 * @typedef {object} Step
 * @property {string} name                                     also the stamp's file name
 * @property {string} title                                    shown on screen
 * @property {string[]} [after]                                names of the earlier steps whose results it needs
 * @property {(context: Context) => string} [key]              hash of everything the result depends on
 * @property {(context: Context) => string[]} [outputs]        files that must be there afterwards
 * @property {(context: Context) => boolean | Promise<boolean>} [current]
 * @property {(context: Context) => Promise<void>} run
 */

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function isCurrent(step, context, key) {
  if (step.current) return step.current(context);
  const stamp = readStamp(context.stamps, step.name);
  const modeFits = stamp?.mode === "ship" || context.mode === "dev";
  return stamp?.key === key && modeFits && step.outputs(context).every((path) => existsSync(path));
}

/**
 * Runs the steps, each as soon as its predecessors are done, and skips finished ones, so that an interrupted set-up
 * continues where it stopped. After a failure running steps finish, since their results are stored, and no others
 * start.
 *
 * @param {Step[]} steps
 * @param {Context} context
 * @returns {Promise<number>} number of steps with something to do
 */
export async function runSteps(steps, context) {
  let ran = 0;
  const failures = [];
  const ended = new Map();
  const one = async (step, label) => {
    await Promise.all((step.after ?? []).map((name) => ended.get(name)));
    if (failures.length > 0) return;
    try {
      if (await runStep(step, label, context)) ran += 1;
    } catch (error) {
      console.log(`${label}: failed`);
      failures.push(error);
    }
  };
  for (const [index, step] of steps.entries()) {
    ended.set(step.name, one(step, `[${index + 1}/${steps.length}] ${step.title}`));
  }
  await Promise.all(ended.values());
  if (failures.length > 0) throw failures[0];
  return ran;
}

/** Runs one step unless it is done; returns whether there was something to do. */
async function runStep(step, label, context) {
  const key = step.key?.(context);
  if (await isCurrent(step, context, key)) return false;
  const since = performance.now();
  console.log(`${label} ...`);
  await step.run(context);
  const absent = (step.outputs?.(context) ?? []).filter((path) => !existsSync(path));
  if (absent.length > 0) {
    throw new SetupError(`${step.title} ended without ${absent.map((path) => relative(ROOT, path)).join(", ")}.`);
  }
  if (key !== undefined) writeStamp(context.stamps, step.name, { key, mode: context.mode });
  console.log(`${label}: done in ${seconds(since)}`);
  return true;
}
