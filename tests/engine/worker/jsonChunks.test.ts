// Large answers cross from the worker in chunks: they arrive unchanged, and no chunk is large.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { inChunks, assembleChunks } from "@service/engine/json-chunks";

type Call = Parameters<typeof inChunks>[0];
type Answer = ReturnType<typeof inChunks>;

const bytesOf = (answer: Answer): number[] => (answer.chunks?.parts ?? []).map(({ bytes }) => bytes?.length ?? 0);

/** Whether a value has this JSON, keys in the same order. */
const same = (value: unknown, json: string): boolean => JSON.stringify(value) === json;

t.test("a grid of 8,500 buses", async (t) => {
  const packed = await readFile(new URL("../../../server/grids/california.json.gz", import.meta.url));
  const module = gunzipSync(packed).toString();
  const ingested = await createNodeEngine().inspectModule(module);
  const json = JSON.stringify(ingested);
  const call: Call = { op: "inspectModule", module };
  const answer = inChunks(call, { json, ms: 1 });
  t.equal(answer.json, undefined);
  t.equal(answer.ms, 1);
  t.ok(Math.max(...bytesOf(answer)) < 400_000, `${Math.max(...bytesOf(answer))} bytes at a stretch`);
  t.ok((answer.chunks?.outline.length ?? Infinity) < 400_000);
  t.strictSame(
    answer.chunks?.parts.filter(({ kind }) => kind === "sent").map(({ path }) => path),
    [["module_json"]],
    "the module that the page has does not come back",
  );
  const chunks = answer.chunks;
  t.ok(same(chunks && (await assembleChunks(chunks, module)), json));

  // A file has no module yet: its text is sent as a chunk.
  const file = inChunks({ op: "ingestCase", bytes: new Uint8Array(), format: "matpower" }, { json, ms: 1 });
  t.ok(file.chunks?.parts.some(({ kind, path }) => kind === "text" && path.join() === "module_json"));
  t.ok(same(file.chunks && (await assembleChunks(file.chunks, undefined)), json));
  const drop = JSON.stringify({ kind: "transmission", format: null, payload: ingested });
  const nested = inChunks({ op: "ingestJsonDrop", bytes: new Uint8Array() }, { json: drop, ms: 1 });
  t.ok(same(nested.chunks && (await assembleChunks(nested.chunks, undefined)), drop));
});

t.test("other work runs while chunks are joined", async (t) => {
  const rows = Array.from({ length: 400_000 }, (_, k) => ({ k, name: `bus ${k}` }));
  const { chunks } = inChunks(
    { op: "ingestCase", bytes: new Uint8Array(), format: "matpower" },
    { json: JSON.stringify({ rows }), ms: 1 },
  );
  let turns = 0;
  const clock = setInterval(() => (turns += 1), 1);
  t.ok(same(chunks && (await assembleChunks(chunks, undefined)), JSON.stringify({ rows })));
  clearInterval(clock);
  t.ok(turns > 2, `${turns} turns`);
});

t.test("a long text is decoded in parts, also across a character", async (t) => {
  const text = "\u20ac".repeat(3_000_000); // three bytes each
  const call: Call = { op: "ingestDistribution", bytes: new Uint8Array(), format: "dss", companions: [] };
  const { chunks } = inChunks(call, { json: JSON.stringify({ module_json: text }), ms: 1 });
  t.ok(same(chunks && (await assembleChunks(chunks, undefined)), JSON.stringify({ module_json: text })));
});

t.test("small answers and those of interactions are not split", async (t) => {
  const small = { json: "[]", ms: 1 };
  t.equal(inChunks({ op: "inspectModule", module: "" }, small), small);
  const large = { json: JSON.stringify("x".repeat(500_000)), ms: 1 };
  t.equal(inChunks({ op: "currentSolution", study: 1 }, large), large);
  const { chunks } = inChunks({ op: "inspectModule", module: "" }, large);
  t.equal(chunks && (await assembleChunks(chunks, undefined)), "x".repeat(500_000), "a text alone");
});
