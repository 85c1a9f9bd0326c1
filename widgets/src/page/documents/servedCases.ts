import type { CaseCatalogue, ConfiguredCase } from "../../workspace/index.ts";
import { trans } from "../../text/index.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { ServiceError } from "../catalogue/caseService.ts";
import type { Documents } from "./documents.ts";

/** The server's cases in the form that the workspace takes. */
export function servedCases(catalogue: Catalogue, documents: Documents): CaseCatalogue {
  const served = () => (catalogue.state.kind === "ready" ? catalogue.state.cases : []);
  return {
    get cases(): ConfiguredCase[] {
      return served().map(({ id, name, n_bus: buses, n_branch: branches, unavailable_reason: unavailable }) => {
        return { id, name, buses, branches, unavailable };
      });
    },
    open: async (id) => {
      const summary = served().find((one) => one.id === id);
      if (summary === undefined || summary.unavailable_reason !== null) {
        throw new ServiceError("CASE.UNAVAILABLE", trans.__("The case cannot be opened."));
      }
      await documents.openServed(summary);
      const { state } = documents.list.find((document) => document.summary === summary) ?? {};
      if (state?.kind === "failed") {
        throw new ServiceError(state.code, state.message);
      }
    },
  };
}
