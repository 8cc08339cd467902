import { nearestHint } from '#libs/domain';
import { fullText, type TimeUntilFull, type Trend, trendText } from '#libs/forecast';
import { type CapacityForecastResponse, type LoadForecastResponse, type RpcRefusal, refuse } from '#libs/messaging';

/** A trend in responses. Numbers are set only where a trend exists. */
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

/** The time until a limit in responses. `limit` names it, such as `80 %`. */
export function fullBody(time: TimeUntilFull, limit: string): LoadForecastResponse['full'] {
  const { verdict, days, lowDays, highDays } = time;
  return { verdict, days, low_days: lowDays, high_days: highDays, text: fullText(time, limit) };
}

/** Rounds to two decimals. */
export function rounded2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The part of the response that depends on the kind of the object. */
export type CapacityPart = Pick<
  CapacityForecastResponse,
  'id' | 'name' | 'hosts' | 'history_days' | 'places' | 'is_exact' | 'parts' | 'resources' | 'full'
>;

/** Refuses an unknown name, with the nearest known one. */
export function unknownPart(kind: 'aggregate' | 'flavor', id: string, names: Iterable<string>): RpcRefusal {
  const hint = nearestHint(id, names);
  return refuse(`${kind}_not_found`, `there is no ${kind} ${id}${hint}`);
}

/** Number of days with a mean. A day without one is NaN. */
export function measuredDays(means: Float64Array): number {
  let days = 0;
  for (const mean of means) if (!Number.isNaN(mean)) days += 1;
  return days;
}
