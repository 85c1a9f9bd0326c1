"""Run by test_binder.py without a network: JupyterLab of the image as Binder starts it, and its quickstart.

Usage: binder_session.py PYTHON REPOSITORY
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

from lab import TOKEN, Lab

BASE = "/user/somebody-wattbook-x1y2z3/"


def main(python: str, repository: Path) -> None:
    try:
        socket.create_connection(("192.0.2.1", 443), timeout=2)
    except OSError:
        print("closed")
    lab = Lab(repository, python=python, module="jupyterlab", base=BASE)
    try:
        for path in ("api/contents", "lab/tree/examples/quickstart.ipynb", "wattbook/api/health"):
            response, _ = lab.get(path, token=None)
            assert response.status in (302, 403), (path, response.status)
        response, page = lab.get(f"lab/tree/examples/quickstart.ipynb?token={TOKEN}", token=None)
        assert response.status == 200 and b"@service/jupyterlab" in page, "the Lab knows the extension"
        health = lab.json("wattbook/api/health")
        assert health["cases"] == ["california", "carolina", "illinois", "texas"], health
        notebook = json.loads((repository / "examples" / "quickstart.ipynb").read_text())
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        print(lab.run_in_kernel("\n\n".join(cells)))
    finally:
        lab.stop()
    print("ended")


main(sys.argv[1], Path(sys.argv[2]))
