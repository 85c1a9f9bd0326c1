export {
  changeName,
  commitPlan,
  exactMw,
  offerOfNetwork,
  offerOfSession,
  RelaxationOffer,
  relaxedMw,
} from "./relaxationOffer.ts";
export { BusPaint } from "./busPaint.ts";
export { Camera, turnedBounds } from "./camera.ts";
export { CaseMap, type CaseMapView } from "./caseMap.ts";
export * from "./colourRange.ts";
export * from "./colourScale.ts";
export { freeInset } from "./freeInset.ts";
export { drawingGeometry, type Geometry, mapGeometry, mercator, unproject } from "./geometry.ts";
export * from "./loading.ts";
export type { Plane } from "./scene.ts";
export { Scene, type SceneChange } from "./scene.ts";
export { BranchPaint } from "./branchPaint.ts";
export type { BranchLook } from "./branchLook.ts";
export {
  type Basemap,
  type PackedBasemap,
  type PackedCounties,
  type PackedTopology,
  readBasemap,
  readCounties,
} from "./basemap/basemap.ts";
export { basemapStrata } from "./basemap/basemapStyle.ts";
export { lengthText, scaleLength } from "./attribution.ts";
export { basemapWishes, type LabelWish, placeLabels } from "./labels.ts";
export * from "./quantities.ts";
export { findElements, type Found } from "./search.ts";
export { type SavedPicture, svgPicture } from "./svgPicture.ts";
export { segmentsOf, detailScale } from "./segments.ts";
export { Picker } from "./picker.ts";
export { columnIsZero, readout } from "./readout.ts";
export { statusSentence, statusText } from "./statusPill.ts";
export { button, h, setText } from "./dom.ts";
export { ICONS } from "./icons.ts";
export { keepPlainKeys } from "./mapKeys.ts";
export { Menu, type MenuGroup, type MenuItem } from "./menu.ts";
export { busSizes, type Frame } from "./picture.ts";
export { keyedRow, type RowWindow, rowWindow, scrolledTo } from "./rowWindow.ts";
export { type Staircase, staircase } from "./staircase.ts";
export { PlaneSwitch } from "./planeSwitch.ts";
export { Stage } from "./stage.ts";
export type { BusColours, CardContent, StageSubject, Target } from "./stageSubject.ts";
export { type Theme, ThemeWatcher } from "./theme.ts";
export { shorterWay } from "./turning.ts";
export type { Ink, Pixels } from "./raster/pixels.ts";
export { capsule, convex, disc } from "./raster/shapes.ts";
export { RasterLayer } from "./raster/rasterLayer.ts";
export { NetworkLayer } from "./webgl/networkLayer.ts";
export { type LegendContent, legendTicks, lineKinds, linesNote, outsideText } from "./legend.ts";
export { MapColours } from "./mapColours.ts";
export { caseSubject } from "./caseSubject.ts";
export { Viewpoint } from "./viewpoint.ts";
