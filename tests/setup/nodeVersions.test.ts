// The built server and the engine's package on the supported versions of Node.js other than the one that runs the
// tests. They are installed by `npm test -- --all`, for Linux on x64.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "tap";
import { address, start } from "../server/running.ts";
import { firstExample } from "./packedProject.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const packages = process.env["WATTBOOK_EXTRA_PACKAGES"] ?? "";
/** The first example of the engine's page: 10 and 30 $/MWh while the line is full, 10 at both buses with 50 MW of demand. */
const ENGINE = `${firstExample(readFileSync(join(ROOT, "engine/README.md"), "utf8"), "js")}
const rounded = [prices, solution.prices].map((rows) => rows.map(({ value }) => Math.round(value * 1e6) / 1e6));
console.log(process.version, JSON.stringify(rounded));`;

for (const major of [22, 24]) {
  const node = join(packages, `node-${major}`, "bin", "node");
  const skip = existsSync(node) ? false : `Node.js ${major} is installed by \`npm test -- --all\``;

  test(`Node.js ${major}: engine and server`, { skip, timeout: 300_000 }, async (t) => {
    const run = spawnSync(node, ["--input-type=module", "-e", ENGINE], { cwd: ROOT, encoding: "utf8" });
    t.equal(run.stderr, "");
    t.match(run.stdout, new RegExp(`^v${major}\\.\\S+ \\[\\[10,30\\],\\[10,10\\]\\]\\n$`));

    const server = start(
      t,
      { SERVICE_ALLOW_FALLBACK: "1", SERVICE_SERVER_COMPUTE: "1", SERVICE_PORT: "0" },
      ["serve"],
      "ignore",
      ROOT,
      node,
    );
    const url = await address(server);
    t.match(await (await fetch(`${url}/api/health`)).json(), { status: "ok", cases: ["case200_activ", "case500_goc"] });
    // PGLib's own baseline for the DC OPF.
    const { objective } = (await (await fetch(`${url}/api/cases/case500_goc/solution`)).json()) as {
      objective: number;
    };
    t.ok(Math.abs(objective / 4.4055e5 - 1) < 5e-5, `${objective}`);
    t.match(await (await fetch(`${url}/api/cases/case500_goc/solve?d=2:1`)).text(), /event: done\ndata: {"ok":true}/);
    server.child.kill("SIGTERM");
    t.equal(await server.ended, 0);
  });
}
