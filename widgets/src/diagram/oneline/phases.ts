import type { Theme } from "../../ui/index.ts";

/** The kind of a conductor: one of three phases, or a neutral. */
export type Phase = 0 | 1 | 2 | "neutral";

export const PHASES: readonly Phase[] = [0, 1, 2, "neutral"];

const LETTERS = ["a", "b", "c"];

/** The phase of a terminal: 1, 2, 3 or a, b, c; all others are neutrals. */
export function phaseOf(terminal: string): Phase {
  const name = terminal.trim().toLowerCase();
  const place = ["1", "2", "3"].indexOf(name);
  const found = place >= 0 ? place : LETTERS.indexOf(name);
  return found >= 0 ? (found as 0 | 1 | 2) : "neutral";
}

/** The position of a phase in a bundle, neutrals last. */
export function phaseOrder(phase: Phase): number {
  return phase === "neutral" ? 3 : phase;
}

/**
 * The colour of a conductor. Colour is never the only cue: conductors have an order and a name, and the neutral is
 * dashed.
 */
export function phaseColour(phase: Phase, theme: Theme): string {
  return phase === "neutral" ? theme.muted : theme.phases[phase];
}

/** Dashes of a neutral, pixels. */
export const NEUTRAL_DASH = [5, 3];
