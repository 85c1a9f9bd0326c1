// The built solver thread, but two demand changes at bus 2 misbehave: 1.5 MW never comes back, 2.5 MW ends the thread.
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ params }) => {
  const change = params?.[0]?.edits?.deltas?.[2];
  if (change === 1.5) for (;;);
  if (change === 2.5) process.exit(1);
});

await import("../../server/dist/solver.worker.mjs");
