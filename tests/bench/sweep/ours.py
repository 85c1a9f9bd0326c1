"""Our side of the benchmark of sweeps.

    python ours.py prepare FOLDER CASE COUNT SEED       scenarios, and the case with its costs and with linear ones
    python ours.py solve FOLDER COSTS COUNT EXECUTOR    one sweep: one JSON line; `one` leaves objectives in FOLDER/COSTS.objective.bin

EXECUTOR is `one` (one thread), `threads` (one for each processor) or `dask` (a LocalCluster with a process for each processor).
Times are seconds by the clock, and on a processor of this process and all that it started.
"""

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import wattbook as wb

#: Mean and standard deviation of the system's demand, and the deviation of each bus on top.
MEAN, SYSTEM, BUS = 0.95, 0.03, 0.05


def scenarios(demand, count, seed):
    """Changes of demand in MW by scenario and bus; no demand falls below zero."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(MEAN, SYSTEM, (count, 1)) * rng.normal(1, BUS, (count, len(demand)))
    return demand * (np.clip(factor, 0, None) - 1)


def prepare(folder, name, count, seed):
    given = wb.open_case(name)
    points = given.generators.query("cost_model == 'piecewise_linear'")["cost_points"]
    # PyPSA has no piecewise linear costs.
    straight = {unit: (pairs[-1][1] - pairs[0][1]) / (pairs[-1][0] - pairs[0][0]) for unit, pairs in points.items()}
    case = given.with_costs(straight) if straight else given
    linear = case.with_costs({unit: float(cost) for unit, cost in case.generators["cost_c1"].items()})
    for costs, own in (("quadratic", case), ("linear", linear)):
        (folder / f"{costs}.module.json").write_text(own.module_json)
    buses = case.buses.query("editable and demand_mw > 0")
    np.save(folder / "scenarios.npy", scenarios(buses["demand_mw"].to_numpy(), int(count), int(seed)))
    lines = case.branches.query("in_service")
    units = case.generators.query("in_service")
    network = {
        "base_mva": case.base_mva,
        "scenario_buses": buses.index.tolist(),
        "buses": case.buses.index.tolist(),
        "demand_mw": case.buses["demand_mw"].tolist(),
        "from": lines["from_bus"].tolist(),
        "to": lines["to_bus"].tolist(),
        # MW/rad in the convention `service`
        "susceptance": (case.base_mva * lines["x_pu"] / (lines["r_pu"] ** 2 + lines["x_pu"] ** 2)).tolist(),
        "rating_mw": lines["rating_mw"].tolist(),
        **{key: units[key].tolist() for key in ("bus", "p_min_mw", "p_max_mw", "cost_c2", "cost_c1", "cost_c0")},
    }
    (folder / "network.json").write_text(json.dumps(network))
    print(json.dumps({"n_bus": len(case.buses), "n_load": len(buses), "n_gen": len(units), "straight": len(straight)}))


def processor_s():
    """Processor time of this process and its descendants, including ended ones, s."""
    import psutil

    here = psutil.Process()
    times = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    own = times[0]
    return sum(one.user + one.system for one in times) + own.children_user + own.children_system


def waiting():
    """Share of the processors used by this process and its descendants while idle."""
    began, spent = time.perf_counter(), processor_s()
    time.sleep(3)
    return (processor_s() - spent) / (time.perf_counter() - began) / os.cpu_count()


def cluster():
    from distributed import Client, LocalCluster

    processes = {"n_workers": os.cpu_count(), "threads_per_worker": 1, "processes": True}
    return Client(LocalCluster(**processes, dashboard_address=None, silence_logs=40))


def solve(folder, costs, count, executor):
    case = wb.open_case(folder / f"{costs}.module.json")
    buses = json.loads((folder / "network.json").read_text())["scenario_buses"]
    values = np.load(folder / "scenarios.npy", mmap_mode="r")[: int(count)]
    frame = pd.DataFrame(np.asarray(values), columns=pd.MultiIndex.from_tuples([("demand", bus) for bus in buses]))
    study = case.study()
    opened = {"one": lambda: ThreadPoolExecutor(1), "threads": lambda: nullcontext("threads"), "dask": cluster}[
        executor
    ]
    with opened() as pool:
        # Afterwards workers have imported the package and loaded the case.
        wb.sweep(study, frame.iloc[:64], pool, tables=(), progress=False)
        idle = waiting() if executor == "dask" else None
        began, spent = time.perf_counter(), processor_s()
        found = wb.sweep(study, frame, pool, tables=(), progress=False)
        seconds, processor = time.perf_counter() - began, processor_s() - spent
    table = found.scenarios
    if executor == "one":
        (folder / f"{costs}.objective.bin").write_bytes(table["objective"].to_numpy(dtype="<f8").tobytes())
    hashes = "".join(table["sha256"].fillna(""))
    answer = {
        "seconds": seconds,
        "processor_s": processor,
        "idle": idle,
        "solved": int(table["error"].isna().sum()),
        "failed": table["error"].dropna().value_counts().to_dict(),
        "bits": sha256(hashes.encode()).hexdigest(),
        "gap": float(found.certificates["relative_gap"].max()) if "relative_gap" in found.certificates else None,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    what, place, *rest = sys.argv[1:]
    {"prepare": prepare, "solve": solve}[what](Path(place), *rest)
