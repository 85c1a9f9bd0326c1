// Why prices differ between states: closed forms of the three-bus network, and the sums of a real grid.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { createNodeEngine } from "@service/engine/node";
import {
  type CaseSession,
  type CommittedState,
  NO_EDITS,
  type PriceParts,
  type SettingUnits,
  unitParts,
  Workspace,
} from "@service/widgets/workspace";
import { BASE_PRICE, LINE_2_AT_40, openThreeBus } from "../../session.ts";

const near = (t: Test, found: number | undefined, wanted: number, what: string, within = 1e-9): boolean =>
  t.ok(Math.abs((found ?? NaN) - wanted) <= within, `${what}: ${found} is ${wanted}`);

/** The parts of the price of a bus in the first and the live state, and the generators that set it in both. */
async function priceAt(
  session: CaseSession,
  bus: number,
): Promise<{ parts: PriceParts; units: readonly [SettingUnits, SettingUnits] }> {
  const [from, to] = states(session);
  const { signal } = new AbortController();
  const parts = await session.priceChanges.between(bus, from, to);
  const before = await session.priceChanges.units(bus, from, signal);
  return { parts, units: [before, await session.priceChanges.units(bus, to, signal)] };
}

/** The sums of lines and other parts, and of generators, in both states. */
function sums({ parts, units }: Awaited<ReturnType<typeof priceAt>>): { parts: number[]; units: number[] } {
  const { energy, losses, voltage, lines } = parts;
  const own = [energy, ...(losses === null ? [] : [losses]), ...(voltage === null ? [] : [voltage]), ...lines];
  const total = (of: readonly { before: number; after: number }[]): number[] => [
    of.reduce((sum, { before }) => sum + before, 0),
    of.reduce((sum, { after }) => sum + after, 0),
  ];
  return { parts: total(own), units: total(unitParts(units[0] ?? [], units[1] ?? [])) };
}

const states = ({ history }: CaseSession): readonly [CommittedState, CommittedState] => [
  history.states[0] as CommittedState,
  history.current,
];

t.test("the price has the part of the binding line 2 and the generators that set it", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const found = await priceAt(session, 3);
  const { parts } = found;
  near(t, parts.price.before, BASE_PRICE, "before");
  near(t, parts.price.after, 6.3, "after");
  // All demand is at bus 2, the reference; 2/3 of a MW from bus 3 to bus 2 pass line 2, whose shadow price is 35.70 $/MWh.
  near(t, parts.energy.after, 30.1, "energy");
  t.equal(parts.lines.length, 1);
  const [line] = parts.lines;
  t.match(line, { branch: 2, before: 0, binds: "after" });
  near(t, line?.after, -23.8, "line 2");
  t.strictSame([parts.losses, parts.voltage], [null, null], "the DC model has neither");
  // At bus 3 the unit there sets the price alone, before it the units by the inverse of their slopes, 2 c2.
  t.strictSame(
    found.units[1]?.map(({ generator }) => generator),
    [2],
  );
  const before = new Map(found.units[0]?.map(({ generator, participation }) => [generator, participation]));
  near(t, before.get(1), 0.17 / 0.39, "unit 1");
  near(t, before.get(2), 0.22 / 0.39, "unit 2");
  const { parts: made, units } = sums(found);
  for (const [k, price] of [BASE_PRICE, 6.3].entries()) {
    near(t, made[k], price, "by part");
    near(t, units[k], price, "by generator");
  }
  const at2 = await priceAt(session, 2);
  const taking = new Map(at2.units[1]?.map(({ generator, participation }) => [generator, participation]));
  near(t, taking.get(1), 2, "one MW more at bus 2 takes two of unit 1");
  near(t, taking.get(2), -1, "and one less of unit 2, for line 2 is full");
  t.equal(session.state.revision, 1, "nothing was published");
});

t.test("states of two formulations are compared, and one without prices is refused", async (t) => {
  const { session } = await openThreeBus();
  await session.setFormulation("socwr");
  const found = await priceAt(session, 1);
  const { parts } = found;
  near(t, parts.losses?.before, 0, "the DC model has no losses");
  near(t, parts.voltage?.before, 0, "nor voltage limits");
  t.ok((parts.losses?.after ?? NaN) + (parts.voltage?.after ?? NaN) < 0, "the demand is at bus 2, the reference");
  const { parts: made, units } = sums(found);
  near(t, made[1], parts.price.after, "by part", 1e-5);
  near(t, units[1], parts.price.after, "by generator", 1e-3);
  await session.setFormulation("acpf");
  await t.rejects(session.priceChanges.between(2, ...states(session)), { code: "FORMULATION.UNAVAILABLE" });
  await t.rejects(session.priceChanges.between(9, session.history.states[0] as CommittedState, states(session)[0]), {
    code: "BUS.UNKNOWN",
  });
});

t.test("the search for generators can be cancelled and requested again", async (t) => {
  const { session } = await openThreeBus();
  const control = new AbortController();
  const [base] = states(session);
  const ended = session.priceChanges.units(2, base, control.signal);
  control.abort();
  const again = session.priceChanges.units(2, base, new AbortController().signal);
  await t.rejects(ended, { code: "ABORTED" });
  t.equal((await again)?.length, 2);
  const one = await session.priceChanges.units(2, base, control.signal);
  t.equal(one?.length, 2, "what is known needs no search");
});

t.test("at a breakpoint no single set of generators sets the price", async (t) => {
  const { session } = await openThreeBus();
  const flow = Math.abs(session.store.shownAt("flow_mw", 1));
  await session.commit({ ...NO_EDITS, rates: { 2: flow - 250 } }, 0);
  const { parts, units } = await priceAt(session, 2);
  t.equal(units[1], null);
  near(t, parts.price.after, BASE_PRICE, "its price is known all the same");
});

t.test("an id of different added elements in two states has a row for each", async (t) => {
  const { session } = await openThreeBus();
  const circuit = { branches: [{ copy_of: 2, rating: 25 }], generators: [{ bus: 3, p_max: 60, cost: 4.65 }] };
  const other = { branches: [{ from: 3, to: 2, x: 0.1, rating: 22 }], generators: [{ bus: 3, p_max: 50, cost: 4.4 }] };
  for (const [k, added] of [circuit, other].entries()) await session.commit({ ...NO_EDITS, added }, k);
  const [, from, to] = session.history.states as [CommittedState, CommittedState, CommittedState];
  const { lines, price } = await session.priceChanges.between(2, from, to);
  t.strictSame(new Set(lines.map(({ branch, binds }) => `${branch} ${binds}`)), new Set(["4 before", "4 after"]));
  t.ok(price.after !== price.before);
  const one = { participation: 1, costUsdPerMwh: 5 };
  const units = unitParts([{ generator: 3, ...one }], [{ generator: 3, ...one }], new Set([3]));
  t.match(units, [
    { before: 5, after: 0, is: null },
    { before: 0, after: 5, was: null },
  ]);
});

t.test("the parts sum to the prices of a grid with many binding lines", async (t) => {
  const engine = createNodeEngine();
  const grid = await readFile(new URL("../../../../server/grids/carolina.json.gz", import.meta.url));
  const read = await engine.inspectModule(gunzipSync(grid).toString());
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(read.sha256, () => Promise.resolve(read.module_json));
  const session = await workspace.openSession({
    opened,
    caseId: "carolina",
    caseName: "Carolina",
    formulation: "dcopf",
  });
  const prices = (row: number): number => session.store.shownAt("lmp", row);
  const buses = [0, 100, 210, 499].map((row) => ({ row, id: opened.busId(row), before: prices(row) }));
  await session.commit({ ...NO_EDITS, deltas: { [opened.busId(210)]: 20 } }, 0);
  for (const { row, id, before } of buses) {
    const found = await priceAt(session, id);
    const { parts } = found;
    t.equal(parts.price.before, before);
    t.equal(parts.price.after, prices(row));
    const { parts: made, units } = sums(found);
    near(t, made[0], before, `bus ${id} before`);
    near(t, made[1], prices(row), `bus ${id} after`);
    near(t, units[0], before, `generators of bus ${id} before`);
    near(t, units[1], prices(row), `generators of bus ${id} after`);
  }
});
