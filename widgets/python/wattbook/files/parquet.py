"""Tables in Parquet files, written block by block."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from ..errors import InputError
from .files import path_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow


def arrow(frame: pd.DataFrame) -> pyarrow.Table:
    """A DataFrame as an Arrow table. Raises InputError `OUTPUT.PYARROW` without pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError("OUTPUT.PYARROW", "This needs pyarrow: pip install pyarrow.") from None
    plain = frame.copy(deep=False)
    plain.attrs = {}
    return pa.Table.from_pandas(plain, preserve_index=True)


class TableFiles:
    """One Parquet file a table in a folder, which is made; without a folder nothing. Closed files hold what was written.

    `names` are the tables that results may have: the first write removes those of an earlier run, which would be taken for this one's.

    Raises ArgumentError `ARGUMENT.FILE`, InputError `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE`.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, names: Iterable[str]) -> None:
        self.folder = None if folder is None else path_of(folder)
        self._names = names
        self._writers: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if self.folder is not None:
            try:
                import pyarrow.parquet  # noqa: F401
            except ImportError:
                raise InputError("OUTPUT.PYARROW", "Parquet files need pyarrow: pip install pyarrow.") from None
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError("OUTPUT.UNWRITABLE", f"The folder cannot be made: {error}.") from None
        return self

    def write(self, name: str, frame: pd.DataFrame) -> None:
        """Adds rows to a table, with the columns and types of the first ones."""
        if self.folder is None:
            return
        import pyarrow.parquet as pq

        table = arrow(frame)
        try:
            if not self._writers:
                for earlier in self._names:
                    (self.folder / f"{earlier}.parquet").unlink(missing_ok=True)
            if name not in self._writers:
                self._writers[name] = pq.ParquetWriter(self.folder / f"{name}.parquet", table.schema)
            self._writers[name].write_table(table.cast(self._writers[name].schema))
        except OSError as error:
            raise InputError("OUTPUT.UNWRITABLE", f"The table {name} cannot be written: {error}.") from None

    def __exit__(self, *_: object) -> None:
        for writer in self._writers.values():
            writer.close()
