import type { CaseSession, IWorkspace, ShownCase, ViewedNetwork } from "@service/widgets/workspace";
import type { AgentWorkspace } from "../agentWorkspace.ts";

/** The workspace restricted to the cases that may leave the page. */
export class SharedCases implements AgentWorkspace {
  readonly #workspace: IWorkspace;
  readonly #shared: (shown: ShownCase) => boolean;

  constructor(workspace: IWorkspace, shared: (shown: ShownCase) => boolean) {
    this.#workspace = workspace;
    this.#shared = shared;
  }

  get changed(): IWorkspace["changed"] {
    return this.#workspace.changed;
  }

  get journal(): IWorkspace["journal"] {
    return this.#workspace.journal;
  }

  get sessions(): readonly CaseSession[] {
    return this.#workspace.sessions.filter(this.#shared);
  }

  get active(): CaseSession | null {
    return this.#ifShared(this.#workspace.active);
  }

  get network(): ViewedNetwork | null {
    return this.#ifShared(this.#workspace.network);
  }

  get networks(): readonly ViewedNetwork[] {
    return this.#workspace.networks.filter(this.#shared);
  }

  get front(): ShownCase | null {
    return this.#ifShared(this.#workspace.front);
  }

  /** The page's catalogue is not offered, because the Jupyter server opens cases itself. */
  get catalogue(): null {
    return null;
  }

  show(shown: CaseSession | ViewedNetwork): void {
    this.#workspace.show(shown);
  }

  #ifShared<Shown extends ShownCase>(shown: Shown | null): Shown | null {
    return shown !== null && this.#shared(shown) ? shown : null;
  }
}
