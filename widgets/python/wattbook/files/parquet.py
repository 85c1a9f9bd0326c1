"""Tables in Parquet files, written block by block."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import InputError
from .files import part_of, path_of, writing

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow

#: Rows of a row group, and its bytes before compression: whichever is reached first. Every column of a group is written by
#: itself, so that groups of few rows take many times as long and as much space.
_GROUP_ROWS, _GROUP_BYTES = 4096, 32 << 20


def arrow(frame: pd.DataFrame) -> pyarrow.Table:
    """A DataFrame as an Arrow table. Raises InputError `OUTPUT.PYARROW` without pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError("OUTPUT.PYARROW", "This needs pyarrow: pip install pyarrow.") from None
    plain = frame.copy(deep=False)
    plain.attrs = {}
    if not all(kind == "float64" for kind in frame.dtypes):
        return pa.Table.from_pandas(plain, preserve_index=True)
    # pandas takes six times as long for tables of many numbers, because it looks at the type of each column.
    index = pa.Table.from_pandas(plain.iloc[:, :0], preserve_index=True)
    values = plain.to_numpy()
    columns = [pa.array(values[:, k], from_pandas=True) for k in range(values.shape[1])]
    names = [*plain.columns, *index.column_names]
    return pa.table([*columns, *index.columns], names, metadata=index.schema.metadata)


class TableFiles:
    """One Parquet file a table in a folder, which is made; without a folder nothing.

    Rows wait in memory until they fill a row group. Files are written beside their names and take them at the end, also after an
    interrupt, with the rows that were added until then; where one cannot be written, all are removed and the tables of an earlier
    run stay. `names` are the tables that results may have: those of an earlier run are removed, which would be taken for this one's.

    Raises ArgumentError `ARGUMENT.FILE`, InputError `OUTPUT.PYARROW`, `OUTPUT.UNWRITABLE`.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, names: Iterable[str]) -> None:
        self.folder = None if folder is None else path_of(folder)
        self._names = names
        self._waiting: dict[str, list[pd.DataFrame]] = {}
        self._writers: dict[str, Any] = {}
        self._parts: dict[str, Path] = {}

    def __enter__(self) -> Self:
        if self.folder is not None:
            try:
                import pyarrow.parquet  # noqa: F401
            except ImportError:
                raise InputError("OUTPUT.PYARROW", "Parquet files need pyarrow: pip install pyarrow.") from None
            with writing(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def write(self, name: str, frame: pd.DataFrame) -> None:
        """Adds rows to a table, with the columns and types of the first ones."""
        if self.folder is None:
            return
        waiting = self._waiting.setdefault(name, [])
        waiting.append(frame)
        rows = sum(map(len, waiting))
        if rows >= _GROUP_ROWS or 8 * rows * frame.shape[1] >= _GROUP_BYTES:
            self._put(self.folder, name)

    def _put(self, folder: Path, name: str) -> None:
        """Writes the rows of a table that wait as a row group."""
        import pandas as pd
        import pyarrow.parquet as pq

        path = folder / f"{name}.parquet"
        waiting = self._waiting.pop(name)
        table = arrow(pd.concat(waiting) if len(waiting) > 1 else waiting[0])
        with writing(path):
            if name not in self._writers:
                self._parts[name] = part_of(path)
                self._writers[name] = pq.ParquetWriter(self._parts[name], table.schema)
            self._writers[name].write_table(table.cast(self._writers[name].schema))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self.folder is None:
            return
        try:
            if getattr(error, "code", None) != "OUTPUT.UNWRITABLE":
                for name in [*self._waiting]:
                    self._put(self.folder, name)
                self._finish(self.folder)
        finally:
            self._abandon()

    def _finish(self, folder: Path) -> None:
        """Closes the files and gives them their names."""
        for name, writer in self._writers.items():
            with writing(folder / f"{name}.parquet"):
                writer.close()
        if self._parts:
            with writing(folder):
                for earlier in set(self._names) - set(self._parts):
                    (folder / f"{earlier}.parquet").unlink(missing_ok=True)
                for name, part in self._parts.items():
                    part.replace(folder / f"{name}.parquet")

    def _abandon(self) -> None:
        """Removes the files that have no name yet."""
        for name, part in self._parts.items():
            if part.exists():
                with suppress(OSError):  # what could not be written before cannot be written now
                    self._writers[name].close()
                part.unlink(missing_ok=True)
