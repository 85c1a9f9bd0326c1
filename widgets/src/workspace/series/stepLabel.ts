import { formatCount, trans } from "../../text/index.ts";
import type { SolvedSeries } from "./solvedSeries.ts";

/** A time as ISO 8601 writes it, with or without seconds and zone: the clock of the case, whatever that of the page is. */
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A series of more hours than this names the day of the month too. */
const WEEK = 168;

/** The label of a step for people: weekday and hour of a time, any other label as it is. */
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

/** Steps between two ticks of an axis: hours, days, weeks and months of hours. */
const STRIDES = [1, 2, 3, 6, 12, 24, 48, 168, 336, 730, 1460, 2190];
/** Ticks that have room on an axis. */
const MOST_TICKS = 6;

/** Ticks of an axis of steps, which count from 1: dates of a long series, weekday and hour of a short one, other labels as they are. */
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

/** A step in a sentence: its number, its time, and that it is exact. */
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
