"""What a Study tells its maps, and what it says when page and kernel disagree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StudyState:
    """What travels between kernel and page: absolute edits, their revision, and the hash of the result (empty when unknown)."""

    revision: int
    deltas: dict[str, float]
    rates: dict[str, float]
    result_sha256: str


def disagreement(revision: int, case_id: str, page_sha256: str, kernel_sha256: str) -> str:
    """The warning for two results of one state."""
    return (
        f"The page and the kernel disagree about revision {revision} of {case_id}: result {page_sha256[:12]} in the page, "
        f"{kernel_sha256[:12]} here. The kernel's numbers are shown in this notebook. Reload the page and restart the kernel so "
        "that both run one version of Wattbook; if it stays, please report the case and both hashes."
    )
