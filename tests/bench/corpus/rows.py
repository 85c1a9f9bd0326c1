"""Solves files in each formulation: `python rows.py LIMIT_S REFERENCES < LINES`, one JSON object a line of input and formulation.

A line of input is `{"path", "name", "kind"}`; `kind` is `case` or `feeder`. REFERENCES is a JSON file with what other programs found: by
name `dcopf` and `socwr` (an objective in $/h, or null for none), `options` for each formulation, `acpf` (a CSV file of voltages by
bus), and by path `mc` (voltages by node, [re, im] in V). Every row has a process of its own, which ends after LIMIT_S of
processor time.
"""

import csv
import json
import multiprocessing
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import wattbook as wb

FORMULATIONS = {"case": ("dcopf", "acpf", "socwr"), "feeder": ("mc",)}
#: Options tried where the first call has no solution: set-points as recorded in docs/method/ac-power-flow.md.
AGAIN = {"acpf": ({"set_point_pu": 1.03}, {"dispatch": "file", "slack": "distributed"})}


def solved_case(path, formulation, options, known):
    """Status, certificate and reference of one formulation."""
    case = wb.open_case(path)
    tried = [options, *AGAIN.get(formulation, ())]
    for k, chosen in enumerate(tried):
        try:
            solution = case.study(formulation, options=chosen, progress=False).solution
            break
        except wb.SolveError:
            if k + 1 == len(tried):
                raise
    certificate = solution.certificate
    row = {"n_bus": case.n_bus, "status": solution.status, "objective": solution.objective, "options": chosen}
    if formulation == "acpf":
        row["residual_mw"] = max(certificate["mismatch_mw"], certificate["mismatch_mvar"])
        if "acpf" in known and k == 0:
            row["apart"] = voltages_apart(solution, known["acpf"])
    else:
        row["residual_mw"] = certificate["primal_residual_mw"]
        row["gap"] = abs(certificate["relative_gap"])
        if known.get(formulation) is not None:
            row["apart"] = abs(solution.objective - known[formulation]) / (1 + abs(known[formulation]))
    return row


def voltages_apart(solution, path):
    """The largest difference of a voltage from those in a file, angles counted from its first bus, per unit."""
    with Path(path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    ids = [int(row["bus_i"]) for row in rows]
    theirs = polar([float(row["vm_pu"]) for row in rows], [float(row["va_deg"]) for row in rows])
    ours = solution.buses.loc[ids]
    mine = polar(ours["vm_pu"].to_numpy(dtype=float), ours["va_deg"].to_numpy(dtype=float))
    there = ~np.isnan(mine)
    first = int(np.flatnonzero(there)[0])
    turned = [one / one[first] * abs(one[first]) for one in (mine, theirs)]
    return float(np.abs(turned[0] - turned[1])[there].max())


def polar(magnitude, degrees):
    return np.asarray(magnitude) * np.exp(1j * np.radians(degrees))


def solved_feeder(path, known):
    feeder = wb.open_feeder(path).solve(source_impedance="branch", controls="held")
    table = feeder.voltages
    row = {"n_bus": len(table), "status": "solved", "residual_a": feeder.result["certificate"]["kcl_residual_a"]}
    if known:
        row["apart"] = terminals_apart(table, known)
    return row


def terminals_apart(table, known):
    """The largest difference of a voltage from those of OpenDSS, by the largest voltage at its bus."""
    flat = table.reset_index()
    names = (flat["bus"].astype(str) + "." + flat["terminal"].astype(str)).str.lower()
    ours = dict(zip(names, polar(flat["voltage_v"], flat["angle_deg"]), strict=True))
    largest = {}
    for node, (re, im) in known.items():
        bus = node.rsplit(".", 1)[0]
        largest[bus] = max(largest.get(bus, 0.0), abs(complex(re, im)))
    return max(
        abs(ours[node] - complex(re, im)) / max(largest[node.rsplit(".", 1)[0]], 1e-9)
        for node, (re, im) in known.items()
        if node in ours
    )


def work(pipe, limit, path, formulation, options, known):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    began = time.process_time()
    try:
        row = solved_feeder(path, known) if formulation == "mc" else solved_case(path, formulation, options, known)
    except wb.WattbookError as error:
        row = {"status": error.code, "message": str(error)}
    pipe.send(row | {"processor_s": time.process_time() - began})


def run(*given):
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(theirs, *given))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        process.join()
        return {"status": "time" if process.exitcode == -signal.SIGXCPU else "crash"}
    finally:
        process.kill()
        process.join()


def warm_up():
    """Imports the modules that solving needs, once for all rows."""
    two = """function mpc = two
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [ 1 3 10 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 5 0 0 0 1 1 0 230 1 1.1 0.9; ];
mpc.gen = [ 1 15 0 9 -9 1 100 1 50 0; ];
mpc.branch = [ 1 2 0.01 0.1 0 90 0 0 0 0 1 -360 360; ];
mpc.gencost = [ 2 0 0 3 0.01 10 0; ];
"""
    case = wb.open_case(two.encode(), format="matpower")
    case.study().solution.buses.mean(numeric_only=True)


def main(limit, references):
    known = json.loads(Path(references).read_text())
    warm_up()
    for line in sys.stdin:
        request = json.loads(line)
        wanted = [request["formulation"]] if "formulation" in request else FORMULATIONS[request["kind"]]
        for formulation in wanted:
            own = (
                known["mc"].get(request["name"], {}) if formulation == "mc" else known["cases"].get(request["name"], {})
            )
            options = {} if formulation == "mc" else own.get("options", {}).get(formulation, {})
            row = run(int(limit), request["path"], formulation, options, own)
            print(json.dumps({"name": request["name"], "formulation": formulation} | row), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
