import { expect, test } from 'vitest';
import { findFreePorts, lowestGivenPort } from './free-ports.ts';

test('free ports differ, and are outside the ephemeral range', async () => {
  const ports = await findFreePorts(50);
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(lowestGivenPort() ?? 65_536);
});
