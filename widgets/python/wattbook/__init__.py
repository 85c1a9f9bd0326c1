"""Wattbook: locational prices and their sensitivities as a live map in a notebook.

    import wattbook as wb
    study = wb.open_case("case500_goc").study()
    study.map()

Names are imported on first use, because the Jupyter server imports this package only for its extension and should not
load pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .case.catalogue import cases as cases
    from .case.feeder import Distribution as Distribution
    from .case.feeder import Feeder as Feeder
    from .case.feeder import open_distribution as open_distribution
    from .case.feeder import open_feeder as open_feeder
    from .case.opening import SavedSolution as SavedSolution
    from .case.opening import open_case as open_case
    from .case.opening import open_solution as open_solution
    from .case.opening import open_study as open_study
    from .edits.added import Branch as Branch
    from .edits.added import Generator as Generator
    from .edits.added import Link as Link
    from .edits.added import Load as Load
    from .edits.added import Storage as Storage
    from .edits.costs import typical_costs as typical_costs
    from .edits.edits import Edits as Edits
    from .errors import ArgumentError as ArgumentError
    from .errors import ConversionWarning as ConversionWarning
    from .errors import EditError as EditError
    from .errors import EngineMissingError as EngineMissingError
    from .errors import ExportWarning as ExportWarning
    from .errors import InputError as InputError
    from .errors import ServiceBusyError as ServiceBusyError
    from .errors import ServiceError as ServiceError
    from .errors import ServiceTimeoutError as ServiceTimeoutError
    from .errors import ServiceUnreachableError as ServiceUnreachableError
    from .errors import SolveError as SolveError
    from .errors import WattbookError as WattbookError
    from .errors import WattbookWarning as WattbookWarning
    from .files.export import export_formats as export_formats
    from .geography import Display as Display
    from .geography import GeoDrawing as GeoDrawing
    from .geography import GeoReport as GeoReport
    from .geography import open_display as open_display
    from .map.case_map import CaseMap as CaseMap
    from .map.page_file import copy_front_end as copy_front_end
    from .results.day import DaySensitivity as DaySensitivity
    from .results.day import SolvedDay as SolvedDay
    from .results.explanation import Explanation as Explanation
    from .results.loadability import Loadability as Loadability
    from .results.plan import CapacityPlan as CapacityPlan
    from .results.plan import DemandPlan as DemandPlan
    from .results.plan import Plan as Plan
    from .results.prices import LmpComponents as LmpComponents
    from .results.prices import PriceChange as PriceChange
    from .results.prices import PriceState as PriceState
    from .results.sensitivity import Preview as Preview
    from .results.sensitivity import Sensitivity as Sensitivity
    from .results.series import SolvedSeries as SolvedSeries
    from .results.series import SolvedSweep as SolvedSweep
    from .results.solution import Solution as Solution
    from .service import AsyncService as AsyncService
    from .service import Event as Event
    from .service import Service as Service
    from .session.track import Track as Track
    from .study.study import Case as Case
    from .study.study import Study as Study
    from .study.sweep import iter_sweep as iter_sweep
    from .study.sweep import sweep as sweep
    from .study.verifying import Verification as Verification
    from .study.verifying import verify as verify
    from .threads import in_thread as in_thread

_HOME = {
    "ArgumentError": "errors",
    "AsyncService": "service",
    "Branch": "edits.added",
    "Generator": "edits.added",
    "Link": "edits.added",
    "Storage": "edits.added",
    "Load": "edits.added",
    "Case": "study.study",
    "CaseMap": "map.case_map",
    "Display": "geography",
    "Distribution": "case.feeder",
    "ConversionWarning": "errors",
    "EditError": "errors",
    "Edits": "edits.edits",
    "EngineMissingError": "errors",
    "Event": "service",
    "Explanation": "results.explanation",
    "ExportWarning": "errors",
    "Feeder": "case.feeder",
    "GeoDrawing": "geography",
    "GeoReport": "geography",
    "InputError": "errors",
    "Preview": "results.sensitivity",
    "PriceChange": "results.prices",
    "PriceState": "results.prices",
    "LmpComponents": "results.prices",
    "CapacityPlan": "results.plan",
    "DaySensitivity": "results.day",
    "DemandPlan": "results.plan",
    "Plan": "results.plan",
    "Loadability": "results.loadability",
    "SavedSolution": "case.opening",
    "Sensitivity": "results.sensitivity",
    "Service": "service",
    "ServiceBusyError": "errors",
    "ServiceError": "errors",
    "ServiceTimeoutError": "errors",
    "ServiceUnreachableError": "errors",
    "Solution": "results.solution",
    "SolveError": "errors",
    "SolvedDay": "results.day",
    "SolvedSeries": "results.series",
    "SolvedSweep": "results.series",
    "Study": "study.study",
    "Track": "session.track",
    "WattbookError": "errors",
    "WattbookWarning": "errors",
    "cases": "case.catalogue",
    "copy_front_end": "map.page_file",
    "export_formats": "files.export",
    "in_thread": "threads",
    "iter_sweep": "study.sweep",
    "open_case": "case.opening",
    "open_display": "geography",
    "open_distribution": "case.feeder",
    "open_feeder": "case.feeder",
    "open_solution": "case.opening",
    "open_study": "case.opening",
    "Verification": "study.verifying",
    "sweep": "study.sweep",
    "typical_costs": "edits.costs",
    "verify": "study.verifying",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'wattbook' has no attribute {name!r}")
    from .threads import undisturbed

    with undisturbed():
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
