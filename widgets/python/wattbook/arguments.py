"""Checks of arguments: numbers and choices, with errors that name the argument."""

from __future__ import annotations

import difflib
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from .errors import ArgumentError, error_for

_SHOWN = 60


def formatted(value: object) -> str:
    """A value for a message: short, on one line."""
    try:
        text = repr(_plain(value))
    except ValueError:  # an integer with more digits than Python converts
        return f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN and "\n" not in text else f"a {type(value).__name__}"


def foreign_frame(value: object) -> str:
    """How to convert a table of another library (polars, pyarrow), for a message; empty for anything else."""
    kind = type(value)
    is_foreign = hasattr(value, "to_pandas") and not kind.__module__.startswith("pandas")
    return f"a {kind.__module__.partition('.')[0]} {kind.__name__}; pass .to_pandas() of it" if is_foreign else ""


def _plain(value: Any) -> Any:
    """Converts a numpy number, also in a tuple or list, so that messages say 5, not np.int64(5)."""
    if type(value) in (tuple, list):
        return type(value)(map(_plain, value))
    numpy = sys.modules.get("numpy")  # not imported here: without it there are no such numbers
    return value.item() if numpy and isinstance(value, numpy.number | numpy.bool_ | numpy.str_) else value


def shortened(value: int | str) -> str:
    """A name or number for a message, truncated if long."""
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return f"a number of more than {_SHOWN} digits"
    return repr(value) if isinstance(value, int) or len(value) <= _SHOWN else repr(value[:_SHOWN]) + "..."


def finite(value: object) -> float | None:
    """A finite real number as a float: of Python, numpy, `decimal` or `fractions`. None for anything else, including text and booleans."""
    # numpy counts a time span as an integer; a table or list of one number is not a number.
    if (
        isinstance(value, (bool, str, bytes, bytearray))
        or getattr(getattr(value, "dtype", None), "kind", "f") not in "iuf"
    ):
        return None
    if getattr(value, "ndim", 0):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def number(name: str, value: object, unit: str, *, code: str = "ARGUMENT.NUMBER") -> float:
    """A finite number for the argument `name`; raises the error of `code`, by default an ArgumentError."""
    found = finite(value)
    if found is None:
        raise error_for(code, f"{name} must be a finite number of {unit}, not {formatted(value)}.")
    return found


def whole(name: str, value: object, *, least: int = 0, code: str = "ARGUMENT.NUMBER") -> int:
    """A whole number of at least `least` for the argument `name`; raises the error of `code`, by default an ArgumentError."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < least:
        raise error_for(code, f"{name} must be a whole number of at least {least}, not {formatted(value)}.")
    return int(value.__index__())


def truth(name: str, value: object) -> bool:
    """True or False for the argument `name`; raises ArgumentError `ARGUMENT.CHOICE`."""
    if isinstance(value, bool) or (type(value).__name__ == "bool" and hasattr(value, "dtype")):
        return bool(value)
    raise ArgumentError("ARGUMENT.CHOICE", f"{name} must be True or False, not {formatted(value)}.")


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    """One of the words `allowed` for the argument `name`; raises ArgumentError `ARGUMENT.CHOICE`."""
    if isinstance(value, str) and value in allowed:
        return value
    hint = f"; {meant(value, allowed)}" if isinstance(value, str) and meant(value, allowed) else "."
    raise ArgumentError(
        "ARGUMENT.CHOICE", f"{name} must be one of {', '.join(map(repr, allowed))}, not {formatted(value)}{hint}"
    )


def meant(word: str, known: Iterable[str]) -> str:
    """`did you mean 'texas'?`, with at most three similar words; empty if there are none."""
    by_folded: dict[str, str] = {}
    for name in known:
        by_folded.setdefault(name.casefold(), name)
    close = difflib.get_close_matches(word.casefold().strip(), by_folded, 3, 0.7)
    return f"did you mean {' or '.join(repr(by_folded[name]) for name in close)}?" if close else ""
