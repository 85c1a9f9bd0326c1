"""Hand-made networks with known answers."""

from __future__ import annotations

THREE_BUS = """function mpc = three_bus
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
\t1\t3\t0\t0\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;
\t2\t1\t90\t0\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;
\t3\t2\t0\t0\t0\t0\t1\t1\t0\t115\t1\t1.1\t0.9;
];
mpc.gen = [
\t1\t45\t0\t100\t-100\t1\t100\t1\t250\t10\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0;
\t3\t45\t0\t100\t-100\t1\t100\t1\t270\t10\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0;
];
mpc.branch = [
\t1\t2\t0.01\t0.1\t0\t{rating_12}\t0\t0\t0\t0\t1\t-360\t360;
\t1\t3\t0.01\t0.1\t0\t250\t0\t0\t0\t0\t1\t-360\t360;
\t2\t3\t0.01\t0.1\t0\t{rating_23}\t0\t0\t0\t0\t1\t-360\t360;
];
mpc.gencost = [
\t2\t0\t0\t3\t0.11\t5\t0;
\t2\t0\t0\t3\t0.085\t1.2\t0;
];
"""


def three_bus(rating_12: float = 250, rating_23: float = 250) -> bytes:
    """Three identical lines, 90 MW at bus 2, quadratic generators at buses 1 and 3 (closed forms in `CLOSED_FORMS`)."""
    return THREE_BUS.format(rating_12=rating_12, rating_23=rating_23).encode()


def three_bus_bare() -> bytes:
    """The same without ratings and costs."""
    text = three_bus(0, 0).replace(b"\t0\t250\t0\t0", b"\t0\t0\t0\t0")
    return text[: text.index(b"mpc.gencost")]


#: Ratings of lines 1-2 and 2-3 in MW -> dispatch in MW, prices in $/MWh, objective in $/h, worked out by hand.
CLOSED_FORMS = {
    "uncongested": {
        "rating_12": 250,
        "rating_23": 250,
        "dispatch": [29.487179487, 60.512820513],
        "lmp": [11.487179487] * 3,
        "objective": 626.948717949,
        "dlmp_dd": [0.095897436] * 3,
        "binding": None,
    },
    "line 2-3 at 40 MW": {
        "rating_12": 250,
        "rating_23": 40,
        "dispatch": [60.0, 30.0],
        "lmp": [18.20, 30.10, 6.30],
        "objective": 808.50,
        "dlmp_dd": [0.44, 1.05, -0.17],
        "binding": (3, 35.70, [-0.66, -1.83, 0.51]),
    },
    "line 1-2 at 36 MW": {
        "rating_12": 36,
        "rating_23": 250,
        "dispatch": [18.0, 72.0],
        "lmp": [8.96, 17.92, 13.44],
        "objective": 652.68,
        "dlmp_dd": None,
        "binding": (1, 13.44, [0.66, -1.68, -0.51]),
    },
}
