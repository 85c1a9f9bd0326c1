import { formatCount, trans } from "../text/index.ts";
import {
  type BoxPick,
  type CaseSession,
  type MadeFile,
  PRICE,
  type Selection,
  type SessionChange,
  type IWorkspace,
  type MapView,
  isSynthetic,
} from "../workspace/index.ts";
import { Announcer } from "./chrome/announcer.ts";
import { Bar } from "./chrome/mapBar.ts";
import { BusTable } from "./panels/busTable.ts";
import { caseSceneModel } from "./view/caseSceneModel.ts";
import { coloursMenu } from "./menus/coloursMenu.ts";
import { h } from "../ui/dom.ts";
import { KeysHelp } from "./panels/keysHelp.ts";
import { Legend } from "./colour/legend.ts";
import { MapColours } from "./colour/mapColours.ts";
import { MapContext } from "./menus/mapContextMenus.ts";
import { MapFiles } from "./mapFiles.ts";
import { MapKeys } from "./mapKeys.ts";
import { make, mapMenu, type MapMenuParts, pictureItems } from "./menus/mapMenu.ts";
import { pictureCaption } from "./svg/pictureCaption.ts";
import { PlaneSwitch } from "./chrome/planeSwitch.ts";
import { branchQuantities, type BranchQuantity, busQuantities, LOADING, type Quantity } from "./colour/quantities.ts";
import { savePicture } from "./svg/savePicture.ts";
import { InspectionMark } from "../ui/session/inspectionMark.ts";
import { OutageMark } from "../ui/session/outageMark.ts";
import { FormulationSelect } from "../ui/session/formulationSelect.ts";
import { Search } from "./chrome/search.ts";
import type { MapStyle } from "./style/mapStyle.ts";
import { SceneLook } from "./style/sceneLook.ts";
import { type Figure, FigurePanel } from "./panels/figurePanel.ts";
import { StylePanel } from "./panels/stylePanel.ts";
import { Stage } from "./view/stage.ts";
import type { Target } from "./picture/targets.ts";
import { StatusPill } from "./chrome/statusPill.ts";
import { EditBar } from "./editbar/editBar.ts";
import { afterFrame } from "../ui/pageFrame.ts";
import { ThemeWatcher } from "../ui/theme.ts";
import { listenUndoKeys, takeStep } from "../ui/undoKeys.ts";
import { keepPlainKeys } from "../ui/plainKeys.ts";

/** How a map is shown. */
export interface CaseMapView {
  /** Height of the picture, px; without it the map is as high as what it is put into. */
  height?: number;
  /** What the buses are coloured by, the price by default; where the formulation has none, by the first that it has. */
  quantity?: Quantity;
  branchQuantity?: BranchQuantity;
  /** How it is drawn. */
  style?: MapStyle;
}

/** Is told what somebody chose to colour buses and lines by. */
export type ChosenQuantities = (buses: Quantity, lines: BranchQuantity, style: MapStyle) => void;

/** Numbers the maps of the page, for ids that must not occur twice. */
let maps = 0;

/**
 * The case map: bar, picture with legend, and the edit bar of the selected element. Several maps may show one session; each
 * has its own view of the drawing. Put `node` into the page, and call `dispose` when it goes.
 */
export class CaseMap {
  readonly node: HTMLElement;
  readonly #workspace: IWorkspace;
  readonly #session: CaseSession;
  readonly #theme: ThemeWatcher;
  readonly #colours: MapColours;
  readonly #look: SceneLook;
  readonly #stylePanel: StylePanel;
  readonly #figurePanel: FigurePanel;
  readonly #stage: Stage;
  readonly #bar: Bar;
  readonly #planes: PlaneSwitch;
  readonly #formulation: FormulationSelect;
  readonly #inspecting: InspectionMark;
  readonly #outage: OutageMark;
  readonly #files: MapFiles;
  readonly #pill: StatusPill;
  readonly #legend = new Legend(() => this.#stage.update());
  readonly #table: BusTable;
  readonly #editBar: EditBar;
  readonly #search: Search;
  readonly #keys: KeysHelp;
  readonly #context: MapContext;
  readonly #announcer: Announcer;
  readonly #plainKeys: MapKeys;
  readonly #chosen: ChosenQuantities;
  /** Ends that the session remembers what this map shows. */
  readonly #remembered: () => void;
  /** Takes back what is to follow a new state's prices; null while all is told. */
  #rest: (() => void) | null = null;

  constructor(
    workspace: IWorkspace,
    session: CaseSession,
    view: CaseMapView = {},
    chosen: ChosenQuantities = () => undefined,
  ) {
    this.#workspace = workspace;
    this.#chosen = chosen;
    this.#session = session;
    session.afterPicture = afterFrame;
    this.#announcer = new Announcer(session);
    const saved = session.view.view;
    const known = (name: string | undefined, all: ReadonlyMap<string, unknown>): string | undefined =>
      name !== undefined && all.has(name) ? name : undefined;
    this.#colours = new MapColours(
      session,
      view.quantity ?? known(saved.quantity, busQuantities(session)) ?? PRICE,
      view.branchQuantity ?? known(saved.lines, branchQuantities(session)) ?? LOADING,
      view.style,
    );
    this.#look = new SceneLook(session, this.#colours.buses, () => this.#colours.style);
    this.node = h("div", {
      class: "wb-Map",
      data: { jpSuppressContextMenu: "true" },
      attributes: { role: "region", "aria-label": trans.__("Case map of %1", session.caseName) },
    });
    this.#theme = new ThemeWatcher(this.node);
    this.#files = new MapFiles(workspace, session, this.node);
    const model = caseSceneModel(session, this.#colours.lines, this.#look);
    this.#stage = new Stage(model, this.#colours.buses, this.#theme, this.#legend.node, {
      planeChanged: () => this.#planeChanged(),
      asked: (target, point) => this.#context.openOn(target, point),
      keyed: (event) => this.#plainKeys.press(event.key),
      said: (text) => this.#announcer.say(text),
    });
    if (saved.camera !== undefined) {
      this.#stage.lookFrom(saved.camera);
    }
    this.#remembered = session.view.follow(() => this.#view);
    this.#legend.follow(this.#stage.node);
    this.#plainKeys = new MapKeys({
      session,
      choose: (quantity) => this.#choose(quantity),
      search: () => this.focusSearch(),
      toggleLegend: () => this.#legend.toggle(),
      showKeys: () => this.#keys.toggle(true),
      showOtherPlane: () => this.#stage.showOtherPlane(),
    });
    maps += 1;
    const toPicture = (): void => this.#stage.focus();
    this.#search = new Search(session, `wb-search-${maps}`, (element) => this.#found(element), toPicture);
    this.#keys = new KeysHelp(toPicture);
    this.#pill = new StatusPill(session);
    this.#table = new BusTable(session);
    this.#editBar = new EditBar(session, toPicture);
    this.#formulation = new FormulationSelect(session);
    this.#inspecting = new InspectionMark(session);
    this.#outage = new OutageMark(session);
    this.#formulation.node.classList.add("wb-Bar-formulation");
    this.#planes = new PlaneSwitch((plane) => this.#stage.showPlane(plane));
    this.#stylePanel = new StylePanel({
      session,
      style: () => this.#colours.style,
      change: (part) => this.#restyle({ ...this.#colours.style, ...part }),
      range: () => ({
        range: this.#colours.buses.scale?.range ?? null,
        unit: this.#colours.legend.buses.unit,
      }),
      closed: toPicture,
    });
    this.#figurePanel = new FigurePanel(
      (figure) =>
        void make(
          () => this.#save(figure.format, figure),
          (made) => this.#files.tellMade(made),
        ),
      toPicture,
    );
    const colours = coloursMenu(session, () => this.#shown, {
      showQuantity: (quantity) => this.#choose(quantity),
      showBranchQuantity: (quantity) => this.#chooseLines(quantity),
      showStyle: () => this.#stylePanel.toggle(true),
    });
    const menu = mapMenu(this.#menuParts());
    const parts = {
      ...{ status: this.#pill.node, formulation: this.#formulation.node },
      ...{ planes: this.#planes.node, colours: colours.node, menu: menu.node },
    };
    this.#bar = new Bar(session, parts, {
      showQuantity: (quantity) => this.#choose(quantity),
      step: (step) => this.#step(step),
      search: () => this.focusSearch(),
      toggleTable: () => this.#toggleTable(),
      fit: () => this.#stage.fit(),
      toggleFullScreen: () => this.#toggleFullScreen(),
    });
    this.#stage.node.append(
      this.#search.node,
      this.#table.node,
      this.#pill.certificate,
      this.#keys.node,
      this.#stylePanel.node,
      this.#figurePanel.node,
      this.#files.node,
    );
    this.#context = new MapContext({
      session,
      stage: this.#stage,
      picture: this.#stage.node,
      choose: (quantity) => this.#choose(quantity),
      search: () => this.focusSearch(),
      step: (step) => this.#step(step),
      pictures: () => pictureItems(this.#menuParts()),
    });
    this.#context.listen(this.#editBar);
    this.node.append(
      this.#bar.node,
      this.#inspecting.node,
      this.#outage.node,
      this.#stage.placing.node,
      this.#stage.node,
      this.#editBar.node,
      this.#announcer.node,
    );
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
    this.#files.showTaken();
  }

  /** Chooses what the buses are coloured by; the response needs a selected element. */
  setQuantity(quantity: Quantity): void {
    this.#colours.ask(quantity);
    this.#refresh();
  }

  /** Chooses what the lines are coloured by. */
  setBranchQuantity(quantity: BranchQuantity): void {
    this.#colours.branchQuantity = quantity;
    this.#refresh();
  }

  /** Chooses how the map is drawn. */
  setStyle(style: MapStyle): void {
    this.#colours.style = style;
    this.#refresh();
    this.#stylePanel.update();
  }

  /** Opens the search for a bus or line. */
  focusSearch(): void {
    this.#table.toggle(false);
    this.#search.focus();
  }

  /** To be called after `node` came into the page: colours come from the styles there. */
  attached(): void {
    this.#theme.refresh();
  }

  dispose(): void {
    this.#rest?.();
    this.#remembered();
    document.removeEventListener("fullscreenchange", this.#fullScreenChanged);
    this.#session.changed.disconnect(this.#changed, this);
    this.#theme.changed.disconnect(this.#repaint, this);
    this.#theme.dispose();
    this.#files.dispose();
    this.#legend.dispose();
    this.#editBar.dispose();
    this.#pill.dispose();
    this.#formulation.dispose();
    this.#inspecting.dispose();
    this.#outage.dispose();
    this.#session.plans.changed.disconnect(this.#planChanged, this);
    this.#session.boxPick.changed.disconnect(this.#boxAsked, this);
    this.#stage.dispose();
    this.node.remove();
  }

  #listen(): void {
    const activate = (): void => this.#workspace.activate(this.#session);
    this.node.addEventListener("pointerdown", activate);
    this.node.addEventListener("focusin", activate);
    keepPlainKeys(this.node);
    this.#editBar.node.addEventListener("keydown", (event) => this.#plainKeys.pressedInEditBar(event));
    const session = this.#session;
    listenUndoKeys(
      this.node,
      () => session,
      () => this.#announcer.tellStep(),
    );
    document.addEventListener("fullscreenchange", this.#fullScreenChanged);
    this.#session.changed.connect(this.#changed, this);
    this.#session.plans.changed.connect(this.#planChanged, this);
    this.#session.boxPick.changed.connect(this.#boxAsked, this);
    this.#theme.changed.connect(this.#repaint, this);
  }

  /** What a plan proposes is drawn over the network. */
  #planChanged(): void {
    this.#stage.redraw();
  }

  /** The panel asks for a box, or no longer: the first map in sight draws it. */
  #boxAsked(pick: BoxPick): void {
    if (pick.request === null) {
      this.#stage.endBox();
    }
    const request = this.#stage.inSight ? pick.claim() : null;
    if (request === null) {
      return;
    }
    const { opened } = this.#session;
    const all = request.kind === "bus" ? opened.buses : opened.branches;
    const idsOf = (found: readonly Target[]): number[] =>
      found.map(({ row }) => all[row]?.id ?? -1).filter((id) => request.accepts(id));
    this.#stage.drawBox({
      kind: request.kind,
      tell: (found) => countOf(request.kind, idsOf(found).length),
      take: (found) => pick.take(idsOf(found)),
      given: () => {
        if (pick.request === request) {
          pick.end();
        }
      },
    });
  }

  #changed(_: CaseSession, change: SessionChange): void {
    switch (change) {
      case "preview":
        this.#colours.previewMoved();
        this.#repaint();
        this.#pill.update();
        this.#editBar.showValue();
        return;
      case "status":
        this.#pill.update();
        this.#editBar.showValue();
        this.#mark();
        return;
      case "selection":
        this.#selectionChanged();
        return;
      case "state":
        this.#showPrices();
        return;
      case "mode":
      case "path":
        this.#editBar.update();
        this.#mark();
        return;
      case "reference":
      case "responses":
      case "column":
        if (this.#rest === null) {
          this.#refresh();
        }
        return;
      case "quantity":
        this.#askedFor(this.#session.wantedQuantity);
    }
  }

  /**
   * The colours of a new exact state come in the next frame; lines, legend, words and tables follow it. Where a preview was there
   * before, the exact colours take its place at once; others run into them.
   */
  #showPrices(): void {
    if (this.#session.state.reconciled === null) {
      this.#stage.stateChanged();
    }
    this.#colours.stateChanged();
    this.#colours.updateBuses(this.#theme.theme.dark);
    this.#stage.drawNow();
    this.#rest?.();
    this.#rest = afterFrame(() => {
      this.node.dataset["pricesRevision"] = String(this.#session.state.revision); // whoever measures frames reads it
      const follow = setTimeout(() => this.#refresh());
      this.#rest = () => clearTimeout(follow);
    });
  }

  #askedFor(name: string | null): void {
    if (name !== null && busQuantities(this.#session).has(name)) {
      this.#choose(name);
    } else if (name !== null && branchQuantities(this.#session).has(name)) {
      this.#chooseLines(name);
    }
  }

  #selectionChanged(): void {
    const { selection, selected, opened } = this.#session;
    this.#colours.selectionChanged();
    this.#announcer.tellSelection();
    if (selection !== null && selected.length === 1) {
      this.#stage.reveal({ kind: selection.kind, row: opened.rowOf(selection) });
    }
    this.#refresh();
  }

  #step(step: "undo" | "redo"): void {
    takeStep(this.#session, step, () => this.#announcer.tellStep());
  }

  #choose(quantity: Quantity): void {
    this.#colours.choose(quantity);
    this.#refresh();
    this.#tellChosen();
  }

  #restyle(style: MapStyle): void {
    this.#colours.style = style;
    this.#refresh();
    this.#tellChosen();
  }

  #tellChosen(): void {
    this.#chosen(this.#colours.quantity, this.#colours.branchQuantity, this.#colours.style);
  }

  #chooseLines(quantity: BranchQuantity): void {
    this.setBranchQuantity(quantity);
    this.#tellChosen();
  }

  /** What a Study is saved with. */
  get #view(): MapView {
    const { saved: camera } = this.#stage;
    const { quantity, branchQuantity: lines } = this.#colours;
    return { quantity, lines, ...(camera === null ? {} : { camera }) };
  }

  /** What the colours mean now. */
  get #shown(): { buses: Quantity; lines: BranchQuantity } {
    return { buses: this.#colours.quantity, lines: this.#colours.branchQuantity };
  }

  #refresh(): void {
    this.#rest?.();
    this.#rest = null;
    this.#repaint();
    this.#pill.update();
    this.#bar.updateSteps();
    this.#editBar.update();
    this.#table.update();
  }

  #repaint(): void {
    this.#colours.update(this.#theme.theme.dark);
    this.#bar.update(this.#colours.quantity, this.#session.selection, this.#table.open);
    this.#legend.show(this.#colours.legendWith(this.#look.generatorKey(this.#theme.theme.dark)));
    this.#mark();
    this.#stage.update();
  }

  #menuParts(): MapMenuParts {
    return {
      session: this.#session,
      engine: this.#workspace.engine,
      take: (files) => this.#files.take(files),
      placing: this.#stage.placing,
      step: (step) => this.#step(step),
      search: () => this.focusSearch(),
      fit: () => this.#stage.fit(),
      save: (format) => this.#save(format),
      figure: () => this.#figurePanel.open(),
      showKeys: () => this.#keys.toggle(true),
      told: (made) => this.#files.tellMade(made),
    };
  }

  #save(format: "png" | "svg", figure?: Figure): Promise<MadeFile> {
    const notes = isSynthetic(this.#session.opened) ? [trans.__("Synthetic network")] : [];
    const name = this.#session.caseName;
    const legend = this.#legend.content;
    const caption = figure?.caption === false ? [] : pictureCaption(this.#session, legend);
    const { widthCm, dpi } = figure ?? {};
    return savePicture(format, { stage: this.#stage, legend, name, caption, notes, widthCm, dpi });
  }

  #found(element: Selection): void {
    this.#stage.focus();
    this.#stage.zoomTo({ kind: element.kind, row: this.#session.opened.rowOf(element) });
    void this.#session.select(element);
  }

  #planeChanged(): void {
    this.#planes.update(this.#stage);
    this.node.dataset["plane"] = this.#stage.plane;
  }

  /** Says in attributes what is shown, for styles, tests and tools that read the page. */
  #mark(): void {
    const { state, status, caseId, shownMw, previewMode, inspection } = this.#session;
    const { quantity, branchQuantity, binding } = this.#colours;
    const exact = status.kind === "previewing" ? status.exact : true;
    Object.assign(this.node.dataset, { case: caseId, revision: state.revision, status: status.kind, quantity });
    Object.assign(this.node.dataset, {
      exact,
      previewMode,
      shownMw: shownMw ?? "",
      surface: this.#colours.style.surface,
    });
    Object.assign(this.node.dataset, { branchQuantity, binding, inspected: inspection.state?.id ?? "" });
  }

  #toggleTable(): void {
    this.#table.toggle(!this.#table.open);
    this.#bar.update(this.#colours.quantity, this.#session.selection, this.#table.open);
  }

  #toggleFullScreen(): void {
    void (document.fullscreenElement === this.node ? document.exitFullscreen() : this.node.requestFullscreen());
  }

  readonly #fullScreenChanged = (): void => this.#repaint();
}

function countOf(kind: Target["kind"], count: number): string {
  return kind === "bus"
    ? trans._n("%2 bus", "%2 buses", count, formatCount(count))
    : trans._n("%2 line", "%2 lines", count, formatCount(count));
}
