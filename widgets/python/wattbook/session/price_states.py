"""The LMP of a bus in a state of a session, its components, and the generators that set it; the effect of every rating
on it, or on a weighted mean of LMPs: derivatives, and exact solves on request."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..edits import added as adding
from ..edits.targets import target
from ..errors import InputError, SolveError, WattbookError
from ..jobs import Progress, closing, reporter
from ..native import engine_errors
from ..network import ElementName
from ..results.prices import LmpComponents, PriceState
from ..results.sensitivity import Sensitivity
from ..results.solution import Solution
from ..text import words
from ..threads import stop_if_cancelled
from .session import Session

if TYPE_CHECKING:
    import pandas as pd

#: Participation below which a generator is left out, MW/MW.
_NOTHING = 1e-9
#: Largest difference between an LMP and the sum over its generators, relative: of a DC optimum rounding, of a conic one its accuracy.
_ACCURACY = {"dcopf": 1e-9, "socwr": 1e-4}


def lmp_components(session: Session, bus: ElementName | None, call: str) -> LmpComponents:
    """LMP components in the current state; `call` is an example call with `{}` for the bus. Takes the lock.

    Raises EditError `BUS.UNKNOWN`, `TARGET.MALFORMED`, InputError `FORMULATION.UNAVAILABLE`.
    """
    what = target(session.network, "bus", bus, call)
    with session.lock:
        session.solution()
        with engine_errors():
            return LmpComponents.from_body(json.loads(session.native().lmp_components(what)))


def price_state(session: Session, bus: ElementName | None, label: str, call: str, progress: Progress) -> PriceState:
    """The LMP at a bus in the current state, which `label` names. Takes the lock. `call` and errors as for `lmp_components`; `progress`
    follows the generators, whose derivatives take long in the relaxation of a large case only."""
    with session.lock:
        components = lmp_components(session, bus, call)
        participation = _participation(session, components, progress)
        generators = session.solution()._generators
        network, added = session.edited_network, session.edits.added
    from ..tables.analyses import marginal_units

    units = marginal_units(generators, participation)
    ends = network._branches[["from_bus", "to_bus"]]
    return PriceState(label, session.formulation, components, units, ends, adding.by_id(network, added))


def _participation(session: Session, components: LmpComponents, progress: Progress) -> dict[int, float]:
    """MW of output per MW of additional demand at the bus, by generator; empty at a breakpoint.

    An LMP is the derivative of the least cost by the demand, and the output of a generator that by its marginal cost, so that both mixed
    second derivatives are equal: the participation in the demand at a bus is the derivative of its LMP by the marginal cost.
    Only generators between their limits have one, and by the chain rule the sum of participation times marginal cost is the LMP.
    """
    generators = session.solution()._generators
    marginal = generators.index[generators["in_service"] & (generators["limit_shadow"] == 0.0)]
    found: dict[int, float] = {}
    targets = [json.dumps({"generator": number, "value": "cost"}) for number in marginal.tolist()]
    try:
        columns = list(columns_of(session, targets, progress))
    except WattbookError as error:
        # A derivative that does not exist, or leaves the range of numbers.
        if error.code.startswith(("SENS.", "SOLVE.")):
            return {}
        raise
    for number, column in zip(marginal.tolist(), columns, strict=True):
        if column.kind not in ("regular", "estimate"):
            return {}
        value = float(column.values[components.bus])
        if abs(value) > _NOTHING:
            found[number] = value
    total = sum(value * float(generators.at[number, "cost"]) for number, value in found.items())
    scale = 1.0 + abs(components.price) + sum(abs(value) for value in found.values())
    return found if abs(total - components.price) <= _ACCURACY[session.formulation] * scale else {}


def columns_of(session: Session, targets: Sequence[str], progress: Progress) -> Iterator[Sensitivity]:
    """The columns of several `targets` (contract's `SensTarget` as JSON) one after the other; it can be interrupted in between."""
    report = reporter(progress, text=lambda step: words.count(len(targets), "derivative"))
    with closing(report):
        for done, what in enumerate(targets, 1):
            stop_if_cancelled()
            yield session.sensitivity(what)
            report({"fraction": done / len(targets)})


def rating_effects(
    session: Session, weights: Mapping[int, float] | None, verify_mw: float | None, progress: Progress
) -> pd.DataFrame:
    """The table of `study.rating_effects`: one row for each line that binds in the current state. Takes the lock.

    `weights` are by bus; None for the mean LMP by positive demand. Raises InputError `FORMULATION.UNAVAILABLE` without prices, SolveError.
    """
    from ..tables.analyses import rating_effects as framed

    with session.lock:
        solution = session.solution()
        branches, buses = solution._branches, solution._buses
        shadows = solution._rating_shadows
        if shadows is None or "lmp" not in buses:
            message = words.message("formulation.lacks_prices", formulation={"text": session.formulation})
            raise InputError("FORMULATION.UNAVAILABLE", message)
        own = _weights(buses, weights)
        binding = shadows.index[shadows > 0].tolist()
        rows: list[dict[str, Any]] = []
        # The rating of a line that does not bind changes no LMP. A forward solve gives the interval too, which an adjoint one does not.
        targets = [json.dumps({"branch": branch}) for branch in binding]
        for branch, column in zip(binding, columns_of(session, targets, progress), strict=True):
            sides = (column.right, column.left)
            if column.kind in ("regular", "estimate"):
                sides = (column.values, column.values)
            increase, decrease = (_mean(side, own) for side in sides)
            low, high = column.valid_mw
            end = column.ends[1]
            rows.append(
                {
                    "branch": branch,
                    "increase": increase,
                    "decrease": decrease,
                    "kind": column.kind,
                    "valid_from": low,
                    "valid_to": high,
                    "event": None if end is None else words.event(end.event, end.element),
                }
            )
        start = session.start()
    rows.sort(key=lambda row: (math.isnan(row["increase"]), row["increase"], row["branch"]))
    exact = None if verify_mw is None else _verified(start(False), rows, own, verify_mw, progress)
    return framed(rows, branches.assign(shadow=shadows), words.rating_unit(session.formulation), verify_mw, exact)


def _weights(buses: pd.DataFrame, weights: Mapping[int, float] | None) -> pd.Series:
    import pandas as pd

    if weights is not None:
        return pd.Series(dict(weights), dtype="float64")
    demand = buses["demand_mw"].where(buses["lmp"].notna(), 0.0).clip(lower=0.0)
    own = demand[demand > 0.0]
    return own / own.sum()


def _mean(values: pd.Series | None, weights: pd.Series) -> float:
    """The weighted sum of values by bus; NaN where there are none."""
    return np.nan if values is None else float((values.reindex(weights.index) * weights).sum(skipna=False))


def _verified(
    session: Session, rows: list[dict[str, Any]], weights: pd.Series, raised_mw: float, progress: Progress
) -> list[float]:
    """The exact change of the price with each rating raised alone, on a session of its own; NaN where there is no solution."""

    def price(solution: Solution) -> float:
        return _mean(solution._buses["lmp"], weights)

    report = reporter(progress, text=lambda step: words.count(len(found), "line"))
    found: list[float] = []
    start, edits = price(session.solution()), session.edits
    with closing(report):
        try:
            for row in rows:
                stop_if_cancelled()
                ratings = {**edits.ratings, row["branch"]: edits.ratings.get(row["branch"], 0.0) + raised_mw}
                try:
                    found.append(price(session.commit(replace(edits, ratings=ratings), False)) - start)
                except SolveError:
                    found.append(np.nan)
                report({"fraction": len(found) / len(rows)})
        finally:
            session.free()
    return found
