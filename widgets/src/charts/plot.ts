import type { CurvePoint } from "./series.ts";

/** One line or set of bars of a chart. */
export interface Trace {
  /** Name in the legend of a chart with several. */
  name: string;
  kind: "bars" | "line" | "point";
  points: readonly CurvePoint[];
  /** Width of each bar in units of x. */
  width?: number;
  /** Which of the chart's colours: plain, for warnings, for what stands out, or quiet. */
  tone?: Tone;
  /** Belongs to the right axis. */
  right?: boolean;
}

/** What a colour stands for. */
export type Tone = "main" | "second" | "warning" | "alarm";

/** A chart without its look. */
export interface Chart {
  traces: readonly Trace[];
  x: Axis;
  y: Axis;
  right?: Axis;
}

/** An axis: what it counts, with its unit. */
export interface Axis {
  title: string;
  /** Powers of ten. */
  log?: boolean;
  /** Shares of 1 as per cent. */
  percent?: boolean;
}

/** Draws a chart, and draws it again with other numbers or in another theme. */
export interface Plot {
  draw(chart: Chart): void;
  dispose(): void;
}

const HEIGHT = 220;

/** Names of the style elements that plotly 4.1 makes while it is loaded: its own and that of maps, which we do not draw. */
const STYLES = ["plotly.js-style-global", "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53"];

/**
 * Loads plotly on the first call: 1.2 MB that nobody needs before the first chart. It would write styles into the page, which a
 * strict content security policy forbids; elements of their names that are there keep it from that. They go again, for plotly's
 * that others load. What the charts need of these styles is in our style sheet.
 */
async function loadPlotly(): Promise<typeof import("plotly.js-basic-dist-min").default> {
  const absent = STYLES.filter((id) => document.getElementById(id) === null);
  const placeholders = absent.map((id) => Object.assign(document.createElement("template"), { id }));
  for (const placeholder of placeholders) {
    placeholder.className = "no-inline-styles";
    document.head.append(placeholder);
  }
  try {
    return (await import("plotly.js-basic-dist-min")).default;
  } finally {
    placeholders.forEach((placeholder) => placeholder.remove());
  }
}

/** A chart in `node`, as wide as that is. Rejects when the library cannot be loaded. */
export async function createPlot(node: HTMLElement): Promise<Plot> {
  const plotly = await loadPlotly();
  let shown: Chart | null = null;
  let width = 0;
  const draw = (chart: Chart): void => {
    shown = chart;
    if (node.isConnected && node.clientWidth > 0) {
      width = node.clientWidth;
      const colours = coloursOf(node);
      const config = { displayModeBar: false, responsive: false, doubleClick: "reset" };
      void plotly.react(
        node,
        chart.traces.map((trace) => traceOf(trace, colours)),
        layoutOf(chart, colours, width),
        config,
      );
    }
  };
  const again = (): void => {
    if (shown !== null) {
      draw(shown);
    }
  };
  const sizes = new ResizeObserver(() => {
    if (node.clientWidth !== width) {
      again();
    }
  });
  sizes.observe(node);
  const theme = new MutationObserver(again);
  theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "class"] });
  return {
    draw,
    dispose: () => {
      sizes.disconnect();
      theme.disconnect();
      plotly.purge(node);
    },
  };
}

interface Colours extends Record<Tone, string> {
  text: string;
  grid: string;
  ground: string;
  font: string;
}

function coloursOf(node: HTMLElement): Colours {
  const style = getComputedStyle(node);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    main: colour("--wb-chart-main"),
    second: colour("--wb-chart-second"),
    warning: colour("--wb-chart-warning"),
    alarm: colour("--wb-alarm"),
    text: colour("--jp-ui-font-color1"),
    grid: colour("--jp-border-color2"),
    ground: colour("--jp-layout-color1"),
    font: style.fontFamily,
  };
}

function traceOf({ name, kind, points, width, tone = "main", right }: Trace, colours: Colours): object {
  const colour = colours[tone];
  const common = {
    name,
    x: points.map(({ x }) => x),
    y: points.map(({ y }) => y),
    ...(right === true ? { yaxis: "y2" } : {}),
  };
  switch (kind) {
    case "bars":
      return { ...common, type: "bar", width, marker: { color: colour, line: { color: colours.ground, width: 1 } } };
    case "line":
      // Tones differ in their strokes too.
      return {
        ...common,
        type: "scatter",
        mode: "lines",
        line: { color: colour, width: 2, dash: tone === "second" ? "dot" : "solid" },
      };
    case "point":
      return {
        ...common,
        type: "scatter",
        mode: "markers",
        marker: { color: colour, size: 10, symbol: "circle-open", line: { width: 3 } },
      };
  }
}

function layoutOf({ traces, x, y, right }: Chart, colours: Colours, width: number): object {
  const axis = ({ title, log, percent }: Axis): object => ({
    title: { text: title, standoff: 6, font: { size: 12 } },
    type: log === true ? "log" : "linear",
    ...(log === true ? { exponentformat: "e", dtick: 1 } : {}),
    ...(percent === true ? { tickformat: ".0%" } : {}),
    automargin: true,
    gridcolor: colours.grid,
    linecolor: colours.grid,
    zerolinecolor: colours.grid,
    fixedrange: true,
  });
  const several = traces.length > 1;
  return {
    width,
    height: HEIGHT,
    margin: { l: 48, r: right === undefined ? 8 : 48, t: several ? 28 : 8, b: 40 },
    font: { family: colours.font, size: 12, color: colours.text },
    paper_bgcolor: "rgba(0, 0, 0, 0)",
    plot_bgcolor: "rgba(0, 0, 0, 0)",
    bargap: 0,
    showlegend: several,
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { size: 11 } },
    hoverlabel: { bgcolor: colours.ground, bordercolor: colours.grid, font: { color: colours.text } },
    separators: ".,",
    xaxis: axis(x),
    yaxis: axis(y),
    ...(right === undefined ? {} : { yaxis2: { ...axis(right), overlaying: "y", side: "right", showgrid: false } }),
  };
}
