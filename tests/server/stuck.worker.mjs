// The built solver thread with three misbehaving demand changes at bus 2: 1.5 MW never returns, 2.5 MW ends the thread,
// 0.75 MW takes a second longer.
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ params }) => {
  const change = params?.[0]?.edits?.deltas?.[2];
  if (change === 1.5) for (;;);
  if (change === 2.5) process.exit(1);
  if (change === 0.75) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
});

await import("../../server/dist/solver.worker.mjs");
