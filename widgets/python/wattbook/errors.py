"""Errors and warnings: a stable code, the element, an actionable sentence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


class WattbookError(Exception):
    """Base of all errors of this package.

    `code` is stable (`SOLVE.INFEASIBLE`, `DELTA.UNKNOWN_BUS`, ...), `element` names one element of the case as
    `{"kind", "id", "uid"?}` or is None, `details` holds more data or is None, `sentence` is `message` as a key and
    values of the engine's catalogue, or None, and `advised` is the message with its advice, which differs on the
    command line.
    """

    def __init__(
        self,
        code: str,
        message: str | Advised,
        *,
        element: Mapping[str, Any] | None = None,
        details: Any = None,
        sentence: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(str(message))
        self.code = code
        self.message = str(message)
        self.advised = message if isinstance(message, Advised) else None
        self.element = dict(element) if element is not None else None
        self.details = details
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            type(self),
            self.code,
            self.advised or self.message,
            self.element,
            self.details,
            self.sentence,
        )


class InputError(WattbookError, ValueError):
    """A file cannot be read or written, a case is unknown, or it contains physics that the engine does not model."""


class ArgumentError(InputError, TypeError):
    """An argument has the wrong type, is not an allowed value, or is unknown; the message names it.

    Also a TypeError and a ValueError.
    """


class SolveError(WattbookError):
    """The problem has no solution, or the solver could not certify a solution."""


class EditError(WattbookError, ValueError):
    """An edit of demand, ratings or generators, or a sensitivity target, is invalid for this case."""


class ServiceError(WattbookError):
    """The companion server refused, failed or cannot be reached. `details["status"]` is the HTTP status, if any."""


class ServiceUnreachableError(ServiceError):
    """No companion server answers at the address."""


class ServiceTimeoutError(ServiceError):
    """The companion server did not answer within the time-out of the client."""


class ServiceBusyError(ServiceError):
    """The companion server is busy, limits requests, or is starting (HTTP 429 or 503), also after the retries of the client."""

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next request; None if the server gives no time."""
        return self.details.get("retry_after") if isinstance(self.details, dict) else None


class EngineMissingError(WattbookError, ImportError):
    """The native module `wattbook._engine` is missing or of another version."""


class WattbookWarning(UserWarning):
    """A warning about a result or a case."""


class ConversionWarning(WattbookWarning):
    """Data that a conversion between two packages drops, or that the target requires and the source lacks."""


class ExportWarning(WattbookWarning):
    """Data of the case that the exported format cannot represent."""


_BY_FAMILY: dict[str, type[WattbookError]] = {
    "ARGUMENT": ArgumentError,
    "INPUT": InputError,
    "OUTPUT": InputError,
    "EXPORT": InputError,
    "MODULE": InputError,
    "STUDY_FILE": InputError,
    "PHYSICS": InputError,
    "CASE": InputError,
    "FORMULATION": InputError,
    "BASEMAP": InputError,
    "LAYER": InputError,
    "SOLVE": SolveError,
    "ADDED": EditError,
    "DELTA": EditError,
    "RATE": EditError,
    "GENERATOR": EditError,
    "EDIT": EditError,
    "STATE": EditError,
    "BUS": EditError,
    "BRANCH": EditError,
    "LINK": EditError,
    "INTERFACE": EditError,
    "STORAGE": EditError,
    "TARGET": EditError,
    "SENS": EditError,
    "OUTAGE": EditError,
    "PROFILE": EditError,
    "SWEEP": EditError,
    "COST": EditError,
    "PLAN": EditError,
}


def error_for(
    code: str,
    message: str | Advised,
    element: Mapping[str, Any] | None = None,
    details: Any = None,
    sentence: Mapping[str, Any] | None = None,
) -> WattbookError:
    """The error of the class that the family of `code` (the part before the dot) belongs to."""
    kind = _BY_FAMILY.get(code.split(".", 1)[0], WattbookError)
    return kind(code, message, element=element, details=details, sentence=sentence)


def from_engine(
    code: str,
    message: str,
    element_json: str | None = None,
    details_json: str | None = None,
    sentence_json: str | None = None,
) -> WattbookError:
    """The error for the arguments of `_engine.EngineError`."""
    element = json.loads(element_json) if element_json else None
    details = json.loads(details_json) if details_json else None
    sentence = json.loads(sentence_json) if sentence_json else None
    return error_for(code, message, element, details, sentence)


def _rebuild(
    kind: type[WattbookError],
    code: str,
    message: str | Advised,
    element: Mapping[str, Any] | None,
    details: Any,
    sentence: Mapping[str, Any] | None,
) -> WattbookError:
    """Pickling support: errors travel back from the workers of a pool."""
    return kind(code, message, element=element, details=details, sentence=sentence)


@dataclass(frozen=True)
class Advice:
    """What to do, as a part of a sentence: with Python arguments, and with options of a command.

    `{option}` in `command` stands for the option that sets the format of the file.
    """

    python: str
    command: str

    def within(self, before: str, after: str) -> Advised:
        """The sentence around the advice."""
        return Advised(before, self, after)


@dataclass(frozen=True)
class Advised:
    """A message with an advice; as text it is the one for Python."""

    before: str
    advice: Advice
    after: str

    def __str__(self) -> str:
        return f"{self.before}{self.advice.python}{self.after}"

    def for_command(self, option: str) -> str:
        """The message on the command line, where `option` sets the format."""
        return f"{self.before}{self.advice.command.replace('{option}', option)}{self.after}"


FORMAT = Advice("pass format=", "give {option}")
FORMAT_OF_BYTES = Advice(
    'pass their format, for instance format="matpower"', "give {option}, for instance {option} matpower"
)
POSITIONS = Advice(
    "case.with_geography(file) or case.with_layout((longitude, latitude))", "--geography FILE or --layout LON,LAT"
)


def with_geography(file: str, python: str) -> Advice:
    """Advice to apply a geographic layer to its case; `python` is the advice for Python."""
    return Advice(python, f"`wattbook convert CASE OUT --geography {file}` applies it")


@dataclass(frozen=True)
class Diagnostic:
    """A remark of the reader or the solver: `code` is stable, `message` is one sentence, `element` is `{"kind", "id",
    "uid"?}` or None.

    Elements of distribution networks have names instead of numbers; for these `element_name` is `class.name`, otherwise
    None.
    """

    code: str
    message: str
    element: Mapping[str, Any] | None = None
    element_name: str | None = None

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


def read_diagnostics(rows: Iterable[Mapping[str, Any]] | None) -> tuple[Diagnostic, ...]:
    """Diagnostics from their JSON form."""
    return tuple(
        Diagnostic(row["code"], row["message"], row.get("element"), row.get("element_name")) for row in rows or ()
    )
