// Large answers cross from the worker in pieces: what arrives is the same, and no piece is large.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { inPieces, putTogether } from "@service/engine/pieces";

type Call = Parameters<typeof inPieces>[0];
type Answer = ReturnType<typeof inPieces>;

const bytesOf = (answer: Answer): number[] => (answer.pieces?.parts ?? []).map(({ bytes }) => bytes?.length ?? 0);

/** Whether a value has this JSON, keys in the same order. */
const same = (value: unknown, json: string): boolean => JSON.stringify(value) === json;

t.test("a grid of 8,500 buses", async (t) => {
  const packed = await readFile(new URL("../../server/grids/california.json.gz", import.meta.url));
  const module = gunzipSync(packed).toString();
  const ingested = await createNodeEngine().inspectModule(module);
  const json = JSON.stringify(ingested);
  const call: Call = { op: "inspectModule", module };
  const answer = inPieces(call, { json, ms: 1 });
  t.equal(answer.json, undefined);
  t.equal(answer.ms, 1);
  t.ok(Math.max(...bytesOf(answer)) < 400_000, `${Math.max(...bytesOf(answer))} bytes at a stretch`);
  t.ok((answer.pieces?.outline.length ?? Infinity) < 400_000);
  t.strictSame(
    answer.pieces?.parts.filter(({ kind }) => kind === "sent").map(({ path }) => path),
    [["module_json"]],
    "the module that the page has does not come back",
  );
  const pieces = answer.pieces;
  t.ok(same(pieces && (await putTogether(pieces, module)), json));

  // A file has no module yet: its text comes as a piece.
  const file = inPieces({ op: "ingestCase", bytes: new Uint8Array(), format: "matpower" }, { json, ms: 1 });
  t.ok(file.pieces?.parts.some(({ kind, path }) => kind === "text" && path.join() === "module_json"));
  t.ok(same(file.pieces && (await putTogether(file.pieces, undefined)), json));
  const drop = JSON.stringify({ kind: "transmission", format: null, payload: ingested });
  const nested = inPieces({ op: "ingestJsonDrop", bytes: new Uint8Array() }, { json: drop, ms: 1 });
  t.ok(same(nested.pieces && (await putTogether(nested.pieces, undefined)), drop));
});

t.test("other work gets its turn while pieces are put together", async (t) => {
  const rows = Array.from({ length: 400_000 }, (_, k) => ({ k, name: `bus ${k}` }));
  const { pieces } = inPieces(
    { op: "ingestCase", bytes: new Uint8Array(), format: "matpower" },
    { json: JSON.stringify({ rows }), ms: 1 },
  );
  let turns = 0;
  const clock = setInterval(() => (turns += 1), 1);
  t.ok(same(pieces && (await putTogether(pieces, undefined)), JSON.stringify({ rows })));
  clearInterval(clock);
  t.ok(turns > 2, `${turns} turns`);
});

t.test("small answers, and those that a hand waits for, stay as they are", async (t) => {
  const small = { json: "[]", ms: 1 };
  t.equal(inPieces({ op: "inspectModule", module: "" }, small), small);
  const large = { json: JSON.stringify("x".repeat(500_000)), ms: 1 };
  t.equal(inPieces({ op: "currentSolution", study: 1 }, large), large);
  const { pieces } = inPieces({ op: "inspectModule", module: "" }, large);
  t.equal(pieces && (await putTogether(pieces, undefined)), "x".repeat(500_000), "a text alone");
});
