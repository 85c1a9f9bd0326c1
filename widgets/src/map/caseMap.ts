import { trans } from "../text/index.ts";
import {
  type BoxPick,
  type CaseSession,
  type MadeFile,
  type Selection,
  type SessionChange,
  type IWorkspace,
  type MapView,
} from "../workspace/index.ts";
import { Announcer } from "./chrome/announcer.ts";
import { MapGround } from "./userBasemap/mapGround.ts";
import { Bar } from "./chrome/mapBar.ts";
import { addForm } from "./panels/AddForm.tsx";
import { BusTable } from "./panels/busTable.ts";
import { caseSceneModel } from "./view/caseSceneModel.ts";
import { type CaseMapView, type ChosenQuantities, ColourChoice, firstQuantities } from "./colourChoice.ts";
import { coloursMenu } from "./menus/coloursMenu.ts";
import { h } from "../ui/dom.ts";
import { KeysHelp } from "./panels/keysHelp.ts";
import { Legend } from "./colour/legend.ts";
import { listenSearchKey } from "./gestures/searchKey.ts";
import { centredRange, robustRange } from "./colour/legendRange.ts";
import { drawRequestedBox } from "./gestures/requestedBox.ts";
import { describeMap } from "./mapAttributes.ts";
import { MapColours } from "./colour/mapColours.ts";
import { MapContext } from "./menus/mapContextMenus.ts";
import { MapFiles } from "./mapFiles.ts";
import { MapKeys } from "./mapKeys.ts";
import { make, mapMenu, type MapMenuParts, pictureItems } from "./menus/mapMenu.ts";
import { PlaneSwitch } from "./chrome/planeSwitch.ts";
import { drawnTarget } from "./picture/targets.ts";
import type { BranchQuantity, Quantity } from "./colour/quantities.ts";
import { saveMap } from "./svg/saveMap.ts";
import type { PictureFormat } from "./svg/savePicture.ts";
import { SessionMarks } from "./chrome/sessionMarks.ts";
import { Search } from "./chrome/search.ts";
import type { MapStyle } from "./style/mapStyle.ts";
import { SceneLook } from "./style/sceneLook.ts";
import { type Figure, figureForm } from "./panels/FigureForm.tsx";
import { MapDialog, type MapForm } from "./panels/mapDialog.tsx";
import { styleForm } from "./panels/StyleForm.tsx";
import { PriceFrames } from "./view/priceFrames.ts";
import { Stage } from "./view/stage.ts";
import { StatusPill } from "./chrome/statusPill.ts";
import { EditBar } from "./editbar/editBar.ts";
import { afterFrame } from "../ui/pageFrame.ts";
import { FullScreen } from "./chrome/fullScreen.ts";
import { ThemeWatcher } from "../ui/theme.ts";
import { listenUndoKeys, takeStep } from "../ui/undoKeys.ts";
import { keepPlainKeys } from "../ui/plainKeys.ts";

/** Counter of maps in the page, for unique ids. */
let maps = 0;

/**
 * The case map: bar, picture with legend, and the edit bar of the selected element. Several maps may show one session;
 * each has its own view of the drawing. Put `node` into the page, and finally call `dispose`.
 */
export class CaseMap {
  readonly node: HTMLElement;
  readonly ground: MapGround;
  readonly #workspace: IWorkspace;
  readonly #session: CaseSession;
  readonly #theme: ThemeWatcher;
  readonly #colours: MapColours;
  readonly #choice: ColourChoice;
  readonly #look: SceneLook;
  readonly #dialog: MapDialog;
  readonly #figureForm: MapForm;
  readonly #stage: Stage;
  readonly #bar: Bar;
  readonly #planes: PlaneSwitch;
  readonly #marks: SessionMarks;
  readonly #files: MapFiles;
  readonly #pill: StatusPill;
  readonly #legend = new Legend({ resized: () => this.#stage.update(), rangeOfView: (on) => this.#rangeOfView(on) });
  readonly #table: BusTable;
  readonly #editBar: EditBar;
  readonly #search: Search;
  readonly #keys: KeysHelp;
  readonly #context: MapContext;
  readonly #announcer: Announcer;
  readonly #fullScreen: FullScreen;
  readonly #plainKeys: MapKeys;
  /** Unregisters the view that the session saves. */
  readonly #remembered: () => void;
  readonly #prices: PriceFrames;
  #stopSearchKey = (): void => undefined;
  /** Whether the derivatives by the selected element are still pending. */
  #columnAwaited = false;

  constructor(
    workspace: IWorkspace,
    session: CaseSession,
    view: CaseMapView = {},
    chosen: ChosenQuantities = () => undefined,
  ) {
    this.#workspace = workspace;
    this.#session = session;
    session.afterPicture = afterFrame;
    this.#announcer = new Announcer(session);
    this.#colours = new MapColours(session, ...firstQuantities(session, view), view.style);
    this.#choice = new ColourChoice(session, this.#colours, chosen, () => this.#refresh());
    this.#look = new SceneLook(session, this.#colours.buses, () => this.#colours.style);
    this.node = h("div", {
      class: "wb-Map",
      data: { jpSuppressContextMenu: "true" },
      attributes: { role: "region", "aria-label": trans.__("Case map of %1", session.caseName) },
    });
    this.#theme = new ThemeWatcher(this.node);
    this.#fullScreen = new FullScreen(this.node, () => this.#repaint());
    this.#files = new MapFiles(workspace, session, this.node);
    const { camera } = session.view.view;
    const model = caseSceneModel(session, this.#colours.lines, this.#look);
    this.#stage = new Stage(model, this.#colours.buses, this.#theme, this.#legend.node, {
      planeChanged: () => this.#planeChanged(),
      contextRequested: (target, point) => this.#context.openOn(target, point),
      keyed: (event) => this.#plainKeys.press(event.key),
      announced: (text) => this.#announcer.say(text),
    });
    this.#prices = new PriceFrames({
      node: this.node,
      ...{ session, stage: this.#stage, colours: this.#colours, theme: this.#theme },
      follow: () => this.#refresh(),
    });
    if (camera !== undefined) this.#stage.lookFrom(camera);
    this.#remembered = session.view.follow(() => this.#view);
    this.#legend.follow(this.#stage.node);
    this.#plainKeys = new MapKeys({
      session,
      choose: (quantity) => this.#choice.choose(quantity),
      shown: () => this.#choice.shown.buses,
      say: (text) => this.#announcer.say(text),
      explain: (text) => this.#stage.explain(text),
      search: () => this.focusSearch(),
      toggleLegend: () => this.#legend.toggle(),
      showKeys: () => this.#keys.toggle(true),
      showOtherPlane: () => this.#stage.showOtherPlane(),
    });
    maps += 1;
    const toPicture = (): void => this.#stage.focus();
    this.#search = new Search(session, `wb-search-${maps}`, (element) => this.#found(element), toPicture);
    this.#keys = new KeysHelp(toPicture);
    this.#pill = new StatusPill(session, workspace);
    this.#table = new BusTable(session);
    this.#editBar = new EditBar(session, toPicture);
    this.#marks = new SessionMarks(session, toPicture);
    this.ground = new MapGround(this.#stage, view.basemap ?? null, () => this.#layersChanged());
    this.#planes = new PlaneSwitch((plane) => this.#stage.showPlane(plane));
    this.#dialog = new MapDialog(toPicture);
    const style = styleForm({
      session,
      ...{ basemap: this.#stage.basemap, overlays: this.#stage.overlays },
      style: () => this.#colours.style,
      change: (part) => this.#choice.restyle(part),
      range: () => this.#colours.busRange,
    });
    const reportFile = (made: MadeFile): void => this.#files.reportFile(made);
    this.#figureForm = figureForm((figure) => void make(() => this.#save(figure.format, figure), reportFile));
    const colours = coloursMenu(session, () => this.#choice.shown, {
      showQuantity: (quantity) => this.#choice.choose(quantity),
      showBranchQuantity: (quantity) => this.#choice.chooseLines(quantity),
      showStyle: () => this.#dialog.show(style),
    });
    const menu = mapMenu(this.#menuParts());
    const parts = {
      ...{ status: this.#pill.node, formulation: this.#marks.formulation.node },
      ...{ planes: this.#planes.node, colours: colours.node, menu: menu.node },
    };
    this.#bar = new Bar(session, parts, {
      showQuantity: (quantity) => this.#choice.choose(quantity),
      step: (step) => this.#step(step),
      search: () => this.focusSearch(),
      toggleTable: () => this.#toggleTable(),
      fit: () => this.#stage.fit(),
      toggleFullScreen: () => this.#fullScreen.toggle(),
    });
    this.#stage.node.append(
      this.#search.node,
      this.#table.node,
      this.#pill.certificate,
      this.#keys.node,
      this.#dialog.node,
      this.#files.node,
    );
    this.#context = new MapContext({
      session,
      stage: this.#stage,
      picture: this.#stage.node,
      choose: (quantity) => this.#choice.choose(quantity),
      search: () => this.focusSearch(),
      step: (step) => this.#step(step),
      add: (kind, bus) => this.#dialog.show(addForm(session, kind, bus)),
      pictures: () => pictureItems(this.#menuParts()),
    });
    this.#context.listen(this.#editBar);
    this.node.append(
      this.#bar.node,
      ...this.#marks.nodes,
      this.ground.mark.node,
      this.#stage.placing.node,
      this.#stage.node,
      this.#marks.steps.node,
      this.#editBar.node,
      this.#announcer.node,
    );
    this.setHeight(view.height);
    this.#planeChanged();
    this.#listen();
    this.#refresh();
  }

  /** Sets the height of the picture, px; by default the map fills its container. */
  setHeight(height: number | undefined): void {
    this.node.classList.toggle("wb-mod-fill", height === undefined);
    this.#stage.node.style.height = height === undefined ? "" : `${height}px`;
  }

  /** Shows the outcome of the last batch of files on this map. */
  showFiles(): void {
    this.#files.showTaken();
  }

  /** Selects the quantity that colours the buses; the response needs a selected element. */
  setQuantity(quantity: Quantity): void {
    this.#colours.ask(quantity);
    this.#refresh();
  }

  /** Selects the quantity that colours the lines. */
  setBranchQuantity(quantity: BranchQuantity): void {
    this.#colours.branchQuantity = quantity;
    this.#refresh();
  }

  /** Sets the style of the map. */
  setStyle(style: MapStyle): void {
    this.#colours.style = style;
    this.#refresh();
    this.#dialog.update();
  }

  /** Opens the search for a bus, line or generator. */
  focusSearch(): void {
    this.#table.toggle(false);
    this.#search.focus();
  }

  /** Must be called after `node` has been attached to the page, whose styles define the colours. */
  attached(): void {
    this.#theme.refresh();
  }

  dispose(): void {
    this.#prices.drop();
    this.#stopSearchKey();
    this.#remembered();
    this.#fullScreen.dispose();
    this.#session.changed.disconnect(this.#changed, this);
    this.#theme.changed.disconnect(this.#repaint, this);
    this.#theme.dispose();
    this.#dialog.dispose();
    this.#search.dispose();
    this.#files.dispose();
    this.#legend.dispose();
    this.#editBar.dispose();
    this.#pill.dispose();
    this.#marks.dispose();
    this.ground.dispose();
    this.#session.plans.changed.disconnect(this.#stage.redraw, this.#stage);
    this.#session.outage.changed.disconnect(this.#outageShown, this);
    this.#session.boxPick.changed.disconnect(this.#boxRequested, this);
    this.#stage.dispose();
    this.node.remove();
  }

  #listen(): void {
    const activate = (): void => this.#workspace.activate(this.#session);
    this.node.addEventListener("pointerdown", activate);
    this.node.addEventListener("focusin", activate);
    keepPlainKeys(this.node);
    this.#editBar.node.addEventListener("keydown", (event) => this.#plainKeys.pressedInEditBar(event));
    const announceStep = (): void => this.#announcer.announceStep();
    listenUndoKeys(this.node, () => this.#session, announceStep);
    this.#stopSearchKey = listenSearchKey(this);
    this.#session.changed.connect(this.#changed, this);
    this.#session.plans.changed.connect(this.#stage.redraw, this.#stage);
    this.#session.outage.changed.connect(this.#outageShown, this);
    this.#session.boxPick.changed.connect(this.#boxRequested, this);
    this.#theme.changed.connect(this.#repaint, this);
  }

  #layersChanged(): void {
    this.#repaint();
    this.#dialog.update();
  }

  /** Zooms to the outaged branch and the line that its outage loads most. */
  #outageShown(): void {
    const { outage, opened } = this.#session;
    if (outage.shown !== null) {
      const { branch, worst } = outage.shown;
      const target = (id: number) => ({ kind: "branch" as const, row: opened.branchRow(id) });
      this.#stage.zoomTo(target(branch), ...(worst === null ? [] : [target(worst.branch)]));
    }
  }

  #boxRequested(pick: BoxPick): void {
    drawRequestedBox(pick, this.#session, this.#stage);
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
        if (!this.#prices.pending) {
          this.#pill.update();
          this.#editBar.showValue();
          describeMap(this.node, this.#session, this.#colours);
        }
        return;
      case "selection":
        this.#selectionChanged();
        return;
      case "state":
      case "step":
        this.#prices.show(change);
        return;
      case "mode":
      case "path":
        this.#editBar.update();
        describeMap(this.node, this.#session, this.#colours);
        return;
      case "reference":
      case "responses":
      case "column":
        if (!this.#prices.pending) {
          this.#refresh();
        }
        if (change === "column" && this.#columnAwaited) {
          this.#columnAwaited = false;
          this.#revealSelected(); // the legend now has a scale and is larger
        }
        return;
      case "quantity":
        this.#choice.showRequested(this.#session.wantedQuantity);
    }
  }

  #selectionChanged(): void {
    this.#colours.selectionChanged();
    this.#announcer.announceSelection();
    this.#refresh(); // first, because the legend may change and must not cover the selection
    this.#columnAwaited = true;
    this.#revealSelected();
  }

  #revealSelected(): void {
    const { selection, selected, opened } = this.#session;
    if (selection !== null && selected.length === 1) {
      this.#stage.reveal(drawnTarget(opened, selection));
    }
  }

  #step(step: "undo" | "redo"): void {
    takeStep(this.#session, step, () => this.#announcer.announceStep());
  }

  /** The view that a Study is saved with. */
  get #view(): MapView {
    const { saved: camera } = this.#stage;
    const { quantity, branchQuantity: lines } = this.#colours;
    return { quantity, lines, ...(camera === null ? {} : { camera }) };
  }

  #refresh(): void {
    this.#prices.drop();
    this.#repaint();
    this.#pill.update();
    this.#bar.updateSteps();
    this.#editBar.update();
    this.#table.update();
  }

  #repaint(): void {
    this.#colours.update(this.#theme.theme.dark);
    this.#bar.update(this.#colours.quantity, this.#session.selection, this.#table.open);
    this.#legend.show({
      ...this.#colours.legendWith(this.#look.generatorKey(this.#theme.theme.dark)),
      overlays: this.#stage.overlays.key,
    });
    describeMap(this.node, this.#session, this.#colours);
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
      toggleTable: () => this.#toggleTable(),
      tableOpen: () => this.#table.open,
      fit: () => this.#stage.fit(),
      save: (format) => this.#save(format),
      figure: () => this.#dialog.show(this.#figureForm),
      showKeys: () => this.#keys.toggle(true),
      report: (made) => this.#files.reportFile(made),
    };
  }

  #save(format: PictureFormat, figure?: Figure): Promise<MadeFile> {
    return saveMap(this.#workspace.engine, this.#session, this.#stage, this.#legend.content, format, figure);
  }

  /** Fits the colours to the values in view, until they follow the state again. */
  #rangeOfView(on: boolean): void {
    const { values, scale } = this.#colours.buses;
    const inView = Float64Array.from(this.#stage.busesInView, (row) => values[row] ?? NaN);
    const range = on ? (scale?.kind === "change" ? centredRange(inView) : robustRange(inView)) : null;
    const ends = range === null ? { range: "auto" as const, vmin: null, vmax: null } : { range: "fixed" as const };
    this.#choice.restyle({ ...ends, ...(range === null ? {} : { vmin: range.low, vmax: range.high }) });
  }

  #found(element: Selection): void {
    this.#stage.focus();
    this.#stage.zoomTo(drawnTarget(this.#session.opened, element));
    void this.#session.select(element);
  }

  #planeChanged(): void {
    this.#planes.update(this.#stage);
    this.node.dataset["plane"] = this.#stage.plane;
  }

  #toggleTable(): void {
    this.#table.toggle(!this.#table.open);
    this.#bar.update(this.#colours.quantity, this.#session.selection, this.#table.open);
  }
}
