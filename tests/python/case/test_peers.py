"""Conversions compared with the packages they convert from and to, in an environment that has them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

PEERS = os.environ.get("WATTBOOK_PEERS", "")
pytestmark = pytest.mark.skipif(not PEERS, reason="pandapower and pypsa are installed by `npm test -- --all`")


@pytest.mark.parametrize("file", sorted(path.name for path in Path(__file__).parent.glob("peer_*.py")))
def test_networks_of_other_packages(file: str) -> None:
    here = Path(__file__).parent
    command = [PEERS, "-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "-q", here / file]
    done = subprocess.run(
        command,
        cwd=here,
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": str(here.parent)},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-1000:]
