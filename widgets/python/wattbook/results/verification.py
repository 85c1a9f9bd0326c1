"""Whether a saved Study is reproduced by this engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text import words

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Verification:
    """Every state and plan of a Study file, solved again and compared bit for bit with what the file says.

    `reproduces` is True if every stored number came out the same. `states` has index `state` and columns `label`, `formulation`,
    `reproduces`, `compared` (numbers compared besides the result hash) and `difference`, what differs and why, missing where nothing
    does; `plans` has the same by goal. `producer` is the engine that wrote the file, or None.
    """

    title: str
    reproduces: bool
    states: pd.DataFrame
    plans: pd.DataFrame
    producer: Mapping[str, str] | None

    def __str__(self) -> str:
        plans = f" and {words.count(len(self.plans), 'plan')}" if len(self.plans) else ""
        all_of = f"{words.count(len(self.states), 'state')}{plans}"
        if self.reproduces:
            numbers = int(self.states["compared"].sum() + self.plans["compared"].sum())
            return f"{self.title}: {all_of} reproduced, {words.count(numbers, 'number')} and every result hash equal"
        bad = (~self.states["reproduces"]).sum() + (~self.plans["reproduces"]).sum()
        return f"{self.title}: of {all_of}, {bad} not reproduced"

    @property
    def differences(self) -> list[str]:
        """What differs, a sentence each."""
        rows = [*self.states["difference"].dropna().items(), *self.plans["difference"].dropna().items()]
        return [f"{name}: {said}" for name, said in rows]

    def __repr__(self) -> str:
        return "\n".join([f"<Verification of {self}>", *self.differences])
