"""Palettes of still pictures, the same as the page's on a light ground."""

from __future__ import annotations

import numpy as np

from ..quantities_generated import COLOUR_MAPS, COLOUR_RAMPS, Part, Ramp

#: The default colour map of prices: cool for cheap, warm for expensive.
MARKET = "market"
#: Classes of ColorBrewer, which d3-scale-chromatic interpolates by uniform B-splines.
_CLASSES = {
    "rdpu": ("fff7f3", "fde0dd", "fcc5c0", "fa9fb5", "f768a1", "dd3497", "ae017e", "7a0177", "49006a"),
    "purples": ("fcfbfd", "efedf5", "dadaeb", "bcbddc", "9e9ac8", "807dba", "6a51a3", "54278f", "3f007d"),
    "ylorbr": ("ffffe5", "fff7bc", "fee391", "fec44f", "fe9929", "ec7014", "cc4c02", "993404", "662506"),
    "ylgnbu": ("ffffd9", "edf8b1", "c7e9b4", "7fcdbb", "41b6c4", "1d91c0", "225ea8", "253494", "081d58"),
}
#: Parts of matplotlib's colour maps in 24 steps, from the lowest value to the highest.
_SAMPLES = {
    "viridis": (
        "440154",
        "471063",
        "481d6f",
        "472c7a",
        "453882",
        "414487",
        "3c508b",
        "375b8d",
        "32658e",
        "2d708e",
        "29798e",
        "26828e",
        "228d8d",
        "1f968b",
        "1fa088",
        "24aa83",
        "2eb37c",
        "3dbc74",
        "52c569",
        "67cc5c",
        "81d34d",
        "9bd93c",
        "b5de2b",
        "d2e21b",
    ),
    "cividis": (
        "002051",
        "00275f",
        "042e67",
        "0f356c",
        "1c3c6e",
        "29436e",
        "374a6e",
        "44516d",
        "51596e",
        "5c606e",
        "67676f",
        "706e71",
        "797673",
        "817d75",
        "898577",
        "918d78",
        "9a9478",
        "a49d78",
        "aea575",
        "b9ad72",
        "c5b66d",
        "d1bf66",
        "dec85e",
        "ead156",
    ),
    "plasma": (
        "0d0887",
        "260591",
        "38049a",
        "4903a0",
        "5901a5",
        "6900a8",
        "7801a8",
        "8707a6",
        "9511a1",
        "a21d9a",
        "ae2892",
        "ba3388",
        "c43e7f",
        "cd4a76",
        "d6556d",
        "de6164",
        "e66c5c",
        "ed7953",
        "f3854b",
        "f79342",
        "fba139",
        "fdaf31",
        "febe2a",
        "fcce25",
    ),
    "magma": (
        "06051a",
        "100b2d",
        "1a1042",
        "271258",
        "36106b",
        "451077",
        "54137d",
        "621980",
        "701f81",
        "7c2382",
        "8b2981",
        "992d80",
        "a8327d",
        "b73779",
        "c53c74",
        "d3436e",
        "e04c67",
        "eb5760",
        "f3655c",
        "f8745c",
        "fb8560",
        "fd9668",
        "fea772",
        "feb77e",
    ),
}


def map_palette(name: str, steps: int) -> list[str]:
    """A colour map in `steps` CSS colours from the lowest value to the highest; matplotlib's have 24."""
    return [f"#{colour}" for colour in _SAMPLES[name]] if name in _SAMPLES else _palette(COLOUR_MAPS[name], steps)


def ramp_palette(name: str, steps: int) -> list[str]:
    """A ramp of the engine's table in `steps` colours, from its lower end to the upper one."""
    return _palette(COLOUR_RAMPS[name], steps)


def _palette(ramp: Ramp, steps: int) -> list[str]:
    shares = np.linspace(0.0, 1.0, steps)
    if isinstance(ramp, Part):
        return [_spline(_CLASSES[ramp.ramp], ramp.low + (ramp.high - ramp.low) * t) for t in shares.tolist()]
    return _through(ramp, shares)


#: From linear sRGB to CIE XYZ relative to the white point D50, which the rows sum to.
_XYZ = np.array(
    [
        [0.4360747, 0.3850649, 0.1430804],
        [0.2225045, 0.7168786, 0.0606169],
        [0.0139322, 0.0971045, 0.7141733],
    ]
)
#: CIE Lab is linear for cube roots below this.
_LINEAR = 6 / 29


def _through(colours: tuple[str, ...], shares: np.ndarray) -> list[str]:
    """Colours interpolated linearly in CIE Lab between equidistant ones."""
    white = _XYZ.sum(axis=1)
    parts = np.array([_channels(colour.removeprefix("#")) for colour in colours]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _XYZ.T / white
    # L, a and b are linear in these roots.
    roots = np.where(xyz > _LINEAR**3, np.cbrt(xyz), xyz / (3 * _LINEAR**2) + 4 / 29)
    places = np.arange(len(colours))
    between = np.column_stack([np.interp(shares * places[-1], places, root) for root in roots.T])
    xyz = np.where(between > _LINEAR, between**3, 3 * _LINEAR**2 * (between - 4 / 29)) * white
    linear = np.clip(xyz @ np.linalg.inv(_XYZ).T, 0, 1)
    found = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return ["#" + "".join(f"{round(255 * channel):02x}" for channel in colour) for colour in found.tolist()]


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (0, 2, 4)]


def _spline(classes: tuple[str, ...], t: float) -> str:
    """Uniform B-spline through the classes, with extended ends so that it begins and ends at the first and last class."""
    count = len(classes) - 1
    piece = min(count - 1, int(t * count))
    channels = []
    for values in zip(*map(_channels, classes), strict=True):
        v1, v2 = values[piece], values[piece + 1]
        v0 = values[piece - 1] if piece > 0 else 2 * v1 - v2
        v3 = values[piece + 2] if piece < count - 1 else 2 * v2 - v1
        u = t * count - piece
        value = (1 - u) ** 3 * v0 + (4 - 6 * u**2 + 3 * u**3) * v1 + (1 + 3 * u + 3 * u**2 - 3 * u**3) * v2 + u**3 * v3
        channels.append(max(0, min(255, round(value / 6))))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
