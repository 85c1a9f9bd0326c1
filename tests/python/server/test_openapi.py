"""The server against its own OpenAPI document, with requests that schemathesis generates from it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from test_packing import end, serve
from wattbook.built import find_node, server_script

EXTRAS = os.environ.get("WATTBOOK_EXTRAS", "")
pytestmark = pytest.mark.skipif(not EXTRAS, reason="schemathesis is installed by `npm test -- --all`")


def test_every_answer_is_as_the_document_says(tmp_path: Path) -> None:
    unlimited = {"SERVICE_SOLVE_RATE_LIMIT_EVENTS": "0", "SERVICE_SENSITIVITY_RATE_LIMIT_EVENTS": "0"}
    process, service, _ = serve(
        [find_node(), server_script(), "serve"],
        tmp_path,
        **{"SERVICE_ALLOW_FALLBACK": "1", "SERVICE_SERVER_COMPUTE": "1", **unlimited},
    )
    try:
        command = [Path(EXTRAS).with_name("st"), "run", f"{service.server}/api/openapi.json"]
        options = ["--phases", "examples,coverage,fuzzing", "--max-examples", "40", "--seed", "1", "--no-color"]
        # A document of this kind cannot express that two query names exclude each other.
        excluded = ["--exclude-checks", "positive_data_acceptance"]
        done = subprocess.run(
            [*command, *options, *excluded], cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-1000:]
        assert service.health()["status"] == "ok"
    finally:
        end(process)
