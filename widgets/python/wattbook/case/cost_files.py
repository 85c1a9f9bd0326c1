"""Tables of costs in CSV files."""

from __future__ import annotations

import os
from pathlib import Path

from ..arguments import meant, told
from ..errors import EditError
from ..files import files


def read_costs(source: str | os.PathLike[str]) -> bytes:
    """The bytes of a CSV file. Raises EditError `COST.MALFORMED`, and InputError as reading files does."""
    if isinstance(source, str) and not Path(source).suffix and not Path(source).exists():
        hint = meant(source, ["typical"]) or 'known is "typical".'
        raise EditError("COST.MALFORMED", f"{told(source)} is no file and no table of costs: {hint}")
    _, data = files.content(source)
    return data
