"""Texts of files are shown as text: names with markup, controls, characters that reverse the text around them, and
formulas, in every view and export of Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
import wattbook as wb
from conftest import ROOT
from networks import three_bus
from wattbook.agents.desk import Desk
from wattbook.agents.server import call
from wattbook.cli import main

#: Markup, an attribute that is closed early, a formula, an escape sequence of terminals, and characters that reverse
#: the line.
HOSTILE = "<wb-evil onclick=alert(1)>\"'onmouseover=alert(2) =1+1 $\\x$ \x1b]0;title\x07 \u202egnp.exe\u2066 &amp;"
#: Its visible part.
SEEN = "<wb-evil onclick=alert(1)>\"'onmouseover=alert(2) =1+1 $\\x$ ]0;title gnp.exe &amp;"
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, ""), *((tag, name) for name, _ in attrs)]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def is_safe(html: str) -> str:
    """The text of the HTML; fails where a name has become an element, an attribute or an invisible character."""
    assert not _UNSEEN.search(html), repr(_UNSEEN.search(html))
    tags = _Tags()
    tags.feed(html)
    assert not [found for found in tags.found if found[0] == "wb-evil" or found[1].startswith("on")]
    text = "".join(tags.texts)
    assert not _UNSEEN.search(text)
    return text


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = "mpc.bus_name = {\n" + "".join(f"'{HOSTILE.replace(chr(39), '')} {k}';\n" for k in (1, 2, 3)) + "};\n"
    path = tmp_path_factory.mktemp("untrusted") / "<wb-evil onclick=alert(1)>\u202e\x1b[31m.m"
    path.write_bytes(three_bus(rating_23=40) + names.encode())
    return path


@pytest.fixture(scope="module")
def study(file: Path) -> wb.Study:
    case = wb.open_case(file)
    case.name = SEEN
    study = case.study()
    study.commit({2: 1})
    study.name_state(HOSTILE, f"{HOSTILE}\n{HOSTILE}")
    return study


def views(study: wb.Study) -> Iterator[tuple[str, object]]:
    """Every view in a notebook."""
    yield "case", study.case
    yield "study", study
    yield "solution", study.solution
    yield "sensitivity", study.sensitivity(bus=2)
    yield "track", study.track(bus=2, to_mw=5)
    yield "plan", study.plan(weights={2: 1.0}, candidates=[3], increment_mw=2, budget_mw=4, progress=False)
    yield "components", study.lmp_components(2)
    yield "price change", study.price_change("base", study.states.index[-1], bus=2)
    yield "explanation", study.explain(demand={2: 5000})


def test_names_are_preserved_without_invisible_characters(study: wb.Study) -> None:
    name = study.case.buses["name"].iloc[0]
    assert name == f"{SEEN.replace(chr(39), '')} 1" and study.case.id.startswith("<wb-evil")
    assert study.states["name"].iloc[-1] == SEEN.strip()[:200].strip()


def test_texts_in_outputs_of_a_notebook(study: wb.Study) -> None:
    for what, shown in views(study):
        text = is_safe(shown._repr_html_())  # type: ignore[attr-defined]
        assert text.strip(), what
        assert not _UNSEEN.search(repr(shown)), what
    assert "<wb-evil onclick" in is_safe(study._repr_html_()), "shown as it is"


def test_the_map_and_its_picture(study: wb.Study) -> None:
    bundle = study.map()._repr_mimebundle_()
    is_safe(bundle["text/html"])
    assert not _UNSEEN.search(bundle["text/plain"])
    placed = study.case.with_layout((-105, 40)).study().map()._repr_mimebundle_()
    svg = ElementTree.fromstring(placed["image/svg+xml"])
    assert not [one.tag for one in svg.iter() if "evil" in one.tag or any(name.startswith("on") for name in one.attrib)]


def test_names_from_right_to_left_do_not_reorder_the_text_around_them() -> None:
    hebrew, arabic = "\u05d0\u05d1", "\u0634\u0628\u0643\u0629 3"
    case = wb.open_case(three_bus(rating_23=40), format="matpower")
    case.name = arabic
    study = case.study()
    steps = pd.Series([1.0, 0.9, 90.0], index=[hebrew, "b\u202e", f"{hebrew} 2"])
    series = study.series(steps, by="system", unit="pu")._repr_html_()
    sweep = wb.sweep(study, {hebrew: {}, "b\u202e": {"demand": {2: 9e3}}})._repr_html_()
    for html in (series, sweep):
        is_safe(html)
        assert f"<b><bdi>{arabic}</bdi></b>" in html
        assert f": <bdi>{hebrew}</bdi><" in html
    assert f"<li><bdi>{hebrew} 2</bdi>: " in series and "<li>b: " in sweep
    for shown in (case, study, study.solution):
        assert f"<b><bdi>{arabic}</bdi></b>" in is_safe_html(shown._repr_html_())


def is_safe_html(html: str) -> str:
    is_safe(html)
    return html


def test_a_feeder(tmp_path: Path) -> None:
    script = (ROOT / "examples" / "village.dss").read_text(encoding="utf-8")
    path = tmp_path / "<wb-evil>.dss"
    path.write_text(
        script.replace("church1a", "<wb-evil>\u202e\x07").replace("Circuit.village", "Circuit.<wb-evil/onload>\u2066"),
        encoding="utf-8",
    )
    (tmp_path / "village_coordinates.csv").write_bytes((ROOT / "examples" / "village_coordinates.csv").read_bytes())
    read = wb.open_distribution(path)
    is_safe(read._repr_html_())
    feeder = wb.open_feeder(path).solve(source_impedance="branch")
    is_safe(feeder._repr_html_())
    assert not _UNSEEN.search(repr(feeder))
    assert ("<wb-evil>", "3") in feeder.voltages.index
    drawn = feeder.profile()._repr_svg_()
    assert not [one for one in ElementTree.fromstring(drawn).iter() if "evil" in one.tag]


@pytest.mark.parametrize("command", [["solve"], ["solve", "--json"], ["convert"], ["verify"]])
def test_commands(file: Path, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, *options = command
    extra = [str(tmp_path / "out.raw")] if name == "convert" else []
    main([name, str(file), *extra, *options])
    printed = "".join(capsys.readouterr())
    assert printed and not _UNSEEN.search(printed), repr(printed)


def test_refusals_of_commands(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = str(tmp_path / "\x1b]0;title\x07\u202e.m")
    Path(hostile).write_bytes(b"nothing")
    assert main(["solve", hostile]) == 2
    assert main(["solve", hostile.replace(".m", ".exe")]) == 2
    assert main(["solve", hostile.replace(".m", "nowhere.m")]) == 2
    assert main(["solve", str(file), "--demand", "\x1b[31mx=1"]) == 2
    assert main(["verify", hostile]) == 2
    assert main(["solve", str(file), "--formulation", "\x1b[31m\u202e"]) == 2
    with pytest.raises(SystemExit):
        main(["\x1b[31m\u202e"])
    printed = "".join(capsys.readouterr())
    assert not _UNSEEN.search(printed), repr(printed)


def test_files_that_are_written(study: wb.Study, tmp_path: Path) -> None:
    path = study.save(tmp_path / "a.study.json")
    text = path.read_text(encoding="utf-8")
    assert not _UNSEEN.search(json.dumps(json.loads(text), ensure_ascii=False))
    assert wb.open_study(path).states["name"].iloc[-1] == study.states["name"].iloc[-1]


def test_agents_see_that_it_is_text(study: wb.Study) -> None:
    desk = Desk()
    here = {"case_id": desk.take(study)}
    rows = {"element_kind": "bus", "limit": 3}
    answers = [call(desk, "list_cases", {}), call(desk, "inspect_case", {}), call(desk, "query_network", here | rows)]
    for answer in answers:
        assert answer["ok"] and not _UNSEEN.search(json.dumps(answer, ensure_ascii=False))
    assert all(len(row["label"]) <= 48 for row in answers[-1]["data"]["rows"])
