import { type CaseSession, deltaOf } from "../../workspace/index.ts";
import type { MapStyle } from "./mapStyle.ts";

/** Width factors of the thinnest and the thickest lines. */
const FACTORS = { least: 0.5, most: 2.2 } as const;
/** Quantile of the ratings with full width: the 98th percentile. */
const FULL = 0.98;

/** Width factor of every line, by its rating or voltage level; null where all have the width of their class. */
export function lineWidths(session: CaseSession, { width, lineSize }: MapStyle): Float32Array | null {
  const { branches, fromRow, toRow, buses } = session.opened;
  if (width === "class") {
    return lineSize === 1 ? null : new Float32Array(branches.length).fill(lineSize);
  }
  const scaled = (share: number): number => lineSize * (FACTORS.least + (FACTORS.most - FACTORS.least) * share);
  if (width === "rating") {
    const { edits } = session.state;
    const ratings = branches.map(({ id, rate_mw, rate_is_fallback }) =>
      rate_is_fallback || rate_mw === null ? NaN : rate_mw + deltaOf(edits, { kind: "branch", id }),
    );
    const sorted = ratings.filter(Number.isFinite).sort((a, b) => a - b);
    const full = sorted[Math.round(FULL * (sorted.length - 1))] ?? 1;
    // An assumed rating carries no information about the line.
    return Float32Array.from(ratings, (mw) =>
      Number.isFinite(mw) ? scaled(Math.sqrt(Math.min(1, mw / full))) : lineSize,
    );
  }
  const levels = [...new Set(buses.map(({ base_kv }) => base_kv))].sort((a, b) => a - b);
  const rank = new Map(levels.map((kv, k) => [kv, levels.length === 1 ? 0.25 : k / (levels.length - 1)]));
  return Float32Array.from(branches, (_, row) => {
    const [from, to] = [buses[fromRow[row] ?? -1]?.base_kv, buses[toRow[row] ?? -1]?.base_kv];
    return scaled(rank.get(Math.min(from ?? Infinity, to ?? Infinity)) ?? 0);
  });
}
