"""A wheel assembled from built files, in the layout of maturin's and without compiling: package, data, metadata."""

from __future__ import annotations

import sysconfig
import tomllib
import zipfile
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "widgets" / "python" / "wattbook"
DATA = ROOT / "widgets" / "python" / "wheel" / "data"
TEXTS = ("LICENSE", "THIRD-PARTY-NOTICES.txt")


def assemble(server: Path) -> Path:
    """Writes the wheel beside `server`, which `copy_server` of the build backend has made."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    tag = "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    needs = "".join(f"Requires-Dist: {one}\n" for one in project["dependencies"])
    path = server.parent / f"{name}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for source, target in ((PACKAGE, "wattbook"), (server, "wattbook/server"), (DATA, f"{name}.data/data")):
            for one in sorted(source.rglob("*")):
                if one.is_file() and "__pycache__" not in one.parts:
                    file.write(one, f"{target}/{one.relative_to(source).as_posix()}")
        for text in TEXTS:
            file.write(ROOT / text, f"{info}/licenses/{text}")
        file.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n{needs}",
        )
        file.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n")
        file.writestr(f"{info}/entry_points.txt", "[console_scripts]\nwattbook = wattbook.cli:main\n")
        file.writestr(f"{info}/RECORD", "")
    return path
