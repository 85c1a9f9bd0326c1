// Shapes of requests and answers: they validate queries and make up the OpenAPI document. Large bodies (module, network,
// solution, columns) are sent as the text that the engine made; their shapes here are those of the engine's contract, and the
// tests hold real answers against them.
import Type, { type Static, type TSchema } from "typebox";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Id = Type.Integer({ description: "original id" });

export const ErrorReply = Type.Object(
  {
    error: Type.String({ description: "one readable sentence" }),
    code: Type.String({ description: "stable code, for instance CASE.UNKNOWN", pattern: "^[A-Z_]+(\\.[A-Z_]+)*$" }),
  },
  { $id: "Error" },
);

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
    unavailable_reason: nullable(Type.String()),
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
    unavailable: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), reason: Type.String() })),
    uptime_s: Type.Number(),
  },
  { $id: "Health" },
);
export type Health = Static<typeof Health>;

export const ComputeFlag = Type.Object({ enabled: Type.Boolean() }, { $id: "ComputeFlag" });
export type ComputeFlag = Static<typeof ComputeFlag>;

/** The module is the engine's; only its envelope is named here. */
const Module = Type.Object(
  { schema: Type.Literal("pio-ir"), version: Type.Literal(2), value: Type.Object({ type: Type.String() }) },
  { $id: "Module", description: "Generation-2 module of a balanced network." },
);

const Point = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: "longitude, latitude" });

const Network = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    base_mva: Type.Number(),
    synthetic_coords: Type.Boolean(),
    buses: Type.Array(
      Type.Object({
        id: Id,
        uid: nullable(Type.String()),
        name: nullable(Type.String()),
        lon: Type.Number(),
        lat: Type.Number(),
        area: nullable(Type.Integer()),
        zone: nullable(Type.Integer()),
        base_kv: Type.Number(),
        demand_mw: Type.Number(),
        gen_mw: Type.Number(),
        editable: Type.Boolean(),
      }),
    ),
    branches: Type.Array(
      Type.Object({
        id: Id,
        uid: nullable(Type.String()),
        from: Id,
        to: Id,
        rate_mw: Type.Number(),
        status: Type.Integer({ minimum: 0, maximum: 1 }),
        editable: Type.Boolean(),
        path: Type.Optional(Type.Array(Point)),
      }),
    ),
  },
  { $id: "Network" },
);

const BusValue = Type.Object({ bus: Id, uid: Type.Optional(Type.String()), value: Type.Number() });

const Element = Type.Object({ kind: Type.String(), id: Type.Integer(), uid: Type.Optional(Type.String()) });

const Solution = Type.Object(
  {
    case: Type.String(),
    formulation: Type.Literal("dcopf"),
    status: Type.Literal("optimal"),
    dc_convention: Type.String(),
    objective: Type.Number({ description: "$/h" }),
    prices: Type.Array(BusValue, { description: "$/MWh" }),
    lmp: Type.Array(Type.Object({ bus: Id, usd_per_mwh: Type.Number() })),
    va: Type.Array(BusValue, { description: "radians" }),
    flows: Type.Array(
      Type.Object({ branch: Id, mw: Type.Number(), loading: Type.Number(), shadow: Type.Number({ minimum: 0 }) }),
    ),
    dispatch: Type.Array(Type.Object({ gen: Id, bus: Id, mw: Type.Number() })),
    certificate: Type.Object({
      primal_residual_mw: Type.Number(),
      worst_violation_mw: Type.Number(),
      worst_element: Type.Optional(Element),
      stationarity_usd_per_mwh: Type.Number(),
      complementarity_usd_per_h: Type.Number(),
      duality_gap_usd_per_h: Type.Number(),
      relative_gap: Type.Number(),
    }),
    result_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    solve_ms: Type.Optional(Type.Number({ minimum: 0 })),
    diagnostics: Type.Array(
      Type.Object({ code: Type.String(), message: Type.String(), element: Type.Optional(Element) }),
    ),
  },
  { $id: "Solution" },
);

const WarrantEnd = Type.Object({
  mw: Type.Number(),
  event: Type.String(),
  element: Element,
  price_jump: nullable(Type.Number()),
  watched_bus: Type.Optional(Id),
  no_solution_beyond: Type.Optional(Type.Boolean()),
});

const bounds = <T extends TSchema>(end: T) => Type.Array(nullable(end), { minItems: 2, maxItems: 2 });

const SensitivityColumn = Type.Object(
  {
    case: Type.String(),
    operand: Type.Literal("lmp"),
    parameter: Type.Union([Type.Literal("d"), Type.Literal("fmax")]),
    bus: Type.Optional(Id),
    branch: Type.Optional(Id),
    units: Type.String(),
    values: Type.Array(BusValue),
    left: Type.Optional(Type.Array(BusValue)),
    right: Type.Optional(Type.Array(BusValue)),
    warrant: Type.Object({
      kind: Type.Union([Type.Literal("regular"), Type.Literal("one_sided"), Type.Literal("degenerate")]),
      valid_mw: bounds(Type.Number()),
      ends: bounds(WarrantEnd),
      residual: Type.Number(),
      point_only: Type.Optional(Type.Boolean()),
    }),
  },
  { $id: "SensitivityColumn" },
);

export const StatusEvent = Type.Union(
  [
    Type.Object({ phase: Type.Literal("queued"), position: Type.Integer({ minimum: 0 }) }),
    Type.Object({ phase: Type.Literal("solving"), case: Type.String() }),
    Type.Object({ phase: Type.Literal("failed"), error: Type.String(), code: Type.String() }),
  ],
  { $id: "StatusEvent", description: "`data` of the event `status`; `queued` comes again with each new position." },
);
export type StatusEvent = Static<typeof StatusEvent>;

export const DoneEvent = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true) }),
    Type.Object({ ok: Type.Literal(false), error: Type.String(), code: Type.String() }),
  ],
  { $id: "DoneEvent", description: "`data` of the event `done`, which ends every stream." },
);
export type DoneEvent = Static<typeof DoneEvent>;

const OpenApi = Type.Object(
  { openapi: Type.String(), info: Type.Object({ title: Type.String() }), paths: Type.Object({}) },
  { $id: "OpenApi" },
);

/** Every shape that answers refer to by name. */
export const SHARED = [
  ErrorReply,
  CaseSummary,
  Health,
  ComputeFlag,
  Module,
  Network,
  Solution,
  SensitivityColumn,
  StatusEvent,
  DoneEvent,
  OpenApi,
] as const;

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
  },
  { additionalProperties: false },
);
export type SolveQuery = Static<typeof SolveQuery>;

// Answers, as routes declare them.

type SharedName =
  "Error" | "Health" | "ComputeFlag" | "Module" | "Network" | "Solution" | "SensitivityColumn" | "OpenApi";

/** A JSON answer of a named shape. */
export function reference(name: SharedName, description: string, headers?: Record<string, TSchema>) {
  const content = { "application/json": { schema: Type.Ref(`${name}#`) } };
  return { description, ...(headers && { headers }), content };
}

export const CaseSummaries = { content: { "application/json": { schema: Type.Array(Type.Ref("CaseSummary#")) } } };

/** The client's copy is current. */
export const UNCHANGED = { type: "null", description: "The entity tag is still the same." };

/** The solve stream. `StatusEvent`, `Solution`, `SensitivityColumn` and `DoneEvent` are the shapes of its events' data. */
export const EVENT_STREAM = {
  description:
    "Events `status`, `solution`, `sensitivity` (if asked for) and `done`, each with one JSON object as data and an id that " +
    "rises from 1; a comment every 5 s. After admission a failure is reported here: `status` with the phase `failed`, then `done`.",
  // OpenAPI 3.1 has no schema for the events of a stream.
  content: { "text/event-stream": { schema: Type.Unknown() } },
};

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

/** Answers for failures: those of the route, and those that every route can give. */
export function failures(...statuses: (keyof typeof FAILURES)[]) {
  const own = Object.fromEntries(statuses.map((status) => [status, FAILURES[status]]));
  return {
    ...own,
    414: reference("Error", "The address is longer than 8 KiB: REQUEST.TOO_LONG."),
    500: reference("Error", "The server failed; its log says more: INTERNAL."),
  };
}
