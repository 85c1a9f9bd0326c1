import type { CaseSession, ViewedNetwork } from "@service/widgets/workspace";
import { ToolError } from "./answers.ts";
import type { AgentWorkspace } from "./agentWorkspace.ts";
import { AGENT_TOOLS } from "./tools.generated.ts";

/** Characters reserved for distinguishing sessions on one case. */
const NUMBER = 8;

/** Ids of open cases, stable for the life of the page: two sessions on one case have different ids. */
export class CaseIds {
  readonly #workspace: AgentWorkspace;
  readonly #prefix: string;
  readonly #ids = new WeakMap<CaseSession | ViewedNetwork, string>();
  readonly #given = new Set<string>();
  readonly #revisions = new WeakMap<ViewedNetwork, number>();

  /** `prefix` begins all ids, where several pages are addressed. */
  constructor(workspace: AgentWorkspace, prefix = "") {
    this.#workspace = workspace;
    this.#prefix = prefix;
  }

  /** The id of an open case. */
  of(shown: CaseSession | ViewedNetwork): string {
    const known = this.#ids.get(shown);
    if (known !== undefined) {
      return known;
    }
    const name = "caseId" in shown ? shown.caseId : `network-${shown.sha256.slice(0, 12)}`;
    const wanted = `${this.#prefix}${name}`.slice(0, AGENT_TOOLS.limits.id_characters - NUMBER);
    let id = wanted;
    for (let k = 2; this.#given.has(id); k += 1) {
      id = `${wanted}#${k}`;
    }
    this.#given.add(id);
    this.#ids.set(shown, id);
    if (!("caseId" in shown)) {
      shown.feeder?.changed.connect((_, change) => {
        if (change === "result") {
          this.#revisions.set(shown, this.revision(shown) + 1);
        }
      });
    }
    return id;
  }

  /** Number of solves of a network since its id was assigned. */
  revision(network: ViewedNetwork): number {
    return this.#revisions.get(network) ?? 0;
  }

  /** The open session with an id, or null. */
  session(id: string): CaseSession | null {
    return this.#workspace.sessions.find((session) => this.of(session) === id) ?? null;
  }

  /** The open network with an id, or null. */
  network(id: string): ViewedNetwork | null {
    return this.#workspace.networks.find((network) => this.of(network) === id) ?? null;
  }

  /** The displayed session, which must have this id. Throws `CASE.NONE`, `CASE.INACTIVE`, `CASE.UNKNOWN`. */
  displayed(id: string): CaseSession {
    const { active, catalogue, network } = this.#workspace;
    if (active !== null && this.of(active) === id) {
      return active;
    }
    if (network !== null && this.of(network) === id) {
      throw new ToolError("FORMULATION.UNAVAILABLE", "The displayed network has no Study: it can only be looked at.");
    }
    const isOpen = this.session(id) !== null || this.network(id) !== null;
    if (active === null && network === null && !isOpen) {
      throw new ToolError("CASE.NONE", "No case is displayed. Call select_case first.");
    }
    if (isOpen || catalogue?.cases.some((listed) => listed.id === id) === true) {
      throw new ToolError("CASE.INACTIVE", `Case ${id} is not displayed. Call select_case first.`);
    }
    throw new ToolError("CASE.UNKNOWN", "No case has this id. Call list_cases.");
  }

  /**
   * The displayed session if it shows the live state; otherwise the request would concern a state that nobody sees.
   * Throws `STUDY.INSPECTING`.
   */
  live(id: string): CaseSession {
    const session = this.displayed(id);
    if (!session.showsLive) {
      const what = session.inspection.state === null ? "A step of a series" : "A saved state";
      throw new ToolError("STUDY.INSPECTING", `${what} is displayed. Return to the live case with select_case.`);
    }
    return session;
  }
}
