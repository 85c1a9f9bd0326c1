import { type Schema, Validator } from "@cfworker/json-schema";
import { AGENT_TOOLS } from "./tools.generated.ts";
import { ToolError } from "./answers.ts";

/** The names of the tools. */
export type ToolName = (typeof AGENT_TOOLS.tools)[number]["name"];

/** A tool as defined in the contract. */
export interface ToolContract {
  readonly name: ToolName;
  readonly description: string;
  readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: boolean };
  readonly inputSchema: object;
}

/** The tools by name. */
export const CONTRACT = Object.fromEntries(AGENT_TOOLS.tools.map((tool) => [tool.name, tool])) as unknown as Readonly<
  Record<ToolName, ToolContract>
>;

const validators = new Map<ToolName, Validator>();

/** Largest number of list items checked; every schema allows fewer. */
const LONGEST = 100;

/** Largest depth of lists and objects in an input: that of the schemas, with a margin for error messages. */
const DEEPEST = 8;

/**
 * A copy of an agent's input that the tool's published schema accepts. Throws `INPUT.INVALID` with the position of the
 * error.
 */
export function checkedInput<Input>(tool: ToolName, sent: unknown): Input {
  const input = plainCopy(sent ?? {}, "input", 0);
  let validator = validators.get(tool);
  if (validator === undefined) {
    validator = new Validator(CONTRACT[tool].inputSchema as Schema, "2020-12", false);
    validators.set(tool, validator);
  }
  const { valid, errors } = validator.validate(input);
  if (!valid) {
    // The last errors are the innermost.
    const places = errors.map(({ instanceLocation, keyword, error }) => {
      return `${instanceLocation.replace(/^#\/?/, "") || "input"}: ${keyword === "false" ? "unknown field." : error}`;
    });
    throw new ToolError("INPUT.INVALID", [...new Set(places.reverse())].slice(0, 3).join(" "));
  }
  return input as Input;
}

/**
 * A copy of plain data. Throws for values outside JSON: numbers that are not finite, functions, anything with a
 * prototype of its own.
 */
function plainCopy(value: unknown, at: string, depth: number): unknown {
  if (depth > DEEPEST) {
    throw new ToolError("INPUT.INVALID", `${at}: nested too deeply.`);
  }
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) {
        throw new ToolError("INPUT.INVALID", `${at}: not a finite number.`);
      }
      return value;
    case "object": {
      if (value === null) {
        return null;
      }
      if (Array.isArray(value)) {
        if (value.length > LONGEST) {
          throw new ToolError("INPUT.INVALID", `${at}: more than ${LONGEST} items.`);
        }
        return Array.from(value as unknown[], (item, k) => plainCopy(item, `${at}[${k}]`, depth + 1));
      }
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        break;
      }
      // Without a prototype, so that every name is only a field.
      const copy = Object.create(null) as Record<string, unknown>;
      for (const [name, item] of Object.entries(value)) {
        if (item !== undefined) {
          copy[name] = plainCopy(item, name.slice(0, 40), depth + 1);
        }
      }
      return copy;
    }
  }
  throw new ToolError("INPUT.INVALID", `${at}: not plain data.`);
}
