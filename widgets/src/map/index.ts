export { BusPaint } from "./colour/busPaint.ts";
export { Archive, blobSource, tileId } from "./ground/pmtiles.ts";
export {
  type BasemapChoice,
  basemapOf,
  basemapText,
  NATURAL_EARTH,
  parseBasemap,
  type ReadFile,
  sameBasemap,
  serverOf,
} from "./userBasemap/basemapChoice.ts";
export { ChosenBasemap, nameBasemap } from "./userBasemap/chosenBasemap.ts";
export { BasemapError } from "./userBasemap/basemapError.ts";
export { BasemapServers, basemapServers } from "./userBasemap/basemapServers.ts";
export { rasterStyle, vectorStyle } from "./userBasemap/archiveStyle.ts";
export { type Overlay, overlaysOf } from "./overlay/overlay.ts";
export { loadLibrary } from "./ground/groundLibrary.ts";
export { tileAt, setTileExtract } from "./ground/tileArchives.ts";
export { libreProjection, libreView } from "./ground/libreView.ts";
export { ownStyle, type TileExtract, zoomOf } from "./ground/groundStyle.ts";
export { type GroundChoice, mapSettings } from "./ground/mapSettings.ts";
export { Camera, turnedBounds } from "./view/camera.ts";
export { CaseMap } from "./caseMap.ts";
export type { CaseMapView } from "./colourChoice.ts";
export * from "./colour/legendRange.ts";
export * from "./colour/colourScale.ts";
export { freeInset } from "./view/freeInset.ts";
export { drawingGeometry, type Geometry, mapGeometry, mercator, unproject } from "./view/geometry.ts";
export type { Plane } from "./view/scene.ts";
export { Scene, type SceneChange } from "./view/scene.ts";
export { BranchPaint } from "./colour/branchPaint.ts";
export type { BranchLook } from "./colour/branchLook.ts";
export { linkKeys, linkLooks } from "./colour/linkLook.ts";
export { switchKeys, switchLooks } from "./colour/switchLook.ts";
export { LINK_DASHES, linkMarks } from "./picture/linkMarks.ts";
export { switchMarks } from "./picture/switchMarks.ts";
export {
  type Basemap,
  type PackedBasemap,
  type PackedCounties,
  type PackedTopology,
  readBasemap,
  readCounties,
} from "./basemap/basemap.ts";
export { basemapStrata } from "./basemap/basemapStyle.ts";
export { lengthText, scaleLength } from "./chrome/scaleBar.ts";
export { basemapWishes, type LabelBox, type LabelWish, placeLabels } from "./picture/labels.ts";
export * from "./colour/quantities.ts";
export * from "./colour/priceQuantities.ts";
export type * from "./colour/quantityInfo.ts";
export { type Found, searchElements } from "./chrome/searchElements.ts";
export { figureOf } from "./panels/FigureForm.tsx";
export { cellHeight, usualHeight } from "./view/cellHeight.ts";
export { onPaper } from "./svg/savePicture.ts";
export { type SavedPicture, svgPicture } from "./svg/svgPicture.ts";
export { proposalGroup } from "./svg/svgProposal.ts";
export { xmlText } from "./svg/svgText.ts";
export { segmentsOf, detailScale } from "./picture/segments.ts";
export { Picker } from "./view/picker.ts";
export { type Staircase, staircase } from "./editbar/staircase.ts";
export { PlaneSwitch } from "./chrome/planeSwitch.ts";
export { Stage } from "./view/stage.ts";
export type { BusColours, CardContent, SceneModel } from "./view/sceneModel.ts";
export type { Target } from "./picture/targets.ts";
export { shorterWay } from "./gestures/turning.ts";
export type { Ink, Pixels } from "./raster/pixels.ts";
export { capsule, convex, disc } from "./raster/shapes.ts";
export { RasterLayer } from "./raster/rasterLayer.ts";
export { NetworkLayer } from "./webgl/networkLayer.ts";
export { type LegendContent, legendTicks, lineKinds, linesNote, outsideText, tickedScale } from "./colour/legend.ts";
export { DEFAULT_STYLE, type MapStyle, styleOf } from "./style/mapStyle.ts";
export { COLOUR_MAP_NAMES, OTHER_RAMPS, rampOf } from "./colour/colourMaps.ts";
export { Field, distances } from "./contour/field.ts";
export { labelPlaces, type ProposedMark } from "./picture/proposedChanges.ts";
export { Crowding, extremes, spacing } from "./style/crowding.ts";
export { Substations } from "./style/substations.ts";
export { partOf, shownBuses } from "./style/shownPart.ts";
export { SceneLook } from "./style/sceneLook.ts";
export { generatorSymbols } from "./style/generatorSymbols.ts";
export { generatorSquares } from "./picture/generatorMarks.ts";
export { MapColours } from "./colour/mapColours.ts";
export { caseSceneModel } from "./view/caseSceneModel.ts";
export { MoveEvents } from "./view/moveEvents.ts";
export { Viewpoint } from "./view/viewpoint.ts";
export type { Frame, PictureDetail } from "./picture/frame.ts";
export { busRadius, busRim, busSizes, marked } from "./picture/busMarks.ts";
