/** The part of plotly.js that the charts use; its own package has no types. */
declare module "plotly.js-basic-dist-min" {
  /** A point that was clicked: which trace, and its place in that. */
  interface ClickedPoint {
    curveNumber: number;
    pointNumber: number;
  }
  interface PlotElement extends HTMLElement {
    on(event: "plotly_click", heard: (event: { points: ClickedPoint[] }) => void): void;
  }
  interface PlotlyModule {
    react(node: HTMLElement, data: object[], layout: object, config: object): Promise<PlotElement>;
    purge(node: HTMLElement): void;
  }
  const plotly: PlotlyModule;
  export default plotly;
}
