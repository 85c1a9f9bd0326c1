import type { IWorkspace } from "../workspace/index.ts";
import { CaseMapModel, WIDGET_MODULE, WIDGET_VERSION } from "./caseMapModel.ts";
import { CaseMapView } from "./caseMapView.ts";

export { WIDGET_MODULE, WIDGET_VERSION };

/** Hears which models live in the page, and which widget manager makes their views. */
export interface ModelRegister {
  add(modelId: string, manager: CaseMapModel["widget_manager"]): void;
  remove(modelId: string): void;
}

/** The widget classes for a registry, bound to the workspace of the page: the widget manager constructs them itself. */
export function notebookExports(
  workspace: IWorkspace,
  register: ModelRegister,
): { CaseMapModel: unknown; CaseMapView: unknown } {
  class BoundModel extends CaseMapModel {
    override get workspace(): IWorkspace {
      return workspace;
    }

    override initialize(...args: Parameters<CaseMapModel["initialize"]>): void {
      super.initialize(...args);
      register.add(this.model_id, this.widget_manager);
      this.on("destroy", () => register.remove(this.model_id));
    }
  }
  class BoundView extends CaseMapView {
    override get workspace(): IWorkspace {
      return workspace;
    }
  }
  return { CaseMapModel: BoundModel, CaseMapView: BoundView };
}
