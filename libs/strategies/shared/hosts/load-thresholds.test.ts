import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '#libs/domain';
import { checkedThresholds, thresholdsAbove } from './load-thresholds.ts';

describe('thresholds of load', () => {
  it('have a dead band between filling and repair at every target', () => {
    expect(thresholdsAbove(80)).toEqual({ target: 80, relief: 85, hot: 90, noise: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (percent) => {
        const { target, relief, hot, noise } = thresholdsAbove(percent);
        expect(target + noise).toBeLessThan(relief);
        expect(relief + noise).toBeLessThan(hot);
        expect(hot).toBeLessThan(100);
      }),
    );
  });

  it('are those of Watcher at a target of 100 %', () => {
    expect(thresholdsAbove(100)).toEqual({ target: 100, relief: 100, hot: 100, noise: 0 });
  });

  it.each([
    { target: 80, relief: 75, hot: 82, noise: 2 },
    { target: 80, relief: 82, hot: 90, noise: 2 },
    { target: 80, relief: 85, hot: 86, noise: 2 },
    { target: 80, relief: 85, hot: 101, noise: 2 },
  ])('are refused in a wrong order: %o', (thresholds) => {
    expect(() => checkedThresholds(thresholds)).toThrow(InvalidInputError);
  });
});
