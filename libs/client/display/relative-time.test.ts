import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

test.each([
  [-10, 'just now'],
  [45, 'in a moment'],
  [-60, '1 minute ago'],
  [59.4 * 60, 'in 59 minutes'],
  [59.6 * 60, 'in 1 hour'],
  [-25 * 3600, 'yesterday'],
])('%s seconds from now is %s', (seconds, text) => {
  expect(relativeTime(seconds * 1000, 0)).toBe(text);
});
