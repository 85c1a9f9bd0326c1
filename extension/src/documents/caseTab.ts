import { Widget } from "@lumino/widgets";
import type { LocalOpening, ShownCase } from "@service/widgets/workspace";
import { whyNotShown } from "@service/widgets/text";
import { trans } from "@service/widgets/translation";
import type { IWorkspace } from "../tokens.ts";

/** The interface that a tab needs of a case map, or of the viewer of a network without prices. */
interface View {
  readonly node: HTMLElement;
  attached(): void;
  showFiles(): void;
  dispose(): void;
}

/**
 * A case map, or a network without prices, as the content of a tab. Closing the tab ends its session, unless `ends` is
 * false.
 */
export class CaseTab extends Widget {
  readonly caseName: string;
  readonly #workspace: IWorkspace;
  readonly #opening: LocalOpening;
  readonly #ends: boolean;
  #view: View | null = null;

  constructor(workspace: IWorkspace, opening: LocalOpening, { ends = true } = {}) {
    super();
    this.#ends = ends;
    this.addClass("wb-CaseTab");
    this.#workspace = workspace;
    this.#opening = opening;
    this.caseName = opening.kind === "case" ? opening.session.caseName : opening.network.name;
    void this.#show();
  }

  /** Brings the case to the front; panel and commands then act on it. */
  bringToFront(): void {
    if (this.#opening.kind === "case") {
      this.#workspace.activate(this.#opening.session);
    } else {
      this.#workspace.activateNetwork(this.#opening.network);
    }
  }

  /** Whether this tab is the view of a case or network. */
  shows(shown: ShownCase): boolean {
    return this.#opening.kind === "case" ? this.#opening.session === shown : this.#opening.network === shown;
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.#view?.dispose();
    if (this.#ends) {
      this.#end();
    }
    super.dispose();
  }

  #end(): void {
    if (this.#opening.kind === "case") {
      this.#workspace.closeSession(this.#opening.session);
    } else {
      this.#workspace.forget(this.#opening.network);
    }
  }

  protected override onAfterAttach(message: Parameters<Widget["processMessage"]>[0]): void {
    super.onAfterAttach(message);
    this.#view?.attached();
  }

  /** Loads the code of the views with the first of them. */
  async #show(): Promise<void> {
    let view: View;
    try {
      view = await this.#create();
    } catch (error) {
      this.addClass("wb-Message");
      this.node.setAttribute("role", "alert");
      this.node.textContent = trans.__("The map could not be shown: %1", whyNotShown(error));
      return;
    }
    if (this.isDisposed) {
      view.dispose();
      return;
    }
    this.#view = view;
    if (this.#workspace.intake.onMap) {
      view.showFiles(); // the map that received the files is behind this tab now
    }
    this.node.append(view.node);
    if (this.isAttached) {
      view.attached();
    }
  }

  async #create(): Promise<View> {
    const workspace = this.#workspace;
    if (this.#opening.kind === "network") {
      const { NetworkView } = await import("@service/widgets/diagram");
      return new NetworkView(workspace, this.#opening.network);
    }
    const { CaseMap } = await import("@service/widgets/map");
    return new CaseMap(workspace, this.#opening.session);
  }
}
