"""Writes the DC power flow references of `engine/crates/solve/tests/dc/power_flow.rs` with PYPOWER (MATPOWER's rundcpf in Python).

    python dcpf_reference.py DATA_FOLDER > engine/crates/solve/tests/reference/dcpf_pypower.csv

Angles are degrees against the reference bus, flows MW at the from end, `slack` the MW by which the reference bus exceeds the
dispatch of the file. Of large cases every 40th row is stored.
"""

from __future__ import annotations

import sys
from pathlib import Path

from matpowercaseframes import CaseFrames
from pypower.api import ppoption, rundcpf

CASES = [
    ("activsg200/case_ACTIVSg200.m", 1),
    ("matpower/case300.m", 1),
    ("activsg2000/case_ACTIVSg2000.m", 40),
    ("matpower/case2383wp.m", 40),
    ("matpower/case2869pegase.m", 40),
    ("cats/CaliforniaTestSystem.m", 40),
]
BUS_ID, BUS_TYPE, VA, GEN_BUS, PG, GEN_STATUS, BR_STATUS, PF = 0, 1, 8, 0, 1, 7, 10, 13


def main(folder: Path) -> None:
    print("case,kind,id,value")
    for name, every in CASES:
        frames = CaseFrames(str(folder / name))
        case = {
            "version": "2",
            "baseMVA": float(frames.baseMVA),
            "bus": frames.bus.to_numpy(float),
            "gen": frames.gen.to_numpy(float)[:, :21],
            "branch": frames.branch.to_numpy(float)[:, :13],
        }
        scheduled = case["gen"].copy()
        solved, ok = rundcpf(case, ppoption(VERBOSE=0, OUT_ALL=0))
        assert ok, name
        reference = solved["bus"][solved["bus"][:, BUS_TYPE] == 3]
        assert len(reference) == 1, name
        at_reference = (scheduled[:, GEN_BUS] == reference[0, BUS_ID]) & (scheduled[:, GEN_STATUS] > 0)
        added = (solved["gen"][at_reference, PG] - scheduled[at_reference, PG]).sum()
        print(f"{name},slack,{int(reference[0, BUS_ID])},{added:.7f}")
        angles = solved["bus"][:, VA] - reference[0, VA]
        for row in range(0, len(angles), every):
            if solved["bus"][row, BUS_TYPE] != 4:
                print(f"{name},bus,{int(solved['bus'][row, BUS_ID])},{angles[row]:.7f}")
        for row in range(0, len(solved["branch"]), every):
            if solved["branch"][row, BR_STATUS] > 0:
                print(f"{name},branch,{row + 1},{solved['branch'][row, PF]:.7f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
