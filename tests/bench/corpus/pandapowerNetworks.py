"""Networks that `pandapower.networks` and simbench make, solved here and by pandapower: `python pandapowerNetworks.py [NAME ...]`.

The AC power flow is compared with `runpp`, with either circuit of transformers, the DC OPF with `rundcopp` where the network has costs. Prints a
Markdown table: equal, or the size of the difference, or the reason of a refusal. Ends with 1 where a result differs.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import pandapower as pp
import pandapower.networks
import wattbook as wb

#: Error that one Newton step of `runpp`, which stops at 1e-8 MVA, leaves in a voltage, pu.
AC_APART = 1e-6
#: Relative error of a cost: interior points of `rundcopp` stop before their limits.
DC_APART = 1e-6
#: Functions of `pandapower.networks` with required arguments.
OTHERS = {"create_dickert_lv_feeders", "sorted_from_json"}
#: The two networks of simbench that contain all others, minutes each.
LARGEST = ("1-complete_data", "1-EHVHVMVLV")


def names() -> list[str]:
    """Every function of `pandapower.networks` without required arguments, and simbench's networks of today with all
    switches."""
    found = inspect.getmembers(pandapower.networks, inspect.isfunction)
    own = [name for name, made in found if made.__module__.startswith("pandapower.networks")]
    import simbench

    codes = simbench.collect_all_simbench_codes()
    return [
        *(name for name in own if not name.startswith("_") and name not in OTHERS),
        *(code for code in codes if code.endswith("-0-sw") and not code.startswith(LARGEST)),
    ]


def network(name: str) -> pp.pandapowerNet:
    """A network by the name of its function, or by its code in simbench."""
    if hasattr(pandapower.networks, name):
        made = getattr(pandapower.networks, name)()
        return made[0] if isinstance(made, tuple | list) else made
    import simbench

    return simbench.get_simbench_net(name)


def voltages(net: pp.pandapowerNet) -> np.ndarray:
    """Voltages by `runpp`, complex, pu."""
    bus = net.res_bus
    return bus["vm_pu"].to_numpy() * np.exp(1j * np.radians(bus["va_degree"].to_numpy()))


def power_flow(net: pp.pandapowerNet) -> tuple[str, float | None]:
    """The verdict of the AC power flow, and the largest difference of a voltage, pu, with either circuit of transformers: a network in
    memory has that of its last power flow."""
    apart = 0.0
    for model in ("pi", "t"):
        try:
            pp.runpp(net, trafo_model=model, numba=False)
        except Exception as error:
            return f"runpp: {type(error).__name__}", None
        try:
            buses = wb.open_case(net).study("acpf", progress=False).solution.buses
        except wb.WattbookError as error:
            return str(error), None
        buses = buses.loc[net.bus.index + 1]
        ours = buses["vm_pu"].to_numpy(float) * np.exp(1j * np.radians(buses["va_deg"].to_numpy(float)))
        theirs = voltages(net)
        if (np.isnan(ours) != np.isnan(theirs)).any():
            return "other buses are without voltage", None
        apart = max(apart, float(np.nanmax(np.abs(ours - theirs))))
    return ("equal" if apart <= AC_APART else "differs"), apart


def optimum(net: pp.pandapowerNet, case: wb.Case) -> tuple[str, float | None]:
    """The verdict of the DC OPF, and the relative difference of its cost."""
    if len(net.poly_cost) + len(net.pwl_cost) == 0:
        return "no costs", None
    try:
        cost = case.study("dcopf", options={"dc_convention": "matpower"}, progress=False).solution.objective
    except wb.SolveError as error:
        cost = str(error)
    except wb.WattbookError as error:
        return str(error), None
    try:
        pp.rundcopp(net)
    except Exception as error:
        return ("no solution, as in rundcopp" if isinstance(cost, str) else f"rundcopp: {type(error).__name__}"), None
    if isinstance(cost, str):
        return cost, None
    apart = abs(cost - net.res_cost) / (1 + abs(net.res_cost))
    if apart <= DC_APART:
        return "equal", apart
    without = without_losses(net)
    pp.rundcopp(without)
    again = (
        wb.open_case(without).study("dcopf", options={"dc_convention": "matpower"}, progress=False).solution.objective
    )
    if abs(again - without.res_cost) / (1 + abs(without.res_cost)) <= DC_APART:
        return "equal but for no-load losses", apart
    return "differs", apart


def without_losses(net: pp.pandapowerNet) -> pp.pandapowerNet:
    """The network without conductances of branches and unbalanced elements, both of which `rundcopp` ignores."""
    net = pp.pandapowerNet(net)
    for table, columns in {
        "trafo": ["pfe_kw", "i0_percent"],
        "trafo3w": ["pfe_kw", "i0_percent"],
        "line": ["g_us_per_km"],
        "impedance": ["gf_pu", "gt_pu"],
    }.items():
        net[table] = net[table].assign(**dict.fromkeys(columns, 0.0))
    for table in ("asymmetric_load", "asymmetric_sgen"):
        net[table] = net[table].assign(in_service=False)
    return net


def rows(chosen: list[str]) -> Iterator[tuple[str, int, str, float | None, str, float | None]]:
    """Name, number of buses, and the two verdicts with their differences."""
    for name in chosen:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            net = network(name)
            try:
                case = wb.open_case(net)
            except wb.WattbookError as error:
                yield name, len(net.bus), str(error), None, "", None
                continue
            yield name, len(net.bus), *power_flow(net), *optimum(net, case)


def main() -> int:
    """Prints the table."""
    print("| network | buses | AC power flow | pu | DC OPF | relative |\n|---|---|---|---|---|---|")
    right, all_of_them, differ = 0, 0, False
    for name, buses, ac, ac_apart, dc, dc_apart in rows(sys.argv[1:] or names()):
        size = ["" if apart is None else f"{apart:.1e}" for apart in (ac_apart, dc_apart)]
        print(f"| {name} | {buses} | {ac} | {size[0]} | {dc} | {size[1]} |", flush=True)
        right, all_of_them = right + (ac == "equal"), all_of_them + 1
        differ |= "differs" in (ac, dc)
    print(f"\n{right} of {all_of_them} have the voltages of `runpp` to {AC_APART:g} pu.")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
