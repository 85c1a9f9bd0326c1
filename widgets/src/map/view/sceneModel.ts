import type { Geography, NetworkGraph } from "../../workspace/index.ts";
import type { BranchLook } from "../colour/branchLook.ts";
import type { PictureDetail } from "../picture/frame.ts";
import type { FieldImage } from "../contour/contour.ts";
import type { GeneratorSymbol } from "../style/generatorSymbols.ts";
import type { Camera } from "./camera.ts";
import type { Geometry } from "./geometry.ts";
import type { EventMark, ProposedChange, Target } from "../picture/targets.ts";

/** What the card beside the pointer says. */
export interface CardContent {
  title: string;
  rows: [term: string, value: string][];
  /** Asks for the parts of the first number, once the pointer rests; the card shows them when they come, if it still stands there. */
  more?: () => Promise<[term: string, value: string][]>;
}

/** What a style makes of a network, whoever draws it. */
export interface StyledLook {
  /** Whether every bus is drawn, by row; null where all are. Another array when it changed. */
  readonly shown: Uint8Array | null;
  /** The rows of the lowest and highest values. */
  readonly extremes: ReadonlySet<number>;
  /** Factors of the sizes of the buses in a view; the same array while nothing has changed. */
  sizes(base: Float32Array, geometry: Geometry, camera: Camera): Float32Array;
  /** The field between the buses; null where marks alone are drawn. */
  field(geometry: Geometry): FieldImage | null;
  generators(dark: boolean): readonly GeneratorSymbol[];
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
  /** What a plan proposes to change. */
  readonly proposed?: readonly ProposedChange[];
  /** What the move under way has passed, as it is drawn now, a time of `performance.now`. */
  events?(now: number): readonly EventMark[];
  /** What is drawn once there is room for it: conductors, symbols. */
  readonly detail?: PictureDetail;
  /** What a style makes of it; without one all of it is drawn as it is. */
  readonly look?: StyledLook;
  /** What a reader should know of the numbers. */
  readonly notice?: string | null;
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
  /** Place of every bus in the palette, -1 for a bus outside the problem. */
  readonly places: Int16Array;
  /** -1, 0 or 1: a triangle downwards, a disc, a triangle upwards. */
  readonly sides: Int8Array;
  readonly palette: readonly string[];
  /** Moves a fade on; true while it goes on. */
  step(now: number): boolean;
  /** Lets the present colours run into those of the next update. */
  startFade(now: number): void;
}
