import { afterAll, beforeAll, expect, test } from 'vitest';
import { observeOutage } from './observe-outage.ts';
import { type OutageStack, startOutageStack } from './outage-stack.ts';

let stack: OutageStack;
beforeAll(async () => {
  stack = await startOutageStack();
});
afterAll(() => stack?.stop());

/** One cell of the matrix. `npm run test:outages` runs the whole matrix. */
test('while PostgreSQL is unavailable clients get a Retry-After, and unfinished work ends after it', {
  timeout: 300_000,
}, async () => {
  const seen = await observeOutage(stack, { outage: 'postgresql', manner: 'stopped', forMs: 5000, untilHeld: true });
  expect(seen).toMatchObject({ read: 503, write: 503, named: 'PostgreSQL', hasRetryAfter: true });
  expect(seen).toMatchObject({ engineOpen: false, applierOpen: false, audit: 'SUCCEEDED', plan: 'SUCCEEDED' });
});
