"""The voltage profile of a feeder as SVG: voltage against distance from the source, a line for each conductor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .parts import escaped

if TYPE_CHECKING:
    import pandas as pd

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 28, 40
#: Colours of the phases 1, 2, 3 and of others; distinct in both themes and for colour-blind readers.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#8a6fb0")
_DASHES = ("", "6 3", "2 2", "8 3 2 3")


def profile_svg(segments: pd.DataFrame) -> str:
    """Segments with `phase`, `from_km`, `to_km`, `from_pu`, `to_pu`."""
    phases = sorted(segments["phase"].unique())
    far = float(segments[["from_km", "to_km"]].max().max()) or 1.0
    values = segments[["from_pu", "to_pu"]].to_numpy()
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.05 * max(high - low, 0.01)
    low, high = low - room, high + room
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(km: float) -> str:
        return f"{_LEFT + across * km / far:.1f}"

    def y(pu: float) -> str:
        return f"{_TOP + down * (high - pu) / (high - low):.1f}"

    grid, axis = [], 'fill="none" stroke="currentColor"'
    for pu in _ticks(low, high):
        grid.append(f'<path d="M{_LEFT} {y(pu)}h{across}" {axis} stroke-opacity="0.15"/>')
        grid.append(f'<text x="{_LEFT - 6}" y="{y(pu)}" text-anchor="end" dy="0.35em">{pu:.3f}</text>')
    for km in _ticks(0, far):
        grid.append(f'<text x="{x(km)}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{km:g}</text>')
    lines, key = [], []
    for k, phase in enumerate(phases):
        own = segments[segments["phase"] == phase]
        d = "".join(
            f"M{x(a)} {y(c)}L{x(b)} {y(e)}"
            for a, b, c, e in own[["from_km", "to_km", "from_pu", "to_pu"]].itertuples(index=False)
            if c == c and e == e
        )
        stroke = f'stroke="{_COLOURS[min(k, 3)]}" stroke-dasharray="{_DASHES[min(k, 3)]}"'
        lines.append(f'<path d="{d}" fill="none" stroke-width="1.8" {stroke}/>')
        at = _LEFT + 100 * k
        key.append(f'<path d="M{at} 12h22" stroke-width="1.8" {stroke}/>')
        key.append(f'<text x="{at + 28}" y="12" dy="0.35em">phase {escaped(str(phase))}</text>')
    titles = (
        f'<text x="{_LEFT + across / 2:.0f}" y="{_HEIGHT - 6}" text-anchor="middle">distance from the source, km</text>'
        f'<text transform="translate(12 {_TOP + down / 2:.0f})rotate(-90)" text-anchor="middle">voltage, pu</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'style="max-width:100%;color:var(--jp-ui-font-color1,#333)" font-family="sans-serif" font-size="12" '
        f'role="img" aria-label="Voltage profile">'
        f'<g fill="currentColor">{"".join(grid)}{"".join(key)}{titles}</g>{"".join(lines)}</svg>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, about five."""
    rough = (high - low) / 5
    power = 10 ** np.floor(np.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [float(n * step) for n in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
