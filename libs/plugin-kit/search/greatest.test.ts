import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Greatest } from './greatest.ts';

it('knows the first of the greatest numbers after any changes', () => {
  const change = fc.tuple(fc.nat(12), fc.integer({ min: -3, max: 3 }));
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: -2, max: 3 }), (changes, floor) => {
      const greatest = new Greatest(13);
      const values = new Array<number>(13).fill(Number.NEGATIVE_INFINITY);
      for (const [row, value] of changes) {
        greatest.set(row, value);
        values[row] = value;
      }
      const most = Math.max(...values);

      expect(greatest.row(floor)).toBe(most > floor ? values.indexOf(most) : -1);
      for (const [row, value] of values.entries()) expect(greatest.of(row)).toBe(value);
    }),
  );
});

it('holds no row where there are none', () => {
  expect(new Greatest(0).row(0)).toBe(-1);
});
