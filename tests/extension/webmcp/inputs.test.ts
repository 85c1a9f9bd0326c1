// Random calls of every tool: inputs that its published schema accepts, and inputs with one violation.
import fc from "fast-check";
import t from "tap";
import { AGENT_TOOLS, CONTRACT, type ToolName } from "@service/webmcp";
import type { ToolAnswer } from "@service/widgets/workspace";
import { openAgent } from "./agent.ts";
import { accepted, type Part, refused, unknownKeyword } from "./inputs/schemas.ts";

/** Number of calls; `WATTBOOK_CALLS` sets more. */
const CALLS = Number(process.env["WATTBOOK_CALLS"] ?? 2000);
/** Number of calls per session. */
const SESSION = 20;

const schema = (tool: ToolName): Part => CONTRACT[tool].inputSchema as Part;
const names = AGENT_TOOLS.tools.map(({ name }) => name);
/** A tool, whether its input satisfies the schema, and whether its revision is replaced by the present one. */
const call = fc.constantFrom(...names).chain((tool) =>
  fc.boolean().chain((isValid) =>
    fc.record({
      ...{ tool: fc.constant(tool), isValid: fc.constant(isValid), isNow: fc.constantFrom(true, true, false) },
      // A missing input counts as one without fields.
      input: isValid ? accepted(schema(tool)) : refused(schema(tool)).filter((input) => input !== null),
    }),
  ),
);

t.test("the schemas use only the supported keywords", async (t) => {
  for (const name of names) t.equal(unknownKeyword(schema(name)), undefined, name);
});

t.test("every call is answered, invalid ones are refused, and refused ones change nothing", async (t) => {
  const [counts, { limits }] = [{ made: 0, valid: 0, done: 0 }, AGENT_TOOLS];
  const property = fc.asyncProperty(fc.array(call, { minLength: SESSION, maxLength: SESSION }), async (calls) => {
    const { workspace, context, session, offered } = await openAgent();
    try {
      for (const { tool, isValid, isNow, input } of calls) {
        const sent = input as { expected_revision?: unknown };
        if (isValid && isNow && sent.expected_revision !== undefined)
          sent.expected_revision = session.proposals.revision;
        const [state, revision] = [session.state, session.proposals.revision];
        // A tool without a use in the present state is unavailable.
        const answer = (await context.tools.get(tool)?.execute(input)) as ToolAnswer | undefined;
        if (answer === undefined) continue;
        counts.made += 1;
        counts.valid += Number(isValid);
        const text = JSON.stringify(answer);
        if (text.length > limits.answer_characters) throw new Error(`${tool}: an answer of ${text.length} characters`);
        if (!answer.ok) {
          const { code, message } = answer.error;
          if (!/^[A-Z]+(\.[A-Z_]+)?$/u.test(code) || code === "INTERNAL")
            throw new Error(`${tool}: ${code}: ${message}`);
          if (message.trim() === "") throw new Error(`${tool}: ${code} without a sentence`);
          if (!isValid && code !== "INPUT.INVALID") throw new Error(`${tool}: ${code} for an input that is not valid`);
        } else {
          counts.done += 1;
          if (!isValid) throw new Error(`${tool}: took an input that its schema does not accept`);
        }
        // The journal has the inputs that a schema accepted; further rules refuse some of them.
        const record = workspace.journal.records.at(-1);
        if (record === undefined || "input" in record !== isValid) {
          throw new Error(`${tool}: ${isValid ? "refused an input that its schema accepts" : "wrote the input down"}`);
        }
        const stays = !answer.ok || CONTRACT[tool].annotations.readOnlyHint;
        if (stays && (session.state !== state || session.proposals.revision !== revision))
          throw new Error(`${tool}: changed the state`);
      }
    } finally {
      offered.dispose();
      [...workspace.sessions].forEach((one) => workspace.closeSession(one));
    }
  });
  await fc.assert(property, { numRuns: Math.ceil(CALLS / SESSION) });
  t.ok(counts.done > counts.made / 10, "a good part of the calls gets to its end");
  t.comment(`${counts.made} calls, ${counts.valid} of them valid, ${counts.done} done`);
});
