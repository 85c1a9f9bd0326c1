"""AC power flow of RAW files beside that of PowSyBl: `python rawFiles.py FOLDER...`, a table on standard output. Ends with 1
where voltages differ without a known reason.

Needs an interpreter with this package and with `pypowsybl`. PowSyBl solves as PSS/E does without adjustments: the file's dispatch, one
slack at the swing bus, no reactive limits, taps and switched shunts as they are. It takes switched shunts at whole steps and no
voltage control from machines with a small reactive range: it gets one step of the initial susceptance, and a wide range. Voltages are
compared bus by bus up to a common angle.
"""

import logging
import re
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pypowsybl
import pypowsybl.loadflow as lf
import wattbook as wb

#: Voltages that differ by less are equal, per unit.
EQUAL = 1e-6
#: Reactive range below which PowSyBl ignores the voltage control of a machine, Mvar.
MOST_RANGE = 1.0
#: Known reasons of files whose voltages differ, by the end of their paths.
EXPLAINED = {
    "01-psse-constant-admittance-sign/case.raw": "PowSyBl takes YQ as a demand; it is a susceptance, negative for an inductive "
    "load. The closed form agrees with ours",
    "12-psse-impedance-correction-table/case.raw": "PowSyBl applies no impedance correction tables. The closed form agrees with ours",
    "powsybl/ExampleVersion32.raw": "the swing bus has no machine: PowSyBl keeps the slack there, here the bus of the only machine "
    "is the reference",
    "sienna/isolated_bus_test.raw": "PowSyBl connects buses of type 4, which are isolated",
}

PARAMETERS = lf.Parameters(
    distributed_slack=False,
    use_reactive_limits=False,
    shunt_compensator_voltage_control_on=False,
    transformer_voltage_control_on=False,
    phase_shifter_regulation_on=False,
    twt_split_shunt_admittance=False,
    read_slack_bus=True,
    write_slack_bus=False,
    component_mode=lf.ComponentMode.ALL_CONNECTED,
    provider_parameters={
        "newtonRaphsonConvEpsPerEq": "1e-10",
        "maxNewtonRaphsonIterations": "60",
        "plausibleActivePowerLimit": "1e9",
        "generatorsWithZeroMwTargetAreNotStarted": "false",
        "disableVoltageControlOfGeneratorsOutsideActivePowerLimits": "false",
        "reactiveRangeCheckMode": "MAX",
        "minPlausibleTargetVoltage": "0.1",
        "maxPlausibleTargetVoltage": "3",
        "minRealisticVoltage": "0.1",
        "maxRealisticVoltage": "3",
        "useLoadModel": "true",
    },
)


def with_whole_steps(text):
    """The text of a RAW file whose switched shunts have one step of their initial susceptance."""
    lines = text.splitlines()
    header = next((line for line in lines if line.strip() and not line.startswith("@")), "").split("/")[0].split(",")
    modern = len(header) > 2 and float(header[2]) >= 35
    begin = next((row for row, line in enumerate(lines) if "BEGIN SWITCHED SHUNT" in line.upper()), len(lines))
    for row in range(begin + 1, len(lines)):
        if lines[row].startswith("@"):
            continue
        fields = lines[row].split(",")
        if fields[0].split("/")[0].strip() == "0" or len(fields) < 10:
            break
        initial = 11 if modern else 9
        steps = ["1", fields[initial]]
        lines[row] = ",".join(fields[: initial + 1] + (["1", *steps] if modern else steps))
    return "\n".join(lines) + "\n"


def theirs(path):
    """Complex voltages by bus number of PowSyBl, per unit."""
    with tempfile.TemporaryDirectory() as folder:
        # The reader recognizes files by a lower-case extension.
        copied = Path(folder) / f"{path.stem}.raw"
        text = path.read_bytes().decode("latin-1")
        copied.write_bytes(with_whole_steps(text).encode("latin-1"))
        network = pypowsybl.network.load(str(copied))
    machines = network.get_generators()
    # The voltage control of machines with a small reactive range is ignored.
    small = machines[machines["voltage_regulator_on"] & (machines["max_q"] - machines["min_q"] < MOST_RANGE)].index
    if len(small):
        network.update_generators(id=list(small), min_q=[-9999.0] * len(small), max_q=[9999.0] * len(small))
    # From the voltages of the file, or from those of a DC power flow where that ends elsewhere.
    for start in (lf.VoltageInitMode.PREVIOUS_VALUES, lf.VoltageInitMode.DC_VALUES):
        PARAMETERS.voltage_init_mode = start
        results = lf.run_ac(network, PARAMETERS)
        solved = [part for part in results if part.status == lf.ComponentStatus.CONVERGED]
        if solved:
            break
    if not solved:
        raise ValueError(f"no power flow: {results[0].status_text}")
    buses = network.get_bus_breaker_view_buses()
    nominal = network.get_voltage_levels()["nominal_v"].reindex(buses["voltage_level_id"]).to_numpy()
    voltage = buses["v_mag"].to_numpy() / nominal * np.exp(1j * np.radians(buses["v_angle"].to_numpy()))
    numbers = [re.fullmatch(r"B(\d+)", name) for name in buses.index]
    connected = buses["connected_component"].isin([part.connected_component_num for part in solved])
    return {
        int(number[1]): value
        for number, value, live in zip(numbers, voltage, connected, strict=True)
        if number and live and np.isfinite(value)
    }


def ours(path):
    """Complex voltages by bus number, per unit, and the swing buses."""
    case = wb.open_case(path)
    buses = case.study("acpf", progress=False).solution.buses
    voltage = buses["vm_pu"].to_numpy(dtype=float) * np.exp(1j * np.radians(buses["va_deg"].to_numpy(dtype=float)))
    return {int(bus): value for bus, value in zip(buses.index, voltage, strict=True) if np.isfinite(value)}


def apart(a, b):
    """The largest difference, and its bus."""
    common = sorted(set(a) & set(b))
    if not common:
        raise ValueError("no bus in common")
    # Angles count from the bus whose two values differ least in magnitude.
    anchor = min(common, key=lambda bus: abs(abs(a[bus]) - abs(b[bus])))
    turned = np.exp(1j * (np.angle(a[anchor]) - np.angle(b[anchor])))
    return max((abs(a[bus] - b[bus] * turned), bus) for bus in common)


def row(path):
    explained = next((why for end, why in EXPLAINED.items() if str(path).endswith(end)), "")
    try:
        mine = ours(path)
    except wb.WattbookError as error:
        return "refused", "", str(error).split(". ")[0].removesuffix(f" [{error.code}]")
    try:
        other = theirs(path)
    except Exception as error:  # Java exceptions have no common type
        return "no reference", "", f"PowSyBl: {str(error).splitlines()[0][:120]}"
    size, bus = apart(mine, other)
    if size <= EQUAL:
        return "equal", f"{size:.1e}", ""
    return ("named" if explained else "differs"), f"{size:.1e}", explained or f"bus {bus}"


def main(folders):
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    files = sorted(file for folder in folders for file in Path(folder).rglob("*") if file.suffix.lower() == ".raw")
    print("| File | Voltages | Largest difference, pu | Why |\n|---|---|---|---|")
    count = {}
    for file in files:
        verdict, size, why = row(file)
        count[verdict] = count.get(verdict, 0) + 1
        print(f"| {'/'.join(file.parts[-2:])} | {verdict} | {size} | {why.replace('|', '/')} |", flush=True)
    print(
        f"\nAC power flow beside PowSyBl {pypowsybl.__version__} with the file's dispatch, one slack at the swing bus, no reactive limits, "
        "taps and switched shunts as they are; voltages are compared bus by bus. A file without a reference is one that PowSyBl does not "
        "read or solve."
    )
    kinds = {
        "equal": f"equal to {EQUAL:.0e} pu",
        "named": "with a named difference",
        "no reference": "without a reference",
        "refused": "refused with the reason",
        "differs": "with an unexplained difference",
    }
    print("\n" + ", ".join(f"{count[kind]} {text}" for kind, text in kinds.items() if kind in count) + ".")
    return int("differs" in count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
