"""Tracks, screenings, one-sided columns and saved solutions."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import wattbook as wb
from pandas.testing import assert_frame_equal
from wattbook.text import words

Open = Callable[..., wb.Case]


def test_a_track_equals_commits(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    study.commit({2: 5.0, 3: 2.0})
    track = study.track(bus=2, from_mw=-60, to_mw=15)
    assert (track.watched_bus, track.element["id"], len(track.segments)) == (2, 2, len(track.breakpoints) + 1)
    assert track.begins is None and track.stopped is None
    assert track.breakpoints.attrs["units"]["price_after"] == "$/MWh"
    other = open_three_bus(rating_23=40).study()
    for row in track.segments.itertuples():
        at = row.from_mw + 0.4 * (row.to_mw - row.from_mw)
        solution = other.commit({2: at, 3: 2.0})
        assert track.price_at(at).tolist() == pytest.approx(solution.buses["lmp"].tolist(), rel=1e-9)
        assert track.price_at(at)[2] == pytest.approx(row.price + row.slope * (at - row.from_mw), rel=1e-9)
        assert track.objective_at(at) == pytest.approx(solution.objective, rel=1e-9)
        for table, committed in (
            (track.buses_at(at), solution.buses),
            (track.branches_at(at), solution.branches),
            (track.generators_at(at), solution.generators),
        ):
            assert_frame_equal(table, committed, rtol=1e-9, atol=1e-9)
            assert table.attrs == committed.attrs
    with pytest.raises(wb.WattbookError) as outside:
        track.price_at(16)
    assert outside.value.code == "TRACK.OUTSIDE"
    study.commit({2: 1.0})
    with pytest.raises(wb.WattbookError) as gone:
        track.branches_at(0)
    assert gone.value.code == "TRACK.NONE"


def test_a_track_of_a_capacity_equals_commits(open_three_bus: Open) -> None:
    # Line 3-2 carries (p1 + 2 p2) / 3, at most 40 MW, so unit 2 produces 30 of 90 MW; a smaller capacity relieves the
    # line.
    study = open_three_bus(rating_23=40).study()
    track = study.track(generator=2, to_mw=0)
    assert (track.value, track.watched_bus, track.element["kind"], track.from_mw) == ("p_max", 3, "generator", 270.0)
    assert track.breakpoints["mw"].tolist() == pytest.approx([30.0])
    assert track.stopped is not None and track.stopped.reason == "edit_limit"
    assert track.stopped.mw == pytest.approx(10.0)
    assert str(track) == "Pmax of generator 2 from 270.0 to 10.0 MW, 1 breakpoint; Pmax and Pmin of the generator meet."
    assert "Pmax, MW" in track._repr_html_()
    other = open_three_bus(rating_23=40).study()
    for at in (200.0, 31.0, 29.0, 11.0):
        solution = other.commit(generators={2: {"p_max": at}})
        assert track.objective_at(at) == pytest.approx(solution.objective, rel=1e-9)
        for table, committed in (
            (track.buses_at(at), solution.buses),
            (track.branches_at(at), solution.branches),
            (track.generators_at(at), solution.generators),
        ):
            assert_frame_equal(table, committed, rtol=1e-8, atol=1e-8)
    # Pmin of unit 1 can rise until unit 2 is at its own Pmin; the path begins at its present value.
    study.commit(generators={1: {"p_min": 20.0}})
    rising = study.track(generator=1, value="p_min", to_mw=300)
    assert rising.from_mw == 20.0
    assert rising.stopped is not None and rising.stopped.reason == "infeasible"
    assert rising.stopped.mw == pytest.approx(80.0)
    assert "No solution with Pmin above 80.0 MW at generator 1" in rising.stopped.message


def test_invalid_tracks_of_generators_are_refused(open_three_bus: Open) -> None:
    study = open_three_bus().study()
    for call, code in (
        (lambda: study.track(generator=9, to_mw=1), "GENERATOR.UNKNOWN"),
        (lambda: study.track(generator=2, bus=2, to_mw=1), "TARGET.MALFORMED"),
        (lambda: study.track(generator=2, value="cost", to_mw=1), "ARGUMENT.CHOICE"),  # type: ignore[arg-type]
        (lambda: study.track(generator=2, to_mw=math.inf), "TARGET.MALFORMED"),
        (lambda: study.track(generator=2, from_mw=5, to_mw=0), "GENERATOR.LIMITS"),
    ):
        with pytest.raises(wb.WattbookError) as refused:
            call()
        assert refused.value.code == code
    study.commit(generators={2: {"status": False}})
    with pytest.raises(wb.EditError) as off:
        study.track(generator=2, to_mw=0)
    assert off.value.code == "GENERATOR.OUT_OF_SERVICE"


def test_the_end_of_feasibility_stops_a_track(open_three_bus: Open) -> None:
    # Unit 2 stays at 10 MW or more: the flow 3-2 of (p3 + d2) / 3 passes 40 MW with 110 MW at bus 2.
    study = open_three_bus(rating_23=40).study()
    track = study.track(bus=2, to_mw=200)
    assert track.stopped is not None
    assert (track.stopped.reason, track.stopped.mw) == ("infeasible", pytest.approx(20.0))
    assert isinstance(track.stopped.error, wb.SolveError)
    assert "No solution above 110.0 MW at bus 2: the limit of line 3 cannot be met" in repr(track)
    column = study.sensitivity(bus=2)
    end = column.ends[1]
    assert end is not None and end.no_solution_beyond and "infeasible beyond" in str(end)
    assert column.left is None and column.right is None
    study.commit({2: 20.0})
    edge = study.sensitivity(bus=2)
    assert edge.kind == "one_sided"
    assert edge.left is not None and edge.right is None
    assert edge.left.tolist() == pytest.approx([0.44, 1.05, -0.17], rel=1e-9)
    newer = study.track(branch=3, to_mw=10, watch=3)
    assert newer.watched_bus == 3
    with pytest.raises(wb.WattbookError):
        track.price_at(1.0)


def test_a_track_that_is_too_long_names_the_call_that_continues() -> None:
    study = wb.open_case("california").study()
    line = study.solution.branches["shadow"].idxmax()
    track = study.track(branch=line, from_mw=0, to_mw=-1e4)
    assert track.stopped is not None and track.stopped.reason == "too_many_breakpoints"
    assert len(track.breakpoints) == 500
    call = re.search(r": study\.track\(branch=(\d+), from_mw=(.+), to_mw=(.+)\)\.$", track.stopped.message)
    assert call is not None and int(call[1]) == line and float(call[2]) == track.stopped.mw and float(call[3]) == -1e4
    assert call[0].removeprefix(": ") in str(track)
    price, bus = track.price_at(track.stopped.mw), track.watched_bus
    rest = study.track(branch=int(call[1]), from_mw=float(call[2]), to_mw=float(call[2]) - 5, watch=bus)
    assert rest.segments["price"].iloc[0] == pytest.approx(price[bus], rel=1e-6)


def test_shown_in_a_notebook() -> None:
    study = wb.open_case("carolina").study()
    track = study.track(bus=213, to_mw=400)
    text = track._repr_html_()
    first = track.breakpoints.iloc[0]
    assert f'<td style="text-align:left">Generator {first["id"]} reaches its maximum</td>' in text
    assert f">{words.price(first['price_after'])}</td>" in text and ">+41.9</td>" in text
    assert f"and {len(track.breakpoints) - 8} more breakpoints" in text and "mathjax_ignore" in text
    why = study.explain({213: 400})
    assert why is not None
    text = why._repr_html_()
    assert html.escape(why.message) in text
    assert set(why.relaxation["limit"]) == {"rating", "demand"}
    for row in why.relaxation.itertuples():
        what = f"Rating of line {row.id}" if row.limit == "rating" else f"Demand reduction at bus {row.id}"
        assert f">{what}</td>" in text and f">{words.mw_rounded(row.mw)}</td>" in text
        assert f"{words.mw_rounded(row.mw)} MW" in why.remedy, "the table says what the sentence says"
    parts = study.lmp_components(213)
    cells = [float(cell.replace("\u2212", "-")) for cell in re.findall(r">([\u2212\d.]+)</td>", parts._repr_html_())]
    assert len(cells) == len(parts.congestion) + 2
    assert sum(cells[:-1]) == pytest.approx(cells[-1], abs=0.01 * len(cells))
    assert study.track(bus=422, to_mw=5)._repr_html_().count("<table") == 0


def test_the_printed_interval_ends_at_zero_demand(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    column = study.sensitivity(bus=1)  # without demand
    assert column.valid_mw[0] < -1
    assert "exact from 0.0 to" in str(column) or "exact from 0.0 MW upwards" in str(column)
    assert "\u2212" not in str(column).partition("exact from")[2]
    study.commit({1: 0.5})
    ends = study.sensitivity(bus=1)
    assert ends.ends[0] is not None and ends.ends[0].event == "edit_limit"
    assert "exact from \u22120.500 to" in str(ends) and "then the demand reaches zero" in str(ends)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"to_mw": 1}, "TARGET.MALFORMED"),
        ({"bus": 1, "branch": 1, "to_mw": 1}, "TARGET.MALFORMED"),
        ({"bus": 2, "to_mw": math.inf}, "TARGET.MALFORMED"),
        ({"bus": 77, "to_mw": 1}, "BUS.UNKNOWN"),
        ({"bus": 2, "to_mw": 1, "watch": 77}, "BUS.UNKNOWN"),
    ],
)
def test_invalid_tracks_are_refused(arguments: dict[str, float], code: str, open_three_bus: Open) -> None:
    with pytest.raises(wb.EditError) as error:
        open_three_bus().study().track(**arguments)
    assert error.value.code == code


def test_outages(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    frame = study.contingencies()
    assert frame.index.name == "branch" and frame["kind"].tolist() == ["loading"] * 3
    assert frame[["from_bus", "to_bus"]].values.tolist()[0] == [1, 2]
    # Without line 1-2 the 90 MW of bus 2 flow over line 2-3.
    assert (frame["worst_branch"][1], frame["overloads"][1]) == (3, 1)
    assert frame["worst_loading"][1] == pytest.approx(90 / 40)
    # That line was at its limit before and rises by 50 MW over its 40.
    assert frame["worst_base_loading"].tolist() == pytest.approx(
        [study.solution.branches["loading"][worst] for worst in frame["worst_branch"]], rel=1e-12
    )
    assert (frame["worst_base_loading"][1], frame["loading_rise"][1]) == (pytest.approx(1.0), pytest.approx(50 / 40))
    # It is not a new overload, since it was at its limit.
    assert frame["new_overloads"].tolist() == [0, 0, 0] and frame["new_overload_branch"].isna().all()
    assert frame.attrs["units"]["loading_rise"] == "fraction of rating"
    assert frame.attrs["units"]["worst_mw"] == "MW"


def test_flows_after_an_outage(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    frame = study.outage_flows(branch=1)
    # Without line 1-2 bus 2 draws its 90 MW over line 2-3, to which line 1-3 (branch 2) brings the 60 MW of generator
    # 1.
    assert frame["p_from_mw"].tolist() == pytest.approx([0, 60, -90])
    assert frame["loading"].tolist() == pytest.approx([0, 60 / 250, 90 / 40])
    assert frame["base_p_from_mw"].tolist() == study.solution.branches["p_from_mw"].tolist()
    worst = study.contingencies().loc[1]
    assert frame["loading"].idxmax() == worst["worst_branch"]
    assert frame["loading"].max() == pytest.approx(worst["worst_loading"], rel=1e-12)
    with pytest.raises(wb.EditError, match=r"BRANCH\.UNKNOWN"):
        study.outage_flows(branch=9)


def test_flows_after_an_outage_that_splits_the_grid() -> None:
    study = wb.open_case("case500_goc").study()
    bridge = study.contingencies().query("kind == 'islanding'").index[0]
    with pytest.raises(wb.EditError, match=rf"Line {bridge} is the only connection") as refused:
        study.outage_flows(branch=bridge)
    assert refused.value.code == "OUTAGE.ISLANDING"


def test_a_new_overload_is_reported_beside_a_line_that_was_full(open_three_bus: Open) -> None:
    study = open_three_bus(rating_23=40).study()
    # Line 1-3 (branch 2) rated 50 MW: without line 1-2 it carries the 60 MW of generator 1.
    study.commit(ratings={2: -200})
    row = study.contingencies().loc[1]
    assert (row["worst_branch"], row["overloads"], row["new_overloads"]) == (3, 2, 1)
    named = [row[f"new_overload_{key}"] for key in ("branch", "from_bus", "to_bus")]
    assert named == [2, 1, 3]
    assert row["new_overload_mw"] == pytest.approx(60)
    assert row["new_overload_loading"] == pytest.approx(1.2)
    assert row["new_overload_base_loading"] == pytest.approx(0.2)


def test_new_overloads_of_a_real_case_are_not_hidden() -> None:
    study = wb.open_case("case500_goc").study()
    frame = study.contingencies().query("kind == 'loading'")
    loading = study.solution.branches["loading"]
    added = frame[frame["new_overloads"] > 0]
    assert len(added) and (added["new_overloads"] <= added["overloads"]).all()
    assert frame.drop(added.index)["new_overload_branch"].isna().all()
    assert (added["new_overload_loading"] > 1).all() and (added["new_overload_base_loading"] < 1).all()
    before = loading[added["new_overload_branch"].to_numpy(dtype="int64")].to_numpy()
    assert added["new_overload_base_loading"].to_numpy() == pytest.approx(before, abs=1e-12)
    flow = added["new_overload_mw"].abs().to_numpy()
    rating = study.solution.branches["rating_mw"][added["new_overload_branch"].to_numpy(dtype="int64")].to_numpy()
    assert flow / rating == pytest.approx(added["new_overload_loading"].to_numpy(), rel=1e-9)


def test_a_saved_solution_has_the_same_numbers(open_three_bus: Open, tmp_path: Path) -> None:
    case = open_three_bus(rating_23=40)
    study = case.study()
    solution = study.commit({2: 5.0}, {3: 2.0})
    path = study.save_solution(tmp_path)
    assert path.name == f"{case.id}.solution.json"
    saved = wb.open_solution(path)
    assert saved.solution.sha256 == solution.sha256
    assert saved.solution.certificate == solution.certificate
    for frame in ("buses", "branches", "generators"):
        ours, theirs = getattr(solution, frame), getattr(saved.solution, frame)
        assert theirs.drop(columns="rating_mw", errors="ignore").equals(
            ours.drop(columns="rating_mw", errors="ignore")
        ), frame
    assert (saved.case_sha256, dict(saved.edits.demand or {}), dict(saved.edits.ratings or {})) == (
        case.sha256,
        {2: 5.0},
        {3: 2.0},
    )
    assert saved.case.study().solution.objective == pytest.approx(solution.objective, rel=1e-9)
    text = path.read_text()
    body = json.loads(text)
    body["value"]["data"]["objective"] = 1.0
    with pytest.raises(wb.InputError) as tampered:
        wb.open_solution(json.dumps(body).encode())
    assert tampered.value.code == "MODULE.TAMPERED"
    with pytest.raises(wb.InputError, match="open_solution"):
        wb.open_case(path)
    with pytest.raises(wb.InputError) as wrong:
        wb.open_solution(case.save(tmp_path / "case.module.json"))
    assert wrong.value.code == "MODULE.KIND"
