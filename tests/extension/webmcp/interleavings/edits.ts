// Steps of the person, of the kernel and of the page itself.
import { withDelta } from "@service/widgets/workspace";
import { codeIn, type Model, published, type Real, same, Step } from "./model.ts";

export class Edit extends Step {
  readonly mw: number;

  constructor(mw: number) {
    super(mw);
    this.mw = mw;
  }
  async step(model: Model, { session }: Real): Promise<void> {
    await session.edit([{ element: { kind: "bus", id: 2 }, mw: this.mw }]);
    if ((model.edits.deltas["2"] ?? 0) !== this.mw) published(model);
    model.edits = withDelta(model.edits, { kind: "bus", id: 2 }, this.mw);
  }
}

export class FailingEdit extends Step {
  override check({ formulation }: Model): boolean {
    return formulation === "dcopf";
  }
  async step(_model: Model, { session }: Real): Promise<void> {
    same(await codeIn(() => session.edit([{ element: { kind: "bus", id: 2 }, mw: 5000 }])), "SOLVE.INFEASIBLE");
  }
}

export class CancelledEdit extends Step {
  async step(_model: Model, { session }: Real): Promise<void> {
    const edit = session.edit([{ element: { kind: "bus", id: 3 }, mw: 7 }]);
    session.cancel();
    same(await codeIn(() => edit), "ABORTED");
  }
}

export class Reset extends Step {
  async step(model: Model, { session }: Real): Promise<void> {
    await session.reset();
    model.edits = { deltas: {}, rates: {} };
    published(model);
  }
}

export class KernelCommit extends Step {
  readonly mw: number;

  constructor(mw: number) {
    super(mw);
    this.mw = mw;
  }
  async step(model: Model, { session }: Real): Promise<void> {
    const edits = withDelta({ deltas: {}, rates: { 2: -210 } }, { kind: "bus", id: 3 }, this.mw);
    await session.adopt({ revision: session.live.revision + 1, edits, resultSha256: "" });
    model.edits = edits;
    published(model);
  }
}

export class Formulate extends Step {
  readonly formulation: Model["formulation"];

  constructor(formulation: Model["formulation"]) {
    super(formulation);
    this.formulation = formulation;
  }
  async step(model: Model, { session }: Real): Promise<void> {
    await session.setFormulation(this.formulation);
    if (model.formulation !== this.formulation) published(model);
    model.formulation = this.formulation;
  }
}

export class SelectNetwork extends Step {
  async step(model: Model, { workspace, session }: Real): Promise<void> {
    const other = workspace.sessions.find((one) => one !== session);
    if (other === undefined) throw new Error("there is one session only");
    workspace.activate(other);
    workspace.activate(session);
    published(model); // counts like a published state
    return Promise.resolve();
  }
}
