import type { DOMWidgetView, IWidgetManager } from "@jupyter-widgets/base";
import { type ISignal, Signal } from "@lumino/signaling";
import type { Widget } from "@lumino/widgets";
import type { CaseMapModel, MapOutput } from "@service/widgets/notebook";
import { whyNotShown } from "@service/widgets/text";

/** The case maps of kernels in this page, by the ids of their widget models. */
export class LiveMaps {
  readonly #managers = new Map<string, IWidgetManager>();
  readonly #added = new Signal<this, string>(this);
  readonly #changed = new Signal<this, string>(this);
  readonly #failed = new Signal<this, string>(this);
  #problem: string | undefined;

  /** Emits the id of a new map. */
  get added(): ISignal<this, string> {
    return this.#added;
  }

  /** Emits the id of a map whose content changed. */
  get shownChanged(): ISignal<this, string> {
    return this.#changed;
  }

  /** Emits the reason why maps cannot be loaded. */
  get failed(): ISignal<this, string> {
    return this.#failed;
  }

  /** The reason why maps cannot be loaded, once known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  has(id: string): boolean {
    return this.#managers.has(id);
  }

  /** A new view of a map in this page. Rejects if its model is gone or cannot be shown. */
  async view(id: string): Promise<Widget> {
    const manager = this.#managerOf(id);
    const view = await manager.create_view<DOMWidgetView>(await manager.get_model(id));
    return view.luminoWidget;
  }

  /** The output of a map for a notebook, by MIME type. Rejects if the kernel returns none. */
  async output(id: string): Promise<MapOutput> {
    const model = (await this.#managerOf(id).get_model(id)) as CaseMapModel;
    return model.caseSync.output();
  }

  #managerOf(id: string): IWidgetManager {
    const manager = this.#managers.get(id);
    if (manager === undefined) {
      throw new Error(`There is no case map ${id} in this page.`);
    }
    return manager;
  }

  add(id: string, manager: IWidgetManager): void {
    this.#managers.set(id, manager);
    this.#added.emit(id);
  }

  changed(id: string): void {
    this.#changed.emit(id);
  }

  /** The code of maps could not be loaded. */
  fail(error: unknown): void {
    this.#problem = whyNotShown(error);
    this.#failed.emit(this.#problem);
  }

  remove(id: string): void {
    this.#managers.delete(id);
  }
}
