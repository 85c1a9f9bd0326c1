import type { Geography } from "../geography/geography.ts";
import type { Capability } from "../session/capabilities.ts";
import type { NetworkGraph } from "./networkGraph.ts";

/** A case that is shown, balanced or multiconductor, with a Study or only looked at: what all of them have. */
export interface ShownCase {
  readonly name: string;
  readonly sha256: string;
  readonly graph: NetworkGraph;
  readonly geography: Geography;
  /** What can be done with it. */
  readonly capabilities: ReadonlySet<Capability>;
}
