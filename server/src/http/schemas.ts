// Schemas of requests and answers. They validate queries and make up the OpenAPI document. Bodies of the engine
// (network, solution, columns) have the schemas generated with its contract and are sent as text; this file defines
// what HTTP adds. Tests validate real answers against both.
import type { Message } from "@service/engine/node";
import { CONTRACT_SCHEMAS } from "@service/engine/schemas";
import Type, { type Static, type TSchema } from "typebox";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A message as a key of the catalogue with its values, so that a page can translate it. */
export const Sentence = Type.Unsafe<Message>(
  Type.Object({ key: Type.String(), values: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
);

const described = {
  error: Type.String({ description: "one readable sentence" }),
  code: Type.String({ description: "stable code, for instance CASE.UNKNOWN", pattern: "^[A-Z_]+(\\.[A-Z_]+)*$" }),
  sentence: Type.Unsafe<Message>({ ...Sentence, description: "what `error` says, for other languages" }),
};

export const ErrorReply = Type.Object(described, { $id: "Error" });
export type ErrorReply = Static<typeof ErrorReply>;

export const CaseSummary = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    n_bus: Type.Integer(),
    n_branch: Type.Integer(),
    n_gen: Type.Integer(),
    n_analysis_bus: Type.Integer({ description: "after lowering of three-winding transformers" }),
    n_analysis_branch: Type.Integer(),
    model: Type.Literal("balanced"),
    description: Type.String(),
    sha256: Type.String({ description: "of the module text: the identity of the case", pattern: "^[0-9a-f]{64}$" }),
    synthetic: Type.Boolean({ description: "a generated network, not surveyed infrastructure" }),
    unavailable_reason: nullable(Type.String({ description: "why the case cannot be opened" })),
    unavailable_sentence: nullable(
      Type.Unsafe<Message>({ ...Sentence, description: "what `unavailable_reason` says, for other languages" }),
    ),
  },
  { $id: "CaseSummary" },
);
export type CaseSummary = Static<typeof CaseSummary>;

export const Health = Type.Object(
  {
    status: Type.Union([Type.Literal("ok"), Type.Literal("degraded")]),
    version: Type.String(),
    engine: Type.Object({ version: Type.String(), sha256: Type.String() }),
    cases: Type.Array(Type.String()),
    unavailable: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), reason: Type.String(), sentence: Sentence }),
    ),
    uptime_s: Type.Number(),
  },
  { $id: "Health" },
);
export type Health = Static<typeof Health>;

export const ComputeFlag = Type.Object({ enabled: Type.Boolean() }, { $id: "ComputeFlag" });
export type ComputeFlag = Static<typeof ComputeFlag>;

/** The engine defines the module; only its envelope is described here. */
const Module = Type.Object(
  { schema: Type.Literal("pio-ir"), version: Type.Literal(2), value: Type.Object({ type: Type.String() }) },
  { $id: "Module", description: "Generation-2 module of a balanced network." },
);

/** Types of the engine that occur in answers; the types that they refer to are included. */
const CONTRACT_ROOTS = ["Network", "Solution", "SensitivityColumn"] as const;

/** References of the contract name a type within it; Fastify expects the `$id` of a schema. */
const OWN_REFERENCE = "#/$defs/";

/** The contract's schemas of the roots and of all types that they refer to, each with its name as Fastify's `$id`. */
function contractShapes(): object[] {
  const shapes = new Map<string, object>();
  const add = (name: string): void => {
    const schema = (CONTRACT_SCHEMAS as Readonly<Record<string, object>>)[name];
    if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
    if (shapes.has(name)) return;
    const text = JSON.stringify(schema, (key, value: unknown) => {
      if (key !== "$ref" || typeof value !== "string" || !value.startsWith(OWN_REFERENCE)) return value;
      return `${value.slice(OWN_REFERENCE.length)}#`;
    });
    shapes.set(name, { $id: name, ...(JSON.parse(text) as object) });
    for (const [, other = ""] of text.matchAll(/"\$ref":"(\w+)#"/g)) add(other);
  };
  CONTRACT_ROOTS.forEach(add);
  return [...shapes.values()];
}

export const StatusEvent = Type.Union(
  [
    Type.Object({ phase: Type.Literal("queued"), position: Type.Integer({ minimum: 0 }) }),
    Type.Object({ phase: Type.Literal("solving"), case: Type.String() }),
    Type.Object({
      phase: Type.Literal("iterating"),
      iteration: Type.Integer({ minimum: 1 }),
      objective: Type.Number({ description: "$/h" }),
      residual: Type.Number({ description: "largest violation left, MW" }),
    }),
    Type.Object({ phase: Type.Literal("failed"), ...described }),
  ],
  {
    $id: "StatusEvent",
    description:
      "`data` of the event `status`; `queued` comes again with each new position, `iterating` as a solver that iterates goes on.",
  },
);
export type StatusEvent = Static<typeof StatusEvent>;

export const DoneEvent = Type.Union(
  [Type.Object({ ok: Type.Literal(true) }), Type.Object({ ok: Type.Literal(false), ...described })],
  { $id: "DoneEvent", description: "`data` of the event `done`, which ends every stream." },
);
export type DoneEvent = Static<typeof DoneEvent>;

const OpenApi = Type.Object(
  { openapi: Type.String(), info: Type.Object({ title: Type.String() }), paths: Type.Object({}) },
  { $id: "OpenApi" },
);

/** All schemas that answers refer to by name. */
export const SHARED: readonly object[] = [
  ErrorReply,
  CaseSummary,
  Health,
  ComputeFlag,
  Module,
  ...contractShapes(),
  StatusEvent,
  DoneEvent,
  OpenApi,
];

const id = Type.String({ description: "case id" });
const key = (kind: string) => Type.String({ description: `${kind}, or a row uid, percent-encoded` });
export const CaseParams = Type.Object({ id });
export const BusParams = Type.Object({ id, bus: key("bus number") });
export const BranchParams = Type.Object({ id, branch: key("1-based branch row") });

/** Demand deltas from the base case: `bus:mw,bus:mw`. */
const deltaList = Type.Optional(Type.String({ description: "demand deltas from the base case in MW, bus:mw,bus:mw" }));

export const SensitivityQuery = Type.Object({ d: deltaList }, { additionalProperties: false });

export const SolveQuery = Type.Object(
  {
    d: deltaList,
    rates: Type.Optional(Type.String({ description: "rating deltas from the base case in MW, branch:mw,branch:mw" })),
    sens: Type.Optional(Type.String({ description: "bus whose dLMP/dd column is wanted" })),
    sens_branch: Type.Optional(Type.String({ description: "branch whose dLMP/dfmax column is wanted" })),
    formulation: Type.Optional(
      Type.Unsafe<"dcopf" | "acpf" | "socwr">({
        type: "string",
        enum: ["dcopf", "acpf", "socwr"],
        description: "dcopf if it is not named",
      }),
    ),
  },
  { additionalProperties: false },
);
export type SolveQuery = Static<typeof SolveQuery>;

// Answers, as routes declare them.

type SharedName = "Error" | "Health" | "ComputeFlag" | "Module" | "OpenApi" | (typeof CONTRACT_ROOTS)[number];

/** A JSON answer of a named shape. */
export function reference(name: SharedName, description: string, headers?: Record<string, TSchema>) {
  const content = { "application/json": { schema: Type.Ref(`${name}#`) } };
  return { description, ...(headers && { headers }), content };
}

export const CaseSummaries = { content: { "application/json": { schema: Type.Array(Type.Ref("CaseSummary#")) } } };

/** The client's copy is up to date. */
export const UNCHANGED = { type: "null", description: "The entity tag is still the same." };

/** The solve stream. `StatusEvent`, `Solution`, `SensitivityColumn` and `DoneEvent` are the shapes of its events' data. */
export const EVENT_STREAM = {
  description:
    "Events `status`, `solution`, `sensitivity` (if asked for) and `done`, each with one JSON object as data and an id that " +
    "rises from 1, for `done` `done`; a comment every 5 s. After admission a failure is reported here: `status` with the phase `failed`, then `done`.",
  // OpenAPI 3.1 has no schema for the events of a stream.
  content: { "text/event-stream": { schema: Type.Unknown() } },
};

/** For an EventSource that reconnects after the end of its stream. */
export const FINISHED = { description: "The stream of this `Last-Event-ID` is at its end.", type: "null" } as const;

const RETRY = { "retry-after": Type.Integer({ description: "seconds" }) };

const FAILURES = {
  400: reference("Error", "Malformed or invalid query: DELTA.*, RATE.*, QUERY.*, EDIT.NOT_EDITABLE."),
  403: reference("Error", "The server does not solve: COMPUTE.DISABLED."),
  404: reference("Error", "Unknown case or element: CASE.UNKNOWN, BUS.UNKNOWN, BRANCH.UNKNOWN."),
  422: reference("Error", "The problem has no solution: SOLVE.*."),
  429: reference("Error", "Too many requests: RATE.LIMITED.", {
    ...RETRY,
    "ratelimit-limit": Type.Integer(),
    "ratelimit-remaining": Type.Integer(),
    "ratelimit-reset": Type.Integer({ description: "seconds" }),
  }),
  503: reference("Error", "The case cannot be served: CASE.UNAVAILABLE, or the server ends: SERVICE.STOPPING."),
};

/** Instead of the plain 503 on routes that solve. */
export const NO_SOLVER = reference(
  "Error",
  "No solver was free in time, or the solve took too long: SOLVE.TIMEOUT. Also CASE.UNAVAILABLE and SERVICE.STOPPING.",
  RETRY,
);

/** Schemas of failures: those of the route, and those common to all routes. */
export function failures(...statuses: (keyof typeof FAILURES)[]) {
  const own = Object.fromEntries(statuses.map((status) => [status, FAILURES[status]]));
  return {
    ...own,
    414: reference("Error", "The address is longer than 8 KiB: REQUEST.TOO_LONG."),
    500: reference("Error", "The server failed; its log says more: INTERNAL."),
  };
}
