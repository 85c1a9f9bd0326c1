import type { ReactElement } from "react";
import type { ViewedNetwork } from "../workspace/index.ts";

/** What is known about a network without a Study. */
export function NetworkPanel({ network }: { network: ViewedNetwork }): ReactElement {
  return (
    <div className="wb-Panel">
      <section aria-label="Case">
        <h2>{network.name}</h2>
        <p>
          {network.model}, shown without prices{network.problem === null ? "." : `: ${network.problem}`}
        </p>
        <dl>
          {network.counts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
