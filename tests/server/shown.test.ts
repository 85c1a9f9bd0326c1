// The commands of the server's guide and of its package page, run as printed in a separate folder.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../fixtures/cases.ts";
import { address, start } from "./running.ts";

const source = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
t.setTimeout(300_000); // the four grids are solved
const ROUTES = [
  [[-80.1, 35.1], [-80.2, 35.2], 1, 2],
  [[-80.2, 35.2], [-80.3, 35.3], 2, 3],
];

/** The reader's own files named by the guide: two cases, positions in a table and in a case file, routes. */
async function files(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wattbook-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const table = "bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n";
  const { case: placed } = await engine.applyGeo(module_json, Buffer.from(table));
  const features = ROUTES.map(([from, to, f_bus, t_bus]) => ({
    type: "Feature",
    properties: { f_bus, t_bus },
    geometry: { type: "LineString", coordinates: [from, to] },
  }));
  const written: Record<string, string | Uint8Array> = {
    "north.m": await fixture("three_bus.m"),
    "north_buses.csv": table,
    "south.raw": (await engine.exportModule(module_json, "psse")).bytes,
    "south.aux": (await engine.exportModule(placed.module_json, "powerworld")).bytes,
    "south_lines.geojson": JSON.stringify({ type: "FeatureCollection", features }),
  };
  for (const [name, content] of Object.entries(written)) await writeFile(join(folder, name), content);
  return folder;
}

/** The commands of the shell blocks, without comments; a line that ends with `\` continues. */
const commandsOf = (page: string) =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = ""]) => block.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.replace(/ #.*$/, "").trim())
    .filter((line) => line !== "");

for (const [page, data] of [
  ["docs/guides/server.md", "/srv/wattbook"],
  ["server/README.md", "./grids"],
] as const) {
  t.test(page, async (t) => {
    const cwd = await files(t);
    const { scripts } = JSON.parse(await source("package.json")) as { scripts: Record<string, string> };
    const commands = commandsOf(await source(page));
    t.ok(commands.length >= 2);
    for (const command of commands) {
      const words = command.split(/\s+/).map((word) => word.replace(data, join(cwd, "data")));
      const variables = words
        .filter((word) => /^[A-Z_]+=/.test(word))
        .map((word) => word.split("=", 2) as [string, string]);
      const [program, ...args] = words.slice(variables.length);
      if (program === "npm") {
        t.ok(scripts[args[1] ?? ""], `${command} exists; it has run before the tests`);
        continue;
      }
      t.equal(program, "node_modules/.bin/wattbook-server", "no name is looked up in a registry");
      const server = start(t, { SERVICE_PORT: "0", ...Object.fromEntries(variables) }, args, "ignore", cwd);
      if (args[0] === "serve") {
        const health = await fetch(`${await address(server)}/api/health`);
        t.equal(health.status, 200, `${command}: every case is served`);
        server.child.kill();
        await server.ended;
      } else {
        t.equal(await server.ended, 0, server.output());
        t.match(server.output(), args.includes("--from") ? /^staged south: 3 buses/m : /^staged texas: /m, command);
      }
    }
  });
}
