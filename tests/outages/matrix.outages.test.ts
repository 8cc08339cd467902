import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Observation, observeOutage } from './observe-outage.ts';
import { type Manner, type Outage, type OutageStack, startOutageStack } from './outage-stack.ts';
import { outageTable } from './outage-table.ts';

const outages: Outage[] = ['postgresql', 'rabbitmq', 'keystone', 'nova', 'history'];
const manners: Manner[] = ['stopped', 'refusing', 'hung', 'slow'];
const cells = outages.flatMap((outage) => manners.map((manner) => ({ outage, manner }))).filter(isPossible);
/** A hanging probe fails after 3 to 5 s, and must fail twice. */
const lengthMs = { stopped: 6000, refusing: 6000, hung: 13_000, slow: 5000 };
const page = 'docs/failure-modes.md';
const marks = ['<!-- failure matrix begins -->', '<!-- failure matrix ends -->'] as const;

let stack: OutageStack;
const seen: Observation[] = [];
beforeAll(async () => {
  stack = await startOutageStack();
});
afterAll(async () => {
  await stack?.stop();
  if (seen.length < cells.length) return;
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(marks[0]);
  const after = rest.split(marks[1])[1] ?? '';
  writeFileSync(page, `${before}${marks[0]}\n\n${outageTable(seen)}\n${marks[1]}${after}`);
});

test.each(cells)('$outage $manner: nothing fails because of it', { timeout: 300_000 }, async (cell) => {
  const observation = await observeOutage(stack, { ...cell, forMs: lengthMs[cell.manner] });
  seen.push(observation);
  expect(observation).toMatchObject({ audit: 'SUCCEEDED', plan: 'SUCCEEDED', repeated: 0 });
  expect(observation.moves).toBeGreaterThan(0);
  const closesApi = (cell.outage === 'postgresql' || cell.outage === 'keystone') && cell.manner !== 'slow';
  if (closesApi) expect(observation).toMatchObject({ read: 503, write: 503, hasRetryAfter: true });
  else expect(observation).toMatchObject({ read: 200, write: 201 });
});

/** Only HTTP servers can report their outage. The history store is behind a proxy, which cannot. */
function isPossible({ outage, manner }: { outage: Outage; manner: Manner }): boolean {
  return manner !== 'refusing' || outage === 'keystone' || outage === 'nova';
}
