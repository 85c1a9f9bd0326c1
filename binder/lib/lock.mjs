import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { at } from "./paths.mjs";

const FILE = at(".setup", "running");

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The process that holds the lock; null if there is none, or only a dead one. */
function holder() {
  try {
    const pid = Number(readFileSync(FILE, "utf8"));
    return pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Takes the lock if it is free. The file is linked with its complete content, so that nobody reads a partial one. */
function take() {
  const own = `${FILE}.${process.pid}`;
  mkdirSync(at(".setup"), { recursive: true });
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, FILE);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (holder() === null) rmSync(FILE, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Runs `body` while no other set-up of this checkout runs; a second one waits for the first. */
export async function withLock(body) {
  for (let announced = false; !take();) {
    const pid = holder();
    if (pid !== null && !announced) {
      console.log(`Another set-up of this checkout is running (process ${pid}); waiting for it.`);
      announced = true;
    }
    if (pid !== null) await sleep(500);
  }
  try {
    return await body();
  } finally {
    rmSync(FILE, { force: true });
  }
}
