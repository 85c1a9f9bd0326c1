// Large answers in chunks. Parsing the 9 MB of a case of 8,500 buses at once would block the page. The worker splits
// the JSON, and the page assembles it in short tasks.
import type { Answer, Call, JsonChunks } from "../contract/protocol.ts";
import { nextTurn } from "./turn.ts";

/** Texts from this length on are sent in chunks, characters. */
const LARGE = 400_000;
/** Longer lists are cut into chunks of this many rows. */
const ROWS = 1000;
/** Longer texts are chunks of their own, characters. */
const LONG = 100_000;
/** Bytes that are decoded in one task. */
const STRETCH = 2 ** 21;
/** Time that the page works on chunks in one task, ms: half a frame. */
const SLICE_MS = 8;

/** Calls whose answer contains a whole case. The others are smaller, or part of a drag of a slider. */
const OF_CASES: ReadonlySet<Call["op"]> = new Set<Call["op"]>([
  "applyGeo",
  "applyLayout",
  "ingestCase",
  "ingestDistribution",
  "ingestJsonDrop",
  "inspectDistribution",
  "inspectModule",
]);

/** The answer of a call with large JSON in chunks; a small answer stays as it is. Runs in the thread of the engine. */
export function inChunks(call: Call, answer: Answer): Answer {
  const { json, ...rest } = answer;
  if (json === undefined || json.length < LARGE || !OF_CASES.has(call.op)) return answer;
  const encoder = new TextEncoder();
  const parts: JsonChunks["parts"] = [];
  const take = (value: unknown, path: string[]): unknown => {
    if (typeof value === "string" && value.length > LONG) {
      const sent = "module" in call && value === call.module;
      parts.push(sent ? { path, kind: "sent" } : { path, kind: "text", bytes: encoder.encode(value) });
      return "";
    }
    if (Array.isArray(value) && value.length > ROWS) {
      for (let from = 0; from < value.length; from += ROWS) {
        parts.push({ path, kind: "rows", bytes: encoder.encode(JSON.stringify(value.slice(from, from + ROWS))) });
      }
      return [];
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, take(one, [...path, key])]));
    }
    return value;
  };
  const outline = JSON.stringify(take(JSON.parse(json), []));
  return { ...rest, chunks: { outline, parts } };
}

/** The value of an answer in chunks; `sent` is the module of the call. Other tasks of the page run meanwhile. */
export async function assembleChunks({ outline, parts }: JsonChunks, sent: string | undefined): Promise<unknown> {
  const root = { value: JSON.parse(outline) as unknown };
  let begun = performance.now();
  const turn = async () => {
    if (performance.now() - begun > SLICE_MS) {
      await nextTurn();
      begun = performance.now();
    }
  };
  for (const { path, kind, bytes } of parts) {
    const keys = ["value", ...path];
    const last = keys.pop() as string;
    const parent = keys.reduce((at, key) => at[key] as Tree, root as Tree);
    const text = kind === "sent" ? (sent as string) : await decoded(bytes ?? new Uint8Array(), turn);
    if (kind === "rows") {
      (parent[last] as unknown[]).push(...(JSON.parse(text) as unknown[]));
    } else {
      parent[last] = text;
    }
    await turn();
  }
  return root.value;
}

/** Decodes bytes as text; the module of a feeder of 100,000 terminals has 140 MB. */
async function decoded(bytes: Uint8Array, turn: () => Promise<void>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let from = 0; from < bytes.length; from += STRETCH) {
    text += decoder.decode(bytes.subarray(from, from + STRETCH), { stream: true });
    await turn();
  }
  text += decoder.decode();
  await turn();
  text.charCodeAt(0); // joins the pieces now, which would otherwise delay the first reader
  return text;
}

type Tree = { [key: string]: unknown };
