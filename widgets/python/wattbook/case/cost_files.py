"""Tables of costs in CSV files."""

from __future__ import annotations

from pathlib import Path

from ..arguments import meant, told
from ..errors import EditError, InputError
from ..files import files
from ..text.visible import visible


def read_costs(source: files.Source) -> bytes:
    """The bytes of a CSV file, which are not blank. Raises EditError `COST.MALFORMED`, InputError `INPUT.EMPTY` and as reading files does."""
    if isinstance(source, str) and not Path(source).suffix and not Path(source).exists():
        hint = meant(source, ["typical"])
        raise EditError(
            "COST.MALFORMED", f'{told(source)} is neither a file nor "typical"{f": {hint}" if hint else "."}'
        )
    path, data = files.content(source)
    # Without bytes the engine would assume typical costs.
    if not data.strip():
        name = "" if path is None else f" {visible(path.name)}"
        raise InputError("INPUT.EMPTY", f"The cost file{name} is empty.")
    return data
