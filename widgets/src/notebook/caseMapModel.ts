import { DOMWidgetModel } from "@jupyter-widgets/base";
import type { ISignal } from "@lumino/signaling";
import type { IWorkspace } from "../workspace/index.ts";
import { type MapPort, MapSync } from "./mapSync.ts";
import type { CaseMapTraits, KernelMessage } from "./protocol.ts";

/** Name and version under which the widget's classes are registered; the kernel uses the same. */
export const WIDGET_MODULE = "@service/jupyterlab";
export const WIDGET_VERSION = "0.1.0";

/** The kernel's default traits of a map: widgets/python/wattbook/map/case_map.py. */
const USUAL: CaseMapTraits = {
  case_id: "",
  case_name: "",
  case_sha256: "",
  formulation: "dcopf",
  options: {},
  deltas: {},
  rates: {},
  reactive: {},
  generators: {},
  branches: {},
  links: {},
  storage: {},
  interfaces: {},
  added: {},
  revision: 0,
  selection: null,
  selected: [],
  view: {},
  layers: [],
  preview_mode: "exact",
  result_sha256: "",
  engine: {},
};

/** The page's side of a `CaseMap` in the kernel; `notebookExports` binds it to the workspace of the page. */
export abstract class CaseMapModel extends DOMWidgetModel {
  /**
   * The session behind the model. It is only declared, because Backbone calls `initialize` from its constructor, after
   * which a field initialiser would set it to undefined.
   */
  declare readonly caseSync: MapSync;

  /** The workspace of the page. */
  abstract get workspace(): IWorkspace;

  override defaults(): ReturnType<DOMWidgetModel["defaults"]> {
    return {
      ...super.defaults(),
      _model_name: "CaseMapModel",
      _model_module: WIDGET_MODULE,
      _model_module_version: WIDGET_VERSION,
      _view_name: "CaseMapView",
      _view_module: WIDGET_MODULE,
      _view_module_version: WIDGET_VERSION,
      // A page that was saved with its widgets omits traits with default values.
      ...USUAL,
    };
  }

  override initialize(...args: Parameters<DOMWidgetModel["initialize"]>): void {
    super.initialize(...args);
    const caseSync = new MapSync(this.workspace, portOf(this));
    Object.assign(this, { caseSync });
    this.on("msg:custom", (message: KernelMessage, buffers: DataView[]) => caseSync.receive(message, buffers));
    this.on("change", () => {
      // The status of the session reports a failure.
      caseSync.traitsChanged(Object.keys(this.changedAttributes() || {})).catch(() => undefined);
    });
    this.on("comm_live_update", () => {
      if (!this.comm_live) {
        caseSync.disconnected();
      }
    });
    // A kernel that is shut down does not close its comms.
    const kernel = (this.widget_manager as unknown as { kernel?: { disposed: ISignal<unknown, void> } | null }).kernel;
    const gone = (): void => {
      this.comm_live = false;
    };
    kernel?.disposed.connect(gone);
    this.on("destroy", () => {
      kernel?.disposed.disconnect(gone);
      caseSync.dispose();
    });
  }
}

function portOf(model: DOMWidgetModel): MapPort {
  return {
    get live() {
      return model.comm_live;
    },
    send: (message) => model.send(message, undefined),
    traits: () => model.attributes as CaseMapTraits,
    save: (changed) => {
      model.set(changed);
      model.save_changes();
    },
  };
}
