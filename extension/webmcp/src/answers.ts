import { visibleText } from "@service/widgets/text";
import type { ToolAnswer } from "@service/widgets/workspace";
import { AGENT_TOOLS } from "./tools.generated.ts";

const { answer_characters: MOST, message_characters: MOST_MESSAGE, label_characters: MOST_LABEL } = AGENT_TOOLS.limits;

/** Default number of rows of an answer. */
export const USUAL_ROWS = 5;

/** Significant digits of a number in an answer. */
const DIGITS = 8;

/** Why a tool refuses a request: a stable code, and a sentence. */
export class ToolError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ToolError";
    this.code = code;
  }
}

/** The answer of a tool: `data` by name. If it is too long, lists are shortened and `optional` fields dropped. */
export interface Reply {
  data: Record<string, unknown>;
  /** Fields that may be dropped, the least important first. */
  optional?: readonly string[];
}

/**
 * A text from a case made safe for an answer: short, without control characters or characters that reorder the
 * surrounding text.
 */
export function label(text: string): string {
  const plain = [...visibleText(text)];
  return plain.length <= MOST_LABEL ? plain.join("") : `${plain.slice(0, MOST_LABEL - 1).join("")}\u2026`;
}

/** A number with its significant digits; null for NaN and infinities, which JSON lacks. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}

/** The answer of a successful call, within the length limit of an answer. */
export function answered({ data, optional = [] }: Reply): ToolAnswer {
  let fitting: Record<string, unknown> = { ...data };
  const fits = (): boolean => JSON.stringify({ ok: true, data: fitting }).length <= MOST;
  const omitted: Record<string, number> = {};
  const mayGo = [...optional];
  while (!fits()) {
    const [name, list] = longestList(fitting);
    if (list !== null && list.length > 1) {
      omitted[name] = (omitted[name] ?? 0) + 1;
      Object.assign(fitting, { [name]: list.slice(0, -1), omitted });
      continue;
    }
    const least = mayGo.shift();
    if (least === undefined) {
      break;
    }
    if (least in fitting) {
      const shortened = Object.entries(fitting).filter(([name]) => name !== least);
      fitting = { ...Object.fromEntries(shortened), details: "left out: the answer is too long" };
    }
  }
  return { ok: true, data: fitting };
}

/** The answer of a call that was refused or failed. */
export function refused(code: string, message: string): ToolAnswer {
  const plain = [...visibleText(message)];
  const short = plain.length <= MOST_MESSAGE ? plain : [...plain.slice(0, MOST_MESSAGE - 1), "\u2026"];
  return { ok: false, error: { code, message: cut(short.join("")) } };
}

/** Characters outside the basic plane count twice in a string. */
function cut(text: string): string {
  return text.length <= MOST_MESSAGE ? text : text.slice(0, MOST_MESSAGE).replace(/[\ud800-\udbff]$/u, "");
}

function longestList(data: Record<string, unknown>): [name: string, list: unknown[] | null] {
  let longest: [string, unknown[] | null] = ["", null];
  let most = 0;
  for (const [name, value] of Object.entries(data)) {
    const size = Array.isArray(value) && value.length > 1 ? JSON.stringify(value).length : 0;
    if (size > most) {
      longest = [name, value as unknown[]];
      most = size;
    }
  }
  return longest;
}
