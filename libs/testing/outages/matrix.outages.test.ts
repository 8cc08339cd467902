import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Observation, observeOutage } from './observe-outage.ts';
import { type Manner, type Outage, type OutageStack, startOutageStack } from './outage-stack.ts';
import { outageTable } from './outage-table.ts';

const outages: Outage[] = ['postgresql', 'rabbitmq', 'keystone', 'nova', 'history'];
const manners: Manner[] = ['stopped', 'hung', 'slow'];
const page = 'docs/operations.md';
const marks = ['<!-- failure matrix begins -->', '<!-- failure matrix ends -->'] as const;

let stack: OutageStack;
const seen: Observation[] = [];
beforeAll(async () => {
  stack = await startOutageStack();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  if (seen.length < outages.length * manners.length) return;
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(marks[0]);
  const after = rest.split(marks[1])[1] ?? '';
  writeFileSync(page, `${before}${marks[0]}\n\n${outageTable(seen)}\n${marks[1]}${after}`);
});

describe.each(outages)('%s', (outage) => {
  test.each(manners)('%s: nothing fails because of it', { timeout: 300_000 }, async (manner) => {
    const observation = await observeOutage(stack, { outage, manner, forMs: manner === 'hung' ? 15_000 : 8000 });
    seen.push(observation);
    expect(observation).toMatchObject({ audit: 'SUCCEEDED', plan: 'SUCCEEDED' });
    const closesApi = (outage === 'postgresql' || outage === 'keystone') && manner !== 'slow';
    if (closesApi) expect(observation).toMatchObject({ read: 503, write: 503, hasRetryAfter: true });
    else expect(observation).toMatchObject({ read: 200, write: 201 });
  });
});
