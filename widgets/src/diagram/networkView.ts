import { chooseFiles, downloadFile, DropZone, Reports } from "../files/index.ts";
import { PlaneSwitch, type SceneModel, Stage, type Target } from "../map/index.ts";
import {
  button,
  h,
  ICONS,
  keepPlainKeys,
  Menu,
  type MenuItem,
  relaxationOfNetwork,
  solveOffers,
  type RelaxationView,
  setText,
  ThemeWatcher,
} from "../ui/index.ts";
import { formatCount, messageText, numbered, trans } from "../text/index.ts";
import {
  type MadeFile,
  offersOfNetwork,
  saveFeederResult,
  saveGeography,
  saveNetwork,
  type ViewedNetwork,
  type IWorkspace,
} from "../workspace/index.ts";
import { BUS_MARKS, markName, NetworkColours } from "./networkColours.ts";
import { FeederView } from "./feeder/feederView.ts";
import { oneLineLegend } from "./oneline/index.ts";
import { networkSceneModel } from "./networkSceneModel.ts";
import { NetworkTable } from "./networkTable.ts";

/** Number of warnings listed; the others are counted. */
const LISTED_WARNINGS = 20;

/**
 * The viewer of a network without prices: a multiconductor case, or one whose base problem has no solution. Picture,
 * counts, warnings, and a table of the picture. Put `node` into the page, and finally call `dispose`.
 */
export class NetworkView {
  readonly node: HTMLElement;
  readonly #workspace: IWorkspace;
  readonly #network: ViewedNetwork;
  readonly #theme: ThemeWatcher;
  readonly #colours: NetworkColours;
  readonly #stage: Stage;
  readonly #table: NetworkTable;
  readonly #planes: PlaneSwitch;
  readonly #drop: DropZone;
  readonly #reports: Reports;
  readonly #selected = h("p", { class: "wb-Facts-selected", attributes: { role: "status" } });
  readonly #tableButton: HTMLButtonElement;
  readonly #relaxation: RelaxationView | null;
  readonly #model: SceneModel;
  readonly #feeder: FeederView | null;

  constructor(workspace: IWorkspace, network: ViewedNetwork) {
    this.#workspace = workspace;
    this.#network = network;
    this.#relaxation = relaxationOfNetwork(network, workspace);
    const attributes = { role: "region", "aria-label": trans.__("Network %1", network.name) };
    this.node = h("div", { class: "wb-Map wb-mod-fill", data: { jpSuppressContextMenu: "true" }, attributes });
    this.#theme = new ThemeWatcher(this.node);
    const { feeder } = network;
    this.#feeder = feeder === null ? null : new FeederView(network, feeder, () => this.#repaint());
    this.#colours = new NetworkColours(network);
    const model = networkSceneModel(
      network,
      (target) => this.#select(target),
      (target) => this.#feeder?.facts(target) ?? [],
    );
    this.#model = model;
    const legend = networkLegend(network, this.#feeder?.legend ?? null);
    const colours = this.#feeder?.colours ?? this.#colours;
    this.#stage = new Stage(model, colours, this.#theme, legend, { planeChanged: () => this.#planeChanged() });
    this.#table = new NetworkTable(network, model);
    this.#planes = new PlaneSwitch((plane) => this.#stage.showPlane(plane));
    this.#tableButton = button(trans.__("Table"), () => this.#toggleTable(), { icon: ICONS.table });
    this.#reports = new Reports(workspace.intake);
    this.#stage.node.append(this.#table.node, this.#reports.node);
    const picture =
      this.#feeder === null
        ? this.#stage.node
        : h("div", { class: "wb-FeederBody" }, this.#stage.node, this.#feeder.panel.node);
    this.node.append(this.#bar(), ...this.#problem(), this.#stage.placing.node, picture, this.#facts());
    this.#drop = new DropZone(this.node, (files) => void this.#take(files));
    const activate = (): void => workspace.activateNetwork(network);
    this.node.addEventListener("pointerdown", activate);
    this.node.addEventListener("focusin", activate);
    keepPlainKeys(this.node);
    this.#theme.changed.connect(this.#repaint, this);
    this.#repaint();
    this.#planeChanged();
    this.#select(null);
  }

  /** Must be called after `node` has been attached to the page, whose styles define the colours. */
  attached(): void {
    this.#theme.refresh();
    this.#feeder?.panel.attached();
  }

  /** Shows the outcome of the last batch of files on this picture. */
  showFiles(): void {
    this.#reports.showTaken();
  }

  dispose(): void {
    this.#theme.changed.disconnect(this.#repaint, this);
    this.#relaxation?.dispose();
    this.#feeder?.dispose();
    this.#drop.dispose();
    this.#reports.dispose();
    this.#stage.dispose();
    this.#theme.dispose();
    this.node.remove();
  }

  #problem(): HTMLElement[] {
    const { problem } = this.#network;
    if (problem === null) {
      return [];
    }
    const text = trans.__("Shown without prices: %1", problem);
    const words = h("p", { class: "wb-Problem", text, attributes: { role: "status" } });
    const offers = solveOffers(offersOfNetwork(this.#network), this.#workspace);
    const below = [this.#relaxation?.node ?? null, offers].filter((node) => node !== null);
    return below.length === 0 ? [words] : [words, h("div", { class: "wb-Problem wb-mod-offer" }, ...below)];
  }

  #bar(): HTMLElement {
    const { name, model } = this.#network;
    const menu = new Menu(trans.__("Menu"), ICONS.menu, () => Promise.resolve(this.#menu()));
    return h(
      "div",
      { class: "wb-Bar" },
      h(
        "div",
        { class: "wb-Bar-what" },
        h("span", { class: "wb-Bar-case", text: name, attributes: { title: name } }),
        h("span", { class: "wb-Bar-formulation", text: model }),
        this.#planes.node,
      ),
      h(
        "div",
        { class: "wb-Bar-tools" },
        this.#tableButton,
        button(trans.__("Show everything"), () => this.#stage.fit(), { icon: ICONS.fit }),
        menu.node,
      ),
    );
  }

  #menu(): MenuItem[][] {
    const { geography } = this.#network;
    const { placing } = this.#stage;
    const open = async (): Promise<void> => this.#take(await chooseFiles());
    return [
      [{ label: trans.__("Open case files\u2026"), run: () => void open() }],
      [
        ...(placing.available ? [{ label: trans.__("Move case"), run: () => placing.begin() }] : []),
        ...(geography.canUndo
          ? [{ label: trans.__("Undo the last placement or layer"), run: () => void geography.undo() }]
          : []),
        ...(geography.map === null
          ? []
          : [
              { label: trans.__("Download .geo.json"), run: () => void this.#make(() => saveGeography(this.#network)) },
            ]),
      ],
      [
        ...(this.#feeder?.canSave === true
          ? [
              {
                label: trans.__("Save result"),
                run: () => void this.#make(() => saveFeederResult(this.#network, this.#workspace.engine)),
              },
            ]
          : []),
        {
          label: trans.__("Save module"),
          run: () => void this.#make(() => Promise.resolve(saveNetwork(this.#network))),
        },
      ],
    ];
  }

  async #take(files: File[]): Promise<void> {
    if (files.length > 0) {
      this.showFiles();
      await this.#workspace.intake.take(files, this.#network);
    }
  }

  async #make(work: () => Promise<MadeFile>): Promise<void> {
    try {
      const made = await work();
      downloadFile(made);
      this.#reports.report(made);
    } catch (error) {
      this.#reports.report(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #facts(): HTMLElement {
    const { counts, warnings } = this.#network;
    const more = warnings.length - LISTED_WARNINGS;
    const list = h(
      "details",
      {},
      h("summary", {
        text: trans._n(
          "%2 remark from the reader",
          "%2 remarks from the reader",
          warnings.length,
          formatCount(warnings.length),
        ),
      }),
      h(
        "ul",
        {},
        ...warnings.slice(0, LISTED_WARNINGS).map(({ sentence }) => h("li", { text: messageText(sentence, numbered) })),
        ...(more > 0 ? [h("li", { text: trans._n("and %1 more", "and %1 more", more) })] : []),
      ),
    );
    return h(
      "section",
      { class: "wb-Facts", attributes: { "aria-label": trans.__("Contents of the network") } },
      this.#selected,
      h("dl", {}, ...counts.map(([term, value]) => h("div", {}, h("dt", { text: term }), h("dd", { text: value })))),
      ...(warnings.length > 0 ? [list] : []),
    );
  }

  #select(target: Target | null): void {
    if (target === null) {
      setText(this.#selected, trans.__("Nothing selected. Click a bus or a line."));
    } else {
      const { title, rows } = this.#model.card(target);
      setText(this.#selected, `${title}: ${rows.map(([term, value]) => `${term.toLowerCase()} ${value}`).join("; ")}.`);
      this.#stage.reveal(target);
    }
    this.#feeder?.select(target);
    this.#table.update();
    this.#stage.update();
  }

  #repaint(): void {
    this.#colours.update(this.#theme.theme);
    const shown = this.#feeder?.legend.hidden;
    this.#feeder?.update(this.#theme.theme);
    if (this.#feeder?.legend.hidden !== shown) {
      this.#stage.refit();
    }
    this.#stage.update();
  }

  #planeChanged(): void {
    this.#planes.update(this.#stage);
    this.node.dataset["plane"] = this.#stage.plane;
  }

  #toggleTable(): void {
    this.#table.toggle(!this.#table.open);
    this.#tableButton.setAttribute("aria-pressed", String(this.#table.open));
  }
}

function networkLegend(network: ViewedNetwork, voltages: HTMLElement | null): HTMLElement {
  const keys = BUS_MARKS.map((mark) =>
    h("span", { class: "wb-Legend-line" }, h("i", { class: `wb-mod-bus wb-mod-${mark}` }), markName(mark)),
  );
  return h(
    "div",
    { class: "wb-Legend wb-mod-small" },
    h("div", { class: "wb-Legend-title", text: trans.__("Buses, no prices") }),
    h("div", { class: "wb-Legend-lines" }, ...keys),
    ...(voltages === null ? [] : [voltages, oneLineLegend(network)]),
  );
}
