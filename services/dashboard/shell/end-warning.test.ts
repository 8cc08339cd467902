import { expect, test } from 'vitest';
import { nextCheckMs, warningOf } from './end-warning.ts';

const known = { left: 3600, endsIn: 20_000, idle: 3600, at: 1000 };

test('a warning shows two minutes before a session ends, and the server is queried when it is due', () => {
  expect(warningOf(known, 1000)).toBeNull();
  expect(nextCheckMs(known, 1000)).toBe(3480_000);
  expect(warningOf(known, 1000 + 3480_000)).toEqual({ kind: 'idle', seconds: 120 });
  expect(nextCheckMs(known, 1000 + 3590_000)).toBe(10_000);
  expect(nextCheckMs(known, 1000 + 3599_000)).toBe(2500);
  expect(warningOf(known, 1000 + 3605_000)).toEqual({ kind: 'idle', seconds: 0 });
});

test('a short idle timeout warns at its half, the end of the sign-in has another warning, and a session without end never warns', () => {
  expect(warningOf({ ...known, left: 16, idle: 30 }, 1000)).toBeNull();
  expect(warningOf({ ...known, left: 15, idle: 30 }, 1000)?.kind).toBe('idle');
  expect(warningOf({ ...known, left: 90, endsIn: 90 }, 1000)).toEqual({ kind: 'end', seconds: 90 });
  expect(nextCheckMs({ left: null, endsIn: null, idle: null, at: 0 }, 5)).toBeNull();
  expect(warningOf({ left: null, endsIn: null, idle: null, at: 0 }, 5)).toBeNull();
});
