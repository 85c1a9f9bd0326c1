import type { CaseSession } from "../workspace/index.ts";
import type { BranchLook } from "./branchLook.ts";
import { centredRange, robustRange } from "./colourRange.ts";
import { colourScale, type ColourScale } from "./colourScale.ts";
import { classifyBranches } from "./loading.ts";
import { BRANCH_QUANTITIES, type BranchQuantity } from "./quantities.ts";

/** Flows below this, MW, have no direction. */
const NO_FLOW = 1e-6;

/** The look of the lines: by their class, or by the colours of a quantity. */
export class BranchPaint {
  look: BranchLook;
  /** Null while the lines are coloured by their class alone. */
  scale: ColourScale | null = null;
  below = 0;
  above = 0;
  #key: readonly unknown[] = [];

  constructor(session: CaseSession) {
    this.look = { classes: classifyBranches(session.store.columns), places: null, palette: [], directions: null };
  }

  /** Takes the present exact state of a session; does nothing when that is what is shown. */
  update(session: CaseSession, quantity: BranchQuantity, dark: boolean): void {
    const { columns } = session.store;
    const key = [columns, session.state.edits, quantity, dark];
    if (key.every((part, k) => part === this.#key[k])) {
      return;
    }
    this.#key = key;
    const classes = classifyBranches(columns);
    this.scale = null;
    this.below = this.above = 0;
    if (quantity === "loading") {
      this.look = { classes, places: null, palette: [], directions: null };
      return;
    }
    const info = BRANCH_QUANTITIES[quantity];
    const values = info.values(session) ?? new Float64Array();
    const range = info.scale === "change" ? centredRange(values) : robustRange(values);
    const scale = range === null ? null : colourScale(info.scale, range, dark);
    this.scale = scale;
    const places = Int16Array.from(values, (value) => scale?.place(value) ?? -1);
    for (const value of values) {
      const side = scale === null || !Number.isFinite(value) ? 0 : scale.side(value);
      this.below += side < 0 ? 1 : 0;
      this.above += side > 0 ? 1 : 0;
    }
    const directions = quantity === "flow" ? Int8Array.from(columns.flow_mw, directionOf) : null;
    this.look = { classes, places, palette: scale?.palette ?? [], directions };
  }
}

function directionOf(mw: number): number {
  return Math.abs(mw) > NO_FLOW ? Math.sign(mw) : 0;
}
