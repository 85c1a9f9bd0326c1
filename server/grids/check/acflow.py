"""AC power flow of a case with pandapower, from flat voltages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandapower as pp
from modules import Case
from pandapower.converter.pypower.from_ppc import from_ppc

VERSION = pp.__version__


@dataclass
class Flow:
    #: Voltage magnitude by bus, star points included, per unit.
    vm: np.ndarray
    losses_mw: float
    #: Output of the unit at the reference bus, MW.
    slack_mw: float
    iterations: int


def mpc_of(case: Case) -> dict:
    """The case in the columns of MATPOWER (manual, appendix B), buses numbered from 0."""
    size = len(case.base_kv)
    kinds = np.ones(size)
    kinds[case.gen_bus] = 2
    kinds[case.reference] = 3
    bus = np.zeros((size, 13))
    bus[:, 0] = np.arange(size)
    bus[:, 1] = kinds
    bus[:, 2], bus[:, 3] = case.demand.real, case.demand.imag
    bus[:, 4], bus[:, 5] = case.shunt.real, -case.shunt.imag
    bus[:, 6], bus[:, 7] = 1, 1
    bus[:, 9], bus[:, 10] = case.base_kv, 1
    bus[:, 11], bus[:, 12] = case.vmax, case.vmin
    gen = np.zeros((len(case.gen_bus), 21))
    gen[:, 0], gen[:, 1], gen[:, 2] = case.gen_bus, case.pg, case.qg
    gen[:, 3], gen[:, 4] = case.qlim[:, 1], case.qlim[:, 0]
    gen[:, 5], gen[:, 6], gen[:, 7] = case.vg, case.base_mva, 1
    gen[:, 8], gen[:, 9] = case.plim[:, 1], case.plim[:, 0]
    branch = np.zeros((len(case.z), 13))
    branch[:, :2] = case.ends
    branch[:, 2], branch[:, 3], branch[:, 4] = case.z.real, case.z.imag, case.charging
    branch[:, 5] = case.mva
    branch[:, 8], branch[:, 9], branch[:, 10] = case.tap, case.shift, 1
    branch[:, 11], branch[:, 12] = -360, 360
    return {"version": "2", "baseMVA": case.base_mva, "bus": bus, "gen": gen, "branch": branch}


def solve(case: Case, reactive_limits: bool) -> Flow | None:
    """Newton-Raphson from flat voltages; None where it does not converge."""
    net = from_ppc(mpc_of(case), f_hz=60, validate_conversion=False)
    try:
        pp.runpp(
            net,
            algorithm="nr",
            init="flat",
            calculate_voltage_angles=True,
            enforce_q_lims=reactive_limits,
            max_iteration=30,
            tolerance_mva=1e-6,
            numba=False,
        )
    except pp.LoadflowNotConverged:
        return None
    given = net.res_ext_grid.p_mw.sum() + net.res_gen.p_mw.sum() + net.res_sgen.p_mw.sum()
    return Flow(
        vm=net.res_bus.vm_pu.to_numpy(),
        losses_mw=float(given - case.demand.real.sum()),
        slack_mw=float(net.res_ext_grid.p_mw.sum()),
        iterations=int(net._ppc["iterations"]),
    )
