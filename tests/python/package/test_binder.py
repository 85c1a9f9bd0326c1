"""`binder/` as repo2docker uses it, without Docker: the pins of environment.yml in a fresh environment, postBuild with the wheel of a
release, then JupyterLab without a network, below a base URL and with a token."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from assembled_wheel import assemble
from conftest import ROOT

sys.path.insert(0, str(ROOT / "binder"))
from backend import LABEXTENSION, copy_server

BINDER = ROOT / "binder"
FILES = {"environment.yml", "postBuild"}


def pins() -> dict[str, str]:
    """The packages of environment.yml with their versions."""
    lines = (BINDER / "environment.yml").read_text().partition("dependencies:\n")[2].splitlines()
    return dict(line.removeprefix("  - ").partition("=")[::2] for line in lines)


def test_the_folder_follows_the_rules_of_repo2docker() -> None:
    assert {path.name for path in BINDER.iterdir()} >= FILES
    assert os.access(BINDER / "postBuild", os.X_OK), "repo2docker runs it only if it may be executed"
    assert (BINDER / "postBuild").read_text().startswith("#!/usr/bin/env bash\n")
    # These would be taken for requirements of the image where there is no environment.yml, and others take its place.
    assert not [name for name in ("Dockerfile", "Project.toml", "default.nix") if (BINDER / name).exists()]
    found = pins()
    assert found["python"] and found["jupyterlab"] and found["nodejs"] and found["rust"]
    pinned = dict(line.partition("==")[::2] for line in (BINDER / "constraints.txt").read_text().splitlines())
    assert pinned["jupyterlab"].startswith(f"{found['jupyterlab']}."), "what the tests run with"


@pytest.mark.skipif(not os.environ.get("WATTBOOK_EXTRAS"), reason="an environment is installed by `npm test -- --all`")
@pytest.mark.skipif(shutil.which("unshare") is None or os.getuid() != 0, reason="the network cannot be closed here")
def test_the_image_works_without_a_network(tmp_path: Path) -> None:
    copy_server(ROOT / "server" / "dist", LABEXTENSION, tmp_path / "server")
    wheel = assemble(tmp_path / "server")
    repository = tmp_path / "repository"
    shutil.copytree(BINDER, repository / "binder", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "examples", repository / "examples")
    line = f"wattbook @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    (repository / "binder" / "wheel.txt").write_text(line)

    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    variables = {
        **{name: text for name, text in os.environ.items() if not name.startswith(("SERVICE_", "PYTHON", "JUPYTER"))},
        "PATH": f"{environment / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
    }
    (tmp_path / "home").mkdir()
    pip = [environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", BINDER / "constraints.txt", f"jupyterlab=={pins()['jupyterlab']}.*"], check=True)
    subprocess.run([repository / "binder" / "postBuild"], cwd=repository, env=variables, check=True)

    inside = [sys.executable, Path(__file__).with_name("binder_session.py"), environment / "bin" / "python", repository]
    done = subprocess.run(
        ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *inside],
        env={**variables, "PYTHONPATH": str(ROOT / "tests" / "python")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.splitlines()
    assert printed[0] == "closed", "nothing outside is reached"
    assert re.search(r"same result as in the kernel: True", done.stdout)
    assert printed[-1] == "ended"
