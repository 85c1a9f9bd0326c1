#!/usr/bin/env node
// Starts the built server; in a checkout without a build it prints how to build it.
import { existsSync } from "node:fs";

const bundle = new URL("../dist/server.mjs", import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  console.error("wattbook-server is not built yet: run `npm run build` in the repository first.");
  process.exitCode = 1;
}
