import type { Geography, NetworkGraph } from "../../workspace/index.ts";
import type { BranchLook } from "../colour/branchLook.ts";
import type { PictureDetail } from "../picture/frame.ts";
import type { FieldImage } from "../contour/contour.ts";
import type { GeneratorSymbol } from "../style/generatorSymbols.ts";
import type { Camera } from "./camera.ts";
import type { Geometry } from "./geometry.ts";
import type { LinkLook } from "../colour/linkLook.ts";
import type { SwitchLook } from "../colour/switchLook.ts";
import type { EventMark, ProposedChange, Target } from "../picture/targets.ts";

/** The content of the card beside the pointer. */
export interface CardContent {
  title: string;
  rows: [term: string, value: string][];
  /** Requests the components of the first number, once the pointer rests; the card shows them if it is still open. */
  more?: () => Promise<[term: string, value: string][]>;
}

/** The look of a network in a style, for any renderer. */
export interface StyledLook {
  /** Whether every bus is drawn, by row; null where all are. A change creates a new array. */
  readonly shown: Uint8Array | null;
  /** The rows of the lowest and highest values. */
  readonly extremes: ReadonlySet<number>;
  /** Size factors of the buses in a view; the same array while nothing has changed. */
  sizes(base: Float32Array, geometry: Geometry, camera: Camera): Float32Array;
  /** The field between the buses; null where only marks are drawn. */
  field(geometry: Geometry): FieldImage | null;
  generators(dark: boolean): readonly GeneratorSymbol[];
}

/** The network that a stage shows, and its actions. */
export interface SceneModel {
  readonly name: string;
  readonly graph: NetworkGraph;
  readonly geography: Geography;
  /** Size factor of every bus. */
  readonly sizes: Float32Array;
  /** Label priority of a bus, by row. */
  readonly importance: Float32Array;
  /** The look of the branches at the present state; a change creates a new object. */
  readonly branches: BranchLook;
  /** The look of the HVDC links; absent without links. */
  readonly links?: readonly LinkLook[];
  /** The switches among the branches; absent without switches. */
  readonly switches?: readonly SwitchLook[];
  /** The primary selected element. */
  readonly selected: Target | null;
  /** All selected elements, the primary last. */
  readonly selection: readonly Target[];
  /** The changes that a plan proposes. */
  readonly proposed?: readonly ProposedChange[];
  /** The events that the move under way has passed, as drawn at a time of `performance.now`. */
  events?(now: number): readonly EventMark[];
  /** Details drawn once there is room for them: conductors, symbols. */
  readonly detail?: PictureDetail;
  /** The look in a style; by default everything is drawn plainly. */
  readonly look?: StyledLook;
  /** A note for the reader about the numbers. */
  readonly notice?: string | null;
  select(target: Target | null): void;
  /** Toggles an element in the selection; absent where only one element can be selected. */
  toggle?(target: Target): void;
  selectMany?(targets: readonly Target[]): void;
  card(target: Target): CardContent;
  /** Name of a bus on the picture. */
  shortName(row: number): string;
}

/** Colours of the buses, which may change between two frames. */
export interface BusColours {
  /** Palette index of every bus, -1 for a bus that is not energised. */
  readonly places: Int16Array;
  /** -1, 0 or 1: a triangle pointing down, a disc, a triangle pointing up. */
  readonly sides: Int8Array;
  readonly palette: readonly string[];
  /** Advances a fade; true while it continues. */
  step(now: number): boolean;
  /** Fades from the present colours to those of the next update. */
  startFade(now: number): void;
}
