import type { ReactElement } from "react";
import type { CommittedState } from "../../workspace/index.ts";

interface StateChoiceProps {
  label: string;
  states: readonly CommittedState[];
  name(state: CommittedState): string;
  value: CommittedState;
  choose(id: number): void;
}

/** A saved state, chosen from a list. */
export function StateChoice({ label, states, name, value, choose }: StateChoiceProps): ReactElement {
  return (
    <label>
      <span>{label}</span>
      <select value={value.id} onChange={({ target }) => choose(Number(target.value))}>
        {states.map((state) => (
          <option key={state.id} value={state.id}>
            {name(state)}
          </option>
        ))}
      </select>
    </label>
  );
}
