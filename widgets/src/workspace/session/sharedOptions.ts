import { type FormulationId, OPTIONS, type SolveOptions } from "@service/engine";

/** The shared options of a session that a formulation reads; the engine refuses unknown ones. */
export function optionsFor(formulation: FormulationId, shared: SolveOptions): SolveOptions {
  const others = optionsOfOthers(formulation, shared);
  return Object.fromEntries(Object.entries(shared).filter(([name]) => !others.includes(name)));
}

/** Names of the shared options that only other formulations read. */
export function optionsOfOthers(formulation: FormulationId, shared: SolveOptions): string[] {
  const reads = (names: readonly string[], name: string): boolean => names.includes(name);
  return Object.keys(shared).filter(
    (name) => !reads(OPTIONS[formulation], name) && Object.values(OPTIONS).some((names) => reads(names, name)),
  );
}
