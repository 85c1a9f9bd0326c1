"""RAW files are solved like in PSS/E: voltages of PowSyBl 1.16.1 and closed forms."""

from __future__ import annotations

import cmath
import warnings
from pathlib import Path

import numpy as np
import pytest
import wattbook as wb

#: All elements of a power flow: line shunts by end with conductances, demand in three parts, a transformer of two
#: windings both off nominal and magnetised (CW, CZ, CM 2), one of three windings with angles, a plant that regulates
#: another bus.
RAW = """\
0, 100.0, 33, 0, 1, 60.0 / PSS(R)E-33
POWER FLOW OF EVERY KIND OF ELEMENT

1,'SWING',230.0,3,1,1,1,1.03,2.0
2,'MIDDLE',115.0,1,1,1,1,1.0,0.0
3,'PLANT A',230.0,2,1,1,1,1.0,0.0
4,'TERTIARY',13.8,1,1,1,1,1.0,0.0
5,'PLANT B',230.0,2,1,1,1,1.0,0.0
6,'REGULATED',230.0,1,1,1,1,1.0,0.0
0 / END OF BUS DATA, BEGIN LOAD DATA
2,'1',1,1,1,50.0,10.0,8.0,3.0,6.0,0.0,1,1,0
4,'1',1,1,1,5.0,1.0,0,0,0,0,1,0,1
6,'1',1,1,1,70.0,25.0,0,0,0,0,1,1,0
0 / END OF LOAD DATA, BEGIN FIXED SHUNT DATA
2,'1',1,1.5,-20.0
0 / END OF FIXED SHUNT DATA, BEGIN GENERATOR DATA
1,'1',0,0,999,-999,1.03,0,100,0,1,0,0,1,1,100,500,0
3,'1',40,0,99,-99,1.01,6,100,0,1,0,0,1,1,100,200,0
5,'1',30,0,80,-80,1.02,0,100,0,1,0,0,1,1,100,200,0
0 / END OF GENERATOR DATA, BEGIN BRANCH DATA
1,3,'1',0.01,0.1,0.02,100,0,0,0.001,0.002,0.003,0.004,1
3,6,'1',0.01,0.08,0.03,100,0,0,0,0,0,0,1
5,6,'1',0.02,0.12,0.01,100,0,0,0,0.01,0.002,0,1
1,5,'1',0.02,0.15,0.01,100,0,0,0,0,0,0,1
0 / END OF BRANCH DATA, BEGIN TRANSFORMER DATA
1,2,0,'1',2,2,2,50000.0,0.003,2,'T',1
0.01,0.2,50.0
236.9,220.0,3.0,80
118.45,118.0
6,2,4,'1',1,1,1,0.001,-0.002,2,'W',1
0.002,0.11,100,0.003,0.12,100,0.004,0.13,100,1.0,0.0
1.02,230.0,2.0,90
0.99,115.0,0.0,91
1.01,13.8,-30.0,92
0 / END OF TRANSFORMER DATA, BEGIN AREA DATA
0 / END OF AREA DATA, BEGIN TWO-TERMINAL DC DATA
0 / END OF TWO-TERMINAL DC DATA, BEGIN VSC DC LINE DATA
0 / END OF VSC DC LINE DATA, BEGIN IMPEDANCE CORRECTION DATA
0 / END OF IMPEDANCE CORRECTION DATA, BEGIN MULTI-TERMINAL DC DATA
0 / END OF MULTI-TERMINAL DC DATA, BEGIN MULTI-SECTION LINE DATA
0 / END OF MULTI-SECTION LINE DATA, BEGIN ZONE DATA
0 / END OF ZONE DATA, BEGIN INTER-AREA TRANSFER DATA
0 / END OF INTER-AREA TRANSFER DATA, BEGIN OWNER DATA
0 / END OF OWNER DATA, BEGIN FACTS DEVICE DATA
0 / END OF FACTS DEVICE DATA, BEGIN SWITCHED SHUNT DATA
4,1,0,1,1.05,0.95,0,100.0,'',3.0,1,3.0
0 / END OF SWITCHED SHUNT DATA, BEGIN GNE DATA
0 / END OF GNE DATA, BEGIN INDUCTION MACHINE DATA
0 / END OF INDUCTION MACHINE DATA
Q
"""
#: By PowSyBl 1.16.1 (AC, one slack at bus 1, no limits, no adjustments): voltage in per unit, angle in degrees from bus 1.
VOLTAGES = {
    1: (1.03, 0.0),
    2: (0.9593926942, -9.124010342),
    3: (1.0512743893, -1.681206366),
    4: (0.9897916725, -38.161289345),
    5: (1.02, -1.310628326),
    6: (1.01, -4.400628226),
}


def power_flow(text: str) -> wb.Solution:
    return wb.open_case(text.encode(), format="psse").study("acpf", progress=False).solution


def test_voltages_are_those_of_powsybl() -> None:
    buses = power_flow(RAW).buses
    for bus, (magnitude, angle) in VOLTAGES.items():
        assert buses.at[bus, "vm_pu"] == pytest.approx(magnitude, abs=1e-8)
        assert buses.at[bus, "va_deg"] - buses.at[1, "va_deg"] == pytest.approx(angle, abs=1e-6)


def test_an_inductive_admittance_of_a_load_is_negative() -> None:
    # Two buses, x = 0.1: 50 MW, and 10 MW and 20 Mvar of constant impedance (YP = 10, YQ = -20).
    text = two_buses(load="2,'1',1,1,1,50.0,0.0,0.0,0.0,10.0,-20.0")
    voltage = 1 + 0j
    for _ in range(200):
        voltage = 1 - 0.1j * ((0.5 / voltage).conjugate() + (0.1 - 0.2j) * voltage)
    bus = power_flow(text).buses.loc[2]
    assert bus["vm_pu"] == pytest.approx(abs(voltage), abs=1e-9)
    assert bus["va_deg"] == pytest.approx(np.degrees(cmath.phase(voltage)), abs=1e-7)


def test_shunts_of_lines_are_at_their_ends() -> None:
    # x = 0.1 without load: bus 2 draws through its own shunt alone, bus 1 also that of its end.
    solution = power_flow(two_buses(line="1,2,'1',0.0,0.1,0.0,500,0,0,0.01,0.02,0.03,0.04"))
    voltage = 1 / (1 + 0.1j * (0.03 + 0.04j))
    slack = 100 * np.conj((0.01 + 0.02j) + (1 - voltage) / 0.1j)
    assert solution.buses.at[2, "vm_pu"] == pytest.approx(abs(voltage), abs=1e-9)
    assert solution.generators["p_mw"].iloc[0] == pytest.approx(slack.real, abs=1e-5)
    assert solution.generators["q_mvar"].iloc[0] == pytest.approx(slack.imag, abs=1e-5)


def two_buses(load: str = "", line: str = "1,2,'1',0.0,0.1") -> str:
    """A case of a swing bus and a load bus, with the records given."""
    head, rest = RAW.split("1,'SWING'", 1)
    tail = "0 / END OF TRANSFORMER DATA" + rest.split("0 / END OF TRANSFORMER DATA", 1)[1].replace(
        "4,1,0,1,1.05", "2,0,0,0,1.05"
    )
    sections = [
        "1,'A',230.0,3\n2,'B',230.0,1\n0 / END OF BUS DATA, BEGIN LOAD DATA",
        f"{load}\n0 / END OF LOAD DATA, BEGIN FIXED SHUNT DATA\n0 / END OF FIXED SHUNT DATA, BEGIN GENERATOR DATA",
        "1,'1',0,0,999,-999,1.0\n0 / END OF GENERATOR DATA, BEGIN BRANCH DATA",
        f"{line}\n0 / END OF BRANCH DATA, BEGIN TRANSFORMER DATA\n{tail}",
    ]
    return head + "\n".join(sections)


@pytest.mark.parametrize("token", ["psse", "psse34", "psse35"])
def test_written_and_read_again_it_has_the_same_power_flow(tmp_path: Path, token: str) -> None:
    case = wb.open_case(RAW.encode(), format="psse")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wb.ExportWarning)
        path = case.export(tmp_path / "again.raw", format=token)
    again = wb.open_case(path, format=token).study("acpf", progress=False).solution.buses
    for bus, (magnitude, _) in VOLTAGES.items():
        assert again.at[bus, "vm_pu"] == pytest.approx(magnitude, abs=1e-8)


def test_formats_that_are_written_are_read_or_refused_as_such() -> None:
    case = wb.open_case(RAW.encode(), format="psse")
    for token, row in wb.export_formats().iterrows():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wb.ExportWarning)
            try:
                data = case.export(format=token)
            except wb.InputError as error:
                assert error.code == "EXPORT.REFUSED"  # PSLF: the phase shift
                continue
        if row["opens"]:
            assert wb.open_case(data, format=token).n_bus >= case.n_bus
        else:
            with pytest.raises(wb.InputError, match="are written, not read"):
                wb.open_case(data, format=token)
