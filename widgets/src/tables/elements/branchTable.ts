import {
  columnUnit,
  formatCount,
  formatLoading,
  formatShadow,
  formatSignificant,
  loadingState,
  loadingWords,
  trans,
} from "../../text/index.ts";
import {
  branchLosses,
  type CaseSession,
  CONE_GAP,
  deltaOf,
  isAssumed,
  isTight,
  ratingUnit,
  SHADOW_PRICE,
} from "../../workspace/index.ts";
import type { CaseTable } from "./caseTable.ts";
import { change, mw } from "./cellTexts.ts";
import { id, listed, needing, number, stated, type TableColumn, text } from "./columns.ts";

/** The lines and transformers of a case. */
export function branchTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { branches } = opened;
  const end = (bus: number | undefined): string => (bus === undefined ? "" : opened.placeOf(bus));
  const loading = (row: number): number => store.shownAt("loading", row);
  const shadow = (row: number): number => store.shownAt(SHADOW_PRICE, row);
  const isWinding = (row: number): boolean => branches[row]?.editable === false;
  const state = (row: number): string => {
    const own = loadingState(loading(row), shadow(row));
    return !isWinding(row) ? own : own === "" ? "winding" : `winding, ${own}`;
  };
  const words = (row: number): string => {
    const own = loadingWords(loading(row), shadow(row));
    return !isWinding(row) ? own : own === "" ? trans.__("winding") : trans.__("winding, %1", own);
  };
  const windings = branches.filter((_, row) => isWinding(row)).length;
  const losses = branchLosses((name) => store.shown(name));
  const rated = ratingUnit(store.columns);
  const gap = (row: number): number => store.columns.at(CONE_GAP, row);
  return {
    kind: "branches",
    count: branches.length,
    sorting: { key: "loading", descending: true },
    columns: listed(session, "branch", [
      id("line", trans.__("Line"), (row) => branches[row]?.id ?? NaN),
      text("from", trans.__("From"), opened.named ? 110 : 64, (row) => end(branches[row]?.from)),
      text("to", trans.__("To"), opened.named ? 110 : 64, (row) => end(branches[row]?.to)),
      {
        ...number("loading", "loading", trans.__("Loading"), "%", 84, loading, loadingText, true),
        needs: "loading",
        shown: (row) => 100 * loading(row),
      },
      { ...stated(state, words), live: true },
      ...needing(
        SHADOW_PRICE,
        number(
          `shadow_usd_per_${rated.toLowerCase()}h`,
          "shadow",
          trans.__("Shadow price"),
          `$/${rated}h`,
          108,
          shadow,
          formatShadow,
        ),
      ),
      ...needing(
        "flow_mw",
        number(
          "flow_mw",
          "flow",
          trans.__("Flow"),
          columnUnit("flow_mw"),
          78,
          (row) => store.shownAt("flow_mw", row),
          mw,
          true,
        ),
      ),
      ...(losses === null
        ? []
        : [
            number(
              "losses_mw",
              "losses",
              trans.__("Losses"),
              columnUnit("flow_mw"),
              78,
              (row) => losses[row] ?? NaN,
              mw,
            ),
          ]),
      {
        ...number(CONE_GAP, "gap", trans.__("Gap of the relaxation"), "%", 84, gap, gapText),
        needs: CONE_GAP,
        shown: (row) => 100 * gap(row),
      },
      ...(["MW", "MVA"] as const).flatMap((unit) => ratingColumns(session, unit)),
      ...(branches.some(isAssumed)
        ? [text("rating_source", trans.__("Rating from"), 78, (row) => ratingSource(session, row))]
        : []),
    ]),
    elementOf: (row) => (branches[row] === undefined ? null : { kind: "branch", id: branches[row].id }),
    rowOf: (element) => (element.kind === "branch" ? opened.branchRow(element.id) : -1),
    markOf: (row) => (shadow(row) > 0 ? "binds" : ""),
    leading: 4,
    ...(windings === 0
      ? {}
      : {
          remark: trans.__(
            "%1 lines and %2 windings of three-winding transformers",
            formatCount(branches.length - windings),
            formatCount(windings),
          ),
        }),
  };
}

function loadingText(value: number): string {
  return Number.isFinite(value) ? formatLoading(value).replace(" %", "") : "";
}

/** A gap in per cent, or `none`. */
function gapText(gap: number): string {
  return !Number.isFinite(gap) ? "" : isTight(gap) ? trans.__("tight") : formatSignificant(100 * gap);
}

/** Whether a rating comes from the file or was assumed by the reader; empty without a rating. */
function ratingSource({ opened, options }: CaseSession, row: number): string {
  const branch = opened.branches[row];
  if (branch === undefined || branch.rate_mw === null) {
    return "";
  }
  const own = branch.rate_is_fallback ? trans.__("assumed") : trans.__("file");
  return branch.rate_is_fallback && options.assumed_ratings === false ? "" : own;
}

/** A rating, with a mark if it is assumed; the column beside it has the word. */
function ratingCell(text: string, branch: CaseSession["opened"]["branches"][number] | undefined): string {
  return text !== "" && branch !== undefined && isAssumed(branch) ? `\u2248 ${text}` : text;
}

/** Ratings and their changes, in the unit of the result. */
function ratingColumns({ opened, store, state }: CaseSession, unit: "MW" | "MVA"): TableColumn[] {
  const name = `rating_${unit.toLowerCase()}`;
  const changed = (row: number): number => deltaOf(state.edits, { kind: "branch", id: opened.branches[row]?.id ?? 0 });
  return needing(
    name,
    {
      ...number(name, "rating", trans.__("Rating"), unit, 78, (row) => store.shownAt(name, row), mw),
      text: (row) => ratingCell(mw(store.shownAt(name, row)), opened.branches[row]),
    },
    number(`rating_change_${unit.toLowerCase()}`, "edit", trans.__("Rating change"), unit, 80, changed, change),
  );
}
