import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import type { TranslationBundle } from "@jupyterlab/translation";
import { JSONExt, type ReadonlyPartialJSONObject } from "@lumino/coreutils";
import { PanelLayout, Widget } from "@lumino/widgets";
import { visibleText } from "@service/widgets/text";
import { type CaseEdits, countChanges } from "@service/widgets/workspace";
import type { LiveMaps } from "../liveMaps.ts";
import { NAME, withName } from "./isolated.ts";

/** MIME type of a Study's state in an output, beside its picture and table. */
export const STUDY_MIME = "application/vnd.wattbook.study+json";
/** Notebooks saved by earlier versions name the widget's model under this type. */
const WIDGET_MIME = "application/vnd.jupyter.widget-view+json";
const PICTURE_MIME = "image/svg+xml";

/** Delay after the last change of a map, ms: its output is updated once a drag has ended. */
const FOLLOW_MS = 500;

/** The kernel's content under {@link STUDY_MIME}; `widgets/python/wattbook/map/case_map.py` writes it. */
interface SavedState extends CaseEdits {
  /** The widget model of the live map. */
  model_id?: string;
  case: { id: string; name: string };
  revision: number;
  result_sha256: string;
}

/**
 * Shows a case map of an output: the live map where its widget model is in the page, else the picture saved with the
 * notebook. When a cell runs, its live map replaces the picture.
 */
export class SavedMap extends Widget implements IRenderMime.IRenderer {
  readonly #live: LiveMaps;
  readonly #trans: TranslationBundle;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #model: IRenderMime.IMimeModel | null = null;
  /** Id of the widget model whose live view is in the page. */
  #shown = "";

  constructor(live: LiveMaps, trans: TranslationBundle) {
    super();
    this.addClass("wb-SavedMap");
    this.layout = new PanelLayout();
    this.#live = live;
    this.#trans = trans;
    live.added.connect(this.#added, this);
    live.shownChanged.connect(this.#changed, this);
    live.failed.connect(this.#failed, this);
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.#model = model;
    const id = widgetOf(model);
    if (id !== "" && id === this.#shown) {
      return; // the stored output has changed, not the displayed one
    }
    if (this.#live.has(id)) {
      await this.#showLive(model);
    } else {
      this.#show(this.#picture(model, this.#live.problem));
    }
  }

  override dispose(): void {
    clearTimeout(this.#timer);
    this.#live.added.disconnect(this.#added, this);
    this.#live.shownChanged.disconnect(this.#changed, this);
    this.#live.failed.disconnect(this.#failed, this);
    super.dispose();
  }

  #added(_: LiveMaps, id: string): void {
    if (this.#model !== null && widgetOf(this.#model) === id) {
      void this.#showLive(this.#model);
    }
  }

  #failed(_: LiveMaps, problem: string): void {
    if (this.#model !== null && !this.#live.has(widgetOf(this.#model))) {
      this.#show(this.#picture(this.#model, problem));
    }
  }

  #changed(_: LiveMaps, id: string): void {
    if (id === this.#shown) {
      clearTimeout(this.#timer);
      // Without a kernel the output stays as saved.
      this.#timer = setTimeout(() => void this.#store().catch(() => undefined), FOLLOW_MS);
    }
  }

  /** Updates the output to the present map, so that the notebook saves it. */
  async #store(): Promise<void> {
    const model = this.#model;
    if (model === null || this.isDisposed) return;
    const now = (await this.#live.output(widgetOf(model))) as ReadonlyPartialJSONObject;
    const data = { ...model.data, ...now };
    if (!this.isDisposed && this.#model === model && !JSONExt.deepEqual(data, model.data)) {
      model.setData({ data });
    }
  }

  async #showLive(model: IRenderMime.IMimeModel): Promise<void> {
    let view: Widget;
    try {
      view = await this.#live.view(widgetOf(model));
    } catch (error) {
      this.#show(this.#picture(model, error));
      return;
    }
    if (this.isDisposed || this.#model !== model) {
      view.dispose();
    } else {
      this.#show(view);
      this.#shown = widgetOf(model);
    }
  }

  #show(view: Widget): void {
    this.#shown = "";
    const layout = this.layout as PanelLayout;
    [...layout.widgets].forEach((widget) => widget.dispose());
    layout.addWidget(view);
  }

  /** The saved picture, with the reason where the live map could not be shown or the saved content is invalid. */
  #picture(model: IRenderMime.IMimeModel, failure?: unknown): Widget {
    const trans = this.#trans;
    const state = savedState(model.data[STUDY_MIME]);
    const name = visibleText(state?.case.name ?? "");
    const picture = model.data[PICTURE_MIME];
    const widget = new Widget({ node: document.createElement("figure") });
    widget.addClass("wb-SavedMap-picture");
    if (typeof picture === "string") {
      const image = document.createElement("img");
      image.src = `data:${PICTURE_MIME};charset=utf-8,${encodeURIComponent(picture)}`;
      image.alt = trans.__("Prices of %1 when the notebook was saved", name);
      widget.node.append(image);
    }
    const caption = document.createElement("figcaption");
    if (state === null) {
      caption.setAttribute("role", "alert");
      caption.textContent = trans.__("The saved state of this map cannot be read. Run the cell again.");
    } else {
      const saved = trans._n("with %1 change", "with %1 changes", countChanges(state));
      const text = trans.__(
        "Case map of %1 as it was saved: revision %2, %3, result %4. Run the cell for the live map.",
        NAME,
        state.revision,
        saved,
        visibleText(state.result_sha256.slice(0, 12)) || trans.__("not known"),
      );
      caption.append(...withName(text, name));
    }
    widget.node.append(caption);
    if (failure !== undefined) {
      const reason = document.createElement("p");
      reason.textContent = trans.__("The live map could not be shown: %1", String(failure));
      widget.node.append(reason);
    }
    return widget;
  }
}

/** Validates the saved state of an output, which may come from anybody; null if it is invalid. */
function savedState(value: unknown): SavedState | null {
  if (!isRecord(value) || !isRecord(value.case) || typeof value.case.name !== "string") return null;
  const { revision, result_sha256, deltas, rates, reactive, generators, branches, links, storage, interfaces, added } =
    value;
  const further = [reactive, generators, branches, links, storage, interfaces, added];
  const isKnown = Number.isInteger(revision) && typeof result_sha256 === "string";
  return isKnown && [deltas, rates, ...further.filter((table) => table !== undefined)].every(isRecord)
    ? (value as unknown as SavedState)
    : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The id of the widget model of an output; empty without one. */
function widgetOf(model: IRenderMime.IMimeModel): string {
  const state = model.data[STUDY_MIME] as Partial<SavedState> | undefined;
  const view = model.data[WIDGET_MIME] as { model_id?: unknown } | undefined;
  const id = state?.model_id ?? view?.model_id;
  return typeof id === "string" ? id : "";
}
