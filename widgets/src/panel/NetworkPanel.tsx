import type { ReactElement } from "react";
import type { ViewedNetwork } from "../workspace/index.ts";
import { trans } from "../words/index.ts";

/** What is known about a network without a Study. */
export function NetworkPanel({ network }: { network: ViewedNetwork }): ReactElement {
  return (
    <div className="wb-Panel">
      <section aria-label={trans.__("Case")}>
        <h2>{network.name}</h2>
        <p>
          {network.problem === null
            ? trans.__("%1, shown without prices.", network.model)
            : trans.__("%1, shown without prices: %2", network.model, network.problem)}
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
