/** A clicked point: its trace, and its index there. */
interface ClickedPoint {
  curveNumber: number;
  pointNumber: number;
}

interface PlotElement extends HTMLElement {
  on(event: "plotly_click", heard: (event: { points: ClickedPoint[] }) => void): void;
}

/** The part of plotly.js that the charts use. */
interface Plotly {
  react(node: HTMLElement, data: object[], layout: object, config: object): Promise<PlotElement>;
  purge(node: HTMLElement): void;
}

declare const plotly: Plotly;
export default plotly;
