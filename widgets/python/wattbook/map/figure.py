"""Figures on paper: a map as SVG of a given size, or as PDF."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any
from xml.etree import ElementTree

from ..arguments import finite, formatted
from ..errors import ArgumentError
from ..files.files import path_of
from ..native import engine_errors
from .picture import WIDTH

_WIDTHS_CM = (2, 100)
_PX_PER_CM = 96 / 2.54


class FigureForm:
    """Path, format and width of a figure; raises ArgumentError for an unknown format."""

    def __init__(self, path: str | PathLike[str], width_cm: Any) -> None:
        self.path = path_of(path)
        self._ending = self.path.suffix.lower()
        if self._ending not in (".svg", ".pdf"):
            ending = self.path.suffix or self.path.name
            raise ArgumentError("ARGUMENT.CHOICE", f"A map is saved as .svg or .pdf, not as {ending!r}.")
        wide = finite(width_cm)
        if wide is None or not _WIDTHS_CM[0] <= wide <= _WIDTHS_CM[1]:
            limits = f"from {_WIDTHS_CM[0]} to {_WIDTHS_CM[1]}"
            raise ArgumentError("ARGUMENT.NUMBER", f"width_cm must be {limits}, not {formatted(width_cm)}.")
        self._width_cm = wide

    @property
    def letters(self) -> float:
        """Factor of the letters, relative to a picture for the screen, at which they have 8 points on paper."""
        return WIDTH / (self._width_cm * _PX_PER_CM)

    def content(self, svg: str) -> bytes:
        """The bytes of the file for an SVG of `picture`."""
        return pdf(svg, self._width_cm) if self._ending == ".pdf" else on_paper(svg, self._width_cm).encode()


def on_paper(svg: str, width_cm: float) -> str:
    """The same SVG with its size in cm."""
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = _numbers(root.attrib["viewBox"])
    size = f'width="{width_cm:g}cm" height="{width_cm * tall / wide:.4g}cm"'
    return re.sub(r'style="max-width:100%;height:auto"', size, svg, count=1)


def pdf(svg: str, width_cm: float) -> bytes:
    """An SVG of `picture` as a PDF of one page with its fonts embedded.

    Raises ArgumentError for a letter that the fonts do not have, and for a colour that is neither a name nor `#rrggbb`.
    """
    with engine_errors() as engine:
        data: bytes = engine.figure_pdf(svg, width_cm)
    return data


def _numbers(text: str) -> list[float]:
    return [float(value) for value in text.replace(",", " ").split()]
