"""Files of other kinds: JSON by content, errors with the right function for a file, exports and saved modules."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path

import pytest
import wattbook as wb
from networks import FEEDER, three_bus
from wattbook.files import files
from wattbook.files.kinds import EXTENSIONS, JSON_TOKENS, TOKENS
from wattbook.native import engine

LAYER = {"type": "FeatureCollection", "features": []}


@pytest.fixture(scope="module")
def congested() -> wb.Case:
    return wb.open_case(three_bus(rating_23=40), format="matpower")


def json_of(case: wb.Case, token: str) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wb.ExportWarning)
        return case.export(format=token)


def test_the_listed_extensions_are_read() -> None:
    tokens = [engine().format_of(f"x{ending}") for ending in EXTENSIONS if ending != ".json"]
    # Two extensions of one format are neighbours.
    assert tuple(dict.fromkeys(tokens)) == TOKENS


@pytest.mark.parametrize("token", JSON_TOKENS[:3])
def test_json_is_classified_by_its_content(tmp_path: Path, congested: wb.Case, token: str) -> None:
    path = tmp_path / "grid.json"
    path.write_bytes(json_of(congested, token))
    case = wb.open_case(path)
    assert (case.id, case.counts) == ("grid", congested.counts)
    assert case.study().solution.objective == pytest.approx(808.50, rel=1e-6)
    named, bare = wb.open_case(path, format=token), wb.open_case(path.read_bytes())
    assert named.sha256 == bare.sha256 == case.sha256
    assert bare.id == "case"


def test_a_module_is_known_by_its_content_under_any_name(tmp_path: Path, congested: wb.Case) -> None:
    for name, ident in (
        ("saved.module.json", "saved"),
        ("saved.json", "saved"),
        ("saved.txt", "saved"),
        ("saved", "saved"),
    ):
        path = tmp_path / name
        path.write_text(congested.module_json)
        case = wb.open_case(path)
        assert (case.id, case.sha256) == (ident, congested.sha256)
    reformatted = json.dumps(json.loads(congested.module_json)).encode()
    assert wb.open_case(reformatted).sha256 == wb.open_case(reformatted, format="module").sha256 == congested.sha256


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("feeder.dss", FEEDER, "is a distribution network: wb.open_feeder('feeder.dss') opens it"),
        ("drawing.pwd", b"x", "is a one-line drawing: wb.open_display('drawing.pwd') reads"),
        (
            "buses.csv",
            b"bus,lat,lon\n1,2,3\n",
            "is a geographic layer: open its case first, then call case.with_geography",
        ),
        ("grid.geo.json", json.dumps(LAYER).encode(), "is a geographic layer"),
        ("grid.geojson", json.dumps(LAYER).encode(), "is a geographic layer"),
        ("nested.json", json.dumps({"data": LAYER}).encode(), "is a geographic layer"),
        ("places.json", b'[{"bus": 1, "lat": 3.0, "lon": 4.0}]', "is a geographic layer"),
        ("places.json", b'{"buses": [{"bus": 1, "Latitude": 3.0, "lon": 4.0}]}', "is a geographic layer"),
        ("other.json", b'{"answer": 42}', "is JSON in an unrecognised case format"),
        ("other.json", b"[1, 2, 3]", "is JSON in an unrecognised case format"),
        ("empty.json", b"  ", "is not JSON: it is empty"),
        ("broken.json", b'{"bus": [1, 2', "is not JSON: Expecting"),
        ("latin.json", b'{"name": "\xe9"}', "is not UTF-8 text"),
        ("deep.json", b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
        ("notes.txt", b"hello", "ends in .txt. Wattbook reads .m, .raw"),
        ("notes", b"hello", "has no extension"),
    ],
)
def test_files_that_are_no_case_are_refused_with_their_kind(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(wb.InputError) as caught:
        wb.open_case(path)
    assert says in str(caught.value) and name in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    assert caught.value.__cause__ is None and (caught.value.__context__ is None or caught.value.__suppress_context__)


def test_the_format_of_a_feeder_is_refused(congested: wb.Case) -> None:
    for token, says in (
        ("dss", "wb.open_feeder"),
        ("bmopf-json", "wb.open_feeder"),
        ("pwd", "wb.open_display"),
        ("geo-json", "case.with_geography"),
        ("excel", "Unknown case format 'excel'. Known: matpower, psse"),
    ):
        with pytest.raises(wb.InputError, match=says) as caught:
            wb.open_case(three_bus(), format=token)
        assert caught.value.code == "INPUT.FORMAT"
    with pytest.raises(wb.InputError, match="is not a saved module"):
        wb.open_case(json_of(congested, "egret-json"), format="module")


def test_paths_that_are_no_files_are_refused() -> None:
    with Path(__file__).open("rb") as file, pytest.raises(TypeError, match="open file"):
        wb.open_case(file)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the bytes of a file, not 30"):
        wb.open_case(30)  # type: ignore[arg-type]


def test_a_file_that_never_ends_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 1 << 20)
    with pytest.raises(wb.InputError) as caught:
        files.read(Path("/dev/zero"), files.MAX_BYTES)
    assert caught.value.code == "INPUT.TOO_LARGE" and "1 MiB" in str(caught.value)


def test_only_the_formats_listed_as_readable_are_read_again(tmp_path: Path, congested: wb.Case) -> None:
    for token, row in wb.export_formats().iterrows():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wb.ExportWarning)
            path = congested.export(tmp_path / f"{token}{row['extension']}", token)
        if row["opens"]:
            assert wb.open_case(path).counts == congested.counts
        else:
            with pytest.raises(wb.InputError) as refused:
                wb.open_case(path)
            assert refused.value.code == "INPUT.FORMAT"


def test_export_formats() -> None:
    formats = wb.export_formats()
    assert formats.index.name == "format" and list(formats.columns) == ["label", "extension", "opens"]
    assert formats.loc["matpower", "extension"] == ".m"
    assert set(formats.index) & set(TOKENS) == set(TOKENS) - {"pwb", "ieee-cdf", "cgmes"}


@pytest.mark.parametrize("ending", [".m", ".aux"])
@pytest.mark.filterwarnings("ignore::wattbook.ExportWarning")
def test_an_exported_file_is_the_same_problem(tmp_path: Path, congested: wb.Case, ending: str) -> None:
    written = congested.export(tmp_path / f"out{ending}")
    assert written == tmp_path / f"out{ending}"
    again = wb.open_case(written)
    assert again.counts == congested.counts
    assert again.study().solution.objective == pytest.approx(808.50, rel=1e-6)
    assert congested.export(format=wb.export_formats().query("extension == @ending").index[0]) == written.read_bytes()


def test_data_that_a_format_cannot_hold_is_a_warning(tmp_path: Path, congested: wb.Case) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        congested.export(tmp_path / "out.raw")
    assert any("cost" in str(row.message) for row in warned)
    assert all(row.category is wb.ExportWarning and row.filename == __file__ for row in warned)
    assert issubclass(wb.ExportWarning, wb.WattbookWarning)
    assert any(warning.code.startswith("COST.") for warning in wb.open_case(tmp_path / "out.raw").warnings)


def test_where_an_export_goes(tmp_path: Path, congested: wb.Case, monkeypatch: pytest.MonkeyPatch) -> None:
    assert congested.export(tmp_path, format="matpower") == tmp_path / "case.m"
    assert congested.export(tmp_path / "x.module.json").read_text() == congested.module_json
    assert congested.export(format="module").decode() == congested.module_json
    assert congested.export(tmp_path / "grid", format="matpower").name == "grid"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert congested.export("~/home.m") == tmp_path / "home.m"
    for path, says in (
        (tmp_path / "x.json", "does not name a JSON format: pass format=, one of powermodels-json"),
        (tmp_path / "x.pwb", "ends in .pwb: pass format="),
        (tmp_path / "x", "has no extension"),
        (tmp_path, "is a folder"),
        (None, "Without a path, pass format="),
        (tmp_path / "no such folder" / "x.m", "the folder does not exist"),
        (tmp_path / "case.m" / "x.m", "cannot be written"),
    ):
        with pytest.raises(wb.InputError, match=says) as caught:
            congested.export(path)
        assert caught.value.code in ("EXPORT.FORMAT", "OUTPUT.UNWRITABLE")
    with pytest.raises(wb.InputError, match="Unknown export format 'excel'"):
        congested.export(tmp_path / "x.xls", format="excel")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case.m", "grid", "home.m", "x.module.json"]


def test_a_format_that_cannot_state_the_network_refuses_and_writes_nothing(tmp_path: Path) -> None:
    text = three_bus().replace(b"1\t2\t0.01\t0.1\t0\t250\t0\t0\t0\t0", b"1\t2\t0.01\t0.1\t0\t250\t0\t0\t1\t10")
    case = wb.open_case(text, format="matpower")
    with pytest.raises(wb.InputError, match="line 1 shifts the phase") as caught:
        case.export(tmp_path / "x.epc")
    assert caught.value.code == "EXPORT.REFUSED" and not list(tmp_path.iterdir())


def test_a_saved_module_is_the_same_case(tmp_path: Path, congested: wb.Case) -> None:
    assert congested.save(tmp_path) == tmp_path / "case.module.json"
    written = congested.save(str(tmp_path / "saved.json"))
    assert wb.open_case(written).sha256 == congested.sha256
    with pytest.raises(wb.InputError, match=r"for instance case.module.json, not saved.m. export"):
        congested.save(tmp_path / "saved.m")


def test_a_folder_that_does_not_exist_is_no_file_name(tmp_path: Path, congested: wb.Case) -> None:
    with pytest.raises(wb.InputError, match="/later/ cannot be written: the folder does not exist") as caught:
        congested.save(f"{tmp_path}/later/")
    assert caught.value.code == "OUTPUT.UNWRITABLE" and not (tmp_path / "later").exists()


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, congested: wb.Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "saved.json"
    path.write_text("before")
    link = tmp_path / "link.json"
    link.symlink_to(path)
    congested.save(link)
    assert link.is_symlink() and path.read_text() == congested.module_json

    def fail(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", fail)
    path.write_text("before")
    with pytest.raises(wb.InputError, match="No space left") as caught:
        congested.save(path)
    assert caught.value.code == "OUTPUT.UNWRITABLE"
    assert path.read_text() == "before" and len(list(tmp_path.iterdir())) == 2


def test_the_edits_of_a_study_are_saved_with_the_case(tmp_path: Path, congested: wb.Case) -> None:
    study = congested.study()
    assert wb.open_case(study.save_module(tmp_path / "base.json")).sha256 == congested.sha256
    solution = study.commit({2: 10, 3: 5}, {3: 20})
    written = study.save_module(tmp_path)
    assert written == tmp_path / "case.module.json"
    saved = wb.open_case(written)
    assert saved.buses["demand_mw"].tolist() == [0.0, 100.0, 5.0]
    assert saved.branches["rating_mw"].tolist() == [250.0, 250.0, 60.0]
    assert saved.study().solution.objective == pytest.approx(solution.objective, rel=1e-12)
    exported = wb.open_case(study.export(tmp_path / "edited.m"))
    assert exported.study().solution.objective == pytest.approx(solution.objective, rel=1e-9)
    assert study.export(format="matpower") == (tmp_path / "edited.m").read_bytes()
    assert congested.study().solution.objective == pytest.approx(808.50, rel=1e-6)
    study.free()
    with pytest.raises(wb.WattbookError, match="was freed"):
        study.save_module(tmp_path)


SEEDS = Path(__file__).parents[3] / "engine" / "fuzz" / "seeds"
#: What PowSyBl's reader of IEEE CDF does not use (the remote bus of a generator, generation at a bus of type 0, conductances of
#: shunts) or places elsewhere (half of the charging of a transformer).
NOT_IN_POWSYBL = {
    "     0.0     0.0    3\n": "     0.0     0.0    0\n",
    "     35.0      8.0      2.0     1.0": "     35.0      8.0      0.0     0.0",
    "    0.01    0.19": "     0.0    0.19",
    "     0.08      0.01": "     0.08       0.0",
}
#: By PowSyBl 1.16.1 (AC, one slack, no limits, no adjustments): voltage in per unit, angle in degrees.
VOLTAGES = {
    "Alpha": (1.03, 0.0),
    "Beta": (1.01, -0.46641321433624877),
    "Gamma": (1.0432413440486452, -5.554428359402767),
    "Delta": (1.051835906379913, -5.071429224328162),
    "Eta": (1.0440306690081844, -9.015782624144787),
}


def test_voltages_of_a_cdf_file_are_those_of_powsybl(tmp_path: Path) -> None:
    text = (SEEDS / "five_bus.cdf").read_text()
    for own, powsybl in NOT_IN_POWSYBL.items():
        assert text.count(own) == 1
        text = text.replace(own, powsybl)
    path = tmp_path / "five.cdf"
    path.write_text(text)
    flow = wb.open_case(path).study("acpf", options={"dispatch": "file", "slack": "single"})
    buses = flow.solution.buses.set_index("name")
    for bus, (magnitude, angle) in VOLTAGES.items():
        assert buses.at[bus, "vm_pu"] == pytest.approx(magnitude, abs=1e-8)
        assert buses.at[bus, "va_deg"] == pytest.approx(angle, abs=1e-6)


def test_a_cdf_file_is_known_by_its_content_under_any_name(tmp_path: Path) -> None:
    data = (SEEDS / "five_bus.cdf").read_bytes()
    for name in ("five.cdf", "five.txt", "five"):
        (tmp_path / name).write_bytes(data)
    cases = [wb.open_case(tmp_path / name) for name in ("five.cdf", "five.txt", "five")]
    cases += [wb.open_case(data), wb.open_case(data, format="ieee-cdf")]
    assert len({case.sha256 for case in cases}) == 1
    with pytest.raises(wb.InputError, match="the file is cut off") as caught:
        wb.open_case(data[: len(data) // 2])
    assert caught.value.code == "INPUT.TRUNCATED"


def test_rawx_has_the_case_of_raw_under_both_names(tmp_path: Path) -> None:
    data = (SEEDS / "every_table.rawx").read_bytes()
    for name in ("tables.rawx", "tables.json"):
        (tmp_path / name).write_bytes(data)
    cases = [wb.open_case(tmp_path / name) for name in ("tables.rawx", "tables.json")]
    cases += [wb.open_case(data), wb.open_case(data, format="psse-rawx")]
    assert len({case.sha256 for case in cases}) == 1
    # Four buses, one of which has two nodes, and the star of a three-winding transformer.
    assert list(cases[0].buses["editable"]) == [True] * 5 + [False]
