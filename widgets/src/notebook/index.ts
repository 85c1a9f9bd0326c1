import type { IWorkspace } from "../workspace/index.ts";
import { CaseMapModel, WIDGET_MODULE, WIDGET_VERSION } from "./caseMapModel.ts";
import { CaseMapView } from "./caseMapView.ts";

export type { MapOutput } from "./protocol.ts";
export { type CaseMapModel, WIDGET_MODULE, WIDGET_VERSION };

/** Receives the live models, the widget managers that create their views, and changes of what they show. */
export interface ModelRegister {
  add(modelId: string, manager: CaseMapModel["widget_manager"]): void;
  changed(modelId: string): void;
  remove(modelId: string): void;
}

/** Traits that the saved output of a map depends on. */
const SAVED = "change:revision change:result_sha256 change:view change:layers";

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
      this.on(SAVED, () => register.changed(this.model_id));
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
