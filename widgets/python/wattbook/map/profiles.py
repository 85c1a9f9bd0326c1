"""The profiles of a case in the form that its maps read (widgets/src/notebook/givenProfiles.ts)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from ..edits.profiles import Profiles

#: Largest number of values sent to a page, 32 MB: half a year of hours at a thousand buses. Longer profiles are not
#: sent.
_MOST_NUMBERS = 4_000_000


def shown_profiles(profiles: Profiles | None) -> list[dict[str, Any]]:
    """The profile of `case.with_profiles` as a list; empty without one, if it is too long for a page, and for
    availability of generators, which pages do not solve."""
    if profiles is None or profiles.units is not None or profiles.changes.size > _MOST_NUMBERS:
        return []
    return [
        {
            "steps": _labels(profiles.index),
            "buses": list(profiles.buses),
            "branches": list(profiles.branches),
            # Values of the buses, then those of the lines, step by step.
            "changes_mw": np.ascontiguousarray(profiles.changes, dtype="<f8").tobytes(),
        }
    ]


def _labels(index: pd.Index) -> list[str]:
    if isinstance(index, pd.DatetimeIndex):
        return [str(text) for text in index.strftime("%Y-%m-%dT%H:%M")]
    return [str(label) for label in index]
