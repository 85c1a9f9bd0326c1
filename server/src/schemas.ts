// Shapes of requests and of the small answers. Large bodies (module, network, solution, columns) are sent as the text that the
// engine or the start-up made; their shapes are the engine's contract.
import Type, { type Static } from "typebox";

export const ErrorReply = Type.Object({ error: Type.String(), code: Type.String() });

export const CaseSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  n_bus: Type.Integer(),
  n_branch: Type.Integer(),
  n_gen: Type.Integer(),
  n_analysis_bus: Type.Integer(),
  n_analysis_branch: Type.Integer(),
  model: Type.Literal("balanced"),
  description: Type.String(),
  unavailable_reason: Type.Union([Type.Null(), Type.String()]),
});
export type CaseSummary = Static<typeof CaseSummary>;

export const Health = Type.Object({
  status: Type.Union([Type.Literal("ok"), Type.Literal("degraded")]),
  version: Type.String(),
  engine: Type.Object({ version: Type.String(), sha256: Type.String() }),
  cases: Type.Array(Type.String()),
  unavailable: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), reason: Type.String() })),
  uptime_s: Type.Number(),
});

export const ComputeFlag = Type.Object({ enabled: Type.Boolean() });

export const CaseParams = Type.Object({ id: Type.String() });
export const BusParams = Type.Object({ id: Type.String(), bus: Type.String() });
export const BranchParams = Type.Object({ id: Type.String(), branch: Type.String() });

/** Demand deltas from the base case: `bus:mw,bus:mw`. */
const deltaList = Type.Optional(Type.String({ description: "demand deltas from the base case, bus:mw,bus:mw" }));

export const SensitivityQuery = Type.Object({ d: deltaList }, { additionalProperties: false });

export const SolveQuery = Type.Object(
  {
    d: deltaList,
    rates: Type.Optional(Type.String({ description: "rating deltas from the base case, branch:mw,branch:mw" })),
    sens: Type.Optional(Type.String({ description: "bus whose dLMP/dd column is wanted" })),
    sens_branch: Type.Optional(Type.String({ description: "branch whose dLMP/dfmax column is wanted" })),
  },
  { additionalProperties: false },
);
export type SolveQuery = Static<typeof SolveQuery>;

/** Answers other than the route's own. */
export const ErrorReplies = { "4xx": ErrorReply, "5xx": ErrorReply };
