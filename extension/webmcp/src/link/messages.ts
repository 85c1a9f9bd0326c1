import { TOOL_NAMES } from "../execute.ts";
import type { ToolName } from "../inputs.ts";
import type { OpenCase } from "../tools/cases.ts";
import type { ToolAnswer } from "@service/widgets/workspace";

/** Messages of a page to the Jupyter server: the cases that MCP clients may use, and answers. */
export type PageMessage =
  | { readonly kind: "cases"; readonly session_id: string; readonly cases: readonly OpenCase[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: ToolAnswer };

/** Requests of the Jupyter server to a page. */
export type ServerMessage =
  | { readonly kind: "call"; readonly id: number; readonly tool: ToolName; readonly input: object }
  | { readonly kind: "cancel"; readonly id: number };

/** Largest length of a message; the largest input that a schema accepts is shorter. */
const LONGEST = 65_536;

/** Parses a message of the server. Throws unless it has exactly one of these forms. */
export function serverMessage(text: unknown): ServerMessage {
  if (typeof text !== "string" || text.length > LONGEST) {
    throw new TypeError("not a text, or too long");
  }
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null) {
    throw new TypeError("not an object");
  }
  const { kind, id, tool, input, ...more } = message as Record<string, unknown>;
  if (!Number.isSafeInteger(id) || Object.keys(more).length > 0) {
    throw new TypeError("no id, or unknown fields");
  }
  if (kind === "cancel" && tool === undefined && input === undefined) {
    return { kind, id: id as number };
  }
  if (kind === "call" && TOOL_NAMES.includes(tool as ToolName) && typeof input === "object" && input !== null) {
    return { kind, id: id as number, tool: tool as ToolName, input };
  }
  throw new TypeError("neither a call of a tool nor its end");
}
