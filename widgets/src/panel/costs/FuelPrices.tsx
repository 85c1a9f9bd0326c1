import { type ReactElement, useMemo, useState } from "react";
import {
  capitalised,
  energySourceWord,
  formatCount,
  formatPower,
  formatPrice,
  formatUpTo,
  parseNumber,
  parsePower,
  trans,
} from "../../text/index.ts";
import {
  type CaseSession,
  type FuelCost,
  fuelCosts,
  type FuelMode,
  FuelSlider,
  type SessionChange,
} from "../../workspace/index.ts";
import { useSession } from "../../ui/useSignal.ts";
import { SliderEntry } from "../sections/SliderEntry.tsx";

const FOLLOWED: readonly SessionChange[] = ["state", "status", "preview", "mode"];
/** Decimals of a factor. */
const FACTOR_DECIMALS = 4;

/**
 * A slider for the cost of each fuel, as a change in $/MWh or a factor: the cost of all its generators, committed as one
 * change on release.
 */
export function FuelPrices({ session }: { session: CaseSession }): ReactElement {
  useSession(session, FOLLOWED);
  const [mode, setMode] = useState<FuelMode>("change");
  const { opened, live, capabilities, previewMode, editsPreview } = session;
  const fuels = useMemo(() => fuelCosts(opened, live.edits), [opened, live.edits]);
  const isExact = capabilities.has("paths") && previewMode === "exact";
  const hint = isExact
    ? trans.__("Every position is solved exactly.")
    : editsPreview.refused
      ? trans.__("No preview; results follow on release.")
      : trans.__("While dragging the prices are a linear estimate; the exact result follows on release.");
  return (
    <div className="wb-FuelPrices" role="group" aria-label={trans.__("Fuel prices")}>
      <select
        aria-label={trans.__("How fuel prices change")}
        value={mode}
        onChange={({ target }) => setMode(target.value === "factor" ? "factor" : "change")}
      >
        <option value="change">{trans.__("Change of cost, $/MWh")}</option>
        <option value="factor">{trans.__("Factor of cost")}</option>
      </select>
      <ul>
        {fuels.map((fuel) => (
          <FuelRow key={`${fuel.source} ${mode}`} session={session} fuel={fuel} mode={mode} />
        ))}
      </ul>
      <p className="wb-Panel-hint">
        {hint}{" "}
        {fuels.some(({ curves }) => curves > 0)
          ? trans.__("A cost curve counts with its mean marginal cost between Pmin and Pmax, which replaces it.")
          : ""}
      </p>
    </div>
  );
}

/** The slider, the typed entry and the reset of one fuel. */
function FuelRow({ session, fuel, mode }: { session: CaseSession; fuel: FuelCost; mode: FuelMode }): ReactElement {
  const [moving, setMoving] = useState<number | null>(null);
  const { source, units, assumed, baseCost } = fuel;
  const slider = useMemo(() => new FuelSlider(session, source, mode, setMoving), [session, source, mode]);
  const common = fuel[mode];
  const at = moving ?? slider.committed;
  const name = energySourceWord(source);
  const shown = mode === "change" ? formatPrice(at, { signed: true }) : formatUpTo(at, FACTOR_DECIMALS);
  const disabled = !session.showsLive;
  const label =
    mode === "change" ? trans.__("Change of the cost of %1, $/MWh", name) : trans.__("Factor of the cost of %1", name);
  const [size, total, cost] = [units.length, formatCount(units.length), formatPower(baseCost, "$/MWh")];
  const count = assumed
    ? trans._n("%2 generator, typical cost %3", "%2 generators, typical costs, %3 on average", size, total, cost)
    : trans._n("%2 generator, %3 on average", "%2 generators, %3 on average", size, total, cost);
  return (
    <li data-fuel={source}>
      <div className="wb-FuelPrices-head">
        <span>{capitalised(name)}</span>
        <span className="wb-unit">{common === null ? trans.__("%1, changed one by one", count) : count}</span>
      </div>
      <div className="wb-SliderEntry">
        <SliderEntry
          slider={slider}
          moving={moving}
          label={label}
          disabled={disabled}
          shown={common === null && moving === null ? "" : shown}
          spoken={mode === "change" ? formatPower(at, "$/MWh", { signed: true }) : trans.__("times %1", shown)}
          parse={(text) => (mode === "change" ? parsePower(text, "$/MWh") : parseNumber(text))}
        />
        <button
          type="button"
          className="wb-Button"
          disabled={disabled || (fuel.change === 0 && moving === null)}
          aria-label={trans.__("Reset the cost of %1", name)}
          onClick={() => void slider.commit(mode === "change" ? 0 : 1)}
        >
          {trans.__("Reset")}
        </button>
      </div>
    </li>
  );
}
