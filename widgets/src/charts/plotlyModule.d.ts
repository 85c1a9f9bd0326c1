/** The part of plotly.js that the charts use; its own package has no types. */
declare module "plotly.js-basic-dist-min" {
  interface PlotlyModule {
    react(node: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>;
    purge(node: HTMLElement): void;
  }
  const plotly: PlotlyModule;
  export default plotly;
}
