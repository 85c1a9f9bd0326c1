"""The Studies that agents work on: the open ones, the displayed one, and the proposals staged on them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..case import catalogue
from ..case.opening import open_case
from ..errors import EditError, InputError, WattbookError
from ..study.study import Case
from .contract import limit
from .pages import Page, Pages

if TYPE_CHECKING:
    from ..edits.added import Branch
    from ..study.study import Study

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Proposal:
    """The best verified candidate of a plan at one revision. It cannot be applied here."""

    id: str
    base_revision: int
    changes: Mapping[int, float]
    #: New circuits beside the changes of ratings.
    circuits: tuple[Branch, ...] = ()
    #: Another case has been displayed since, so the proposal has expired.
    left: bool = False


class Desk:
    """Open Studies by id, and the displayed one."""

    def __init__(self, cases: list[Case] | None = None) -> None:
        #: Identifies this process to agents.
        self.session_id = secrets.token_hex(16)
        self.displayed: str | None = None
        #: Live cases of open pages, where there are pages.
        self.pages = Pages()
        self._cases: dict[str, Case] = {}
        self._studies: dict[str, Study] = {}
        self._proposals: dict[str, Proposal] = {}
        #: Bundled cases whose files match the catalogue.
        self._intact: set[str] = set()
        for case in cases or []:
            self.add(case)

    def add(self, case: Case) -> str:
        """Registers a case and returns its unique id."""
        wanted = (case.id or "case")[:100]
        taken, name, count = {*self._cases, *self.bundled()}, wanted, 2
        while name in taken:
            name, count = f"{wanted}#{count}", count + 1
        self._cases[name] = case
        return name

    def take(self, study: Study) -> str:
        """Registers and displays a Study; returns its id."""
        name = self.add(study.case)
        self._studies[name] = study
        self.show(name)
        return name

    def show(self, case_id: str | None) -> None:
        """Displays an open case, or with None no case of this process; the proposal of the previous case expires."""
        left = self._proposals.get(self.displayed or "")
        if left is not None and case_id != self.displayed:
            self._proposals[str(self.displayed)] = replace(left, left=True)
        self.displayed = case_id

    def bundled(self) -> dict[str, Any]:
        """The bundled cases by id, with their name and number of buses; empty if the installation has no bundled cases,
        or on `damage`."""
        try:
            found: dict[str, Any] = catalogue.cases()[["name", "n_bus"]].to_dict("index")
            return found
        except WattbookError:
            return {}

    def damage(self, case_id: str | None = None) -> str | None:
        """Why a bundled case cannot be opened, or the catalogue cannot be read; None if all is well."""
        try:
            if case_id is None:
                catalogue.cases()
            elif case_id not in self._cases and case_id not in self._intact:
                catalogue.module_text(case_id)
                self._intact.add(case_id)
        except WattbookError as error:
            return None if error.code == "CASE.NONE_BUNDLED" else error.message
        return None

    def known(self) -> dict[str, tuple[str, int]]:
        """All cases by id, with name and number of buses."""
        own = {name: (case.name, case.n_bus) for name, case in self._cases.items()}
        return own | {name: (row["name"], int(row["n_bus"])) for name, row in self.bundled().items() if name not in own}

    def is_open(self, case_id: str) -> bool:
        """Whether a case has a Study."""
        return case_id in self._studies

    def select(self, case_id: str) -> Study:
        """Displays a case, opening it if necessary. Raises InputError `CASE.UNKNOWN`, and the errors of opening."""
        if case_id not in self._studies:
            if case_id not in self._cases:
                if case_id not in self.bundled():
                    raise InputError("CASE.UNKNOWN", "No case has this id. Call list_cases.")
                self._cases[case_id] = open_case(case_id)
            self._studies[case_id] = self._cases[case_id].study()
        self.show(case_id)
        return self._studies[case_id]

    def study(self, case_id: str | None = None) -> Study:
        """The displayed Study, which must have this id. Raises InputError `CASE.NONE`, `CASE.INACTIVE`, `CASE.UNKNOWN`."""
        if self.displayed is not None and case_id in (None, self.displayed):
            return self._studies[self.displayed]
        if case_id in self._studies or (self.displayed is not None and case_id in self.known()):
            raise InputError("CASE.INACTIVE", f"Case {case_id} is not displayed. Call select_case first.")
        if self.displayed is None:
            raise InputError("CASE.NONE", "No case is displayed. Call select_case first.")
        raise InputError("CASE.UNKNOWN", "No case has this id. Call list_cases.")

    def page(self, tool: str, arguments: Mapping[str, Any]) -> Page | None:
        """The page that a call addresses; None if it addresses a Study of this process. Raises InputError
        `PAGE.CLOSED`."""
        if tool == "apply_capacity_plan":
            return None  # always refused here
        if "case_id" in arguments:
            return self.pages.of(arguments["case_id"])
        return self.pages.displaying() if tool == "inspect_case" and self.displayed is None else None

    def at(self, case_id: str, revision: int, act: Callable[[Study], Answer]) -> Answer:
        """Acts on the displayed Study at a revision, under its lock. Raises EditError `REVISION.STALE`."""
        study = self.study(case_id)
        with study._session.lock:
            if study.revision != revision:
                raise EditError("REVISION.STALE", f"The state moved on to revision {study.revision} from {revision}.")
            return act(study)

    def stage(
        self, case_id: str, revision: int, changes: Mapping[int, float], circuits: Sequence[Branch] = ()
    ) -> Proposal:
        """Stages a plan's proposal, replacing any earlier one."""
        proposal = Proposal(secrets.token_hex(16), revision, dict(changes), tuple(circuits))
        self._proposals[case_id] = proposal
        return proposal

    def proposal(self, case_id: str) -> tuple[Proposal, str] | None:
        """The proposal of a case and its state: `staged`, or `expired` once the case's state has changed or another
        case was displayed."""
        found = self._proposals.get(case_id)
        if found is None:
            return None
        is_current = not found.left and self._studies[case_id].revision == found.base_revision
        return found, "staged" if is_current else "expired"


def least(requested: int | None, usual: int = 5) -> int:
    """Number of rows of an answer."""
    return min(requested or usual, limit("rows"))
