"""The LMP of a bus in a state of a session: its components, and the generators that set it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..edits import added as adding
from ..edits.targets import target
from ..errors import WattbookError
from ..jobs import Progress, closing, reporter
from ..native import engine_errors
from ..network.elements import ElementName
from ..results.lmp_components import LmpComponents
from ..results.price_change import PriceState
from ..results.sensitivity import Sensitivity
from ..text import words
from ..threads import stop_if_cancelled
from .session import Session

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
    from ..tables.price_changes import marginal_units

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
