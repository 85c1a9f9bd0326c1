"""Solves of the native engine in steps: with progress, and interrupts in between."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..edits.state import EditState
from ..jobs import Progress, Step, finished, reporter
from ..native import engine_errors, options_for


def opened(case: Any, formulation: str, options_json: str, progress: Progress) -> Any:
    """The native Study of an open case, its base case solved."""
    with engine_errors() as native:
        job = native.Job.opening(case, formulation, options_json)
    return finished(job, reporter(progress, text=_iteration), finish=job.study)


def native_study(case: Any, formulation: str, options: Mapping[str, Any]) -> Any:
    """The native Study of an open case for a saved state; its `options` may be meant for other formulations too."""
    own, _ = options_for(formulation, options)
    with engine_errors() as native:
        return native.Study(case, formulation, json.dumps(own))


def committed(study: Any, case_id: str, edits: EditState, progress: Progress) -> tuple[str, dict[str, Any]]:
    """The state at absolute edits, which the native Study keeps; until then, and where this is interrupted, it stays as it was."""
    with engine_errors() as native:
        deltas, rates, reactive, generators = edits.texts()
        job = native.Job.commit(study, case_id, deltas, rates, "null", reactive, generators)
    answer: tuple[str, dict[str, Any]] = finished(
        job, reporter(progress, text=_iteration), finish=lambda: job.finish(study)
    )
    return answer


def _iteration(step: Step) -> str:
    if "iteration" not in step:
        return "Solving"
    return f"Solving: iteration {step['iteration']['iteration']}, gap {step['gap']:.0e}"
