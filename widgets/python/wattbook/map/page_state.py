"""The state that a Study sends to its maps, and the warning if page and kernel disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StudyState:
    """State shared by kernel and page: revision, formulation, absolute edits with the keys of the contract, and result hash (empty
    if unknown)."""

    revision: int
    formulation: str
    edits: dict[str, dict[str, Any]]
    result_sha256: str


def disagreement(revision: int, case_id: str, page_sha256: str, kernel_sha256: str) -> str:
    """The warning for two results of one state."""
    return (
        f"The page and the kernel disagree about revision {revision} of {case_id}: result {page_sha256[:12]} in the page, "
        f"{kernel_sha256[:12]} here. This notebook shows the kernel's numbers. Reload the page and restart the kernel so "
        "that both run the same version of Wattbook; if this persists, please report the case and both hashes."
    )
