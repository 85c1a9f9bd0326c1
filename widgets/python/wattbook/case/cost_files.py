"""Tables of costs in CSV files."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..arguments import meant, told
from ..errors import EditError
from ..files import files

if TYPE_CHECKING:
    import pandas as pd


def read_costs(source: str | os.PathLike[str]) -> pd.DataFrame:
    """The table in a CSV file. Raises EditError `COST.MALFORMED`, and InputError as reading files does."""
    import pandas as pd

    if isinstance(source, str) and not Path(source).suffix and not Path(source).exists():
        hint = meant(source, ["typical"]) or 'known is "typical".'
        raise EditError("COST.MALFORMED", f"{told(source)} is no file and no table of costs: {hint}")
    _, data = files.content(source)
    try:
        return pd.read_csv(io.BytesIO(data), skipinitialspace=True)
    except (ValueError, UnicodeDecodeError) as error:
        raise EditError("COST.MALFORMED", f"{Path(source).name} cannot be read as CSV: {error}.") from None
