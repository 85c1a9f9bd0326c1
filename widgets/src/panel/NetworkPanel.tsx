import { type ReactElement, useCallback } from "react";
import { relaxationOfNetwork } from "../ui/index.ts";
import { trans } from "../text/index.ts";
import { type IWorkspace, offersOfNetwork, type ViewedNetwork } from "../workspace/index.ts";
import { AgentSection } from "./agents/AgentSection.tsx";
import { OffersFrame } from "./sections/OffersFrame.tsx";
import { RelaxationFrame } from "./sections/RelaxationFrame.tsx";

/** The facts of a network without a Study. */
export function NetworkPanel({ network, workspace }: { network: ViewedNetwork; workspace: IWorkspace }): ReactElement {
  const make = useCallback(() => relaxationOfNetwork(network, workspace), [network, workspace]);
  return (
    <div className="wb-Panel">
      <section aria-label={trans.__("Case")}>
        <h2>{network.name}</h2>
        <p>
          {network.feeder !== null
            ? trans.__("%1. Its power flow has no prices and no planning objectives.", network.model)
            : trans.__("%1, shown without prices: %2", network.model, network.problem ?? "")}
        </p>
        <RelaxationFrame make={make} />
        <OffersFrame offers={offersOfNetwork(network)} workspace={workspace} />
        <dl>
          {network.counts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <AgentSection journal={workspace.journal} />
    </div>
  );
}
