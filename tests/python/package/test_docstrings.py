"""Every public name has a docstring with its arguments and, where it returns numbers, their units."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
import wattbook as wb

#: Units, or words that refer to them.
_UNITS = re.compile(
    r"\bMW\b|\bMVA\b|\bMVAr\b|\$/MWh|\$/h|\bkV\b|\bkW\b|\bV\b|\bA\b|\bW\b|degrees|\bms\b|`label`|`units`|source units|units of|layer's units|drawing units"
)
_NUMBERS = ("DataFrame", "Series", "float")
#: Tables of names and counts.
_COUNTS = {"cases", "Service.cases"}
#: Dimensionless columns.
_WITHOUT_UNIT = {
    "area",
    "zone",
    "overloads",
    "new_overloads",
    "worst_branch",
    "new_overload_branch",
    "id",
    "from_bus",
    "to_bus",
    "bus",
    "tap",
}
_WITHOUT_UNIT |= {"branch", "new_overload_from_bus", "new_overload_to_bus"}


def public() -> Iterator[tuple[str, Any, Any]]:
    """Name, function and class of every public callable and attribute; a class stands for its constructor."""
    for name in wb.__all__:
        value = getattr(wb, name)
        if inspect.isfunction(value):
            yield name, value, None
        if not inspect.isclass(value) or issubclass(value, Exception):
            continue
        for base in value.__mro__:
            if not base.__module__.startswith("wattbook"):
                continue
            for member, raw in vars(base).items():
                function = getattr(raw, "fget", None) or getattr(raw, "func", None) or getattr(raw, "__func__", raw)
                if not member.startswith("_") and inspect.isfunction(function):
                    yield f"{name}.{member}", function, value


PUBLIC = {name: (function, owner) for name, function, owner in public()}


def test_all_of_them_are_looked_at() -> None:
    assert len(PUBLIC) > 60
    assert {"Study.track", "Case.with_layout", "Solution.buses", "Track.price_at", "open_case"} <= PUBLIC.keys()


@pytest.mark.parametrize("name", wb.__all__)
def test_a_public_name_has_a_docstring(name: str) -> None:
    text = inspect.getdoc(getattr(wb, name))
    assert name == "__version__" or (text and len(text) > 20 and not text.startswith(f"{name}("))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_function_documents_arguments_and_result(name: str) -> None:
    function: Callable[..., Any] = PUBLIC[name][0]
    text = inspect.getdoc(function)
    assert text and "." in text, "a sentence"
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty, "the result has a type"
    as_another = re.search(r"[Aa]s (?:for )?`[\w.]+`", text)
    for argument in signature.parameters.values():
        if argument.name in ("self", "cls") or argument.kind is argument.VAR_POSITIONAL:
            continue
        assert argument.annotation is not inspect.Parameter.empty, f"{argument.name} has a type"
        assert as_another or re.search(rf"`{argument.name}\b|\b{argument.name}\b", text), (
            f"{argument.name} is described"
        )


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, (f, _) in PUBLIC.items()
        if n not in _COUNTS and any(w in str(f.__annotations__.get("return")) for w in _NUMBERS)
    ],
)
def test_numbers_have_their_units_in_the_docstring(name: str) -> None:
    function, owner = PUBLIC[name]
    about = inspect.getdoc(function) or ""
    # The class has the units of its fields.
    assert _UNITS.search(about) or (owner is not None and _UNITS.search(inspect.getdoc(owner) or "")), about


def tables() -> dict[str, pd.DataFrame]:
    study = wb.open_case("case500_goc").study()
    track = study.track(bus=4, to_mw=5)
    study.commit({4: 3.0})
    feasible = study.solution
    explanation = study.explain({4: 1e5})
    assert explanation is not None
    return {
        **{f"case.{name}": getattr(study.case, name) for name in ("buses", "branches", "generators")},
        **{f"solution.{name}": getattr(feasible, name) for name in ("buses", "branches", "generators")},
        "contingencies": study.contingencies(),
        "outage_flows": study.outage_flows(branch=1),
        "congestion": study.lmp_components(4).congestion,
        "price parts": study.price_change(bus=4).table,
        "rating effects": study.rating_effects(verify_mw=1),
        "price units": study.price_change(bus=4).units,
        "breakpoints": track.breakpoints,
        "segments": track.segments,
        "elements": explanation.elements,
        "relaxation": explanation.relaxation,
    }


def test_every_column_of_numbers_has_its_unit() -> None:
    for name, frame in tables().items():
        assert len(frame), name
        numbers = set(frame.select_dtypes("number").columns) - _WITHOUT_UNIT
        assert numbers == set(frame.attrs["units"]), name
    study = wb.open_case("case500_goc").study()
    for series in (
        study.sensitivity(bus=4).values,
        study.preview({4: 1}).prices,
        study.track(bus=4, to_mw=1).price_at(1),
    ):
        assert series.attrs["units"] in ("($/MWh)/MW", "$/MWh") and series.index.name == "bus"
