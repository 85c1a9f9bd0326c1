"""Keywords of `study.map`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..arguments import meant, one_of
from ..errors import ArgumentError, EditError, InputError
from ..network.elements import ElementName
from ..quantities_generated import QUANTITIES as TABLE
from .style import STYLE_KEYWORDS, height_px, style_of

if TYPE_CHECKING:
    from ..network.network import Network

QUANTITIES = tuple(name for name, quantity in TABLE.items() if quantity.element == "bus")
LINE_QUANTITIES = tuple(name for name, quantity in TABLE.items() if quantity.element == "branch")
PREVIEW_MODES = ("first_order", "exact")


def map_settings(formulation: str, network: Network, view: Mapping[str, Any]) -> dict[str, Any]:
    """The traits for the keywords of `study.map`; raises an error for an unknown keyword."""
    known = (
        *("height", "quantity", "color", "lines", "preview_mode", "bus", "branch", "generator"),
        *("basemap", "attribution"),
        *STYLE_KEYWORDS,
    )
    for name in view:
        if name not in known:
            hint = f"; {meant(name, known)}" if meant(name, known) else "."
            message = f"map() has no keyword {name!r}{hint} It takes: {', '.join(known)}."
            raise ArgumentError("ARGUMENT.UNKNOWN", message)
    if "color" in view and "quantity" in view:
        raise ArgumentError("ARGUMENT.CHOICE", "color is another name of quantity; give one of them.")
    view = {**view, "quantity": view["color"]} if "color" in view else view
    settings: dict[str, Any] = {
        "view": {
            "quantity": one_of(
                "quantity", view.get("quantity", "voltage" if formulation == "acpf" else "lmp"), QUANTITIES
            ),
        },
        "preview_mode": one_of("preview_mode", view.get("preview_mode", "exact"), PREVIEW_MODES),
    }
    if view.get("height") is not None:
        settings["view"]["height"] = height_px(view["height"])
    style = style_of(network, view)
    if style:
        settings["view"]["style"] = style
    if "lines" in view:
        settings["view"]["lines"] = one_of("lines", view["lines"], LINE_QUANTITIES)
    kinds = ("bus", "branch", "generator")
    selected: dict[str, ElementName] = {kind: view[kind] for kind in kinds if view.get(kind) is not None}
    if len(selected) > 1:
        raise EditError("TARGET.MALFORMED", "Select one bus, one branch or one generator.")
    if settings["view"]["quantity"] == "sensitivity" and not selected:
        raise InputError(
            "TARGET.MISSING",
            "A map of sensitivities needs one bus, branch or generator: "
            f'study.map(quantity="sensitivity", bus={network._bus_keys.example}).',
        )
    for kind, key in selected.items():
        if kind == "generator":
            ident = network._generator_keys.known(key, "GENERATOR.UNKNOWN")
        else:
            elements = network._bus_keys if kind == "bus" else network._branch_keys
            ident = elements.target(key)
        settings["selection"] = {"kind": kind, "id": ident}
    return settings
