import type { CurvePoint } from "./series.ts";

/** One line or set of bars of a chart. */
export interface Trace {
  /** Name in the legend of a chart with several. */
  name: string;
  /** `web` is a line of thousands of pieces, separated by NaN points. */
  kind: "bars" | "line" | "point" | "web";
  points: readonly CurvePoint[];
  /** Width of each bar in units of x. */
  width?: number;
  /** The chart's colour: plain, for warnings, highlighted, or quiet. */
  tone?: Tone;
  /** Belongs to the right axis. */
  right?: boolean;
  /** Whether it is omitted from the legend because it is explained elsewhere. */
  unlisted?: boolean;
  /** The hover text of each point. */
  hover?: readonly string[];
}

/** The role of a colour. */
export type Tone = "main" | "second" | "warning" | "alarm" | "phase-1" | "phase-2" | "phase-3" | "neutral";

/** A chart without its styling. */
export interface Chart {
  traces: readonly Trace[];
  x: Axis;
  y: Axis;
  right?: Axis;
  /** A point or bar was clicked: its trace and its index there. */
  pick?: (trace: number, point: number) => void;
}

/** An axis: its quantity, with its unit. */
export interface Axis {
  title: string;
  /** Logarithmic scale. */
  log?: boolean;
  /** Fractions of 1 in per cent, the axis from 0 to 1. */
  percent?: boolean;
  /** Whole numbers only. */
  whole?: boolean;
  /** Labelled ticks that replace round numbers. */
  ticks?: readonly { at: number; text: string }[];
}

/** Draws a chart, and redraws it with other numbers or in another theme. */
export interface Plot {
  draw(chart: Chart): void;
  dispose(): void;
}

const HEIGHT = 220;
const CONFIG = { displayModeBar: false, responsive: false, doubleClick: "reset" } as const;

/** Id of the style element that plotly creates on loading. */
const STYLE = "plotly.js-style-global";

/**
 * Loads plotly on the first call: 1.1 MB that no page needs before its first chart. It would write styles into the
 * page, which a strict content security policy forbids; an existing element with that id prevents it. The element is
 * removed afterwards, for copies of plotly that others load. Our style sheet has the styles that the charts need.
 */
async function loadPlotly(): Promise<typeof import("@service/widgets/plotly").default> {
  const placeholder = Object.assign(document.createElement("template"), { id: STYLE, className: "no-inline-styles" });
  if (document.getElementById(STYLE) === null) {
    document.head.append(placeholder);
  }
  try {
    return (await import("@service/widgets/plotly")).default;
  } finally {
    placeholder.remove();
  }
}

let warmed = false;

/** Loads plotly ahead of time. Its first drawing takes 0.2 s whatever it shows, so this draws an invisible one. */
export async function preparePlots(): Promise<void> {
  const plotly = await loadPlotly();
  if (warmed) {
    return;
  }
  warmed = true;
  const unseen = document.createElement("div");
  unseen.className = "wb-Chart-unseen";
  unseen.setAttribute("aria-hidden", "true");
  document.body.append(unseen);
  try {
    const colours = coloursOf(unseen);
    const points = [0, 1].map((x) => ({ x, y: x }));
    const traces: Trace[] = ["1", "2"].map((name) => ({ name, kind: "line", points }));
    const data = traces.map((trace) => traceOf(trace, colours));
    await plotly.react(unseen, data, layoutOf({ traces, x: { title: "x" }, y: { title: "y" } }, colours, 400), CONFIG);
  } finally {
    plotly.purge(unseen);
    unseen.remove();
  }
}

/** A chart in `node`, at its full width. Rejects when the library cannot be loaded. */
export async function createPlot(node: HTMLElement): Promise<Plot> {
  const plotly = await loadPlotly();
  let shown: Chart | null = null;
  let width = 0;
  let listening = false;
  const draw = (chart: Chart): void => {
    shown = chart;
    if (node.isConnected && node.clientWidth > 0) {
      width = node.clientWidth;
      const colours = coloursOf(node);
      const drawn = plotly.react(
        node,
        [...chart.traces.map((trace) => traceOf(trace, colours)), ...keysOf(chart, colours)],
        layoutOf(chart, colours, width),
        CONFIG,
      );
      node.classList.toggle("wb-mod-picks", chart.pick !== undefined);
      if (!listening) {
        listening = true;
        void drawn.then((plot) =>
          plot.on("plotly_click", ({ points: [point] }) => {
            if (point !== undefined) {
              shown?.pick?.(point.curveNumber, point.pointNumber);
            }
          }),
        );
      }
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
    "phase-1": colour("--wb-phase-1"),
    "phase-2": colour("--wb-phase-2"),
    "phase-3": colour("--wb-phase-3"),
    neutral: colour("--wb-muted"),
    text: colour("--jp-ui-font-color1"),
    grid: colour("--jp-border-color2"),
    ground: colour("--jp-layout-color1"),
    font: style.fontFamily,
  };
}

/** Dash patterns of the tones that are not solid. */
const DASHES: Partial<Record<Tone, string>> = {
  second: "dot",
  "phase-2": "dash",
  "phase-3": "dot",
  neutral: "dashdot",
};

/** Curves with at most this many points show their markers. */
const FEW_POINTS = 12;

function traceOf(trace: Trace, colours: Colours): object {
  const { name, kind, points, width, tone = "main", right, hover, unlisted = false } = trace;
  const colour = colours[tone];
  const common = {
    name,
    showlegend: !unlisted,
    x: points.map(({ x }) => x),
    y: points.map(({ y }) => y),
    ...(right === true ? { yaxis: "y2" } : {}),
    ...(hover === undefined ? {} : { text: hover, textposition: "none", hovertemplate: "%{text}<extra></extra>" }),
  };
  switch (kind) {
    case "bars":
      return { ...common, type: "bar", width, marker: { color: colour, line: { color: colours.ground, width: 1 } } };
    case "line":
      // Tones differ in their dashes too.
      return {
        ...common,
        type: "scatter",
        mode: points.length <= FEW_POINTS ? "lines+markers" : "lines",
        marker: { color: colour, size: 6 },
        line: { color: colour, width: 2, dash: DASHES[tone] ?? "solid" },
      };
    case "web":
      // The line is a shape; these are its points, for hovering and the range of the axes.
      return {
        ...common,
        type: "scatter",
        mode: "lines",
        connectgaps: true,
        legendgroup: name,
        showlegend: false,
        opacity: 0,
        line: { color: colour },
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

/** A web as one SVG shape: as separate elements, 4,000 pieces would take plotly half a second. */
function shapeOf({ name, points, tone = "main" }: Trace, colours: Colours): object {
  let path = "";
  let begins = true;
  for (const { x, y } of points) {
    if (Number.isNaN(y)) {
      begins = true;
      continue;
    }
    path += `${begins ? "M" : "L"}${x.toPrecision(6)},${y.toPrecision(6)}`;
    begins = false;
  }
  const line = { color: colours[tone], width: 2, dash: DASHES[tone] ?? "solid" };
  return { type: "path", path, legendgroup: name, line };
}

/** Legend entries of webs: lines without points. */
function keysOf({ traces }: Chart, colours: Colours): object[] {
  const webs = traces.filter(({ kind }) => kind === "web");
  return webs.map((trace) => ({
    ...traceOf({ ...trace, kind: "line", points: [] }, colours),
    x: [null],
    y: [null],
    mode: "lines",
    legendgroup: trace.name,
  }));
}

function layoutOf({ traces, x, y, right }: Chart, colours: Colours, width: number): object {
  const axis = ({ title, log, percent, whole, ticks }: Axis, values: readonly number[]): object => ({
    title: { text: title, standoff: 6, font: { size: 12 } },
    type: log === true ? "log" : "linear",
    ...(log === true
      ? { exponentformat: "e", minexponent: 5, ...logTicks(values) }
      : { exponentformat: "none", separatethousands: true }),
    ...(percent === true ? { tickformat: ".0%", range: [0, 1.001], dtick: width < 300 ? 0.5 : 0.2 } : {}),
    ...(whole === true ? { tickformat: ",d", ...wholeTicks(values) } : {}),
    ...(ticks === undefined
      ? {}
      : { tickmode: "array", tickvals: ticks.map(({ at }) => at), ticktext: ticks.map(({ text }) => text) }),
    automargin: true,
    gridcolor: colours.grid,
    linecolor: colours.grid,
    zerolinecolor: colours.grid,
    fixedrange: true,
  });
  const xs = traces.flatMap(({ points }) => points.map((point) => point.x));
  const ys = (onRight: boolean): number[] =>
    traces
      .filter((trace) => (trace.right === true) === onRight)
      .flatMap(({ points }) => points.map((point) => point.y));
  const several = traces.length > 1;
  return {
    width,
    height: HEIGHT,
    margin: { l: 48, r: right !== undefined ? 48 : x.percent === true ? 22 : 8, t: several ? 28 : 8, b: 40 },
    font: { family: colours.font, size: 12, color: colours.text },
    paper_bgcolor: "rgba(0, 0, 0, 0)",
    plot_bgcolor: "rgba(0, 0, 0, 0)",
    bargap: 0,
    showlegend: several,
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { size: 11 } },
    hoverlabel: { bgcolor: colours.ground, bordercolor: colours.grid, font: { color: colours.text } },
    separators: ".,",
    hovermode: "closest",
    dragmode: false,
    shapes: traces.filter(({ kind }) => kind === "web").map((trace) => shapeOf(trace, colours)),
    xaxis: axis(x, xs),
    yaxis: axis(y, ys(false)),
    ...(right === undefined
      ? {}
      : { yaxis2: { ...axis(right, ys(true)), overlaying: "y", side: "right", showgrid: false } }),
  };
}

/** Largest number of decades for which each one has a tick. */
const ALL_DECADES = 5;

/** Range and ticks of a logarithmic axis around the data, half a decade below for bars of 1. */
function logTicks(values: readonly number[]): object {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const [low, high] = [Math.min(...logs, Infinity), Math.max(...logs, -Infinity)];
  if (low > high) {
    return {};
  }
  const range = [Math.floor(low + 1e-9) - 0.3, Math.ceil(high - 1e-9) + 0.1];
  return { range, dtick: Math.ceil((high - low) / ALL_DECADES) || 1 };
}

/** Steps of 1, or automatic ones where these would be too many. */
function wholeTicks(values: readonly number[]): object {
  return Math.max(...values) - Math.min(...values) <= ALL_DECADES ? { dtick: 1 } : {};
}
