import { formatCount, trans } from "../../text/index.ts";
import type { SolvedSeries } from "./solvedSeries.ts";

/**
 * An ISO 8601 time, with or without seconds and zone. It is read in the clock of the case, whatever that of the page
 * is.
 */
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Series with more hours than this also show the day of the month. */
const WEEK = 168;

/** The display label of a step: weekday and hour of a time, any other label unchanged. */
export function stepTime(label: string, steps: number): string {
  const parts = TIME.exec(label.trim());
  if (parts === null) {
    return label;
  }
  const [, year, month, day, hour = "00", minute = "00"] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const weekday = weekdays()[date.getUTCDay()] ?? "";
  const time = `${hour}:${minute}`;
  return steps > WEEK
    ? trans.__("%1 %2-%3, %4", weekday, month ?? "", day ?? "", time)
    : trans.__("%1 %2", weekday, time);
}

/** Possible numbers of steps between two ticks of an axis: hours, days, weeks and months of hours. */
const STRIDES = [1, 2, 3, 6, 12, 24, 48, 168, 336, 730, 1460, 2190];
/** Maximum number of ticks on an axis. */
const MOST_TICKS = 6;

/**
 * Ticks of an axis of steps, which count from 1: dates of a long series, weekday and hour of a short one, other labels
 * unchanged.
 */
export function stepTicks(steps: readonly string[]): { at: number; text: string }[] {
  const { length } = steps;
  const stride = STRIDES.find((one) => one * MOST_TICKS >= length) ?? Math.ceil(length / MOST_TICKS);
  const first = steps.findIndex((label) => stride < 24 || (TIME.exec(label.trim())?.[4] ?? "00") === "00");
  const ticks: { at: number; text: string }[] = [];
  for (let step = Math.max(0, first); step < length; step += stride) {
    const label = steps[step] ?? "";
    const [, , month = "", day = ""] = TIME.exec(label.trim()) ?? [];
    ticks.push({ at: step + 1, text: length > WEEK && month !== "" ? `${month}-${day}` : stepTime(label, 0) });
  }
  return ticks;
}

/** A sentence about a step: its number, its time, and that it is exact. */
export function stepSentence(series: SolvedSeries, step: number): string {
  const { steps } = series.profile;
  const [number, count] = [formatCount(step + 1), formatCount(steps.length)];
  const time = stepTime(steps[step] ?? "", steps.length);
  return series.error(step) === null
    ? trans.__("Step %1 of %2, %3, exact", number, count, time)
    : trans.__("Step %1 of %2, %3: no solution", number, count, time);
}

function weekdays(): string[] {
  return [
    trans.__("Sun"),
    trans.__("Mon"),
    trans.__("Tue"),
    trans.__("Wed"),
    trans.__("Thu"),
    trans.__("Fri"),
    trans.__("Sat"),
  ];
}
