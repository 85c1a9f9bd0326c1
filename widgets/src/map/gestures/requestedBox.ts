import { formatCount, trans } from "../../text/index.ts";
import type { BoxPick, CaseSession } from "../../workspace/index.ts";
import type { Target } from "../picture/targets.ts";
import type { Stage } from "../view/stage.ts";

/** Starts a requested box selection on a visible map, and cancels one that is no longer requested. */
export function drawRequestedBox(pick: BoxPick, { opened }: CaseSession, stage: Stage): void {
  if (pick.request === null) {
    stage.gestures.endBox();
  }
  const request = stage.inSight ? pick.claim() : null;
  if (request === null) {
    return;
  }
  const all = request.kind === "bus" ? opened.buses : opened.branches;
  const idsOf = (found: readonly Target[]): number[] =>
    found.map(({ row }) => all[row]?.id ?? -1).filter((id) => request.accepts(id));
  stage.gestures.drawBox({
    kind: request.kind,
    countText: (found) => countOf(request.kind, idsOf(found).length),
    take: (found) => pick.take(idsOf(found)),
    given: () => {
      if (pick.request === request) {
        pick.end();
      }
    },
  });
}

function countOf(kind: Target["kind"], count: number): string {
  return kind === "bus"
    ? trans._n("%2 bus", "%2 buses", count, formatCount(count))
    : trans._n("%2 line", "%2 lines", count, formatCount(count));
}
