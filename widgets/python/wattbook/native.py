"""The native engine `wattbook._engine`: imported on first use, its errors translated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from .arguments import formatted
from .errors import ArgumentError, EngineMissingError, InputError, from_engine
from .threads import undisturbed
from .version import CONTRACT_VERSION, __version__

_HOW_TO_BUILD = (
    "Install the wheel of a release with `pip install`, or in a checkout run `npm start` once "
    "(to rebuild the native module alone: `maturin develop --release`)."
)


@cache
def engine() -> ModuleType:
    """The module `wattbook._engine`; raises EngineMissingError if it is missing or of another version."""
    try:
        with undisturbed():
            module = import_module("wattbook._engine")
    except ImportError as error:
        raise EngineMissingError(
            "ENGINE.MISSING", f"The native engine cannot be imported ({error}). {_HOW_TO_BUILD}"
        ) from error
    if module.CONTRACT_VERSION != CONTRACT_VERSION:
        raise EngineMissingError(
            "ENGINE.VERSION",
            f"Wattbook {__version__} needs the engine contract {CONTRACT_VERSION}, but the native module was built for "
            f"{module.CONTRACT_VERSION}. {_HOW_TO_BUILD}",
        )
    return module


@contextmanager
def engine_errors() -> Iterator[ModuleType]:
    """Yields the engine and converts `_engine.EngineError` raised in the block to a WattbookError."""
    module = engine()
    try:
        yield module
    except module.EngineError as error:
        raise from_engine(*error.args) from None


@cache
def formulations() -> tuple[str, ...]:
    """The formulations that the engine solves."""
    rows = json.loads(engine().capabilities())["formulations"]
    # Feeders have no DataFrames here, so Python offers only the other formulations.
    return tuple(row["formulation"] for row in rows if row["available"] and row["formulation"] != "dcpf")


def check_formulation(name: str) -> None:
    """Raises InputError (`FORMULATION.UNAVAILABLE`) unless the engine solves `name`."""
    if name not in formulations():
        raise InputError(
            "FORMULATION.UNAVAILABLE", f"Unknown formulation {formatted(name)}; available: {', '.join(formulations())}."
        )


def solve_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The solve options as a JSON-serialisable dictionary, arrays and columns of frames as lists; the engine checks names and values.

    Raises ArgumentError `ARGUMENT.OPTIONS`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        example = '{"dc_convention": "matpower"}'
        raise ArgumentError(
            "ARGUMENT.OPTIONS", f"options must be a mapping, for instance {example}, not {formatted(options)}."
        )
    plain: dict[str, Any] = {}
    for name, value in options.items():
        try:
            plain.update(json.loads(json.dumps({name: value}, allow_nan=False, default=_listed)))
        except (TypeError, ValueError):
            raise ArgumentError("ARGUMENT.OPTIONS", f"Option {name!r} cannot be {formatted(value)}.") from None
    return plain


def _listed(value: Any) -> Any:
    """The list of an array, an index or a column of a frame, and the Python number of a NumPy one."""
    if not hasattr(value, "tolist"):
        raise TypeError
    return value.tolist()


def options_for(formulation: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The options that a formulation reads, and the names of those that only other formulations read.

    A Study that changes its formulation, and the states of a file, retain the other options for the formulations that
    read them. The engine refuses unknown options, which remain among the first.
    """
    own = _options_read()[formulation]
    others = {name for names in _options_read().values() for name in names} - own
    left_out = [name for name, value in options.items() if name in others and value is not None]
    return {name: value for name, value in options.items() if name not in left_out}, left_out


@cache
def _options_read() -> dict[str, frozenset[str]]:
    """The solve options that each formulation reads."""
    rows = json.loads(engine().capabilities())["formulations"]
    return {row["formulation"]: frozenset(row["options"]) for row in rows}
