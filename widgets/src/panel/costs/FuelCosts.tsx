import type { FuelUnits, GivenCost } from "@service/engine";
import { type ReactElement, useEffect, useState } from "react";
import { errorText, formatCount, formatMw, formatPrice, trans } from "../../text/index.ts";
import type { IWorkspace, OpenedCase } from "../../workspace/index.ts";

interface FuelCostsProps {
  opened: OpenedCase;
  workspace: IWorkspace;
  busy: boolean;
  give(costs: readonly GivenCost[]): void;
}

/** A table of fuels with fields for their costs; generators of a fuel without a typed cost do not change. */
export function FuelCosts({ opened, workspace, busy, give }: FuelCostsProps): ReactElement {
  const [fuels, setFuels] = useState<readonly FuelUnits[]>([]);
  const [problem, setProblem] = useState("");
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let gone = false;
    workspace.unitsByFuel(opened).then(
      (found) => !gone && setFuels(found),
      (error: unknown) => !gone && setProblem(errorText(error)),
    );
    return () => void (gone = true);
  }, [workspace, opened]);
  const costs = [...typed].filter(([, text]) => text.trim() !== "");
  const wrong = costs.some(([, text]) => costOf(text) === null);
  const given = costs.flatMap(([fuel, text]): GivenCost[] => {
    const c1 = costOf(text);
    return c1 === null ? [] : [{ fuel, c1 }];
  });
  return (
    <form
      className="wb-Costs-form"
      onSubmit={(event) => {
        event.preventDefault();
        give(given);
      }}
    >
      {problem === "" ? null : <p className="wb-mod-failed">{problem}</p>}
      <table aria-label={trans.__("Costs by fuel")}>
        <thead>
          <tr>
            <th scope="col">{trans.__("Fuel")}</th>
            <th scope="col">{trans.__("Typical, $/MWh")}</th>
            <th scope="col">{trans.__("Cost, $/MWh")}</th>
          </tr>
        </thead>
        <tbody>
          {fuels.map(({ fuel, units, p_max_mw, typical }) => {
            const text = typed.get(fuel) ?? "";
            return (
              <tr key={fuel}>
                <th scope="row">
                  {fuelName(fuel)}
                  <span className="wb-unit">
                    {trans._n("%2 unit, %3 MW", "%2 units, %3 MW", units, formatCount(units), formatMw(p_max_mw))}
                  </span>
                </th>
                <td>{formatPrice(typical)}</td>
                <td>
                  <input
                    type="text"
                    inputMode="decimal"
                    className="wb-Entry"
                    value={text}
                    aria-label={trans.__("Cost of %1, $/MWh", fuelName(fuel))}
                    aria-invalid={text.trim() !== "" && costOf(text) === null}
                    onChange={({ target }) => setTyped(new Map(typed).set(fuel, target.value))}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <button type="submit" className="wb-Button" disabled={busy || wrong || given.length === 0}>
        {trans.__("Set these costs")}
      </button>
      <p className="wb-Panel-hint">
        {trans.__(
          "Fuels without a cost keep what they have. Costs by unit: drop a CSV file with the columns generator and cost.",
        )}
      </p>
    </form>
  );
}

/** A fuel in words. */
function fuelName(fuel: string): string {
  return fuel === "unknown" ? trans.__("unknown") : fuel;
}

/** A typed cost, $/MWh; null if it is not a number. */
function costOf(text: string): number | null {
  const plain = text.trim().replace(",", ".").replace("\u2212", "-");
  const number = Number(plain);
  return plain !== "" && Number.isFinite(number) ? number : null;
}
