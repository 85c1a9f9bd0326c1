"""Answers of tools within their limits."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from ..text.words import visible
from .contract import limit

#: Digits of a number in an answer.
_DIGITS = 8


def label(text: str) -> str:
    """A text from a case as it may stand in an answer: short, without controls or characters that turn what stands around it."""
    plain, most = visible(str(text)), limit("label_characters")
    return plain if len(plain) <= most else plain[: most - 1] + "\u2026"


def rounded(value: float | None) -> float | None:
    """A number with the digits that matter; None where there is none."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}")


def answered(data: dict[str, Any], optional: Sequence[str] = ()) -> dict[str, Any]:
    """The answer of a call that did what it was asked; lists are shortened and `optional` fields left out where it does not fit."""
    fitting, omitted, may_go = dict(data), dict[str, int](), list(optional)
    while len(text_of({"ok": True, "data": fitting})) > limit("answer_characters"):
        lists = {name: value for name, value in fitting.items() if isinstance(value, list) and len(value) > 1}
        if lists:
            longest = max(lists, key=lambda name: len(text_of(lists[name])))
            omitted[longest] = omitted.get(longest, 0) + 1
            fitting |= {longest: fitting[longest][:-1], "omitted": omitted}
        elif may_go:
            if fitting.pop(may_go.pop(0), None) is not None:
                fitting["details"] = "left out: the answer is too long"
        else:
            break
    return {"ok": True, "data": fitting}


def refused(code: str, message: str) -> dict[str, Any]:
    """The answer of a call that was refused or failed."""
    plain, most = visible(message), limit("message_characters")
    return {
        "ok": False,
        "error": {"code": code, "message": plain if len(plain) <= most else plain[: most - 1] + "\u2026"},
    }


def text_of(answer: Any) -> str:
    """JSON without spaces, as it is sent."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
