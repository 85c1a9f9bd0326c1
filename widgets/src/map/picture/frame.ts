import type { Basemap, Shape } from "../basemap/basemap.ts";
import type { Geometry } from "../view/geometry.ts";
import type { Camera } from "../view/camera.ts";
import type { Theme } from "../../ui/theme.ts";
import type { BranchLook } from "../colour/branchLook.ts";
import type { EventMark, ProposedChange, Target } from "./targets.ts";
import type { Pixels } from "../raster/pixels.ts";
import type { LabelBox } from "./labels.ts";
import type { LinkLook } from "../colour/linkLook.ts";
import type { SwitchLook } from "../colour/switchLook.ts";
import type { FieldImage } from "../contour/contour.ts";
import type { GeneratorSymbol } from "../style/generatorSymbols.ts";

/** The content of one frame. Rows are dense rows. */
export interface Frame {
  geometry: Geometry;
  camera: Camera;
  theme: Theme;
  palette: readonly string[];
  /** Size factor of every bus: by voltage level, not by value. */
  sizes: Float32Array;
  /** Palette index of every bus, -1 for a bus that is not energised. */
  places: Int16Array;
  /** -1, 0 or 1: below, inside or above the range of the colours. */
  sides: Int8Array;
  branches: BranchLook;
  /** The HVDC links; absent without links. */
  links?: readonly LinkLook[];
  /** The switches among the branches; absent without switches. */
  switches?: readonly SwitchLook[];
  /** The hovered element, and the selected ones with the primary last: with a ring or a halo. */
  hovered: Target | null;
  selection: readonly Target[];
  /** The changes that a plan proposes. */
  proposed?: readonly ProposedChange[];
  /** The events that the move under way has passed. */
  events?: readonly EventMark[];
  /** The field between the buses, below lines and marks; null or absent without one. */
  field?: FieldImage | null;
  /** The symbols of generators. */
  generators?: readonly GeneratorSymbol[];
  /** Whether a graticule is drawn, for placing a network. */
  graticule: boolean;
}

/** Details drawn in front of lines and buses once there is room for them; labels avoid them. */
export interface PictureDetail {
  /** Draws on the canvas, CSS pixels; `ground` is the colour behind it. */
  draw(context: CanvasRenderingContext2D, frame: Frame, ground: string): void;
  /** Radius of the buses that it drew, pixels; 0 where it drew none. */
  readonly busRadius: number;
  /** Boxes of its symbols. */
  readonly taken: readonly LabelBox[];
  /** Boxes where its lines leave the buses. */
  readonly avoided: readonly LabelBox[];
}

/** Further parts of a picture: the background, an accelerated drawing of the network, and labels. */
export interface PictureParts {
  /** Version of the background, null without one: it changes with the look. */
  readonly ground?: number | null;
  /** Draws the background, device pixels; true when a better version follows soon. */
  behind?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): boolean;
  /** Copies the background into pixels of that size, where it is in memory. */
  copyBehind?(pixels: Pixels, frame: Frame, size: PictureSize): boolean;
  /** Draws lines and buses on the canvas, where `accelerated` permits it. */
  network?(context: CanvasRenderingContext2D, frame: Frame, size: PictureSize): void;
  accelerated?(): boolean;
  /** Draws the foreground, CSS pixels. */
  before?(context: CanvasRenderingContext2D, frame: Frame): void;
}

/** The background of a saved picture. */
export interface SavedGround {
  /** Shapes, or an image of the size of the screen by its URL; null without a background. */
  readonly drawn: { basemap: Basemap; counties: readonly Shape[] | null } | { image: string } | null;
  /** Its attribution; empty without one. */
  readonly attribution: string;
  /** Whether it is geographic, with a scale and a north. */
  readonly onMap: boolean;
}

/** Size of a picture in device pixels, and their number per CSS pixel. */
export interface PictureSize {
  width: number;
  height: number;
  ratio: number;
}
