import { type JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import { Widget } from "@lumino/widgets";
import type { LargeView, OpenLarge } from "@service/widgets/panel";
import { studyIcon } from "./icon.ts";

type Message = Parameters<Widget["processMessage"]>[0];

/** A table of the panel as the content of a tab of the main area. */
class LargeTab extends Widget {
  readonly #view: LargeView;

  constructor(view: LargeView) {
    super();
    this.addClass("wb-LargeTab");
    this.#view = view;
    this.node.append(view.node);
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.#view.dispose();
      super.dispose();
    }
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this.#view.attached();
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.#view.resized();
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    this.#view.resized();
  }
}

/** Opens large views of the panel as tabs beside the others; one that is open already comes to the front. */
export function largeViews({ shell }: JupyterFrontEnd): OpenLarge {
  return (view) => {
    const id = `wattbook-${view.id}`;
    const open = [...shell.widgets("main")].find((widget) => widget.id === id);
    if (open === undefined) {
      const tab = new MainAreaWidget({ content: new LargeTab(view) });
      tab.id = id;
      tab.title.label = view.title;
      tab.title.icon = studyIcon;
      tab.title.closable = true;
      tab.toolbar.hide();
      shell.add(tab, "main", { type: "Case table" });
    } else {
      view.dispose();
    }
    shell.activateById(id);
  };
}
