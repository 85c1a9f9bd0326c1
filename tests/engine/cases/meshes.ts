// Networks of any size for tests of layouts: rings with spokes, which is a mesh at every scale.

/** A MATPOWER case of `n` buses, as bytes. */
export function meshedCase(n: number): Uint8Array {
  const buses = Array.from({ length: n }, (_, k) => `${k + 1} ${k === 0 ? 3 : 1} 1 0 0 0 1 1 0 230 1 1.1 0.9;`);
  const pairs = Array.from({ length: n - 1 }, (_, k) => k + 1).flatMap((v) =>
    [...new Set([v - 1, Math.floor((v * 2) / 3), Math.floor(v / 2)])].filter((to) => to !== v).map((to) => [v, to]),
  );
  const branches = pairs.map(([from = 0, to = 0]) => `${from + 1} ${to + 1} 0.01 0.1 0 250 250 250 0 0 1 -360 360;`);
  const text = `function mpc = mesh
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
${buses.join("\n")}
];
mpc.gen = [
1 0 0 300 -300 1 100 1 ${2 * n} 0;
];
mpc.branch = [
${branches.join("\n")}
];
mpc.gencost = [
2 0 0 3 0.11 5 0;
];
`;
  return new TextEncoder().encode(text);
}
