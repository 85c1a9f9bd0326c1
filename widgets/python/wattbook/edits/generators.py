"""Edits of generators: limits, cost and status, in place of the values of the case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ..arguments import finite, meant, told
from ..errors import EditError
from .edits import ElementKey, ordered

if TYPE_CHECKING:
    from .edits import Elements

#: Values by generator: `p_min` and `p_max` in MW, `cost` in $/MWh, `status`; None where the case's applies again.
GeneratorChanges: TypeAlias = Mapping[Any, Mapping[str, Any] | None]
#: The same with canonical keys, values that were given only.
GeneratorEdits: TypeAlias = Mapping[ElementKey, Mapping[str, float | bool]]

_QUANTITIES = {"p_min": "MW", "p_max": "MW", "cost": "$/MWh"}
_NAMES = (*_QUANTITIES, "status")


def edited(current: GeneratorEdits, elements: Elements, changes: GeneratorChanges | None) -> GeneratorEdits:
    """The edits after `changes`: values that are not named stay.

    Raises EditError `GENERATOR.MALFORMED`, `GENERATOR.UNKNOWN`.
    """
    if changes is None:
        return current
    if not hasattr(changes, "items"):
        raise _malformed(f"generators must be a mapping, for instance {_example(elements)}, not {told(changes)}.")
    out = {key: dict(values) for key, values in current.items()}
    seen = set()
    for key, values in changes.items():
        generator = elements.known(key, "GENERATOR.UNKNOWN")
        if generator in seen:
            raise _malformed(f"generator {generator} is named twice.")
        seen.add(generator)
        if values is not None and not hasattr(values, "items"):
            raise _malformed(
                f"The values of generator {generator} must be a mapping, for instance {_example(elements)}, not {told(values)}."
            )
        given = dict.fromkeys(_NAMES) if values is None else values
        own = {**out.get(generator, {}), **{name: _value(generator, name, value) for name, value in given.items()}}
        out[generator] = {name: value for name in _NAMES if (value := own.get(name)) is not None}
    return {key: out[key] for key in ordered(out) if out[key]}


def _value(generator: ElementKey, name: object, value: object) -> float | bool | None:
    if name not in _NAMES:
        hint = meant(name, _NAMES) if isinstance(name, str) else ""
        raise _malformed(f"A generator has {', '.join(_NAMES)}, not {told(name)}{f': {hint}' if hint else '.'}")
    if value is None:
        return None
    if name == "status":
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return bool(value)
        raise _malformed(f"The status of generator {generator} must be True or False, not {told(value)}.")
    number = finite(value)
    if number is None:
        unit = _QUANTITIES[str(name)]
        raise _malformed(f"{name} of generator {generator} is not a finite number in {unit}: {told(value)}.")
    return number


def _example(elements: Elements) -> str:
    return f'{{{elements.example}: {{"p_max": 300.0}}}}'


def _malformed(message: str) -> EditError:
    return EditError("GENERATOR.MALFORMED", message)
