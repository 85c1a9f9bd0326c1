import { CellRenderer, DataGrid, type GraphicsContext, TextRenderer } from "@lumino/datagrid";
import type { GridModel } from "./gridModel.ts";
import { isNumeric } from "./listing.ts";

/** Height of a row, px: large enough for touch. */
export const ROW_HEIGHT = 32;

/** Colours of the grid as the styles of the page resolve them for the present theme. */
export interface GridColours {
  ground: string;
  head: string;
  line: string;
  text: string;
  strong: string;
  selected: string;
  cursor: string;
  alarm: string;
  font: string;
}

/** Reads the colours; the node must be in the page. */
export function gridColours(node: HTMLElement): GridColours {
  const style = getComputedStyle(node);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ground: colour("--jp-layout-color1"),
    head: colour("--jp-layout-color2"),
    line: colour("--jp-border-color3"),
    text: colour("--jp-ui-font-color1"),
    strong: colour("--jp-ui-font-color0"),
    selected: colour("--wb-selected"),
    cursor: colour("--jp-brand-color1"),
    alarm: colour("--wb-alarm"),
    font: `${style.fontSize} ${style.fontFamily}`,
  };
}

/** Style of the grid. */
export function gridStyle(colours: GridColours): DataGrid.Style {
  const { ground, head, line, cursor } = colours;
  return {
    ...DataGrid.defaultStyle,
    voidColor: ground,
    backgroundColor: ground,
    headerBackgroundColor: head,
    gridLineColor: line,
    verticalGridLineColor: "transparent",
    headerGridLineColor: line,
    // The cursor is a frame; the rows paint the selection.
    selectionFillColor: "transparent",
    selectionBorderColor: cursor,
    headerSelectionFillColor: "transparent",
    headerSelectionBorderColor: cursor,
    cursorFillColor: "transparent",
    cursorBorderColor: "transparent",
    scrollShadow: { size: 4, color1: "rgba(0, 0, 0, 0.2)", color2: "rgba(0, 0, 0, 0.1)", color3: "rgba(0, 0, 0, 0)" },
  };
}

/** Padding beside a text, px. */
const PADDING = 6;

type Config = CellRenderer.CellConfig;

/**
 * Draws the cells: numbers right-aligned, selected rows with their background, notable values in the colour of
 * warnings.
 */
export function cellRenderers(model: GridModel, colours: GridColours): { cell: TextRenderer; head: CellRenderer } {
  const common = { font: colours.font, horizontalPadding: PADDING };
  const toTheRight = ({ region, column }: Config): boolean => {
    const shown = model.columnAt(region, column);
    return shown !== undefined && region !== "row-header" && region !== "corner-header" && isNumeric(shown);
  };
  const align = (config: Config): TextRenderer.HorizontalAlignment => (toTheRight(config) ? "right" : "left");
  const standsOut = ({ region, row, column }: Config): boolean =>
    region === "body" &&
    ["state", "loading"].includes(model.columnAt(region, column)?.key ?? "") &&
    model.table.markOf(model.denseRow(row)) !== "";
  return {
    cell: new TextRenderer({
      ...common,
      textColor: (config) => (standsOut(config) ? colours.alarm : colours.text),
      backgroundColor: ({ row }) => (model.isSelected(row) ? colours.selected : ""),
      horizontalAlignment: align,
      elideDirection: (config) => (toTheRight(config) ? "none" : "right"),
    }),
    head: new HeadRenderer(colours, toTheRight),
  };
}

/** Draws the head of a column: its title with the unit below. */
class HeadRenderer extends CellRenderer {
  readonly #colours: GridColours;
  readonly #toTheRight: (config: Config) => boolean;

  constructor(colours: GridColours, toTheRight: (config: Config) => boolean) {
    super();
    this.#colours = colours;
    this.#toTheRight = toTheRight;
  }

  override paint(gc: GraphicsContext, config: Config): void {
    const { x, y, width, height } = config;
    const [title = "", unit = ""] = String(config.value).split("\n");
    const { strong, text, font } = this.#colours;
    const right = this.#toTheRight(config);
    const at = right ? x + width - PADDING : x + PADDING;
    const middle = y + height / 2;
    gc.save();
    gc.beginPath();
    gc.rect(x, y, width, height);
    gc.clip();
    gc.textAlign = right ? "right" : "left";
    gc.textBaseline = "middle";
    gc.font = `600 ${font}`;
    gc.fillStyle = strong;
    gc.fillText(title, at, unit === "" ? middle : middle - 9);
    gc.font = font;
    gc.fillStyle = text;
    gc.fillText(unit, at, middle + 9);
    gc.restore();
  }
}
