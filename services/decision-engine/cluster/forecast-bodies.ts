import { fullText, type TimeUntilFull, type Trend, trendText } from '#libs/forecast';
import type { LoadForecastResponse } from '#libs/messaging';

/** A trend as responses have it: numbers only where there is one. */
export function trendBody(trend: Trend): LoadForecastResponse['trend'] {
  const { verdict, perDay, lowPerDay, highPerDay, days } = trend;
  const shown = (value: number) => (verdict === 'trend' ? rounded2(value) : null);
  return {
    verdict,
    per_day: shown(perDay),
    low_per_day: shown(lowPerDay),
    high_per_day: shown(highPerDay),
    days,
    text: trendText(trend),
  };
}

/** The time until a limit as responses have it. `limit` names it, such as `80 %`. */
export function fullBody(time: TimeUntilFull, limit: string): LoadForecastResponse['full'] {
  const { verdict, days, lowDays, highDays } = time;
  return { verdict, days, low_days: lowDays, high_days: highDays, text: fullText(time, limit) };
}

/** To two decimals. */
export function rounded2(value: number): number {
  return Math.round(value * 100) / 100;
}
