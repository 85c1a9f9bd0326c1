import type { Geography } from "../geography/geography.ts";
import type { Capability } from "../session/capabilities.ts";
import type { NetworkGraph } from "./networkGraph.ts";

/** A case on screen, balanced or multiconductor, with or without a Study. */
export interface ShownCase {
  readonly name: string;
  readonly sha256: string;
  readonly graph: NetworkGraph;
  readonly geography: Geography;
  /** What the user can do with it. */
  readonly capabilities: ReadonlySet<Capability>;
}
