import { describe, expect, it } from 'vitest';
import {
  busyLoad,
  daysUntilFull,
  expectationText,
  forecastSeries,
  fullText,
  type HourlySeries,
  hourlySeries,
  hourMs,
  trendText,
  verdictText,
} from './index.ts';

/** Monday, midnight. */
const startMs = Date.UTC(2026, 0, 5);

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Nearly normal, with a deviation of 1. */
function noise(random: () => number): number {
  return Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, 0) - 6;
}

const isWeekend = (hour: number) => Math.floor(hour / 24) % 7 >= 5;
const ofDay = (hour: number) => 40 + 30 * Math.sin(((hour % 24) / 24) * 2 * Math.PI);
const ofWeek = (hour: number) => (isWeekend(hour) ? 15 : ofDay(hour));

function world(days: number, load: (hour: number, random: () => number) => number, seed = 1): HourlySeries {
  const random = seeded(seed);
  return { startMs, values: Float64Array.from({ length: days * 24 }, (_, hour) => Math.max(0, load(hour, random))) };
}

const seeds = [1, 2, 3, 4, 5];

describe('a load with a season', () => {
  it.each(seeds)('of a day is forecast from earlier days, in its band (seed %i)', (seed) => {
    const load = (hour: number, random: () => number) => ofDay(hour) + 3 * noise(random);
    const whole = world(22, load, seed);
    const forecast = forecastSeries({ startMs, values: whole.values.subarray(0, 21 * 24) }, { hours: 24, most: 100 });

    expect(forecast).toMatchObject({ season: 'day', days: 21, measuredHours: 504, backtest: { verdict: 'won' } });
    expect(forecast.hours).toHaveLength(24);
    expect(forecast.hours[0]?.fromMs).toBe(startMs + 21 * 24 * hourMs);
    const inBand = forecast.hours.filter(({ low, high }, hour) => {
      const actual = whole.values[21 * 24 + hour] as number;
      return low <= actual && actual <= high;
    });
    expect(inBand.length).toBeGreaterThanOrEqual(15);
    for (const [hour, { middle, samples }] of forecast.hours.entries()) {
      expect(Math.abs(middle - ofDay(hour))).toBeLessThan(5);
      expect(samples).toBe(21);
    }
  });

  it('of a week is forecast from the same weekdays', () => {
    const known = world(28, (hour, random) => ofWeek(hour) + noise(random));
    const { season, hours } = forecastSeries(known, { hours: 168, most: 100 });
    expect(season).toBe('week');
    for (const [hour, { middle }] of hours.entries()) expect(Math.abs(middle - ofWeek(hour))).toBeLessThan(4);
    const monday = hours[9];
    expect(monday && expectationText(monday, season)).toMatch(/^expected \d+ to \d+ % at 09:00 UTC, from 4 Mondays$/);
  });

  it('survives gaps, and reports the number of values of an hour', () => {
    const known = world(21, (hour, random) => ofDay(hour) + noise(random));
    // Every third day is missing at 9, and one whole day.
    for (let day = 0; day < 21; day += 3) known.values[day * 24 + 9] = Number.NaN;
    known.values.fill(Number.NaN, 100, 124);
    const { season, hours, backtest } = forecastSeries(known, { hours: 24 });
    expect(season).toBe('day');
    expect(backtest.tried).toBeGreaterThan(200);
    expect(hours[9]?.samples).toBe(13);
    expect(expectationText(hours[9] as never, season)).toMatch(/ at 09:00 UTC, from 13 mornings$/);
  });

  it('widens bands that were too narrow on the past', () => {
    // The last days have twice the noise of the days before.
    const known = world(28, (hour, random) => ofDay(hour) + (hour < 14 * 24 ? 0.5 : 6) * noise(random));
    const { backtest, hours } = forecastSeries(known, { hours: 24 });
    expect(backtest.coverage).toBeLessThan(0.8);
    expect(backtest.widening).toBeGreaterThan(0);
    expect((hours[0]?.high ?? 0) - (hours[0]?.low ?? 0)).toBeGreaterThan(2 * backtest.widening);
  });
});

describe('a load without a season', () => {
  it.each(seeds)('keeps its last value when it wanders (seed %i)', (seed) => {
    let level = 50;
    const known = world(
      28,
      (_, random) => {
        level = Math.min(95, Math.max(5, level + noise(random)));
        return level;
      },
      seed,
    );
    const forecast = forecastSeries(known, { hours: 6, most: 100 });
    expect(forecast).toMatchObject({ season: null, backtest: { verdict: 'lost' } });
    expect(forecast.hours.map(({ middle }) => middle)).toEqual(Array(6).fill(known.values.at(-1)));
    expect(forecast.hours[0]?.high).toBeGreaterThan(known.values.at(-1) as number);
    expect(verdictText(forecast)).toMatch(/^forecast failed its backtest: last value used/);
  });

  it('keeps its last value when it is constant: a forecast cannot be better', () => {
    const forecast = forecastSeries(
      world(28, () => 40),
      { hours: 3 },
    );
    expect(forecast).toMatchObject({ season: null, trend: { verdict: 'none' }, last: 40 });
    expect(forecast.hours[0]).toMatchObject({ low: 40, middle: 40, high: 40, samples: 0 });
    expect(expectationText(forecast.hours[0] as never, null)).toContain('near 40 %');
  });
});

describe('a short history', () => {
  it.each([0, 1, 2, 3])('of %i days is too short: the last value is used', (days) => {
    const forecast = forecastSeries(
      world(days, (hour) => ofDay(hour)),
      { hours: 2 },
    );
    expect(forecast).toMatchObject({ season: null, days, backtest: { verdict: 'short' }, trend: { verdict: 'short' } });
    expect(forecast.hours).toHaveLength(days === 0 ? 0 : 2);
    expect(verdictText(forecast)).toContain('too little history');
  });

  it('of six days with a clear season is enough', () => {
    const known = world(6, (hour, random) => ofDay(hour) + noise(random));
    expect(forecastSeries(known, { hours: 24 }).season).toBe('day');
  });

  it('without a value in the last hours has no last value', () => {
    const known = world(3, () => 10);
    known.values.fill(Number.NaN, 3 * 24 - 3);
    expect(forecastSeries(known, { hours: 2 })).toMatchObject({ last: null, hours: [] });
  });
});

describe('a trend', () => {
  const perDay = 0.8;
  const rising = (hour: number) => 10 + (perDay * hour) / 24;

  it.each(seeds)('in addition to a season is found and continued (seed %i)', (seed) => {
    const load = (hour: number, random: () => number) => rising(hour) + ofWeek(hour) / 4 + noise(random);
    const { trend, hours } = forecastSeries(world(42, load, seed), { hours: 24 });
    expect(trend).toMatchObject({ verdict: 'trend', days: 42 });
    expect(trend.lowPerDay).toBeLessThanOrEqual(trend.perDay);
    expect(trend.highPerDay).toBeGreaterThanOrEqual(trend.perDay);
    expect(Math.abs(trend.perDay - perDay)).toBeLessThan(0.1);
    const expected = rising(42 * 24 + 12) + ofWeek(12) / 4;
    expect(Math.abs((hours[12]?.middle ?? 0) - expected)).toBeLessThan(3);
    expect(trendText(trend)).toMatch(/^trend \+0\.\d\d percentage points a day/);
  });

  it.each(seeds)('is not found in a week that ends on a Sunday, nor in noise (seed %i)', (seed) => {
    const load = (hour: number, random: () => number) => ofWeek(hour) + 3 * noise(random);
    expect(forecastSeries(world(35, load, seed), { hours: 1 }).trend.verdict).toBe('none');
  });

  it('is not found in one step, whose continuation fails its backtest', () => {
    const load = (hour: number, random: () => number) => (hour < 21 * 24 ? 20 : 60) + noise(random);
    expect(forecastSeries(world(42, load), { hours: 1 }).trend.verdict).toBe('none');
  });

  it('needs four weeks', () => {
    expect(forecastSeries(world(27, rising), { hours: 1 }).trend).toMatchObject({ verdict: 'short', perDay: 0 });
    expect(forecastSeries(world(28, rising), { hours: 1 }).trend.verdict).toBe('trend');
  });
});

describe('days until a limit', () => {
  const until = (load: (hour: number, random: () => number) => number, limit: number) => {
    const known = world(42, load);
    return daysUntilFull(busyLoad(known.values), limit, forecastSeries(known, { hours: 1 }).trend);
  };

  it('follow from the trend, with the edges of its interval', () => {
    // 30 + 42 days: busy hours are near 71 of 80, with one point a day.
    const time = until((hour, random) => 30 + hour / 24 + noise(random), 80);
    expect(time.verdict).toBe('days');
    expect(Math.abs((time.days ?? 0) - 8)).toBeLessThanOrEqual(2);
    expect(time.lowDays).toBeLessThanOrEqual(time.days ?? 0);
    expect(time.highDays).toBeGreaterThanOrEqual(time.days ?? 0);
    expect(fullText(time, '80 %')).toMatch(/^80 % in \d+ days \(\d+ to \d+\)$/);
  });

  it.each([
    ['none', (hour: number, random: () => number) => ofWeek(hour) + 3 * noise(random), 90],
    ['falling', (hour: number, random: () => number) => 80 - hour / 24 + noise(random), 90],
    ['full', (hour: number) => 50 + hour / 24, 80],
    ['later', (hour: number) => 10 + hour / 24 / 1000, 90],
    ['unmeasured', () => Number.NaN, 90],
  ] as const)('are null for the verdict %s', (verdict, load, limit) => {
    expect(until(load, limit)).toEqual({ verdict, days: null, lowDays: null, highDays: null });
  });
});

describe('hours of measured points', () => {
  it('are means of the full hours before now', () => {
    const now = startMs + 10.5 * hourMs;
    const at = (hour: number, value: number) => ({ at: startMs + hour * hourMs, value });
    const points = [at(7, 1), at(8, 2), at(8.5, 4), at(9.99, 6), at(10, 100), at(2, 50), at(9.5, Number.NaN)];
    const { startMs: from, values } = hourlySeries(points, now, 4);
    expect(from).toBe(startMs + 6 * hourMs);
    expect([...values]).toEqual([Number.NaN, 1, 3, 6]);
  });
});
