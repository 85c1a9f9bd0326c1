"""Writes the reference of the Python package as one page in Markdown: every public name with its signature and docstring."""

from __future__ import annotations

import html
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import wattbook as wb


def text_of(thing: Any) -> str:
    """The docstring as Markdown: names in backticks stay, signs of HTML, lists and emphasis are escaped."""
    lines = html.escape(inspect.getdoc(thing) or "", quote=False).replace("*", "\\*").splitlines()
    return "\n".join(line.replace("&gt;", ">") if "`" in line else line for line in lines)


def signature_of(name: str, thing: Any) -> str:
    try:
        # Annotations are strings; defaults keep their quotes.
        return name + re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
    except (TypeError, ValueError):
        return name


def members(cls: type) -> list[tuple[str, Any]]:
    """Public methods and properties defined by the package itself, in alphabetical order."""
    found = []
    for name in sorted(set(dir(cls))):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        if not name.startswith("_") and owner.__module__.startswith("wattbook"):
            found.append((name, inspect.getattr_static(cls, name)))
    return found


def described(name: str, thing: Any) -> list[str]:
    if isinstance(thing, property):
        return [f"#### {name}", text_of(thing.fget)]
    plain = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
    if not callable(plain):
        return [f"#### {name}", text_of(plain) if inspect.getdoc(plain) != inspect.getdoc(type(plain)) else ""]
    return [f"#### {name}", f"```python\n{signature_of(name, plain)}\n```", text_of(plain)]


def page() -> str:
    parts = [
        "# Python reference",
        "Every public name of `import wattbook as wb`. Units, shapes and errors are in the texts.",
    ]
    public = [(name, getattr(wb, name)) for name in sorted(wb.__all__) if not name.startswith("__")]
    parts.append("## Functions")
    for name, thing in public:
        if inspect.isfunction(thing):
            parts += [f"### wb.{name}", f"```python\n{signature_of(name, thing)}\n```", text_of(thing)]
    parts.append("## Classes")
    for name, thing in public:
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            parts += [f"### wb.{name}", text_of(thing)]
            for member, value in members(thing):
                parts += described(member, value)
    parts.append("## Errors and warnings")
    for name, thing in public:
        if inspect.isclass(thing) and issubclass(thing, BaseException):
            parts += [f"### wb.{name}", text_of(thing)]
    return "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
