import type { DocumentRegistry } from "@jupyterlab/docregistry";
import type { TranslationBundle } from "@jupyterlab/translation";
import { studyIcon } from "../icon.ts";

/** File types of Wattbook. Types that other programs read as text too are opened by Wattbook only on request. */
const TYPES: readonly {
  name: string;
  extensions: string[];
  title: (trans: TranslationBundle) => string;
  ours: boolean;
}[] = [
  { name: "wattbook-matpower", extensions: [".m"], title: (trans) => trans.__("MATPOWER Case"), ours: false },
  { name: "wattbook-psse", extensions: [".raw", ".rawx"], title: (trans) => trans.__("PSS/E Case"), ours: true },
  {
    name: "wattbook-powerworld",
    extensions: [".aux", ".pwb"],
    title: (trans) => trans.__("PowerWorld Case"),
    ours: true,
  },
  {
    name: "wattbook-powerworld-display",
    extensions: [".pwd"],
    title: (trans) => trans.__("PowerWorld Drawing"),
    ours: true,
  },
  { name: "wattbook-pslf", extensions: [".epc"], title: (trans) => trans.__("PSLF Case"), ours: true },
  { name: "wattbook-ieee-cdf", extensions: [".cdf"], title: (trans) => trans.__("IEEE CDF Case"), ours: true },
  { name: "wattbook-ucte", extensions: [".uct"], title: (trans) => trans.__("UCTE-DEF Case"), ours: true },
  {
    name: "wattbook-xiidm",
    extensions: [".xiidm", ".iidm"],
    title: (trans) => trans.__("XIIDM Case"),
    ours: true,
  },
  { name: "wattbook-cgmes", extensions: [".zip", ".xml"], title: (trans) => trans.__("CGMES Case"), ours: false },
  { name: "wattbook-opendss", extensions: [".dss"], title: (trans) => trans.__("OpenDSS Feeder"), ours: false },
  {
    name: "wattbook-geojson",
    extensions: [".geojson", ".geo.json"],
    title: (trans) => trans.__("Geographic Layer"),
    ours: false,
  },
];

/** JupyterLab's own types that may contain a case or a layer; the content decides. */
const OTHER_TYPES = ["json", "csv"];

/** Names of the types that a case map can open, and of those that it opens by default. */
export const OPENED_TYPES = [...TYPES.map(({ name }) => name), ...OTHER_TYPES];
export const DEFAULT_TYPES = TYPES.filter(({ ours }) => ours).map(({ name }) => name);

/** The file types for a registry. */
export function fileTypes(trans: TranslationBundle): Partial<DocumentRegistry.IFileType>[] {
  return TYPES.map(({ name, extensions, title }) => ({
    name,
    extensions,
    displayName: title(trans),
    contentType: "file",
    fileFormat: "base64",
    mimeTypes: ["application/octet-stream"],
    icon: studyIcon,
  }));
}
