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

#: Limits of a row group, in rows and in bytes before compression. Every column of a group is written separately, so
#: groups of few rows take many times as long and as much space.
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
    # pandas takes six times as long for wide numeric tables, because it inspects the type of each column.
    index = pa.Table.from_pandas(plain.iloc[:, :0], preserve_index=True)
    values = plain.to_numpy()
    columns = [pa.array(values[:, k], from_pandas=True) for k in range(values.shape[1])]
    names = [*plain.columns, *index.column_names]
    return pa.table([*columns, *index.columns], names, metadata=index.schema.metadata)


class TableFiles:
    """One Parquet file per table in a folder, which is created; nothing without a folder.

    Rows are buffered until they fill a row group. Files are written under temporary names and renamed at the end, also
    after an interrupt, with the rows added until then. If one cannot be written, all are removed and the tables of an
    earlier run stay. `names` are the tables that results may have: those of an earlier run are removed, because they
    would be mistaken for this run's.

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
        """Writes the buffered rows of a table as a row group."""
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
        """Closes and renames the files."""
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
        """Removes the temporary files."""
        for name, part in self._parts.items():
            if part.exists():
                with suppress(OSError):  # a file that could not be written before cannot be written now
                    self._writers[name].close()
                part.unlink(missing_ok=True)
