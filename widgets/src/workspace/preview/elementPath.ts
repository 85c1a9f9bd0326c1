import type { Track, TrackBreakpoint, TrackSegment, TrackStop } from "@service/engine";
import { type CaseEdits, plainSum, sameEdits, withDelta } from "../edits/edits.ts";
import type { EditRange } from "../edits/editRange.ts";
import { type EditedElement, sameSelection } from "../cases/selection.ts";

/**
 * The request of a path: one element over a range of changes from the base case in MW, with all other edits as in
 * `edits`.
 */
export interface PathRequest {
  edits: CaseEdits;
  selection: EditedElement;
  range: EditRange;
  /**
   * Whether it has to begin at `edits` rather than anywhere on the same course: a path may be too long to be complete.
   */
  fromHere?: boolean;
}

/** The edits and the element that moves. */
type Course = Pick<PathRequest, "edits" | "selection">;

/** Whether two requests move the same element at the same other edits, so that their paths belong to one course. */
export function sameCourse(a: Course, b: Course): boolean {
  return (
    sameSelection(a.selection, b.selection) &&
    sameEdits(withDelta(a.edits, a.selection, 0), withDelta(b.edits, b.selection, 0))
  );
}

/** Positions closer than this are equal, MW. */
const SAME_MW = 1e-7;

/**
 * The exact optimum while one demand, rating, capacity, phase shift or limit of a link moves: prices are affine between the breakpoints.
 * Positions are changes from the base case in MW or degrees, ascending.
 */
export class ElementPath {
  readonly request: PathRequest;
  readonly segments: readonly TrackSegment[];
  readonly breakpoints: readonly TrackBreakpoint[];
  /**
   * Original id of the bus whose prices it has: the element itself, the bus of a generator, or the bus that a branch or
   * link affects most.
   */
  readonly watchedBus: number;
  /** Its beginning and end. */
  readonly min: number;
  readonly max: number;
  /** The reason why it begins after the lower end of the request, or ends before the upper one. */
  readonly below: TrackStop | null;
  readonly above: TrackStop | null;

  /** `track` runs from the lower to the upper end of the range of `request`. */
  constructor(request: PathRequest, track: Track) {
    this.request = request;
    this.segments = track.segments;
    this.breakpoints = track.breakpoints;
    this.watchedBus = track.watched_bus;
    this.min = track.segments[0]?.from_mw ?? track.from_mw;
    this.max = track.segments.at(-1)?.to_mw ?? track.to_mw;
    this.below = track.begins ?? null;
    this.above = track.stopped ?? null;
  }

  /** The range of the request without its infeasible parts. */
  get feasible(): EditRange {
    const { range } = this.request;
    return { min: isLimit(this.below) ? this.min : range.min, max: isLimit(this.above) ? this.max : range.max };
  }

  /** Whether a position lies on the path, up to rounding. */
  covers(mw: number): boolean {
    return this.segments.length > 0 && mw >= this.min - SAME_MW && mw <= this.max + SAME_MW;
  }

  /** The nearest position on the path, which removes rounding. */
  within(mw: number): number {
    return Math.max(this.min, Math.min(this.max, mw));
  }

  /** The segment at a position, the lower of two; null outside. */
  segmentAt(mw: number): TrackSegment | null {
    return this.covers(mw) ? (this.segments.find(({ to_mw }) => mw <= to_mw) ?? this.segments.at(-1) ?? null) : null;
  }

  /** Exact price at the watched bus, $/MWh; NaN outside the path. */
  priceAt(mw: number): number {
    const segment = this.segmentAt(mw);
    return segment === null ? NaN : segment.price + segment.slope * (this.within(mw) - segment.from_mw);
  }

  /** The breakpoints between two positions, in the order of the move. */
  passed(from: number, to: number): TrackBreakpoint[] {
    const [low, high] = [Math.min(from, to) + SAME_MW, Math.max(from, to) - SAME_MW];
    const inside = this.breakpoints.filter(({ mw }) => mw > low && mw < high);
    return from <= to ? inside : inside.reverse();
  }

  /** The next breakpoint above (`up`) or below a position; null where the path has none. */
  ahead(mw: number, up: boolean): TrackBreakpoint | null {
    const beyond = ({ mw: at }: TrackBreakpoint): boolean => (up ? at > mw + SAME_MW : at < mw - SAME_MW);
    return (up ? this.breakpoints.find(beyond) : this.breakpoints.findLast(beyond)) ?? null;
  }
}

/** The track with all positions shifted, MW. */
export function shifted(track: Track, mw: number): Track {
  const at = <T extends { mw: number }>(place: T): T => ({ ...place, mw: plainSum(place.mw + mw) });
  const { begins, stopped } = track;
  return {
    ...track,
    from_mw: plainSum(track.from_mw + mw),
    to_mw: plainSum(track.to_mw + mw),
    breakpoints: track.breakpoints.map(at),
    segments: track.segments.map((segment) => ({
      ...segment,
      from_mw: plainSum(segment.from_mw + mw),
      to_mw: plainSum(segment.to_mw + mw),
    })),
    ...(begins === undefined ? {} : { begins: at(begins) }),
    ...(stopped === undefined ? {} : { stopped: at(stopped) }),
  };
}

/** Whether the problem ends there, rather than the path alone. */
export function isLimit(stop: TrackStop | null): boolean {
  return stop?.reason === "infeasible" || stop?.reason === "edit_limit";
}
