/** A case that can be opened without a file. */
export interface ConfiguredCase {
  readonly id: string;
  readonly name: string;
  readonly buses: number;
  readonly branches: number;
  /** The reason why it cannot be opened; null where it can. */
  readonly unavailable: string | null;
}

/** The cases that the host of a workspace offers. */
export interface CaseCatalogue {
  readonly cases: readonly ConfiguredCase[];
  /** Opens a case and shows it. Rejects when it cannot be opened. */
  open(id: string): Promise<void>;
}
