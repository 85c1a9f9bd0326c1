import { type FormulationId, OPTIONS, type SolveOptions } from "@service/engine";

/** The options that a formulation reads, of those that the formulations of a session share; the engine refuses unknown ones. */
export function optionsFor(formulation: FormulationId, shared: SolveOptions): SolveOptions {
  const others = optionsOfOthers(formulation, shared);
  return Object.fromEntries(Object.entries(shared).filter(([name]) => !others.includes(name)));
}

/** Names of the options that only other formulations read: the session keeps them for those. */
export function optionsOfOthers(formulation: FormulationId, shared: SolveOptions): string[] {
  const reads = (names: readonly string[], name: string): boolean => names.includes(name);
  return Object.keys(shared).filter(
    (name) => !reads(OPTIONS[formulation], name) && Object.values(OPTIONS).some((names) => reads(names, name)),
  );
}
