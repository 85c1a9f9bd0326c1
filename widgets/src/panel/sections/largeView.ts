/**
 * A part of the panel to be shown large. The host puts `node` into a container that it fills, calls `attached` once it
 * is in the page, `resized` when the container changes size, and `dispose` at the end.
 */
export interface LargeView {
  readonly id: string;
  readonly title: string;
  readonly node: HTMLElement;
  attached(): void;
  resized(): void;
  dispose(): void;
}

/** Shows a large view, for instance in a tab of the main area. */
export type OpenLarge = (view: LargeView) => void;
