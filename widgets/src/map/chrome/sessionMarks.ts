import type { CaseSession } from "../../workspace/index.ts";
import { FormulationSelect } from "../../ui/session/formulationSelect.ts";
import { InspectionMark } from "../../ui/session/inspectionMark.ts";
import { SeriesBar } from "./seriesBar.ts";
import { OutageMark } from "../../ui/session/outageMark.ts";

/**
 * The marks of a session beside the picture: the formulation in the bar, a displayed state or outage below it, the
 * steps of a series below the picture.
 */
export class SessionMarks {
  readonly formulation: FormulationSelect;
  /** The time slider, placed below the picture. */
  readonly steps: SeriesBar;
  readonly #inspecting: InspectionMark;
  readonly #outage: OutageMark;

  /** `toPicture` focuses the picture. */
  constructor(session: CaseSession, toPicture: () => void) {
    this.steps = new SeriesBar(session, toPicture);
    this.formulation = new FormulationSelect(session);
    this.formulation.node.classList.add("wb-Bar-formulation");
    this.#inspecting = new InspectionMark(session);
    this.#outage = new OutageMark(session);
  }

  /** The nodes below the bar. */
  get nodes(): HTMLElement[] {
    return [this.#inspecting.node, this.#outage.node];
  }

  dispose(): void {
    this.formulation.dispose();
    this.steps.dispose();
    this.#inspecting.dispose();
    this.#outage.dispose();
  }
}
