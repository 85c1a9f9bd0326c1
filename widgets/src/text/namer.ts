/** Names elements as people do; a case implements it. */
export interface Namer {
  /** `bus 12 (Ash)`, `line 17 (Ash to Birch)`, `generator 3`. */
  nameOf(kind: string, id: number): string;
}
