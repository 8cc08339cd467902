import { expect, test } from 'vitest';
import type { LoadForecast } from '../api/cluster-types.ts';
import { enPages } from '../texts/en/pages.ts';
import { addTexts, text } from '../texts/texts.ts';
import { bandText, type ExpectedHour, peakOf, verdictText } from './forecast-words.ts';
import { hostForecastPath } from './forecasts-without-plan.ts';

addTexts(enPages);

const hour = (hours: number, expected: number, spread = 5): ExpectedHour => ({
  from: new Date(2026, 8, 2, hours).toISOString(),
  low: expected - spread,
  expected,
  high: expected + spread,
  samples: 12,
  text: '',
});

const forecast = (season: 'day' | 'week' | null, verdict: 'won' | 'lost' | 'short', hours = [hour(9, 70)]) =>
  ({ season, backtest: { verdict }, history_days: 12, hours }) as LoadForecast;

test('the peak is the earliest hour with the highest expected load', () => {
  const hours = [hour(8, 40), hour(9, 77), hour(10, 77), hour(11, 50)];
  expect(peakOf(hours)).toBe(hours[1]);
  expect(peakOf([])).toBeUndefined();
});

test('a band has its time of day, and one number without width', () => {
  expect(bandText(hour(9, 82, 11))).toBe('71 to 93\u00a0% at 09:00');
  expect(bandText(hour(13, 50, 0))).toBe('50\u00a0% at 13:00');
});

test('the verdict names the data behind a forecast, or why the last value is used', () => {
  expect(verdictText(forecast('day', 'won'))).toBe(text('forecast.used.day', { count: 12 }));
  expect(verdictText(forecast('week', 'won'))).toBe(text('forecast.used.week', { count: 12 }));
  expect(verdictText(forecast(null, 'short'))).toBe(text('forecast.short', { count: 12 }));
  const ofOneDay = { ...forecast(null, 'short'), history_days: 1 };
  expect(verdictText(ofOneDay)).toBe(text('forecast.short', { count: 1 }));
  expect(verdictText(ofOneDay)).not.toContain('days');
  expect(verdictText(forecast(null, 'lost'))).toBe(text('forecast.lost'));
  expect(verdictText(forecast(null, 'short', []))).toBe(text('forecast.unmeasured'));
});

test('names of hosts are escaped in the path', () => {
  expect(hostForecastPath('rack 1/c?')).toBe('forecasts/hosts/rack%201%2Fc%3F?hours=24');
});
