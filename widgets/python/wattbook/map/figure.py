"""Figures on paper: the picture of a map as SVG of a size, or as PDF."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any
from xml.etree import ElementTree

from ..arguments import finite, formatted
from ..errors import ArgumentError
from ..files.files import path_of
from .picture import WIDTH

_WIDTHS_CM = (2, 100)
_PX_PER_CM = 96 / 2.54
_SVG = "{http://www.w3.org/2000/svg}"
#: Widths of Helvetica from space to tilde, thousandths of the size (Adobe's font metrics, which every PDF viewer has).
_HELVETICA = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_OTHER = 556
#: The minus sign takes the place of a character that no text has.
_MINUS, _MINUS_CODE = "\u2212", 127
_FONTS = {
    "F1": "/Helvetica",
    "F2": "/Helvetica-Bold",
}


class FigureForm:
    """Where a figure goes, as what, and how wide it is; raises ArgumentError for what there is not."""

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
        """How many times as large as in a picture for the screen letters must be to have 8 points on paper."""
        return WIDTH / (self._width_cm * _PX_PER_CM)

    def content(self, svg: str) -> bytes:
        """The bytes of the file that shows an SVG of `picture`."""
        return pdf(svg, self._width_cm) if self._ending == ".pdf" else on_paper(svg, self._width_cm).encode()


def on_paper(svg: str, width_cm: float) -> str:
    """The same SVG with its size in cm."""
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = _numbers(root.attrib["viewBox"])
    size = f'width="{width_cm:g}cm" height="{width_cm * tall / wide:.4g}cm"'
    return re.sub(r'style="max-width:100%;height:auto"', size, svg, count=1)


def pdf(svg: str, width_cm: float) -> bytes:
    """An SVG of `picture` as a PDF of one page (PDF 1.4, ISO 32000-1): rectangles, ways of straight lines, and text.

    Raises ArgumentError for letters that the fonts of PDF viewers do not have.
    """
    root = ElementTree.fromstring(svg)
    _, _, wide, tall = _numbers(root.attrib["viewBox"])
    scale = width_cm / 2.54 * 72 / wide
    head = f"{scale:.6g} 0 0 {-scale:.6g} 0 {tall * scale:.6g} cm"
    content = zlib.compress("\n".join([head, *_drawn(root, _Size(wide, tall))]).encode("latin-1"), 9)
    shares = sorted({one.attrib["opacity"] for one in root.iter() if "opacity" in one.attrib})
    states = " ".join(f"/{_state(share)} << /ca {share} /CA {share} >>" for share in shares)
    fonts = " ".join(f"/{name} {number} 0 R" for number, name in enumerate(_FONTS, 5))
    box = f"[0 0 {wide * scale:.6g} {tall * scale:.6g}]"
    encoding = f"<< /BaseEncoding /WinAnsiEncoding /Differences [{_MINUS_CODE} /minus] >>"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R /Resources << /Font << {fonts} >> "
            f"/ExtGState << {states} >> >> >>".encode(),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(content), content),
            *(
                f"<< /Type /Font /Subtype /Type1 /BaseFont {font} /Encoding {encoding} >>".encode()
                for font in _FONTS.values()
            ),
        ]
    )


def _file(objects: list[bytes]) -> bytes:
    """Objects with their table of references: the first one is the catalogue."""
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(data)


@dataclass(frozen=True)
class _Size:
    """Width and height that percentages are of."""

    wide: float
    tall: float


def _drawn(element: ElementTree.Element, size: _Size) -> Iterator[str]:
    for child in element:
        look = _look(child.attrib)
        match child.tag.removeprefix(_SVG):
            case "svg":
                x, y, inner = _box(child, size)
                *_, wide, tall = _numbers(child.attrib.get("viewBox", f"0 0 {inner.wide} {inner.tall}"))
                scale = inner.wide / wide
                yield f"q {x:g} {y:g} {inner.wide:g} {inner.tall:g} re W n {scale:.6g} 0 0 {scale:.6g} {x:g} {y:g} cm"
                yield from _drawn(child, _Size(wide, tall))
                yield "Q"
            case "rect":
                x, y, inner = _box(child, size)
                yield f"{_colour(look['fill'])} rg {x:g} {y:g} {inner.wide:g} {inner.tall:g} re f"
            case "path":
                painted = _painted(look, _way(child.attrib["d"]))
                share = look.get("opacity")
                yield painted if share is None else f"q /{_state(share)} gs {painted} Q"
            case "text":
                yield _text(child, look)
            case other:
                raise AssertionError(f"The picture of a map has no <{other}>.")


def _box(element: ElementTree.Element, size: _Size) -> tuple[float, float, _Size]:
    def length(name: str, whole: float) -> float:
        value = element.attrib.get(name, "0")
        return whole * float(value[:-1]) / 100 if value.endswith("%") else float(value)

    inner = _Size(length("width", size.wide), length("height", size.tall))
    return length("x", size.wide), length("y", size.tall), inner


def _look(attributes: Mapping[str, str]) -> dict[str, str]:
    """Attributes, and over them what the style says."""
    said = (part.split(":", 1) for part in attributes.get("style", "").split(";") if ":" in part)
    return {"fill": "#000000", "stroke": "none", **attributes, **{name.strip(): value for name, value in said}}


def _state(opacity: str) -> str:
    """The name of the graphics state of an opacity."""
    return f"G{round(1000 * float(opacity))}"


def _painted(look: Mapping[str, str], way: str) -> str:
    if look["stroke"] == "none":
        return f"{_colour(look['fill'])} rg {way} {'f*' if look.get('fill-rule') == 'evenodd' else 'f'}"
    # Filled and stroked: no way of a picture is both; what has a stroke is a line.
    ends = [int(look.get(name) == "round") for name in ("stroke-linecap", "stroke-linejoin")]
    return f"{_colour(look['stroke'])} RG {look.get('stroke-width', '1')} w {ends[0]} J {ends[1]} j {way} S"


def _way(data: str) -> str:
    parts, at = [], (0.0, 0.0)
    for command, values in re.findall(r"([MLhZ])([^MLhZ]*)", data):
        if command == "Z":
            parts.append("h")
            continue
        numbers = _numbers(values)
        at = (at[0] + numbers[0], at[1]) if command == "h" else (numbers[0], numbers[1])
        parts.append(f"{at[0]:g} {at[1]:g} {'m' if command == 'M' else 'l'}")
    return " ".join(parts)


def _text(element: ElementTree.Element, look: Mapping[str, str]) -> str:
    text = element.text or ""
    size = float(look.get("font-size", "11px").removesuffix("px"))
    bold = look.get("font-weight") == "600"
    share = {"middle": 0.5, "end": 1.0}.get(look.get("text-anchor", ""), 0.0)
    codes = b"".join(_code(letter, text) for letter in text)
    wide = sum(_HELVETICA[code - 32] if 32 <= code < 127 else _OTHER for code in codes) * size / 1000
    x, y = float(element.attrib["x"]) - share * wide, float(element.attrib["y"])
    shown = re.sub(rb"([()\\])", rb"\\\1", codes).decode("latin-1")
    font = "F2" if bold else "F1"
    return f"BT {_colour(look['fill'])} rg /{font} {size:g} Tf 1 0 0 -1 {x:.2f} {y:.2f} Tm ({shown}) Tj ET"


def _code(letter: str, text: str) -> bytes:
    if letter == _MINUS:
        return bytes([_MINUS_CODE])
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        message = f"A PDF has no letter {formatted(letter)} of {formatted(text)} here: save as .svg."
        raise ArgumentError("ARGUMENT.CHOICE", message) from None


def _colour(value: str) -> str:
    """#rrggbb or #rgb as three parts of one. Raises ArgumentError for the name of a colour."""
    if not value.startswith("#"):
        raise ArgumentError(
            "ARGUMENT.CHOICE",
            f'A PDF takes colours as "#rrggbb", not {formatted(value)}: add the layer so, or save as .svg.',
        )
    digits = value.removeprefix("#")
    pairs = [2 * digit for digit in digits] if len(digits) == 3 else [digits[k : k + 2] for k in (0, 2, 4)]
    return " ".join(f"{int(pair, 16) / 255:.4g}" for pair in pairs)


def _numbers(text: str) -> list[float]:
    return [float(value) for value in text.replace(",", " ").split()]
