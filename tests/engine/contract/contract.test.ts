// The generated contract belongs to the Rust sources, the wasm file and the package of this checkout.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import t from "tap";
import {
  CONTRACT_SOURCE_SHA256,
  CONTRACT_VERSION,
  DEFAULT_FORMULATION,
  FORMULATION_IDS,
  FORMULATIONS,
  formatOf,
  SOLVE_STATUSES,
} from "@service/engine/node";
import { createInstance } from "@service/engine/wasm/instance.js";

const root = new URL("../../../", import.meta.url);

t.test("hash of the Rust contract sources", async (t) => {
  const folder = new URL("engine/crates/study/src/contract/", root);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".rs")).sort();
  t.ok(names.includes("mod.rs") && names.length > 1);
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  const hash = createHash("sha256").update(sources.join("").replaceAll("\r\n", "\n")).digest("hex");
  t.equal(CONTRACT_SOURCE_SHA256, hash);
});

t.test("version of the package", async (t) => {
  const manifest = JSON.parse(await readFile(new URL("engine/package.json", root), "utf8")) as { version: string };
  t.equal(CONTRACT_VERSION, manifest.version);
});

t.test("the wasm file carries the same contract and the same table of formats", async (t) => {
  const instance = createInstance();
  await instance.default({ module_or_path: await readFile(new URL("engine/wasm/wattbook_engine_bg.wasm", root)) });
  t.equal(instance.contract_version(), CONTRACT_VERSION);
  t.equal(instance.contract_source_sha256(), CONTRACT_SOURCE_SHA256);
  for (const name of [
    "a.m",
    "b.RAW",
    "c.aux",
    "d.pwb",
    "e.epc",
    "k.rawx",
    "l.cdf",
    "m.uct",
    "n.xiidm",
    "o.iidm",
    "p.zip",
    "q.xml",
    "f.dss",
    "g.json",
    "h",
    ".m",
    "i.",
  ]) {
    t.equal(instance.format_of(name), formatOf(name), name);
  }
});

t.test("constants of the specification", async (t) => {
  t.strictSame([...FORMULATION_IDS], ["dcpf", "dcopf", "acpf", "socwr"]);
  t.strictSame([...SOLVE_STATUSES], ["optimal", "feasible"]);
  t.equal(DEFAULT_FORMULATION, "dcopf");
  t.ok(FORMULATIONS.some(({ id }) => id === DEFAULT_FORMULATION));
});
