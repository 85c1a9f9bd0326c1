import type { ReactElement } from "react";
import type { StateLane } from "../../workspace/index.ts";

/** Distance between lanes, px; the dot is as far below the upper edge as the name of its state. */
const WIDTH = 12;
const HALF = 6;
const DOT = 17;

/** The part of the tree beside one state: the passing lines and the dot of the state. */
export function Lanes({ lane: { lane, above, below, joins } }: { lane: StateLane }): ReactElement {
  const width = WIDTH * (Math.max(lane, ...above, ...below, ...joins) + 1);
  const at = (k: number): number => WIDTH * k + HALF;
  return (
    <div className="wb-Lanes" style={{ width }} aria-hidden="true">
      {above.map((k) => (
        <i key={`above ${k}`} style={{ left: at(k), top: 0, height: DOT }} />
      ))}
      {below.map((k) => (
        <i key={`below ${k}`} style={{ left: at(k), top: DOT, bottom: 0 }} />
      ))}
      {joins.map((k) => (
        <i key={`joins ${k}`} className="wb-mod-join" style={{ left: at(lane), top: DOT, width: at(k) - at(lane) }} />
      ))}
      <b style={{ left: at(lane), top: DOT }} />
    </div>
  );
}
