"""Solves the saved power flow of a feeder again, and compares the numbers with those of the file."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from ..errors import WattbookError
from ..files import files
from ..native import engine_errors
from ..results.verification import Verification
from ..tables.columns import Columns, parted
from ..text import words


def verify_feeder(source: str | os.PathLike[str] | bytes) -> Verification | None:
    """The comparison of `wb.verify`; None for a file that is no feeder's.

    Raises InputError `STUDY_FILE.*`.
    """
    import pandas as pd

    _, data = files.content(source)
    try:
        with engine_errors() as native:
            document = json.loads(native.read_mc_study_bundle(data))
    except WattbookError as error:
        if error.code == "STUDY_FILE.SCHEMA":
            return None
        raise
    numbers, difference = 0, None
    try:
        numbers, difference = _compared(document)
    except WattbookError as error:
        difference = f"{error.message} [{error.code}]"
    name = document["input"]["name"]
    columns = {
        "label": pd.array([name], dtype="string"),
        "formulation": pd.array(["multiconductor"], dtype="string"),
        "reproduces": np.array([difference is None], dtype=bool),
        "compared": np.array([numbers], dtype=np.int64),
        "difference": pd.array([difference], dtype="string"),
    }
    states = pd.DataFrame(columns, index=pd.Index(["result"], name="state", dtype=object))
    plans = states.iloc[:0].rename_axis("goal")
    return Verification(title=name, reproduces=difference is None, states=states, plans=plans, producer=None)


def _compared(document: dict[str, Any]) -> tuple[int, str | None]:
    """How many numbers were compared, and what differs."""
    given = document["input"]
    with engine_errors() as native:
        native.replay_mc_study(json.dumps(document))  # the numbers are those of the stored solution
        again = native.Feeder(given["module_json"], json.dumps(document["options"]), json.dumps(given["loads"]))
        (_, naming), (head, result) = parted(again.rows()), parted(again.result())
    stored = document["result"]
    here: dict[str, Columns] = {"rows": naming, "result": result}
    numbers, worst = 0, None
    for column in stored["columns"]:
        name = column["name"]
        values = np.array([np.nan if x is None else x for x in column["values"]], dtype=float)
        mine = next((columns[name].values for columns in here.values() if name in columns), np.empty(0))
        numbers += len(values)
        if len(mine) != len(values):
            return numbers, f"The file has {len(values)} rows of {name}, this engine {len(mine)}."
        differs = (mine != values) & ~(np.isnan(mine) & np.isnan(values))
        if differs.any() and worst is None:
            most = int(np.nanargmax(np.where(differs, np.abs(mine - values), -1.0)))
            both = f"{float(mine[most])!r} {column['unit']} here, {float(values[most])!r} in the file"
            worst = f"{words.count(int(differs.sum()), 'number')} of {name} differ, most in row {most}: {both}."
    if worst is None and head["result_sha256"] != stored["head"]["result_sha256"]:
        worst = (
            f"The result hash is {head['result_sha256'][:12]}, in the file {stored['head']['result_sha256'][:12]}: "
            "another engine solved it, or the file was changed."
        )
    return numbers, worst
