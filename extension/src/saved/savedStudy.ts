import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import type { TranslationBundle } from "@jupyterlab/translation";
import { PanelLayout, Widget } from "@lumino/widgets";
import type { StateNode, StudyBundle, StudyDocument } from "@service/engine";
import { errorText, formatMoney, formulationName } from "@service/widgets/text";
import type { IWorkspace } from "../tokens.ts";
import { NAME, withName } from "./isolated.ts";

/** MIME type of a whole Study in an output: the content of a Study file. */
export const BUNDLE_MIME = "application/vnd.wattbook.study-bundle+json";
const HTML_MIME = "text/html";

/**
 * Shows a Study of an output, with or without a kernel: the kernel's HTML, its states, and a button that opens it. The
 * bundle is checked like a file before anything of it is shown.
 */
export class SavedStudy extends Widget implements IRenderMime.IRenderer {
  readonly #workspace: IWorkspace;
  readonly #trans: TranslationBundle;
  readonly #html: () => IRenderMime.IRenderer;

  /** `html` creates the renderer of the kernel's HTML. */
  constructor(workspace: IWorkspace, trans: TranslationBundle, html: () => IRenderMime.IRenderer) {
    super();
    this.addClass("wb-SavedStudy");
    this.addClass("jp-RenderedHTMLCommon");
    this.layout = new PanelLayout();
    this.#workspace = workspace;
    this.#trans = trans;
    this.#html = html;
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const layout = this.layout as PanelLayout;
    [...layout.widgets].forEach((widget) => widget.dispose());
    if (model.data[HTML_MIME] !== undefined) {
      const html = this.#html();
      layout.addWidget(html);
      await html.renderModel(model);
    }
    const part = new Widget({ node: document.createElement("section") });
    layout.addWidget(part);
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(model.data[BUNDLE_MIME]));
      const bundle = await this.#workspace.engine.readStudyBundle(bytes);
      part.node.append(...this.#states(bundle.document), this.#button(bundle));
    } catch (error) {
      part.node.setAttribute("role", "alert");
      part.node.textContent = this.#trans.__("The saved Study is refused: %1", errorText(error));
    }
  }

  #states(document_: StudyDocument): Node[] {
    const trans = this.#trans;
    const { states, title, revision } = document_;
    const caption = withName(trans.__("States of %1, revision %2", NAME, revision), title);
    const table = element("table", element("caption", ...caption));
    const head = [trans.__("State"), trans.__("Formulation"), trans.__("Objective"), ""];
    table.append(element("thead", element("tr", ...head.map((text) => element("th", text)))));
    const order = Object.entries(states).sort(([a, one], [b, other]) => one.at.localeCompare(other.at) || number(a, b));
    const rows = order.map(([id, state]) => this.#row(id, state, document_));
    table.append(element("tbody", ...rows));
    return [table];
  }

  #row(id: string, state: StateNode, { inspected_state, recommended_state, applied_state }: StudyDocument): Node {
    const trans = this.#trans;
    const marks = [
      ...(id === applied_state ? [trans.__("applied")] : []),
      ...(id === recommended_state ? [trans.__("recommended")] : []),
      ...(id === inspected_state && id !== applied_state ? [trans.__("inspected")] : []),
    ];
    const objective = state.objective === undefined ? "" : formatMoney(state.objective);
    const cells = [state.name ?? state.label, formulationName(state.formulation), objective, marks.join(", ")];
    return element("tr", ...cells.map((text) => element("td", text)));
  }

  #button(bundle: StudyBundle): Node {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "jp-mod-styled";
    button.textContent = this.#trans.__("Open the Study");
    button.addEventListener("click", () => {
      this.#workspace.openStudy(bundle).catch((error: unknown) => {
        button.after(element("p", this.#trans.__("The Study was not opened: %1", errorText(error))));
      });
    });
    return button;
  }
}

/** Orders states of the same time by their numbers. */
function number(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true });
}

/** An element with text and child elements; texts of a file are never markup. */
function element(name: string, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
