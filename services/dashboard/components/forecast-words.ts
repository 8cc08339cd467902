import { madeOnce } from '#libs/client';
import type { LoadForecast } from '../api/cluster-types.ts';
import { text } from '../texts/texts.ts';
import { roundedText, wholePercent } from './number-text.ts';
import { timeLocale } from './time.tsx';

/** Percent of a host from which an expected load counts as high, as `full_at` of forecasts has it by default. */
export const highLoad = 80;

/** One expected hour. Numbers are percent. */
export type ExpectedHour = LoadForecast['hours'][number];

/** The hour with the highest expected load, the earliest of equal ones. Undefined if no load is known. */
export function peakOf(hours: readonly ExpectedHour[]): ExpectedHour | undefined {
  return hours.reduce<ExpectedHour | undefined>(
    (peak, hour) => (peak === undefined || hour.expected > peak.expected ? hour : peak),
    undefined,
  );
}

/** The band of an hour with its time of day, such as `71 to 93 % at 09:00`. A band without width is one number. */
export function bandText({ low, high, from }: ExpectedHour): string {
  const [least, most] = [roundedText(low), wholePercent(high)];
  const band = wholePercent(low) === most ? most : text('forecast.band', { low: least, high: most });
  return text('forecast.bandAt', { band, time: hourFormat(timeLocale()).format(new Date(from)) });
}

/** Whether the forecast is used, and the data behind it, as a sentence. */
export function verdictText({ season, backtest, history_days: days, hours }: LoadForecast): string {
  if (hours.length === 0) return text('forecast.unmeasured');
  if (season !== null) return text(`forecast.used.${season}`, { count: days });
  return backtest.verdict === 'short' ? text('forecast.short', { count: days }) : text('forecast.lost');
}

function hourFormat(locale: string): Intl.DateTimeFormat {
  return madeOnce(
    `hour:${locale}`,
    () => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  );
}
