import type { Workspace } from "../workspace/index.ts";
import { CaseMapModel, WIDGET_MODULE, WIDGET_VERSION } from "./caseMapModel.ts";
import { CaseMapView } from "./caseMapView.ts";

export { WIDGET_MODULE, WIDGET_VERSION };

/** The widget classes for a registry, bound to the workspace of the page: the widget manager constructs them itself. */
export function notebookExports(workspace: Workspace): { CaseMapModel: unknown; CaseMapView: unknown } {
  class BoundModel extends CaseMapModel {
    override get workspace(): Workspace {
      return workspace;
    }
  }
  class BoundView extends CaseMapView {
    override get workspace(): Workspace {
      return workspace;
    }
  }
  return { CaseMapModel: BoundModel, CaseMapView: BoundView };
}
