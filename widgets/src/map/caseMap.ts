import { DropZone, ExportReport, FilesReport } from "../files/index.ts";
import { onePriceSentence, formatPrice } from "../words/index.ts";
import type { CaseSession, SessionChange, Workspace } from "../workspace/index.ts";
import { Bar } from "./bar.ts";
import { BusPaint } from "./busPaint.ts";
import { BusTable } from "./busTable.ts";
import { caseSubject } from "./caseSubject.ts";
import { type Quantity, responseName } from "./colourScale.ts";
import { h, setText } from "./dom.ts";
import { Legend } from "./legend.ts";
import { heaviestBranch, onePrice } from "./loading.ts";
import { keepPlainKeys } from "./mapKeys.ts";
import { mapMenu } from "./mapMenu.ts";
import { PlaneSwitch } from "./planeSwitch.ts";
import { columnIsZero } from "./readout.ts";
import { Stage } from "./stage.ts";
import { StatusPill } from "./statusPill.ts";
import { EditStrip } from "./strip.ts";
import { ThemeWatcher } from "./theme.ts";

/** How a map is shown. */
export interface CaseMapView {
  /** Height of the picture, px; without it the map is as high as what it is put into. */
  height?: number;
  quantity: Quantity;
}

/**
 * The case map: bar, picture with legend, and the strip of the selected element. Several maps may show one session; each
 * has its own view of the drawing. Put `node` into the page, and call `dispose` when it goes.
 */
export class CaseMap {
  readonly node: HTMLElement;
  readonly #workspace: Workspace;
  readonly #session: CaseSession;
  readonly #theme: ThemeWatcher;
  readonly #paint = new BusPaint();
  readonly #stage: Stage;
  readonly #bar: Bar;
  readonly #planes: PlaneSwitch;
  readonly #drop: DropZone;
  readonly #exported = new ExportReport();
  readonly #reports = h("div", { class: "wb-Reports" });
  #files: FilesReport | null = null;
  readonly #pill: StatusPill;
  readonly #legend = new Legend();
  readonly #table: BusTable;
  readonly #strip: EditStrip;
  readonly #announcer = h("div", { class: "wb-Announcer", attributes: { "aria-live": "polite" } });
  #wanted: Quantity;
  /** Whether the user pressed one of the two buttons: then the quantity changes only by them. */
  #chosen = false;

  constructor(workspace: Workspace, session: CaseSession, view: CaseMapView) {
    this.#workspace = workspace;
    this.#session = session;
    this.#wanted = view.quantity;
    this.node = h("div", {
      class: "wb-Map",
      data: { jpSuppressContextMenu: "true" },
      attributes: { role: "region", "aria-label": `Case map of ${session.caseName}` },
    });
    this.#theme = new ThemeWatcher(this.node);
    this.#stage = new Stage(caseSubject(session), this.#paint, this.#theme, this.#legend.node, {
      planeChanged: () => this.#planeChanged(),
    });
    this.#pill = new StatusPill(session);
    this.#table = new BusTable(session);
    this.#strip = new EditStrip(session);
    this.#planes = new PlaneSwitch((plane) => this.#stage.showPlane(plane));
    const menu = mapMenu({
      session,
      engine: workspace.engine,
      take: (files) => this.#take(files),
      placing: this.#stage.placing,
      told: (made) => this.#exported.tell(made),
    });
    const parts = { status: this.#pill.node, planes: this.#planes.node, menu: menu.node };
    this.#bar = new Bar(session, parts, {
      showQuantity: (quantity) => this.#choose(quantity),
      toggleTable: () => this.#toggleTable(),
      fit: () => this.#stage.fit(),
      toggleFullScreen: () => this.#toggleFullScreen(),
    });
    this.#reports.append(this.#exported.node);
    this.#stage.node.append(this.#table.node, this.#pill.certificate, this.#reports);
    this.node.append(this.#bar.node, this.#stage.placing.node, this.#stage.node, this.#strip.node, this.#announcer);
    this.#drop = new DropZone(this.node, (files) => void this.#take(files));
    this.setHeight(view.height);
    this.#planeChanged();
    this.#listen();
    this.#refresh();
  }

  /** Sets the height of the picture, px; without one the map fills what it is put into. */
  setHeight(height: number | undefined): void {
    this.node.classList.toggle("wb-mod-fill", height === undefined);
    this.#stage.node.style.height = height === undefined ? "" : `${height}px`;
  }

  /** Shows what became of the files of the last batch on this map. */
  showFiles(): void {
    if (this.#files === null) {
      this.#files = new FilesReport(this.#workspace.intake, { short: true });
      this.#reports.append(this.#files.node);
    }
  }

  /** Chooses what the buses are coloured by; the response needs a selected element. */
  setQuantity(quantity: Quantity): void {
    this.#show(quantity);
  }

  /** To be called after `node` came into the page: colours come from the styles there. */
  attached(): void {
    this.#theme.refresh();
  }

  dispose(): void {
    document.removeEventListener("fullscreenchange", this.#fullScreenChanged);
    this.#session.changed.disconnect(this.#changed, this);
    this.#theme.changed.disconnect(this.#repaint, this);
    this.#theme.dispose();
    this.#drop.dispose();
    this.#files?.dispose();
    this.#strip.dispose();
    this.#stage.dispose();
    this.node.remove();
  }

  #listen(): void {
    const activate = (): void => this.#workspace.activate(this.#session);
    this.node.addEventListener("pointerdown", activate);
    this.node.addEventListener("focusin", activate);
    keepPlainKeys(this.node);
    document.addEventListener("fullscreenchange", this.#fullScreenChanged);
    this.#session.changed.connect(this.#changed, this);
    this.#theme.changed.connect(this.#repaint, this);
  }

  #changed(_: CaseSession, change: SessionChange): void {
    switch (change) {
      case "preview":
        if (this.#session.previewMw !== null && !this.#chosen) {
          this.#wanted = "lmp";
        }
        this.#repaint();
        this.#strip.showValue();
        return;
      case "status":
        this.#pill.update();
        this.#strip.showValue();
        this.#mark();
        return;
      case "selection":
        this.#selectionChanged();
        return;
      case "state":
        this.#stage.stateChanged();
        this.#refresh();
        return;
      case "mode":
      case "path":
        this.#strip.update();
        this.#mark();
        return;
      case "column":
        this.#refresh();
    }
  }

  #selectionChanged(): void {
    const { selection, opened, store } = this.#session;
    if (!this.#chosen) {
      this.#wanted = selection === null ? "lmp" : "sensitivity";
    }
    if (selection === null) {
      setText(this.#announcer, "Nothing selected");
    } else {
      this.#stage.reveal({ kind: selection.kind, row: opened.rowOf(selection) });
      const name = opened.nameOf(selection.kind, selection.id);
      const price = store.shownLmp[opened.rowOf(selection)] ?? NaN;
      setText(this.#announcer, selection.kind === "bus" ? `${name}, ${formatPrice(price)} $/MWh` : name);
    }
    this.#refresh();
  }

  #choose(quantity: Quantity): void {
    this.#chosen = true;
    this.#show(quantity);
  }

  #show(quantity: Quantity): void {
    this.#wanted = quantity;
    this.#refresh();
  }

  /**
   * What the colours mean now: a response can be shown once its column is known. One to a line that is zero everywhere,
   * as for every line that does not bind, is shown only to a user who asked for it.
   */
  get #quantity(): Quantity {
    const { store, selection } = this.#session;
    const nothing = !this.#chosen && selection?.kind === "branch" && columnIsZero(this.#session);
    return store.column === null || nothing ? "lmp" : this.#wanted;
  }

  #refresh(): void {
    this.#repaint();
    this.#pill.update();
    this.#strip.update();
    this.#table.update();
  }

  #repaint(): void {
    this.#paint.update(this.#session, this.#quantity, this.#theme.theme.dark);
    this.#bar.update(this.#quantity, this.#session.selection, this.#table.open);
    this.#showLegend();
    this.#mark();
    this.#stage.update();
  }

  #showLegend(): void {
    const { selection } = this.#session;
    const { scale, below, above } = this.#paint;
    const { binding, warning } = this.#stage.branches;
    const response = this.#quantity === "sensitivity";
    const at = selection === null ? "" : `, ${selection.kind === "bus" ? "bus" : "line"} ${selection.id}`;
    this.#legend.show({
      title: response ? `${responseName(selection)}${at}${this.#side}` : this.#priceTitle,
      unit: response ? "($/MWh)/MW" : "$/MWh",
      scale,
      uniform: response ? (columnIsZero(this.#session) ? "Zero at every bus" : null) : this.#onePriceText(),
      below,
      above,
      binding: binding.length,
      warning: warning.length,
    });
  }

  /** At a breakpoint the colours are the derivatives to one side. */
  get #side(): string {
    const { column, store } = this.#session;
    if (column === null || column.warrant.kind === "regular") {
      return "";
    }
    return store.dense?.right === null ? ", for a decrease" : ", for an increase";
  }

  get #priceTitle(): string {
    const { store, status } = this.#session;
    if (!store.previewing) {
      return "Price";
    }
    return status.kind === "previewing" && status.exact ? "Price, exact preview" : "Price, preview";
  }

  #onePriceText(): string | null {
    const { store, opened } = this.#session;
    const price = onePrice(store.shownLmp);
    if (price === null) {
      return null;
    }
    if (this.#stage.branches.binding.length > 0) {
      return `One price everywhere, ${formatPrice(price)} $/MWh.`;
    }
    const row = heaviestBranch(store.columns.loading);
    const branch = opened.branches[row];
    const nearest = branch === undefined ? null : { id: branch.id, loading: store.columns.loading[row] ?? NaN };
    return onePriceSentence(price, nearest, opened);
  }

  async #take(files: File[]): Promise<void> {
    if (files.length === 0) {
      return;
    }
    this.showFiles();
    this.#workspace.activate(this.#session);
    await this.#workspace.intake.take(files, this.#session.opened);
  }

  #planeChanged(): void {
    this.#planes.update(this.#stage);
    this.node.dataset["plane"] = this.#stage.plane;
  }

  /** Says in attributes what is shown, for styles, tests and tools that read the page. */
  #mark(): void {
    const { state, status, caseId, shownMw, previewMode } = this.#session;
    const quantity = this.#quantity;
    const exact = status.kind === "previewing" ? status.exact : true;
    Object.assign(this.node.dataset, { case: caseId, revision: state.revision, status: status.kind, quantity });
    Object.assign(this.node.dataset, { exact, previewMode, shownMw: shownMw ?? "" });
  }

  #toggleTable(): void {
    this.#table.toggle(!this.#table.open);
    this.#bar.update(this.#quantity, this.#session.selection, this.#table.open);
  }

  #toggleFullScreen(): void {
    void (document.fullscreenElement === this.node ? document.exitFullscreen() : this.node.requestFullscreen());
  }

  readonly #fullScreenChanged = (): void => this.#repaint();
}
