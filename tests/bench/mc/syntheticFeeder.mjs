// A feeder of any size with the proportions of a European one: 110 kV source, 11 kV trunks, 0.415 kV four-wire streets with houses
// on one phase each, half of them along the street and half behind a service drop.

/** An OpenDSS script; `buses` is the number of medium-voltage buses, with about 650 terminals behind each. */
export function syntheticFeeder(buses) {
  const random = xorshift(0x9e3779b97f4a7c15n);
  const between = (low, high) => low + (high - low) * random();
  const out = [
    "Clear",
    "Set DefaultBaseFrequency=50",
    "New Circuit.generated basekv=110 pu=1.0 phases=3 bus1=grid R1=0.05 X1=0.5 R0=0.05 X0=0.5",
    "New Linecode.mv nphases=3 r1=0.2 x1=0.1 r0=0.5 x0=0.4 c1=0 c0=0 units=km",
    fourWire("main", 0.32),
    fourWire("drop", 1.15),
    "New Transformer.grid phases=3 windings=2 buses=(grid mv0) conns=(delta wye) kvs=(110 11) kvas=(63000 63000) xhl=12 %rs=(0.2 0.2)",
  ];
  let trunk = 0;
  for (let k = 1; k <= buses; k += 1) {
    const from = k % 16 === 1 ? 0 : random() < 0.7 ? k - 1 : Math.max(trunk, k - 1 - Math.floor(4 * random()));
    if (k % 16 === 1) trunk = k;
    out.push(line(`mv${k}`, `mv${from}.1.2.3`, `mv${k}.1.2.3`, "mv", between(0.2, 0.8)));
    station(out, k, random, between);
  }
  out.push("Set voltagebases=[110 11 0.415]", "Set controlmode=off", "Solve");
  return `${out.join("\n")}\n`;
}

/** A transformer with its streets. */
function station(out, k, random, between) {
  out.push(
    `New Transformer.t${k} phases=3 windings=2 buses=(mv${k}.1.2.3 s${k}.1.2.3.4) conns=(delta wye) kvs=(11 0.415) kvas=(400 400) xhl=4.5 %rs=(0.5 0.5) %noloadloss=0.15 %imag=0.5`,
    `New Reactor.e${k} phases=1 bus1=s${k}.4 bus2=s${k}.0 r=5 x=0.001`,
  );
  for (let street = 0; street < 4; street += 1) {
    const mains = [`s${k}`];
    for (let b = 0; b < 40; b += 1) {
      const bus = `b${k}_${street}_${b}`;
      const isMain = random() < 0.6;
      const from = mains.at(-1);
      const code = isMain ? "main" : "drop";
      out.push(line(bus, `${from}.1.2.3.4`, `${bus}.1.2.3.4`, code, between(0.008, 0.033)));
      if (isMain) mains.push(bus);
      if (random() < 0.1) out.push(`New Reactor.g${bus} phases=1 bus1=${bus}.4 bus2=${bus}.0 r=30 x=0.001`);
      if (!isMain || random() < 0.5)
        out.push(load(bus, 1 + Math.floor(3 * random()), 1.4 * between(0.3, 1.7), random()));
    }
  }
}

function fourWire(name, r) {
  const rows = (own, mutual) => [1, 2, 3, 4].map((n) => [...Array(n - 1).fill(mutual), own].join(" ")).join(" | ");
  return `New Linecode.${name} nphases=4 units=km rmatrix=(${rows(r, 0.05)}) xmatrix=(${rows(0.35, 0.27)}) cmatrix=(${rows(0, 0)})`;
}

function line(name, from, to, code, km) {
  return `New Line.${name} bus1=${from} bus2=${to} linecode=${code} length=${km.toFixed(5)} units=km`;
}

function load(bus, phase, kw, kind) {
  const law =
    kind < 0.6
      ? "model=1"
      : kind < 0.8
        ? "model=8 zipv=(0.4 0.3 0.3 0.4 0.3 0.3 0)"
        : kind < 0.9
          ? "model=5"
          : "model=4 cvrwatts=0.8 cvrvars=2";
  return `New Load.${bus} phases=1 bus1=${bus}.${phase}.4 kv=0.24 kw=${kw.toFixed(4)} pf=0.95 vminpu=0.7 vmaxpu=1.3 ${law}`;
}

/** Numbers from 0 to 1, the same in every run. */
function xorshift(seed) {
  let state = seed;
  const mask = (1n << 64n) - 1n;
  return () => {
    state ^= (state << 13n) & mask;
    state ^= state >> 7n;
    state ^= (state << 17n) & mask;
    return Number(state >> 11n) / 2 ** 53;
  };
}
