"""Matrices of a case by element: power transfer and line outage distribution factors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from ..arguments import finite, formatted
from ..errors import ArgumentError
from ..native import engine_errors, solve_options
from .elements import ElementName

if TYPE_CHECKING:
    from .network import Network

#: A bus, `"demand"`, or weights by bus.
Slack: TypeAlias = ElementName | Mapping[Any, Any] | pd.Series | None


def ptdf(
    network: Network,
    slack: Slack,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
    branch_edits: Mapping[str, Any] | None = None,
    added_json: str = "",
) -> pd.DataFrame | pd.Series:
    """See `Case.ptdf`; the edits of branches and the added elements are those of a Study, as in the contract."""
    own = network._with_added(added_json)
    request = {"kind": "ptdf", "slack": _weights(own, slack), **_request(own, branches, threshold, options)}
    request["edits"] = dict(branch_edits or {})
    return _matrix(own, request, "ptdf", ("branch", "bus"), own._bus_ids)


def lodf(
    network: Network,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
) -> pd.DataFrame | pd.Series:
    """See `Case.lodf`."""
    request = {"kind": "lodf", **_request(network, branches, threshold, options)}
    return _matrix(network, request, "lodf", ("branch", "outage"), network._branch_ids)


def _request(
    network: Network,
    branches: Iterable[ElementName] | None,
    threshold: float | None,
    options: Mapping[str, Any] | None,
) -> dict[str, Any]:
    given = dict(solve_options(options))
    request: dict[str, Any] = {"dc_convention": given.pop("dc_convention", None)}
    if given:
        raise ArgumentError(
            "ARGUMENT.OPTIONS", f"A matrix depends on the option dc_convention only, not on {', '.join(given)}."
        )
    if isinstance(branches, (str, bytes)) or (branches is not None and not isinstance(branches, Iterable)):
        raise ArgumentError("ARGUMENT.LIST", f"branches must be a list of branches, not {formatted(branches)}.")
    if branches is not None:
        request["branches"] = [str(network._branch_keys.target(name, argument="branches: ")) for name in branches]
    if threshold is not None:
        least = finite(threshold)
        if least is None or least < 0:
            raise ArgumentError(
                "ARGUMENT.NUMBER", f"threshold must be a number of at least 0, not {formatted(threshold)}."
            )
        request["threshold"] = least
    return request


def _weights(network: Network, slack: Slack) -> dict[str, float] | None:
    if slack is None:
        return None
    if isinstance(slack, str) and slack == "demand":
        demand = network._rows.buses.numbers("demand_mw")
        return {str(bus): mw for bus, mw in zip(network._bus_ids.tolist(), demand.tolist(), strict=True) if mw > 0}
    if not isinstance(slack, (Mapping, pd.Series)):
        return {str(network._bus_keys.target(slack, argument="slack: ")): 1.0}
    weights: dict[str, float] = {}
    for name, given in slack.items():
        weight = finite(given)
        if weight is None:
            raise ArgumentError(
                "ARGUMENT.NUMBER", f"slack: the weight of {formatted(name)} must be a number, not {formatted(given)}."
            )
        bus = str(network._bus_keys.target(name, argument="slack: "))
        weights[bus] = weights.get(bus, 0.0) + weight
    return weights


def _matrix(
    network: Network,
    request: Mapping[str, Any],
    name: Literal["ptdf", "lodf"],
    axes: tuple[str, str],
    columns: np.ndarray,
) -> pd.DataFrame | pd.Series:
    with engine_errors():
        head, parts = network._opened.distribution_factors(json.dumps(request))
    rows = network._branch_ids[json.loads(head)["rows"]]
    values = [np.frombuffer(part, dtype="<f8") for part in parts]
    if "threshold" not in request:
        data = values[0].reshape(len(rows), len(columns))
        index, names = pd.Index(rows, name=axes[0]), pd.Index(columns, name=axes[1])
        return pd.DataFrame(data, index=index, columns=names, copy=False)
    at = pd.MultiIndex.from_arrays([rows[values[0].astype(int)], columns[values[1].astype(int)]], names=axes)
    return pd.Series(values[2], index=at, name=name)
