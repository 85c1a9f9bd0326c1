import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { caseTable, columnWidths, compareTable, listedRows, parseFilter, tableText } from "@service/widgets/tables";
import { pricesOfBuses, priceStatistics, Workspace } from "@service/widgets/workspace";
import { engine, LINE_2_AT_40, openThreeBus } from "../session.ts";

t.test("tables have the closed-form numbers of the displayed state", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const buses = caseTable(session, "buses");
  const lines = caseTable(session, "branches");
  const generators = caseTable(session, "generators");
  const column = (table: typeof buses, key: string, row: number): string =>
    table.columns.find((one) => one.key === key)?.text(row) ?? "no such column";
  t.strictSame(
    [0, 1, 2].map((row) => column(buses, "price_usd_per_mwh", row)),
    ["18.20", "30.10", "6.30"],
  );
  t.strictSame(
    [0, 1, 2].map((row) => column(buses, "price_change_usd_per_mwh", row)),
    ["+6.71", "+18.61", "\u22125.19"],
    "from one price of 448/39",
  );
  t.equal(column(lines, "loading", 1), "100");
  t.equal(column(lines, "state", 1), "binds");
  t.equal(column(lines, "rating_mw", 1), "40.0");
  t.equal(column(lines, "rating_change_mw", 1), "\u2212210.0");
  t.equal(lines.markOf(1), "binds");
  t.equal(lines.markOf(0), "");
  t.strictSame(lines.elementOf(1), { kind: "branch", id: 2 });
  t.equal(lines.rowOf({ kind: "branch", id: 3 }), 2);
  t.equal(lines.rowOf({ kind: "bus", id: 3 }), -1);
  t.strictSame(generators.elementOf(1), { kind: "generator", id: 2 });
  t.equal(generators.rowOf({ kind: "generator", id: 2 }), 1);
  t.equal(generators.rowOf({ kind: "bus", id: 3 }), 1, "the first unit of a bus");
  session.preview(1);
  t.equal(column(buses, "price_usd_per_mwh", 1), "30.10", "no preview without a selected element");
  await session.select({ kind: "bus", id: 2 });
  session.preview(1);
  t.equal(column(buses, "price_usd_per_mwh", 1), "31.15", "the preview shows in tables");
});

const shownDegrees = (value: number): string => value.toFixed(2).replace("-", "\u2212");

t.test("filters have comparisons in displayed units and names, and report invalid terms", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const buses = caseTable(session, "buses");
  const lines = caseTable(session, "branches");
  const listed = (table: typeof buses, filter: string): number[] =>
    [...listedRows(table, parseFilter(filter, table), table.sorting)].sort();
  t.strictSame(listed(buses, ""), [0, 1, 2]);
  t.strictSame(listed(buses, "price > 18"), [0, 1]);
  t.strictSame(listed(buses, "price>18 demand >= 90"), [1]);
  t.strictSame(listed(buses, "Change < \u22125"), [2], "a name as in the head, and a true minus sign");
  t.strictSame(listed(buses, "2"), [1], "the number of the bus");
  t.strictSame(listed(lines, "loading >= 99"), [1], "per cent, as shown");
  t.strictSame(listed(lines, "BINDS"), [1]);
  const angles = session.store.columns.values("va_rad") ?? new Float64Array();
  const angle = buses.columns.find(({ key }) => key === "angle_rad");
  const degrees = angles.map((radians) => (radians * 180) / Math.PI);
  t.ok((degrees[2] ?? 0) !== 0 && degrees.every((value, row) => angle?.text(row) === shownDegrees(value)));
  t.equal(angle?.unit, "degrees");
  t.strictSame(
    listed(buses, "angle = 0"),
    [...degrees.keys()].filter((row) => degrees[row] === 0),
  );
  t.equal(angle?.value(2), angles[2], "files have rad, as their head says");
  t.match(parseFilter("volts > 3", buses).problem, /No column \u201cvolts\u201d: try id, price/);
  t.match(parseFilter("price >", buses).problem, /price > 40/);
  t.equal(parseFilter("price > 3", buses).problem, null);
});

t.test("rows are sorted by number or name, missing values last, ties in the order of the case", async (t) => {
  const { session } = await openThreeBus();
  const lines = caseTable(session, "branches");
  const all = parseFilter("", lines);
  const order = (key: string, descending: boolean): number[] => [...listedRows(lines, all, { key, descending })];
  t.strictSame(order("line", true), [2, 1, 0]);
  t.strictSame(order("rating_mw", true), [0, 1, 2], "equal ones keep their order");
  t.strictSame(order("to", false), [0, 1, 2], "1-2, 2-3, 1-3");
  t.strictSame(order("to", true), [1, 2, 0]);
  session.store.columns.values("loading")?.fill(NaN, 0, 1);
  t.equal(order("loading", true).at(-1), 0);
  t.equal(order("loading", false).at(-1), 0);
});

t.test("files have plain numbers and no formulas", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const generators = caseTable(session, "generators");
  const csv = tableText(generators, [1, 0]).split("\r\n");
  t.equal(
    csv[0],
    "generator,bus,dispatch_mw,state,p_min_mw,p_max_mw,marginal_cost_usd_per_mwh,headroom_mw,limit_shadow_usd_per_mwh,price_usd_per_mwh",
  );
  t.match(csv[1], /^2,3,/);
  t.equal(csv.length, 4);
  const named = { ...generators, columns: generators.columns.slice(1, 2) };
  const cell = (text: string): string | undefined =>
    tableText({ ...named, columns: named.columns.map((one) => ({ ...one, value: () => text })) }, [0]).split("\r\n")[1];
  t.equal(cell("=SUM(A1)"), "'=SUM(A1)");
  t.equal(cell('Ash, "old"'), '"Ash, ""old"""');
});

t.test("differences of two states, sorted by size", async (t) => {
  const { session } = await openThreeBus();
  const before = session.store.columns;
  await session.commit(LINE_2_AT_40, 0);
  const table = compareTable(session, "buses", before, session.store.columns);
  const rows = listedRows(table, parseFilter("", table), table.sorting);
  t.strictSame([...rows], [1, 0, 2]);
  const change = table.columns.find(({ key }) => key === "change_usd_per_mwh");
  t.ok(Math.abs(Number(change?.value(1)) - (30.1 - 448 / 39)) < 1e-9);
  const flows = compareTable(session, "branches", before, before);
  t.equal(flows.columns.find(({ key }) => key === "change_mw")?.value(0), 0);
  t.match(tableText(flows, [0]), /^line,from,to,change_mw,flow_before_mw,flow_after_mw\r\n/);
});

t.test("a narrow table shows names and one number without scrolling, a wide one has wider names", async (t) => {
  const { session } = await openThreeBus();
  const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
  for (const kind of ["buses", "branches", "generators"] as const) {
    const table = caseTable(session, kind);
    const narrow = columnWidths(table, 219);
    t.equal(narrow.length, table.columns.length);
    t.ok(sum(narrow.slice(0, table.leading)) <= 219, `${kind}: ${narrow.slice(0, table.leading).join(", ")}`);
    t.ok(Math.min(...narrow) >= 44);
    const wide = columnWidths(table, 2000);
    t.ok(sum(wide) >= sum(table.columns.map(({ width }) => width)) && sum(wide) <= 2000);
  }
});

t.test("star points of three-winding transformers are marked, mentioned, and last in every order", async (t) => {
  const texas = await readFile(new URL("../../../server/grids/texas.json.gz", import.meta.url));
  const workspace = new Workspace(engine);
  const opened = await workspace.caseOf(await engine.inspectModule(gunzipSync(texas).toString()), "Texas");
  const session = await workspace.openSession({ opened, caseId: "texas", caseName: "Texas", formulation: "dcopf" });
  const buses = caseTable(session, "buses");
  t.equal(buses.count, 6740);
  t.equal(buses.remark, "6,700 buses and 40 star points of three-winding transformers, listed last");
  const all = parseFilter("", buses);
  const ends = (key: string, descending: boolean): string[] =>
    [...listedRows(buses, all, { key, descending })].slice(6700).map((row) => buses.columns.at(-1)?.text(row) ?? "");
  for (const { key } of buses.columns) {
    for (const descending of [true, false]) {
      t.strictSame(new Set(ends(key, descending)), new Set(["star point"]), `${key} ${descending}`);
    }
  }
  t.equal(listedRows(buses, parseFilter("star point", buses), buses.sorting).length, 40, "and can be filtered for");
  const lines = caseTable(session, "branches");
  t.equal(lines.remark, "7,770 lines and 120 windings of three-winding transformers");
  t.equal(listedRows(lines, parseFilter("winding", lines), lines.sorting).length, 120);
  const [lmp, demand] = ["lmp", "demand_mw"].map((name) => session.store.columns.values(name) ?? new Float64Array());
  t.equal(lmp && demand && priceStatistics(lmp, demand)?.count, 6740);
  t.equal(
    lmp && demand && priceStatistics(pricesOfBuses(opened, lmp), demand)?.count,
    6700,
    "they count in no statistics",
  );
  session.dispose();
});
