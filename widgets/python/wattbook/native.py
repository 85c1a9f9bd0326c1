"""The native engine `wattbook._engine`: imported on first use, its errors translated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from .arguments import formatted
from .errors import ArgumentError, EngineMissingError, InputError, from_engine
from .threads import undisturbed
from .version import CONTRACT_VERSION, __version__

_Made = TypeVar("_Made")

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
    # Its quantities have no DataFrames yet: Python offers the others only.
    return tuple(row["formulation"] for row in rows if row["available"] and row["formulation"] != "dcpf")


def check_formulation(name: str) -> None:
    """Raises InputError (`FORMULATION.UNAVAILABLE`) unless the engine solves `name`."""
    if name not in formulations():
        raise InputError(
            "FORMULATION.UNAVAILABLE", f"Unknown formulation {formatted(name)}; available: {', '.join(formulations())}."
        )


def solve_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The solve options as a JSON-serialisable dictionary; the engine checks names and values.

    Raises ArgumentError `ARGUMENT.OPTIONS`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        example = '{"dc_convention": "matpower"}'
        raise ArgumentError(
            "ARGUMENT.OPTIONS", f"options must be a mapping, for instance {example}, not {formatted(options)}."
        )
    for name, value in options.items():
        try:
            json.dumps({name: value}, allow_nan=False)
        except (TypeError, ValueError):
            raise ArgumentError("ARGUMENT.OPTIONS", f"Option {name!r} cannot be {formatted(value)}.") from None
    return dict(options)


def with_shared_options(create: Callable[[str], _Made], options: Mapping[str, Any]) -> tuple[_Made, list[str]]:
    """What `create` makes with the options (JSON) that its formulation reads, and the names of those left out.

    The engine says which option a formulation does not read: a Study that changes its formulation, and the states of a file, keep such an
    option for the formulations that do.
    """
    shared = dict(options)
    left_out: list[str] = []
    while True:
        try:
            return create(json.dumps(shared)), left_out
        except InputError as error:
            sentence = error.sentence or {}
            unread = sentence.get("values", {}).get("option", {}).get("text")
            if sentence.get("key") != "request.option_of_other" or unread not in shared:
                raise
            del shared[unread]
            left_out.append(unread)
