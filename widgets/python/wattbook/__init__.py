"""Wattbook: locational prices and their sensitivities as a live map in a notebook.

    import wattbook as wb
    study = wb.open_case("case500_goc").study()
    study.map()

Names are imported on first use: the Jupyter server imports this package for its extension only and must not pay for pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .case import Case as Case
    from .case import open_case as open_case
    from .case_map import CaseMap as CaseMap
    from .catalogue import cases as cases
    from .display import Display as Display
    from .display import open_display as open_display
    from .distribution import Distribution as Distribution
    from .distribution import open_distribution as open_distribution
    from .errors import ArgumentError as ArgumentError
    from .errors import EditError as EditError
    from .errors import EngineMissingError as EngineMissingError
    from .errors import ExportWarning as ExportWarning
    from .errors import InputError as InputError
    from .errors import ServiceError as ServiceError
    from .errors import SolveError as SolveError
    from .errors import WattbookError as WattbookError
    from .errors import WattbookWarning as WattbookWarning
    from .explanation import Explanation as Explanation
    from .export import export_formats as export_formats
    from .geography import GeoDrawing as GeoDrawing
    from .geography import GeoReport as GeoReport
    from .preview import Preview as Preview
    from .price_parts import PriceParts as PriceParts
    from .saved_solution import SavedSolution as SavedSolution
    from .saved_solution import open_solution as open_solution
    from .sensitivity import Sensitivity as Sensitivity
    from .service import Event as Event
    from .service import Service as Service
    from .solution import Solution as Solution
    from .study import Study as Study
    from .track import Track as Track

_HOME = {
    "ArgumentError": "errors",
    "Case": "case",
    "CaseMap": "case_map",
    "Display": "display",
    "Distribution": "distribution",
    "EditError": "errors",
    "EngineMissingError": "errors",
    "Event": "service",
    "Explanation": "explanation",
    "ExportWarning": "errors",
    "GeoDrawing": "geography",
    "GeoReport": "geography",
    "InputError": "errors",
    "Preview": "preview",
    "PriceParts": "price_parts",
    "SavedSolution": "saved_solution",
    "Sensitivity": "sensitivity",
    "Service": "service",
    "ServiceError": "errors",
    "Solution": "solution",
    "SolveError": "errors",
    "Study": "study",
    "Track": "track",
    "WattbookError": "errors",
    "WattbookWarning": "errors",
    "cases": "catalogue",
    "export_formats": "export",
    "open_case": "case",
    "open_display": "display",
    "open_distribution": "distribution",
    "open_solution": "saved_solution",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'wattbook' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
