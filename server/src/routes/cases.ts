import type { FastifyInstance } from "fastify";
import { CaseParams, failures, reference, UNCHANGED } from "../http/schemas.ts";
import { sendBody } from "./entity.ts";
import { answering, servedCase, typed } from "./typed.ts";

/** Module, map view and base solution of a case: computed at the start and stored compressed. */
export async function caseRoutes(fastify: FastifyInstance): Promise<void> {
  const app = typed(fastify);
  const bodies = {
    case: {
      summary: "The case",
      description: "The generation-2 module that the browser engine reads.",
      body: "Module",
    },
    network: { summary: "The map view", description: "Buses and branches with their places.", body: "Network" },
    solution: { summary: "The base solution", description: "The DC optimum of the base case.", body: "Solution" },
  } as const;

  for (const [name, { summary, description, body }] of Object.entries(bodies)) {
    const part = ({ case: "module", network: "network", solution: "solution" } as const)[name as keyof typeof bodies];
    const schema = answering(
      { summary, description, tags: ["cases"], params: CaseParams },
      { 200: reference(body, `${summary}, with a strong entity tag.`), 304: UNCHANGED, ...failures(404, 503) },
    );
    app.get(`/cases/:id/${name}`, { schema }, async (request, reply) =>
      sendBody(request, reply, servedCase(app, request.params.id)[part]),
    );
  }
}
