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
