import { expect, test } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { schemaViolation } from './schema-violation.ts';

const schemaOf = (maximum: number): JsonObject => ({
  type: 'object',
  properties: { share: { type: 'number', maximum, default: 1 } },
});

test('a cached schema gives the same result as at first, with and without defaults', () => {
  for (const _time of [1, 2]) {
    const [plain, filled] = [{}, {}];
    expect(schemaViolation(schemaOf(5), plain, { useDefaults: false })).toBeNull();
    expect(schemaViolation(schemaOf(5), filled, { useDefaults: true })).toBeNull();
    expect([plain, filled]).toEqual([{}, { share: 1 }]);
    const text = schemaViolation(schemaOf(5), { share: 6 }, { useDefaults: true });
    expect(text?.split('\n')[0]).toBe('6 is greater than the maximum of 5');
  }
});

test('the cache keeps schemas distinct beyond its size', () => {
  const violations = [...Array.from({ length: 62 }, (_, index) => index + 1), 1, 62].map((maximum) =>
    schemaViolation(schemaOf(maximum), { share: 100 }, { useDefaults: false })?.split('\n').at(0),
  );
  expect(violations.slice(-2)).toEqual([
    '100 is greater than the maximum of 1',
    '100 is greater than the maximum of 62',
  ]);
  expect(new Set(violations).size).toBe(62);
});
