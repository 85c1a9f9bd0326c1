import type { Geography, NetworkGraph, SelectableKind } from "../../workspace/index.ts";
import type { BranchLook } from "../colour/branchLook.ts";

/** A bus or branch by its dense row. */
export interface Target {
  kind: SelectableKind;
  row: number;
}

/** Whether two targets are the same element, or both none. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  return a?.kind === b?.kind && a?.row === b?.row;
}

/** What the card beside the pointer says. */
export interface CardContent {
  title: string;
  rows: [term: string, value: string][];
  /** Asks for the parts of the first number, once the pointer rests; the card shows them when they come, if it still stands there. */
  more?: () => Promise<[term: string, value: string][]>;
}

/** The network that a stage shows and what can be done with it. */
export interface SceneModel {
  readonly name: string;
  readonly graph: NetworkGraph;
  readonly geography: Geography;
  /** Size of every bus as a factor. */
  readonly sizes: Float32Array;
  /** How early a bus gets its name, by row: more is earlier. */
  readonly importance: Float32Array;
  /** The look of the branches at the present state; another object when it changed. */
  readonly branches: BranchLook;
  /** The primary one of the selected elements. */
  readonly selected: Target | null;
  /** All of them, the primary last. */
  readonly selection: readonly Target[];
  select(target: Target | null): void;
  /** Adds an element to the selected ones, or takes it out; without it only one element is selected at a time. */
  toggle?(target: Target): void;
  selectMany?(targets: readonly Target[]): void;
  card(target: Target): CardContent;
  /** Name of a bus on the picture. */
  shortName(row: number): string;
}

/** Colours of the buses, which may move between two frames. */
export interface BusColours {
  /** Place of every bus in the palette, -1 for a bus that takes no part. */
  readonly places: Int16Array;
  /** -1, 0 or 1: a triangle downwards, a disc, a triangle upwards. */
  readonly sides: Int8Array;
  readonly palette: readonly string[];
  /** Moves a fade on; true while it goes on. */
  step(now: number): boolean;
  /** Lets the present colours run into those of the next update. */
  startFade(now: number): void;
}
