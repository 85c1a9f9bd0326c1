"""Maps without a JupyterLab extension: the content of outputs, and pages of ipywidgets with their front end."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import pytest
import wattbook as wb
from ipywidgets.embed import embed_data
from networks import three_bus
from wattbook.built import places

PLACED = b"bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n"


@pytest.fixture
def study(tmp_path: Path) -> wb.Study:
    (tmp_path / "places.csv").write_bytes(PLACED)
    return wb.open_case(three_bus(0, 0), format="matpower").with_geography(tmp_path / "places.csv").study()


def test_an_output_without_the_extension_is_a_picture_tables_and_a_sentence(study: wb.Study) -> None:
    bundle = study.map()._repr_mimebundle_()
    html = bundle["text/html"]
    assert html.index("<svg") < html.index("This is a picture.") < html.index("<table")
    assert "to_html(&quot;map.html&quot;)" in html
    assert "application/vnd.jupyter.widget-view+json" not in bundle, "front ends would look for it on a CDN"


def test_the_state_of_a_page_has_the_study_and_the_picture(study: wb.Study) -> None:
    study.commit({2: 5})
    shown = study.map(bus=2)
    state = embed_data([shown])["manager_state"]["state"][shown.model_id]
    assert (state["model_module"], state["model_name"]) == ("@service/jupyterlab", "CaseMapModel")
    packed = next(buffer for buffer in state["buffers"] if buffer["path"] == ["study"])
    bundle = json.loads(gzip.decompress(base64.b64decode(packed["data"])))
    document = bundle["document"]
    applied = document["states"][document["applied_state"]]
    assert applied["deltas"] == {"2": 5}
    assert state["state"]["picture"].startswith("<svg") and state["state"]["selection"] == {"kind": "bus", "id": 2}
    assert "study" not in shown.get_state(), "a kernel keeps it"


@pytest.mark.skipif(
    not any((path / "file" / "amd.json").is_file() for path in places()), reason="the page is not built"
)
def test_the_front_end_lies_where_the_loader_looks(tmp_path: Path) -> None:
    folder = wb.copy_front_end(tmp_path / "page")
    files = {path.name: path.stat().st_size for path in (folder / "@service").iterdir()}
    module = (folder / "@service" / "jupyterlab.js").read_text(encoding="utf-8")
    assert module.startswith('define(["module","@jupyter-widgets/base"]')
    beside = [name for name in files if name != "jupyterlab.js"]
    assert {Path(name).suffix for name in beside} >= {".wasm", ".js"}
    assert all(name in module for name in beside if not name.endswith(".json")), "it names what lies beside it"


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("a file")
    with pytest.raises(wb.InputError) as refused:
        wb.copy_front_end(tmp_path / "page")
    assert refused.value.code in ("OUTPUT.UNWRITABLE", "MAP.NO_PAGE")
