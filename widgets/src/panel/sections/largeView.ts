/**
 * Something of the panel that is wanted large. Whoever shows it puts `node` into a place that it fills, calls `attached` once
 * it is in the page, `resized` when the place changes its size, and `dispose` when it goes.
 */
export interface LargeView {
  readonly id: string;
  readonly title: string;
  readonly node: HTMLElement;
  attached(): void;
  resized(): void;
  dispose(): void;
}

/** Shows a large view, in a tab of the main area for instance. */
export type OpenLarge = (view: LargeView) => void;
