import type { CaseSession } from "../../workspace/index.ts";
import { FormulationSelect } from "../../ui/session/formulationSelect.ts";
import { InspectionMark } from "../../ui/session/inspectionMark.ts";
import { OutageMark } from "../../ui/session/outageMark.ts";

/** What a map says of its session beside the picture: the formulation in the bar, a state or an outage that is looked at below it. */
export class SessionMarks {
  readonly formulation: FormulationSelect;
  readonly #inspecting: InspectionMark;
  readonly #outage: OutageMark;

  constructor(session: CaseSession) {
    this.formulation = new FormulationSelect(session);
    this.formulation.node.classList.add("wb-Bar-formulation");
    this.#inspecting = new InspectionMark(session);
    this.#outage = new OutageMark(session);
  }

  /** What lies below the bar. */
  get nodes(): HTMLElement[] {
    return [this.#inspecting.node, this.#outage.node];
  }

  dispose(): void {
    this.formulation.dispose();
    this.#inspecting.dispose();
    this.#outage.dispose();
  }
}
