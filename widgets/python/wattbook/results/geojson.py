"""Results on their positions: GeoJSON of buses, branches, HVDC links and storage units with the columns of their tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

Kind = Literal["bus", "branch", "link", "storage"]


def geojson(
    buses: pd.DataFrame,
    branches: pd.DataFrame,
    links: pd.DataFrame,
    storage: pd.DataFrame,
    routes: Sequence[np.ndarray | None],
    kinds: Sequence[Kind],
) -> dict[str, Any]:
    """A FeatureCollection (RFC 7946) of points and lines, from the tables of a solution and the vertices of each
    branch; `geometry` is null if a position is missing. Links are straight, and
    storage units are at their buses.

    Raises InputError `INPUT.GEO_EMPTY` if no bus has a position.
    """
    places = list(zip(buses["longitude"].tolist(), buses["latitude"].tolist(), strict=True))
    if not any(map(_is_known, places)):
        raise InputError("INPUT.GEO_EMPTY", "The case has no positions.")
    features: list[dict[str, Any]] = []
    if "bus" in kinds:
        points = ({"type": "Point", "coordinates": list(place)} if _is_known(place) else None for place in places)
        features += _features("bus", buses.drop(columns=["longitude", "latitude"]), points)
    at = dict(zip(buses.index.tolist(), places, strict=True))
    if "branch" in kinds:
        features += _features("branch", branches, _lines(branches, routes, at))
    if "link" in kinds:
        features += _features("link", links, _lines(links, [None] * len(links), at))
    if "storage" in kinds:
        ends = (at[bus] for bus in storage["bus"].tolist())
        points = ({"type": "Point", "coordinates": list(place)} if _is_known(place) else None for place in ends)
        features += _features("storage", storage, points)
    return {"type": "FeatureCollection", "features": features}


def _lines(
    branches: pd.DataFrame, routes: Sequence[np.ndarray | None], at: Mapping[int, Sequence[float]]
) -> Iterator[dict[str, Any] | None]:
    ends = zip(branches["from_bus"].tolist(), branches["to_bus"].tolist(), strict=True)
    for (start, end), route in zip(ends, routes, strict=True):
        corners = [at[start], at[end]] if route is None or not len(route) else route.tolist()
        known = all(map(_is_known, corners))
        yield {"type": "LineString", "coordinates": [list(corner) for corner in corners]} if known else None


def _features(kind: Kind, frame: pd.DataFrame, geometries: Iterator[dict[str, Any] | None]) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    numbers = frame.index.tolist()
    return [
        {
            "type": "Feature",
            "id": f"{kind} {number}",
            "geometry": geometry,
            "properties": {kind: number, **{name: _plain(value) for name, value in row.items()}},
        }
        for number, row, geometry in zip(numbers, rows, geometries, strict=True)
    ]


def _plain(value: Any) -> Any:
    """A value for JSON, which has no infinity and no NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _is_known(place: Sequence[float]) -> bool:
    return all(map(math.isfinite, place))


def geodataframe(collection: Mapping[str, Any], element: Kind) -> Any:
    """A `geopandas.GeoDataFrame` of a FeatureCollection of one element, by number.

    Raises InputError `OUTPUT.GEOPANDAS` without geopandas.
    """
    try:
        import geopandas
    except ImportError:
        raise InputError("OUTPUT.GEOPANDAS", "geopandas is not installed: pip install geopandas.") from None
    return geopandas.GeoDataFrame.from_features(collection["features"], crs=4326).set_index(element)
