"""Tracks: the optimum as a parametric function of one demand, rating, phase shift, or limit of a generator, HVDC link or interface, with every breakpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsFloat

from ..arguments import number, one_of
from ..edits.targets import INTERFACE_VALUES, SHIFT, column_target, interface_value
from ..errors import EditError, WattbookError, error_for
from ..results.explanation import Explanation
from ..tables.rows import Columns
from ..text import words
from ..text.html import TOP_ROWS, capitalised, sentence, shown, table

if TYPE_CHECKING:
    import pandas as pd

    from ..network import ElementName
    from .session import Session


class Stop(NamedTuple):
    """Where and why a track ends: the position `mw` (degrees for a phase shift), `reason` (`infeasible`, `edit_limit`, `too_many_breakpoints`,
    `not_followed`), `message`, a sentence, the `error` of the solver or None, and for `infeasible` the `explanation` at the requested
    end (None with `explain=False`)."""

    mw: float
    reason: str
    message: str
    error: WattbookError | None
    explanation: Explanation | None = None


class Track:
    """The optimum as a function of the demand at one bus, the rating or phase shift of one branch, or a limit of one generator, HVDC link or interface;
    made by `study.track()`.

    Positions are MW, as in edits: changes from the base case, or for a generator, link or interface the limit itself, `value` (`p_max` or
    `p_min`, of an interface `max_mw` or `min_mw`), for a phase shift the shift in degrees, `value` `shift`; `value` is None for others, and `unit` is `MW` or `degrees`. The other edits of the Study are fixed. `breakpoints` and `segments` are DataFrames with
    the LMP of `watched_bus`. `stopped` is the reason why the track ends before `to_mw`, `begins` why it begins after
    `from_mw`; otherwise they are None. Between breakpoints LMPs are affine.

    `price_at`, `objective_at` and the tables `buses_at`, `branches_at`, `generators_at` and `links_at` work until the next track or
    commit of the Study; `breakpoints` and `segments` remain. To commit without losing a track, create it on a second
    Study of the same case: `study.case.study()`.
    """

    def __init__(self, session: Session, body: Mapping[str, Any]) -> None:
        self._session = session
        self._body = body
        self.element: Mapping[str, Any] = body["target"]
        self.value: str | None = body.get("value") or body.get("branch_value") or body.get("interface_value")
        self.unit: str = "degrees" if self.value == SHIFT else "MW"
        self.watched_bus: int = body["watched_bus"]
        self.from_mw: float = body["from_mw"]
        self.to_mw: float = body["to_mw"]
        self.begins: Stop | None = self._end(body.get("begins"), self.from_mw)
        self.stopped: Stop | None = self._end(body.get("stopped"), self.to_mw)

    def _end(self, body: Mapping[str, Any] | None, target_mw: float) -> Stop | None:
        """Why the track ends before `target_mw`, with the call that continues it if it has too many breakpoints."""
        stop = _stop(body)
        if stop is None or stop.reason != "too_many_breakpoints":
            return stop
        kind = "link" if self.element["kind"] == "hvdc" else self.element["kind"]
        name = self.element["uid" if kind == "interface" else "id"]
        named = f"{kind}={name!r}" + (f", value={self.value!r}" if self.value else "")
        ends = "degrees" if self.value == SHIFT else "mw"
        call = f"study.track({named}, from_{ends}={stop.mw!r}, to_{ends}={target_mw!r})"
        return stop._replace(message=f"{stop.message.rstrip('.')}: {call}.")

    @property
    def breakpoints(self) -> pd.DataFrame:
        """Columns `mw` (in `unit`), `event`, `kind` and `id` of the element, `price_before` and `price_after` (LMP at `watched_bus`,
        $/MWh, in the direction of the track)."""
        from ..tables.analyses import track_breakpoints

        return track_breakpoints(self._body["breakpoints"], self.unit)

    @property
    def segments(self) -> pd.DataFrame:
        """Columns `from_mw`, `to_mw` (in `unit`), `objective` and `objective_end` (cost at both ends, $/h), `price` (LMP at
        `watched_bus` and `from_mw`, $/MWh) and `slope` (($/MWh)/MW, or ($/MWh)/degree)."""
        from ..tables.analyses import track_segments

        return track_segments(self._body["segments"], self.unit)

    def price_at(self, mw: SupportsFloat) -> pd.Series:
        """All LMPs at the position `mw` (in `unit`), a Series by bus in $/MWh; NaN at isolated buses. No solve.

        Raises WattbookError `TRACK.OUTSIDE` beyond the track's ends, `TRACK.NONE` after another track or a commit;
        ArgumentError if `mw` is not a finite number.
        """
        import numpy as np
        import pandas as pd

        at = number("mw", mw, self.unit)
        data = self._session.on_track(self, lambda engine: engine.track_prices(at))
        index = pd.Index(self._session.network._bus_ids, name="bus")
        prices = pd.Series(np.frombuffer(data, dtype="<f8"), index=index, name="lmp")
        prices.attrs["units"] = "$/MWh"
        return prices

    def objective_at(self, mw: SupportsFloat) -> float:
        """Cost in $/h at the position `mw`. Errors as for `price_at`."""
        state, _ = self._state_at(mw)
        return float(state["objective"])

    def buses_at(self, mw: SupportsFloat) -> pd.DataFrame:
        """The table `Solution.buses` of a commit at the position `mw`, without a solve: LMPs in $/MWh, angles
        in degrees, demand in MW. Errors as for `price_at`."""
        from ..tables.solutions import solution_buses

        _, columns = self._state_at(mw)
        return solution_buses(
            self._session.edited_network._rows.buses, self._session.edited_network._parameters, columns
        )

    def branches_at(self, mw: SupportsFloat) -> pd.DataFrame:
        """The table `Solution.branches` of a commit at the position `mw`, without a solve: flows and ratings in
        MW, loading, shadow prices in $/MWh. Errors as for `price_at`."""
        from ..tables.solutions import solution_branches

        _, columns = self._state_at(mw)
        return solution_branches(self._session.edited_network._rows.branches, columns, self._session.edits.branches)

    def generators_at(self, mw: SupportsFloat) -> pd.DataFrame:
        """The table `Solution.generators` of a commit at the position `mw`, without a solve: dispatch and limits
        in MW, shadow prices of the limits in $/MWh. Errors as for `price_at`."""
        from ..tables.solutions import solution_generators

        _, columns = self._state_at(mw)
        network, edits = self._session.edited_network, dict(self._session.edits.generators)
        if self.element["kind"] == "generator":
            unit = self.element["id"]
            edits[unit] = {**edits.get(unit, {}), str(self.value): number("mw", mw, "MW")}
        return solution_generators(network._generators, network._rows.generators, columns, edits)

    def links_at(self, mw: SupportsFloat) -> pd.DataFrame:
        """The table `Solution.links` of a commit at the position `mw`, without a solve: powers and limits in MW, price differences and
        shadow prices in $/MWh, rent in $/h. Errors as for `price_at`."""
        from ..tables.solutions import solution_links

        _, columns = self._state_at(mw)
        network, edits = self._session.edited_network, dict(self._session.edits.links)
        if self.element["kind"] == "hvdc":
            link = self.element["id"]
            edits[link] = {**edits.get(link, {}), str(self.value): number("mw", mw, "MW")}
        return solution_links(network._rows.links, columns, edits)

    def _state_at(self, mw: SupportsFloat) -> tuple[Mapping[str, Any], Columns]:
        at = number("mw", mw, self.unit)
        text, columns = self._session.on_track(self, lambda engine: engine.track_state(at))
        return json.loads(text), Columns(columns)

    @property
    def _moves(self) -> str:
        if self.value == SHIFT:
            return "phase shift of"
        if self.value is not None:
            return f"{words.limit(self.value)} of"
        return "demand at" if self.element["kind"] == "bus" else "rating of"

    def __str__(self) -> str:
        what = f"{self._moves} {words.element(self.element)}"
        count = words.count(len(self._body["breakpoints"]), "breakpoint")
        segments = self._body["segments"]
        reach = "an empty range"
        if segments:
            start, end = segments[0]["from_mw"], segments[-1]["to_mw"]
            signed = self.value is None
            reach = f"{words.mw_reached(start, end, sign=signed)} to {words.mw_reached(end, start, sign=signed)} {self.unit}"
        stops = [stop.message for stop in (self.begins, self.stopped) if stop]
        return "; ".join([f"{what} from {reach}, {count}", *stops])

    def __repr__(self) -> str:
        return f"<Track: {self}>"

    def _repr_html_(self) -> str:

        return track_html(self)


def _stop(stop: Mapping[str, Any] | None) -> Stop | None:
    if stop is None:
        return None
    body = stop.get("error")
    error = (
        error_for(*(body.get(part) for part in ("code", "message", "element", "details", "sentence"))) if body else None
    )
    explanation = stop.get("explanation")
    reasons = Explanation.from_body(explanation, "MW") if explanation else None
    return Stop(stop["mw"], stop["reason"], stop["message"], error, reasons)


def requested(
    session: Session,
    unnamed: Sequence[ElementName],
    target: tuple[ElementName | None, ElementName | None, ElementName | None, ElementName | None, str | None],
    value: str,
    given: Mapping[str, SupportsFloat | None],
) -> tuple[str, tuple[float, float], str]:
    """The target of a track as JSON, its ends, and the unit of its positions: `MW` or `degrees`.

    `target` has bus, branch, generator, link and interface, `given` the arguments `from_mw`, `to_mw`, `from_degrees` and `to_degrees`. Raises EditError
    as `Study.track`, ArgumentError for another `value`.
    """
    one_of("value", value, ("p_max", "p_min", SHIFT, *INTERFACE_VALUES))
    bus, branch, generator, link, interface = target
    network, is_shift = session.edited_network, value == SHIFT
    unit, ends = ("degrees", "degrees") if is_shift else ("MW", "mw")
    call = "study.track({}, to_degrees=5)" if is_shift else "study.track({}, to_mw=50)"
    what = column_target(
        network,
        call,
        unnamed,
        bus=bus,
        branch=branch,
        generator=generator,
        link=link,
        interface=interface,
        value=value,
    )
    other = next((name for name, at in given.items() if at is not None and not name.endswith(ends)), None)
    if other is not None or given[f"to_{ends}"] is None:
        wrong = "" if other is None else f", not {other}"
        example = (
            f"branch={network._branch_keys.example}, value={value!r}"
            if is_shift
            else f"bus={network._bus_keys.example}"
        )
        raise EditError("TARGET.MALFORMED", f"Give to_{ends}{wrong}: {call.format(example)}.")
    start = given[f"from_{ends}"]
    if start is None:
        start = _present(session, (branch, generator, link, interface), value)
    begin, end = (
        number(name, at, unit, code="TARGET.MALFORMED")
        for name, at in ((f"from_{ends}", start), (f"to_{ends}", given[f"to_{ends}"]))
    )
    return what, (begin, end), unit


def _present(
    session: Session,
    target: tuple[ElementName | None, ElementName | None, ElementName | None, str | None],
    value: str,
) -> float:
    """Where a track begins by default: the present limit of a generator, link or interface or phase shift of a branch, else the base case.

    `target` has branch, generator, link and interface.
    """
    branch, generator, link, interface = target
    with session.lock:
        network, edits = session.edited_network, session.edits
        if value == SHIFT:
            row = network._branch_keys.known(branch, "BRANCH.UNKNOWN")
            return float(edits.branches.get(row, {}).get(SHIFT, network._branches.at[row, "shift_deg"]))
        if generator is not None:
            row = network._generator_keys.known(generator, "GENERATOR.UNKNOWN")
            return float(edits.generators.get(row, {}).get(value, network._generators.at[row, f"{value}_mw"]))
        if link is not None:
            row = network._link_keys.known(link, "LINK.UNKNOWN")
            return float(edits.links.get(row, {}).get(value, network.links.at[row, f"{value}_mw"]))
        if interface is not None:
            interfaces = session.options.get("limits", {}).get("interfaces", ())
            limits: dict[str, Any] = next((row for row in interfaces if row["name"] == interface), {})
            present = {**limits, **edits.interfaces.get(interface, {})}
            # The engine refuses an interface or a limit that does not exist.
            return float(present.get(interface_value(value)) or 0.0)
    return 0.0


def track_html(track: Track) -> str:
    """The sentence and the first breakpoints, with the LMP of the watched bus on both sides."""
    points = track._body["breakpoints"]
    rows = [
        (
            capitalised(words.event(row["event"], row["element"])),
            words.mw(row["mw"], sign=track.value is None),
            words.price(row["price_before"]),
            words.price(row["price_after"]),
        )
        for row in points[:TOP_ROWS]
    ]
    if len(points) > TOP_ROWS:
        rows.append((f"and {words.count(len(points) - TOP_ROWS, 'more breakpoint')}", "", "", ""))
    bus = f"at bus {track.watched_bus}"
    positions = "MW from the base case"
    if track.value is not None:
        moves = "Phase shift" if track.value == SHIFT else capitalised(words.limit(track.value))
        positions = f"{moves}, {track.unit}"
    head = ("Breakpoint", positions, f"$/MWh {bus} before", "after")
    return shown(sentence(str(track)) + (table(head, rows) if rows else ""))
