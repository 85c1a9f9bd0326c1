/** The part of MapLibre GL that widgets/maplibre/bundle.mjs bundles. */
export { Map, addProtocol, setWorkerCount, setWorkerUrl } from "maplibre-gl";
export type { LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";
