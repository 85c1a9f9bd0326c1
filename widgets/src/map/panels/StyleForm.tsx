import { MAP_CHOICES, MAP_SIZES } from "@service/engine";
import { type ReactElement, useReducer } from "react";
import { trans } from "../../text/index.ts";
import { Box, Choice, NumberEntry, Row } from "../../ui/Fields.tsx";
import { useSignal } from "../../ui/useSignal.ts";
import type { CaseSession } from "../../workspace/index.ts";
import { COLOUR_MAP_NAMES, colourMapLabel } from "../colour/colourMaps.ts";
import type { LegendRange } from "../colour/legendRange.ts";
import { GROUND_CHOICES, type GroundChoice, mapSettings } from "../ground/mapSettings.ts";
import type { MapOverlays } from "../overlay/mapOverlays.ts";
import type { MapStyle } from "../style/mapStyle.ts";
import { BasemapRows } from "../userBasemap/BasemapRows.tsx";
import type { ChosenBasemap } from "../userBasemap/chosenBasemap.ts";
import type { MapForm } from "./mapDialog.tsx";

/** Objects and actions of the form. */
export interface StyleFormParts {
  readonly session: CaseSession;
  readonly basemap: ChosenBasemap;
  readonly overlays: MapOverlays;
  style(): MapStyle;
  /** Applies a change of the style. */
  change(part: Partial<MapStyle>): void;
  /** The present range of the buses' colours, and its unit. */
  range(): { range: LegendRange | null; unit: string };
}

/** With more categories than this there are no checkboxes. */
const MOST_BOXES = 40;

/** Layers and style of one map: what is drawn, and how. The picture follows every change at once. */
export function styleForm(parts: StyleFormParts): MapForm {
  return { title: trans.__("Layers and style"), draw: () => <StyleForm {...parts} /> };
}

function StyleForm({ session, basemap, overlays, ...parts }: StyleFormParts): ReactElement {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const style = parts.style();
  const change = (part: Partial<MapStyle>): void => {
    parts.change(part);
    redraw();
  };
  return (
    <>
      <Layers session={session} overlays={overlays} style={style} change={change} />
      <Colours style={style} change={change} {...parts.range()} />
      <Sizes style={style} change={change} />
      <h4>{trans.__("All maps")}</h4>
      <BasemapRows chosen={basemap} />
      <Choice
        label={trans.__("Basemap drawn by")}
        all={GROUND_CHOICES}
        chosen={mapSettings.ground}
        words={groundLabel}
        take={(ground) => {
          mapSettings.ground = ground;
          redraw();
        }}
      />
    </>
  );
}

interface PartProps {
  style: MapStyle;
  change: (part: Partial<MapStyle>) => void;
}

function Layers(props: PartProps & { session: CaseSession; overlays: MapOverlays }): ReactElement {
  const { session, overlays, style, change } = props;
  useSignal(overlays.changed);
  const { buses } = session.opened;
  const kinds = (values: readonly (number | null)[]): number[] =>
    [...new Set(values)].filter((value) => value !== null).sort((a, b) => a - b);
  return (
    <>
      <h4>{trans.__("Layers")}</h4>
      <Choice
        label={trans.__("Values")}
        all={MAP_CHOICES.surface}
        chosen={style.surface}
        words={surfaceLabel}
        take={(surface) => change({ surface })}
      />
      <Choice
        label={trans.__("Generators")}
        all={MAP_CHOICES.generators}
        chosen={style.generators}
        words={generatorsLabel}
        take={(generators) => change({ generators })}
      />
      {overlays.all.map(({ name, color }) => (
        <div key={name} className="wb-Form-row">
          <Box
            label={name}
            mark={<i className="wb-Form-swatch" aria-hidden style={{ background: color }} />}
            on={overlays.isShown(name)}
            take={(on) => overlays.show(name, on)}
          />
          <button
            type="button"
            className="wb-Button"
            aria-label={trans.__("Remove the layer %1", name)}
            onClick={() => overlays.remove(name)}
          >
            {trans.__("Remove")}
          </button>
        </div>
      ))}
      <Categories
        title={trans.__("Voltage levels")}
        all={kinds(buses.map(({ base_kv }) => base_kv)).toReversed()}
        chosen={style.levels}
        take={(levels) => change({ levels })}
        unit=" kV"
      />
      <Categories
        title={trans.__("Areas")}
        all={kinds(buses.map(({ area }) => area))}
        chosen={style.areas}
        take={(areas) => change({ areas })}
      />
      <Categories
        title={trans.__("Zones")}
        all={kinds(buses.map(({ zone }) => zone))}
        chosen={style.zones}
        take={(zones) => change({ zones })}
      />
    </>
  );
}

interface CategoriesProps {
  title: string;
  all: readonly number[];
  /** `null` shows all. */
  chosen: readonly number[] | null;
  take: (chosen: readonly number[] | null) => void;
  unit?: string;
}

/** A checkbox for each category. At least one is shown: with none checked all are. */
function Categories({ title, all, chosen, take, unit = "" }: CategoriesProps): ReactElement | null {
  if (all.length < 2 || all.length > MOST_BOXES) {
    return null;
  }
  const isShown = (one: number): boolean => chosen === null || chosen.includes(one);
  const toggle = (changed: number, on: boolean): void => {
    const shown = all.filter((one) => (one === changed ? on : isShown(one)));
    take(shown.length === 0 || shown.length === all.length ? null : shown);
  };
  return (
    <fieldset className="wb-Form-boxes">
      <legend>{title}</legend>
      {all.map((one) => (
        <Box key={one} label={`${one}${unit}`} on={isShown(one)} take={(on) => toggle(one, on)} />
      ))}
    </fieldset>
  );
}

function Colours(props: PartProps & { range: LegendRange | null; unit: string }): ReactElement {
  const { style, change, range, unit } = props;
  return (
    <>
      <h4>{trans.__("Colours")}</h4>
      <Choice
        label={trans.__("Palette")}
        all={COLOUR_MAP_NAMES}
        chosen={style.cmap}
        words={colourMapLabel}
        take={(cmap) => change({ cmap })}
      />
      <Choice
        label={trans.__("Range")}
        all={MAP_CHOICES.range}
        chosen={style.range}
        words={rangeLabel}
        take={(chosen) =>
          change(
            chosen === "fixed"
              ? { range: chosen, vmin: range?.low ?? null, vmax: range?.high ?? null }
              : { range: chosen },
          )
        }
      />
      {style.range !== "fixed" ? null : (
        <Row label={unit === "" ? trans.__("From, to") : trans.__("From, to (%1)", unit)}>
          <NumberEntry
            label={trans.__("Lower end")}
            value={style.vmin ?? range?.low ?? null}
            take={(vmin) => change({ vmin })}
          />
          <NumberEntry
            label={trans.__("Upper end")}
            value={style.vmax ?? range?.high ?? null}
            take={(vmax) => change({ vmax })}
          />
        </Row>
      )}
      <Box label={trans.__("Keep the present range")} on={style.locked} take={(locked) => change({ locked })} />
      <Box label={trans.__("Log scale")} on={style.log} take={(log) => change({ log })} />
    </>
  );
}

function Sizes({ style, change }: PartProps): ReactElement {
  return (
    <>
      <h4>{trans.__("Sizes")}</h4>
      <Choice
        label={trans.__("Line width by")}
        all={MAP_CHOICES.width}
        chosen={style.width}
        words={widthLabel}
        take={(width) => change({ width })}
      />
      <Factor label={trans.__("Buses")} factor={style.busSize} take={(busSize) => change({ busSize })} />
      <Factor label={trans.__("Lines")} factor={style.lineSize} take={(lineSize) => change({ lineSize })} />
    </>
  );
}

interface FactorProps {
  label: string;
  factor: number;
  take: (factor: number) => void;
}

/** A slider for a factor, in equal ratios with 1 in the middle. */
function Factor({ label, factor, take }: FactorProps): ReactElement {
  const most = Math.log2(MAP_SIZES.high);
  const text = trans.__("\u00d7%1", factor.toPrecision(2));
  return (
    <Row label={label}>
      <input
        type="range"
        min={-most}
        max={most}
        step={0.25}
        aria-label={label}
        aria-valuetext={text}
        value={Math.log2(factor)}
        onChange={({ target }) => take(2 ** Number(target.value))}
      />
      {/* The slider announces its own value. */}
      <output aria-live="off">{text}</output>
    </Row>
  );
}

function surfaceLabel(surface: MapStyle["surface"]): string {
  return surface === "dots" ? trans.__("Dots") : trans.__("Contours");
}

function generatorsLabel(colour: MapStyle["generators"]): string {
  switch (colour) {
    case "none":
      return trans.__("Hidden");
    case "fuel":
      return trans.__("By energy source");
    case "cost":
      return trans.__("By marginal cost");
  }
}

function groundLabel(ground: GroundChoice): string {
  switch (ground) {
    case "auto":
      return trans.__("Graphics card, if there is one");
    case "always":
      return trans.__("WebGL");
    case "never":
      return trans.__("Processor");
  }
}

function rangeLabel(range: MapStyle["range"]): string {
  switch (range) {
    case "auto":
      return trans.__("Automatic");
    case "quantile":
      return trans.__("5th to 95th percentile");
    case "fixed":
      return trans.__("Fixed");
  }
}

function widthLabel(width: MapStyle["width"]): string {
  switch (width) {
    case "class":
      return trans.__("Loading class");
    case "rating":
      return trans.__("Rating");
    case "kv":
      return trans.__("Voltage level");
  }
}
