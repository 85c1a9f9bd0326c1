import type { Basemap, Shape } from "../basemap/basemap.ts";
import type { Geometry } from "../view/geometry.ts";
import type { Camera } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";
import type { BranchLook } from "../colour/branchLook.ts";
import type { EventMark, ProposedChange, Target } from "./targets.ts";
import type { Pixels } from "../raster/pixels.ts";
import type { LabelBox } from "./labels.ts";
import type { FieldImage } from "../contour/contour.ts";
import type { GeneratorSymbol } from "../style/generatorSymbols.ts";

/** Everything one frame shows. Rows are dense rows. */
export interface Frame {
  geometry: Geometry;
  camera: Camera;
  theme: Theme;
  palette: readonly string[];
  /** Size of every bus as a factor: by voltage level, not by value. */
  sizes: Float32Array;
  /** Place of every bus in the palette, -1 for a bus outside the problem. */
  places: Int16Array;
  /** -1, 0 or 1: below, inside or above the range of the colours. */
  sides: Int8Array;
  branches: BranchLook;
  /** The element under the pointer, and those selected, the primary one last: with a ring or a halo. */
  hovered: Target | null;
  selection: readonly Target[];
  /** What a plan proposes to change. */
  proposed?: readonly ProposedChange[];
  /** What the move under way has passed. */
  events?: readonly EventMark[];
  /** The field between the buses, below lines and marks; null or absent where there is none. */
  field?: FieldImage | null;
  /** The symbols of generators. */
  generators?: readonly GeneratorSymbol[];
  /** Whether meridians and parallels lie behind it, for placing a network. */
  graticule: boolean;
}

/** What a network is drawn with in front of its lines and buses once there is room for it, and names keep clear of. */
export interface PictureDetail {
  /** Draws on the canvas, CSS pixels; `ground` is the colour behind it. */
  draw(context: CanvasRenderingContext2D, frame: Frame, ground: string): void;
  /** Radius of the buses as it drew them, pixels; 0 where it drew none. */
  readonly busRadius: number;
  /** Where its symbols lie. */
  readonly taken: readonly LabelBox[];
  /** Where its lines leave the buses. */
  readonly avoided: readonly LabelBox[];
}

/** What else lies in a picture: behind the network, the network itself where something faster draws it, and names. */
export interface PictureParts {
  /** What is behind the network: null for nothing, otherwise another value when it looks otherwise. */
  readonly ground?: number | null;
  /** Draws what is behind the network, device pixels; true when it will soon look better. */
  behind?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean;
  /** Copies what is behind the network into pixels of that size, where it is in memory. */
  copyBehind?(pixels: Pixels, frame: Frame, size: PictureSize): boolean;
  /** Draws lines and buses over what is on the canvas, where `accelerated` says that it can. */
  network?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): void;
  accelerated?(): boolean;
  /** Draws what is in front, CSS pixels. */
  before?(context: CanvasRenderingContext2D, frame: Frame): void;
}

/** What lies below the network in a picture that is saved. */
export interface SavedGround {
  /** Shapes, or a picture as large as the screen by its address; null for nothing. */
  readonly drawn: { basemap: Basemap; counties: readonly Shape[] | null } | { image: string } | null;
  /** Whom to name for it; empty for nobody. */
  readonly attribution: string;
  /** Whether it lies on the earth, so that it has a scale and a north. */
  readonly onMap: boolean;
}

/** Size of a picture in device pixels, and how many of them a CSS pixel has. */
export interface PictureSize {
  width: number;
  height: number;
  ratio: number;
}
