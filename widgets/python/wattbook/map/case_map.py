"""`CaseMap`: the widget that shows a Study as a live map."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
import pandas as pd
import traitlets
from ipywidgets import DOMWidget

from ..arguments import formatted
from ..edits.targets import GENERATOR_VALUES
from ..errors import EditError, ExportWarning, InputError, WattbookError
from ..files import files
from ..native import engine, formulations
from ..session.documents import packed_bundle
from ..session.session import StudyState, study_html
from ..text.html import error_html
from ..text.words import visible
from ..version import __version__
from .basemap import TileFile, basemap_of
from .overlays import layer_of, shown_name
from .page_file import NOT_LIVE, embedded
from .page_messages import answer
from .picture import USUAL_HEIGHT, FigureForm, picture
from .quantities import LOADING, Drawn, change_quantity, rating_change_quantity, sensitivity_quantity
from .style import PREVIEW_MODES, map_settings

if TYPE_CHECKING:
    from ..edits.profiles import Profiles
    from ..session.session import Session

#: The class of Study that `study.map` was called on, which is defined above this module.
Study = TypeVar("Study")

_log = logging.getLogger(__name__)

MODULE = "@service/jupyterlab"
#: Any version: page and kernel compare contracts themselves and report how to fix a mismatch, which Jupyter's own error
#: does not.
MODULE_VERSION = "*"
#: The small state of a Study beside its picture, shown by extension/src/saved/savedMap.ts.
STUDY_MIME = "application/vnd.wattbook.study+json"
#: Traits that the page may change by an ordinary state update; all others change only by a commit or in the kernel.
PAGE_TRAITS = frozenset({"selection", "selected", "view", "preview_mode"})


class CaseMap(DOMWidget, Generic[Study]):  # type: ignore[misc]  # ipywidgets has no types
    """A live map of one Study; made by `study.map()`.

    The traits hold the small state that page and kernel share, not the network or the results.
    """

    _model_name = traitlets.Unicode("CaseMapModel").tag(sync=True)
    _model_module = traitlets.Unicode(MODULE).tag(sync=True)
    _model_module_version = traitlets.Unicode(MODULE_VERSION).tag(sync=True)
    _view_name = traitlets.Unicode("CaseMapView").tag(sync=True)
    _view_module = traitlets.Unicode(MODULE).tag(sync=True)
    _view_module_version = traitlets.Unicode(MODULE_VERSION).tag(sync=True)

    case_id = traitlets.Unicode("", help="Id of the case.").tag(sync=True)
    case_name = traitlets.Unicode("", help="Name of the case.").tag(sync=True)
    case_sha256 = traitlets.Unicode("", help="Hash of the module text.").tag(sync=True)
    formulation = traitlets.Unicode("dcopf", help="Formulation id; a switch changes it.").tag(sync=True)
    options = traitlets.Dict(help="Solve options.").tag(sync=True)
    deltas = traitlets.Dict(help="Demand changes from the base case, MW by bus id.").tag(sync=True)
    rates = traitlets.Dict(help="Rating changes from the base case, MW by branch id.").tag(sync=True)
    reactive = traitlets.Dict(
        help="Reactive demand changes from the base case, MVAr by bus id, of buses that do not follow the power factor."
    ).tag(sync=True)
    generators = traitlets.Dict(
        help="Values of generators that are not those of the case: p_min, p_max in MW, cost in $/MWh, status."
    ).tag(sync=True)
    branches = traitlets.Dict(
        help="Values of branches that are not those of the case: rating in MW, x in per unit, tap, shift in degrees, status."
    ).tag(sync=True)
    links = traitlets.Dict(
        help="Values of HVDC links that are not those of the case: p, p_min, p_max, loss in MW, loss_factor, cost in $/MWh, status."
    ).tag(sync=True)
    storage = traitlets.Dict(
        help="Values of storage units that are not those of the case: p, p_charge_max, p_discharge_max in MW, q in MVAr, charge_efficiency, discharge_efficiency, "
        "energy, energy_min, energy_max in MWh, energy_value in $/MWh, status."
    ).tag(sync=True)
    interfaces = traitlets.Dict(
        help="Limits of interfaces that are not those of the option `limits`: min_mw, max_mw in MW."
    ).tag(sync=True)
    added = traitlets.Dict(
        help="Elements that are not in the case: branches, generators, HVDC links, storage units and loads."
    ).tag(sync=True)
    revision = traitlets.Int(0, help="Number of commits so far.").tag(sync=True)
    selection = traitlets.Dict(
        default_value=None,
        allow_none=True,
        help='Selected element, {"kind": "bus"|"branch"|"generator", "id"}, of a generator with "value": "cost" where its slider moves '
        "the cost; if several, the one whose sensitivities the map shows.",
    ).tag(sync=True)
    selected = traitlets.List(traitlets.Dict(), help="All selected elements; the last is `selection`.").tag(sync=True)
    view = traitlets.Dict(help="Height in px, the quantities shown, style and basemap.").tag(sync=True)
    layers = traitlets.List(traitlets.Dict(), help="Layers of `add_layer`: name, look, positions in degrees.").tag(
        sync=True
    )
    profiles = traitlets.List(
        traitlets.Dict(),
        help="Profile of `case.with_profiles`, which the page can solve: steps, elements, changes in MW.",
    ).tag(sync=True)
    preview_mode = traitlets.Enum(PREVIEW_MODES, "exact", help="What the map shows while dragging.").tag(sync=True)
    result_sha256 = traitlets.Unicode("", help="Hash of the result of the current state.").tag(sync=True)
    engine = traitlets.Dict(
        help="Version and contract hash of the kernel's engine, which those of the page must match, and its formulations."
    ).tag(sync=True)

    def __init__(self, study: Study, session: Session, profiles: Profiles | None, **view: Any) -> None:
        """`study` is the Study of the `session`, and `profiles` are those of its case."""
        self._study = study
        self._session = session
        settings = map_settings(session.formulation, session.network, view)
        self._files: dict[str, TileFile] = {}
        if "basemap" in view or view.get("attribution") is not None:
            settings["view"]["basemap"], file = basemap_of(
                view.get("basemap", "natural_earth"), view.get("attribution")
            )
            if file is not None:
                self._files[file.key] = file
        # Connected first, so that no message or commit is lost after the state that opens the comm.
        self.on_msg(self._answer)
        with session.lock:
            state = session.state()
            super().__init__(
                case_id=session.network.id,
                case_name=session.network.name,
                case_sha256=session.network.sha256,
                formulation=state.formulation,
                options=dict(session.options),
                **state.edits,
                revision=state.revision,
                result_sha256=state.result_sha256,
                engine={
                    "version": __version__,
                    "contract_sha256": engine().CONTRACT_SOURCE_SHA256,
                    "formulations": list(formulations()),
                },
                profiles=shown_profiles(profiles),
                **settings,
            )
            session.views.add(self)

    def __repr__(self) -> str:
        return f"<CaseMap of {self._session.network.id}: {self.view.get('quantity', 'lmp')}>"

    @property
    def study(self) -> Study:
        """The Study that this map shows."""
        return self._study

    @traitlets.validate("selection", "selected")
    def _known_elements(self, proposal: Any) -> Any:
        """Validates selected elements by their original ids; raises EditError for an unknown one."""
        value = proposal["value"]
        if proposal["trait"].name == "selection":
            return None if value is None else self._element(value)
        return [self._element(one) for one in value]

    def _element(self, what: Any) -> dict[str, Any]:
        kind = what.get("kind") if isinstance(what, Mapping) else None
        case = self._session.network
        keys = {"bus": case._bus_keys, "branch": case._branch_keys, "generator": case._generator_keys}
        if kind not in keys or "id" not in what:
            raise EditError(
                "TARGET.MALFORMED",
                f'A selected element must be {{"kind": "bus", "branch" or "generator", "id": ...}}, not {formatted(what)}.',
            )
        if kind == "generator":
            value = {"value": "cost"} if what.get("value") == "cost" else {}
            return {"kind": kind, "id": case._generator_keys.known(what["id"], "GENERATOR.UNKNOWN"), **value}
        return {"kind": kind, "id": keys[kind].target(what["id"])}

    @traitlets.observe("selection", "selected")
    def _keep_selections(self, change: Any) -> None:
        """Keeps `selection` equal to the last of `selected`."""
        with self._session.lock:
            last: Any = self.selected[-1] if self.selected else None
            if last == self.selection:
                return
            if change["name"] == "selected":
                self.selection = last
            elif self.selection is None:
                self.selected = []
            elif self.selection in self.selected:
                self.selected = [*(one for one in self.selected if one != self.selection), dict(self.selection)]
            else:
                self.selected = [dict(self.selection)]

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Applies the state update `sync_data` of the page: under the Study's lock, and only to `PAGE_TRAITS`."""
        with self._session.lock:
            super().set_state({name: value for name, value in sync_data.items() if name in PAGE_TRAITS})
            refused = [name for name in sync_data if name in self.keys and name not in PAGE_TRAITS]
            if refused:
                self.send_state(refused)

    def save(
        self, path: str | PathLike[str], *, width_cm: float = 16, caption: bool = True, crop: bool = False
    ) -> Path:
        """Writes the map as a vector figure with legend and result hash, `.svg` or `.pdf`, and returns its path.

        `width_cm` on paper, 2 to 100; letters have 8 to 11 points at any width. `caption`: name and state above the map.
        `crop`: as high as the network, not as the cell.
        Raises ArgumentError for another ending or width, InputError `MAP.NO_POSITIONS`, `OUTPUT.UNWRITABLE`.
        """
        form = FigureForm(path, width_cm)
        drawn = self._picture(caption=caption, crop=crop, letters=form.letters)
        if drawn is None:
            raise InputError("MAP.NO_POSITIONS", "The case has no positions: case.with_layout(...) makes some.")
        return files.write(form.path, form.content(drawn))

    def to_html(self, path: str | PathLike[str]) -> Path:
        """Writes the map as one page and returns its path; in a folder the file is called `<id>.html`.

        The page needs no server and no network: it holds the Study and the engine, which solves in the page, so that the map
        still pans, picks and drags. The file has about 8 MB, most of it the engine; the exact size is logged (level INFO). The basemap
        is detailed around the network. Results of the page stay in the page. Layers of `add_layer` and basemaps other than the usual one
        are left out, layers with an ExportWarning. Raises InputError `OUTPUT.UNWRITABLE`, `MAP.NO_PAGE`.
        """
        from .page_file import page_file  # its packages are for this alone

        case = self._session.network
        chosen = files.target(path, case.id, ".html")
        with self._session.lock:
            selected = [dict(one) for one in self.selected] or ([dict(self.selection)] if self.selection else [])
            view: dict[str, Any] = {
                name: self.view[name] for name in ("quantity", "lines", "style") if name in self.view
            }
            study = packed_bundle(self._session)
            layers = ", ".join(visible(layer["name"]) for layer in self.layers)
        if layers:
            warnings.warn(f"The page leaves out these layers: {layers}.", ExportWarning, stacklevel=2)
        page = page_file(case.name, study, {**view, "selected": selected}, case._rows.positions())
        written = files.write(chosen, page)
        _log.info("%s: one page of %.1f MB with Study and engine", written, len(page) / 1e6)
        return written

    def add_layer(
        self,
        data: Any,
        name: str | None = None,
        *,
        color: str | None = None,
        width: float = 1.5,
        size: float = 6,
        opacity: float = 0.9,
    ) -> Self:
        """Draws points, lines and areas above the basemap and below the network, and lists them in the legend; returns the map.

        `data`: GeoJSON as a mapping, text or path, a geopandas GeoDataFrame, or an object with `__geo_interface__`;
        longitude and latitude in degrees, a GeoDataFrame in any known reference system. `name` in the legend; a layer
        of the same name is replaced. `color` ("#rrggbb" or a CSS name), `width` of lines and `size` of points in px,
        `opacity` from 0 to 1, for areas a fifth of it. At most 20 layers with 200,000 positions together. Raises
        ArgumentError, InputError `LAYER.INVALID`, `LAYER.TOO_LARGE`, `LAYER.TOO_MANY`.
        """
        with self._session.lock:
            look = {"name": name, "color": color, "width": width, "size": size, "opacity": opacity}
            layer = layer_of(data, self.layers, **look)
            self.layers = [*(one for one in self.layers if one["name"] != layer["name"]), layer]
        return self

    def remove_layer(self, name: str) -> Self:
        """Removes the layer of `add_layer` that is called `name`; returns the map. Raises InputError `LAYER.UNKNOWN`."""
        with self._session.lock:
            names = [layer["name"] for layer in self.layers]
            name = shown_name(name) if isinstance(name, str) else name
            if name not in names:
                listed = ", ".join(map(repr, names)) or "none"
                raise InputError("LAYER.UNKNOWN", f"The map has no layer {formatted(name)}. It has: {listed}.")
            self.layers = [layer for layer in self.layers if layer["name"] != name]
        return self

    def close(self) -> None:
        """Closes the views in the page; the Study remains usable."""
        self._session.views.discard(self)
        super().close()

    def _show(self, state: StudyState) -> None:
        """Called by the Study with its lock held, after each change."""
        with self.hold_sync():
            self.deltas, self.rates = state.edits["deltas"], state.edits["rates"]
            self.reactive = state.edits.get("reactive", {})
            self.generators = state.edits.get("generators", {})
            self.branches = state.edits.get("branches", {})
            self.links = state.edits.get("links", {})
            self.storage = state.edits.get("storage", {})
            self.interfaces = state.edits.get("interfaces", {})
            self.added = state.edits.get("added", {})
            self.formulation = state.formulation
            self.result_sha256 = state.result_sha256
            self.revision = state.revision

    def _answer(self, _widget: CaseMap[Study], content: Mapping[str, Any], _buffers: Any) -> None:
        if isinstance(content, Mapping) and content.get("kind") == "remove_layer":
            self._removed(content.get("name"))
            return
        answer(self._session, self._files, content, self._send_message, self._repr_mimebundle_)

    def _removed(self, name: Any) -> None:
        """Handles a layer removed in the page; another page may have removed it first."""
        with self._session.lock:
            self.layers = [layer for layer in self.layers if layer["name"] != name]

    def _send_message(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        with self._session.lock:
            self.send(content, buffers)

    def _get_embed_state(self, drop_defaults: bool = False) -> dict[str, Any]:
        """The state of the map in a page of `ipywidgets.embed`: its traits, and the Study and its picture in place of a
        kernel."""
        picture = self._repr_mimebundle_().get("image/svg+xml")
        return embedded(super()._get_embed_state(drop_defaults=drop_defaults), packed_bundle(self._session), picture)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The state with the model's id, from which the extension shows the live map, and a picture and tables for other front ends.

        The widget's own MIME type is omitted: nbconvert, nbviewer and front ends without the extension would prefer it to the
        picture and show nothing.
        """
        bundle: dict[str, Any] = {STUDY_MIME: self._saved_state()}
        bundle["text/plain"] = f"Case map of {self.case_id}: run this cell to see it."
        try:
            drawn = self._picture()
            bundle["text/html"] = (drawn or "") + f"<p>{escape(NOT_LIVE)}</p>" + study_html(self._session)
            if drawn is not None:
                bundle["image/svg+xml"] = drawn
        except WattbookError as error:
            bundle["text/html"] = error_html(error)
        return bundle

    def _picture(self, *, caption: bool = True, crop: bool = False, letters: float = 1.0) -> str | None:
        """The map as a picture, at the height of the map or cropped to its network, with letters enlarged by a factor."""
        with self._session.lock:
            solution = self._session.solution()
        name = self.view.get("quantity", "lmp")
        shown: str | Drawn = name
        if name == "sensitivity" and self.selection is not None:
            target = {self.selection["kind"]: self.selection["id"]}
            if self.selection["kind"] == "generator":
                target["value"] = self.selection.get("value", GENERATOR_VALUES[0])
            shown = sensitivity_quantity(solution, self._session.sensitivity(json.dumps(target)))
        elif name == "lmp_change" and "lmp" in solution._buses:
            shown = change_quantity(solution, self._session.base_solution())
        lines: str | Drawn = self.view.get("lines", LOADING)
        if lines == "rating_change":
            lines = rating_change_quantity(solution, self._session.edits.ratings)
        height = None if crop else self.view.get("height", USUAL_HEIGHT)
        basemap = self.view.get("basemap") != {"kind": "none"}
        style = self.view.get("style")
        drawn = (solution, shown, lines, style, self.layers)
        return picture(*drawn, height=height, basemap=basemap, caption=caption, letters=letters)

    def _saved_state(self) -> dict[str, Any]:
        """The state stored in the notebook: small, and sufficient to restore the Study."""
        session = self._session
        state = session.state()
        return {
            "schema": "wattbook-study-state",
            "version": 1,
            "model_id": self.model_id,
            "case": {"id": session.network.id, "name": session.network.name, "sha256": session.network.sha256},
            "formulation": state.formulation,
            "options": dict(session.options),
            **state.edits,
            "revision": state.revision,
            "result_sha256": state.result_sha256,
        }


#: Largest number of values sent to a page, 32 MB: half a year of hours at a thousand buses. Longer profiles are not
#: sent.
_MOST_NUMBERS = 4_000_000


def shown_profiles(profiles: Profiles | None) -> list[dict[str, Any]]:
    """The profile of `case.with_profiles` as a list; empty without one, if it is too long for a page, and for
    availability of generators, which pages do not solve."""
    if profiles is None or profiles.units is not None or profiles.changes.size > _MOST_NUMBERS:
        return []
    return [
        {
            "steps": _labels(profiles.index),
            "buses": list(profiles.buses),
            "branches": list(profiles.branches),
            # Values of the buses, then those of the lines, step by step.
            "changes_mw": np.ascontiguousarray(profiles.changes, dtype="<f8").tobytes(),
        }
    ]


def _labels(index: pd.Index) -> list[str]:
    if isinstance(index, pd.DatetimeIndex):
        return [str(text) for text in index.strftime("%Y-%m-%dT%H:%M")]
    return [str(label) for label in index]
