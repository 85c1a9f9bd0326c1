"""The cases that a process of a sweep keeps open, with Studies of their variants."""

from __future__ import annotations

import json
import threading
import zlib
from collections import OrderedDict
from hashlib import sha256
from typing import Any

from ..edits.variants import Variant, availability, changed
from ..errors import WattbookError
from ..native import engine, engine_errors
from .blocks import CaseFile, CaseText, Setup

#: Cases that a process keeps, and variants of each that it keeps solved.
_CASES, _STUDIES = 2, 16


class OpenCase:
    """A case of this process, with Studies of its variants."""

    def __init__(self, text: CaseText) -> None:
        self.text = text
        self._module_json = zlib.decompress(text.packed).decode()
        self._module: dict[str, Any] | None = None
        self._case: Any = None
        self._studies: OrderedDict[Any, Any] = OrderedDict()
        self._lock = threading.Lock()

    def module_json(self, variant: Variant) -> str:
        if not variant:
            return self._module_json
        return changed(self._parsed(), variant)

    def study(self, setup: Setup, variant: Variant) -> Any:
        """The native Study of a variant, or the error that it has no solution without edits."""
        key = (setup.formulation, setup.options_json, setup.reactive_json, setup.generators_json, variant)
        with self._lock:
            slot = self._studies.setdefault(key, _Slot())
            self._studies.move_to_end(key)
            while len(self._studies) > _STUDIES:
                self._studies.popitem(last=False)
        with slot.lock:
            if slot.study is None:
                slot.study = self._solved(setup, variant)
            return slot.study

    def _solved(self, setup: Setup, variant: Variant) -> Any:
        is_edit = _is_edit(setup, variant)
        generators = json.dumps(self.generators(setup, variant))
        try:
            with engine_errors() as native:
                if is_edit:
                    study = native.Study(self._opened(), setup.formulation, setup.options_json)
                else:
                    module_json = self.module_json(variant)
                    case = native.Case(sha256(module_json.encode()).hexdigest(), module_json)
                    study = native.Study(case, setup.formulation, setup.options_json)
                if (setup.reactive_json, generators) != ("{}", "{}"):
                    study.commit("case", "{}", "{}", "null", setup.reactive_json, generators)
                return study
        except WattbookError as error:
            return error

    def _opened(self) -> Any:
        """The case itself, read once."""
        with self._lock:
            if self._case is None:
                self._case = engine().Case(self.text.sha256, self._module_json)
            return self._case

    def generators(self, setup: Setup, variant: Variant) -> dict[str, dict[str, Any]]:
        """The edits of generators of a variant: those that are committed in the Study, as far as it does not say otherwise, and its own
        where it is nothing but edits. An availability is a share of the committed limits."""
        edits: dict[str, dict[str, Any]] = json.loads(setup.generators_json)
        if not (variant.units or variant.costs):
            return edits
        units, ids = self._parsed()["value"]["data"]["generators"], self.text.ids["generator"].tolist()
        is_edit = _is_edit(setup, variant)
        for row, share in variant.units:
            own = edits.get(str(ids[row]), {})
            if own or is_edit:
                limits = {"pmin": own.get("p_min", units[row]["pmin"]), "pmax": own.get("p_max", units[row]["pmax"])}
                edits[str(ids[row])] = {**own, **availability(limits, share)}
        for row, (_, c1, _) in variant.costs:
            own = {name: value for name, value in edits.pop(str(ids[row]), {}).items() if name != "cost"}
            if is_edit:
                own["cost"] = c1
            if own:
                edits[str(ids[row])] = own
        return edits

    def _parsed(self) -> dict[str, Any]:
        if self._module is None:
            self._module = json.loads(self._module_json)
        return self._module


def _is_edit(setup: Setup, variant: Variant) -> bool:
    """Whether a variant is edits of generators, which have the same results and read no module."""
    if setup.formulation != "dcopf" or not variant or variant.outages:
        return False
    return all(c2 == 0 and c0 == 0 for _, (c2, _, c0) in variant.costs)


class _Slot:
    """A Study that one thread makes while others wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.study: Any = None


_open: OrderedDict[str, OpenCase] = OrderedDict()
_lock = threading.Lock()


def opened(source: CaseText | CaseFile) -> tuple[OpenCase, int]:
    """The case of this process, and whether it had to be read now."""
    with _lock:
        found = _open.get(source.sha256)
        if found is not None:
            _open.move_to_end(source.sha256)
            return found, 0
        found = _open[source.sha256] = OpenCase(source.of_case())
        while len(_open) > _CASES:
            _open.popitem(last=False)
        return found, 1
