import { describe, expect, it } from 'vitest';
import { isWorth, minutesNearLimit, sumOfWorth, worthNotes, worthSentence } from './load-worth.ts';

describe('minutes near a limit', () => {
  it.each([
    ['all of the time beyond its limit', { excess: 4, share: 1 }, 4, 1440],
    ['half of its excess is gone', { excess: 4, share: 1 }, 2, 720],
    ['a quarter of the time', { excess: 4, share: 0.25 }, 4, 360],
    ['relieved', { excess: 4, share: 1 }, -1, 0],
    ['exactly at its limit', { excess: 0, share: 1 }, 0, 1440],
    ['below its limit from the start', undefined, 3, 0],
  ])('of a host: %s', (_, start, excess, minutes) => {
    expect(minutesNearLimit(start, excess)).toBeCloseTo(minutes);
  });
});

describe('worth of moves', () => {
  const moves = [
    { avoided: 30, price: 9 },
    { avoided: -5, price: 9 },
  ];

  it('is the benefit beyond the price', () => {
    expect(sumOfWorth(moves)).toEqual({ avoided: 25, price: 18 });
    expect(moves.map(isWorth)).toEqual([true, false]);
    expect(isWorth({ avoided: 9, price: 9 })).toBe(false);
  });

  it('appears in reasons and reports with both numbers', () => {
    expect(worthSentence(moves[0]!)).toBe(
      ' It avoids 30 host minutes near a limit within a day, at a price of 9 host minutes.',
    );
    expect(worthSentence(moves[1]!, 'The exchange')).toMatch(/^ The exchange causes 5 host minutes/);
    expect(worthSentence({ avoided: -1e-12, price: 9 })).toContain('avoids 0 host minutes');
    expect(worthNotes({ avoided: 1440, price: 18 }, 2)).toEqual([
      'the plan avoids 1440 host minutes near a limit within a day, at a price of 18 host minutes',
    ]);
    expect(worthNotes({ avoided: 0, price: 0 }, 0)).toEqual([]);
  });
});
