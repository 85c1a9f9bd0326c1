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


def three_bus_with_tie() -> bytes:
    """The same with the demand at a fourth bus, behind a line without impedance and rating."""
    text = three_bus().replace(b"\t2\t1\t90\t", b"\t2\t1\t0\t")
    bus, branch = b"\t4\t1\t90\t0\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;\n", b"\t2\t4" + b"\t0" * 8 + b"\t1\t-360\t360;\n"
    buses, lines = text.index(b"];", text.index(b"mpc.bus =")), text.index(b"];", text.index(b"mpc.branch ="))
    return text[:buses] + bus + text[buses:lines] + branch + text[lines:]


def line_to_a_load(
    *,
    r_pu: float = 0.0,
    x_pu: float = 0.1,
    p_mw: float = 50.0,
    q_mvar: float = 0.0,
    rating_mva: float = 100.0,
    p_max: float,
    q_max: float,
    cost: tuple[float, float],
    angle: float,
) -> bytes:
    """A reference at 1 pu with the only generator, one line, one load."""
    return f"""function mpc = two_bus
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
\t1\t3\t0\t0\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;
\t2\t1\t{p_mw}\t{q_mvar}\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;
];
mpc.gen = [
\t1\t{p_mw}\t0\t{q_max}\t-{q_max}\t1\t100\t1\t{p_max}\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0;
];
mpc.branch = [
\t1\t2\t{r_pu}\t{x_pu}\t0\t{rating_mva}\t0\t0\t0\t0\t1\t-{angle}\t{angle};
];
mpc.gencost = [
\t2\t0\t0\t3\t{cost[0]}\t{cost[1]}\t0;
];
""".encode()


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


def ring_of(n: int) -> bytes:
    """A meshed network of `n` buses: a ring with chords, one generator, 1 MW at every other bus."""
    rows = [f"{k}\t{3 if k == 1 else 1}\t{int(k > 1)}\t0\t0\t0\t1\t1\t0\t230\t1\t1.1\t0.9;" for k in range(1, n + 1)]
    pairs = [(k, k % n + 1) for k in range(1, n + 1)] + [(k, (k + 57) % n + 1) for k in range(1, n + 1, 3)]
    lines = [f"{a}\t{b}\t0.01\t0.1\t0\t9999\t0\t0\t0\t0\t1\t-360\t360;" for a, b in pairs if a != b]
    return "\n".join(
        [
            "function mpc = ring\nmpc.version = '2';\nmpc.baseMVA = 100;\nmpc.bus = [",
            *rows,
            f"];\nmpc.gen = [\n1\t0\t0\t100\t-100\t1\t100\t1\t{2 * n}\t0{chr(9).join([''] + ['0'] * 11)};\n];\nmpc.branch = [",
            *lines,
            "];\nmpc.gencost = [\n2\t0\t0\t2\t10\t0;\n];\n",
        ]
    ).encode()


#: A feeder of three buses: 12.47 kV source, one line of 1 km, one transformer, 300 kW in three phases and 50 kW in one.
FEEDER = b"""Clear
Set DefaultBaseFrequency=60
New Circuit.island basekv=12.47 pu=1.0 phases=3 bus1=sub MVAsc3=20000 MVAsc1=20000
Redirect codes.dss
New Line.trunk bus1=sub bus2=mid linecode=oh length=1 units=km
New Transformer.step phases=3 windings=2 buses=(mid, end) conns=(wye, wye) kvs=(12.47, 0.48) kvas=(500, 500) xhl=4 %r=0.5
New Load.plant bus1=end phases=3 kv=0.48 kw=300 kvar=100 model=1
New Load.house bus1=mid.1 phases=1 kv=7.2 kw=50 kvar=10 model=1
Set VoltageBases=[12.47, 0.48]
CalcVoltageBases
BusCoords places.csv
Solve
"""
FEEDER_CODES = b"New LineCode.oh nphases=3 r1=0.3 x1=0.4 r0=0.6 x0=1.2 c1=0 c0=0 units=km\n"
FEEDER_PLACES = b"sub, -89.00, 40.00\nmid, -88.99, 40.00\nend, -88.99, 40.01\n"


def lattice(side: int, rating: float = 80.0, load_mw: float = 8.0) -> bytes:
    """A square grid of lines with random reactances (the same in each run), a generator at every thirtieth bus, a rating on every tenth
    line, up to `load_mw` at each bus."""
    import random

    chance = random.Random(1)
    buses = range(1, side * side + 1)
    units = buses[::30]
    ends = [(i, i + 1) for i in buses if i % side] + [(i, i + side) for i in buses if i + side <= side * side]
    rows = [f"{i} {3 if i == 1 else 1} {load_mw * chance.random():.2f} 0 0 0 1 1 0 230 1 1.1 0.9;" for i in buses]
    gen = [f"{i} 0 0 300 -300 1 100 1 {30 * load_mw * (0.8 + 0.4 * chance.random()):.1f} 0;" for i in units]
    branch = [
        f"{i} {j} 0 {0.01 + 0.05 * chance.random():.5f} 0 {0 if k % 10 else rating} 0 0 0 0 1 -360 360;"
        for k, (i, j) in enumerate(ends)
    ]
    cost = [f"2 0 0 3 0 {10 + 40 * chance.random():.3f} 0;" for _ in units]
    tables = {"bus": rows, "gen": gen, "branch": branch, "gencost": cost}
    text = "function mpc = lattice\nmpc.version = '2';\nmpc.baseMVA = 100;\n"
    text += "".join(f"mpc.{name} = [\n" + "\n".join(lines) + "\n];\n" for name, lines in tables.items())
    return text.encode()
