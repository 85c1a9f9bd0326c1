import type { McSolution } from "@service/engine";
import type { Target } from "../../map/index.ts";
import { formatCount, formatDegrees, formatPerUnit, formatResidual, formatUpTo, trans } from "../../text/index.ts";
import type { FeederRows, FeederStudy, ViewedNetwork } from "../../workspace/index.ts";

/** A term and its value. */
export type Fact = [term: string, value: string];

export const volts = (value: number): string => `${formatUpTo(value, value < 1000 ? 2 : 0)} V`;
export const kilo = (value: number): string => formatUpTo(value / 1000, 2);
export const amperes = (value: number): string => `${formatUpTo(value, 2)} A`;
export const degrees = (value: number): string => `${formatDegrees(value)}\u00b0`;

/** Results of a bus or an edge, in addition to its case data. */
export function targetFacts(
  network: ViewedNetwork,
  study: FeederStudy,
  rows: FeederRows | null,
  { kind, row }: Target,
): Fact[] {
  const { solution, voltages } = study;
  if (solution === null || voltages === null || rows === null) {
    return [];
  }
  if (kind === "bus") {
    const terminals = (rows.terminals[row] ?? []).map((terminal): Fact => {
      const v = voltages.voltage_v[terminal] ?? NaN;
      const name = trans.__("Terminal %1", solution.rows.terminals[terminal] ?? "");
      if (!Number.isFinite(v)) {
        return [name, trans.__("not energised")];
      }
      const pu = rows.isPhase(terminal) ? `, ${formatPerUnit(voltages.voltage_pu[terminal] ?? NaN)} pu` : "";
      return [name, `${volts(v)}${pu}, ${degrees(solution.columns.voltage_deg?.[terminal] ?? NaN)}`];
    });
    return [...terminals, ...currentsAt(solution, rows, row)];
  }
  const edge = network.edges[row];
  return edge === undefined ? [] : currents(solution, rows, rows.elementRow(edge.kind, edge.id));
}

/** Number of elements at a bus whose currents its card shows. */
const CARD_ELEMENTS = 6;

/** Currents from a bus into the connected elements, a row for each element. */
function currentsAt({ rows, columns }: McSolution, index: FeederRows, bus: number): Fact[] {
  const byElement = new Map<number, string[]>();
  for (const conductor of index.conductorsAt(bus)) {
    const element = columns.conductor_element?.[conductor] ?? -1;
    const list = byElement.get(element) ?? [];
    const terminal = rows.terminals[columns.conductor_terminal?.[conductor] ?? -1] ?? "";
    list.push(`${terminal}: ${amperes(columns.current_a?.[conductor] ?? NaN)}`);
    byElement.set(element, list);
  }
  const listed = [...byElement].slice(0, CARD_ELEMENTS);
  return listed.map(([element, list]) => [rows.elements[element] ?? "", list.join(", ")]);
}

/** Currents of an element by conductor, at both ends where it has two. */
function currents({ rows, columns }: McSolution, index: FeederRows, element: number): Fact[] {
  const conductors = index.conductorsOf(element);
  const from = conductors.filter((k) => columns.conductor_end?.[k] === 1);
  const to = conductors.filter((k) => columns.conductor_end?.[k] === 2);
  const terminal = (k: number): string => rows.terminals[columns.conductor_terminal?.[k] ?? -1] ?? "";
  const current = (k: number): string =>
    `${amperes(columns.current_a?.[k] ?? NaN)}, ${degrees(columns.current_deg?.[k] ?? NaN)}`;
  const facts = from.map((k, place): Fact => {
    const other = to[place];
    const [here, there] = [current(k), other === undefined ? "" : current(other)];
    const text = there === "" || there === here ? here : trans.__("%1; at the other end %2", here, there);
    return [trans.__("Conductor %1", terminal(k)), text];
  });
  const loss = columns.loss_w?.[element];
  return loss === undefined ? facts : [...facts, [trans.__("Loss"), `${kilo(loss)} kW`]];
}

/** Results of the whole feeder. */
export function resultFacts({ result, solve_ms }: McSolution): Fact[] {
  const { totals, lowest, highest, most_unbalanced, certificate, held_controls, not_supplied } = result;
  const terminal = (at: typeof lowest): string =>
    at === undefined
      ? ""
      : trans.__("%1 pu (%2) at %3", formatPerUnit(at.voltage_pu), volts(at.voltage_v), `${at.bus}.${at.terminal}`);
  return [
    [trans.__("Sources"), `${kilo(totals.source_w)} kW, ${kilo(totals.source_var)} kvar`],
    [trans.__("Loads"), `${kilo(totals.load_w)} kW, ${kilo(totals.load_var)} kvar`],
    [trans.__("Losses"), `${kilo(totals.loss_w)} kW`],
    [trans.__("Lowest voltage"), terminal(lowest)],
    [trans.__("Highest voltage"), terminal(highest)],
    ...(most_unbalanced === undefined
      ? []
      : [
          [
            trans.__("Largest unbalance"),
            trans.__("%1 % at %2", formatUpTo(100 * most_unbalanced.vuf, 2), most_unbalanced.bus),
          ] satisfies Fact,
        ]),
    [
      trans.__("Kirchhoff\u2019s law"),
      trans.__("to %1 A at every terminal", formatResidual(certificate.kcl_residual_a)),
    ],
    [
      trans.__("Solved"),
      trans._n(
        "%2 iteration, %3 ms",
        "%2 iterations, %3 ms",
        result.iterations,
        formatCount(result.iterations),
        solve_ms.toFixed(0),
      ),
    ],
    ...(result.options.source_impedance === "branch"
      ? [[trans.__("Source impedance"), trans.__("solved as a branch, exact")] satisfies Fact]
      : []),
    ...(held_controls.length === 0
      ? []
      : [[trans.__("Controls"), trans.__("held as written: %1", held_controls.join(", "))] satisfies Fact]),
    ...(not_supplied.length === 0 ? [] : [[trans.__("Not supplied"), not_supplied.join(", ")] satisfies Fact]),
  ];
}
