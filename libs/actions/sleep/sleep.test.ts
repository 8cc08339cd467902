import { expect, it } from 'vitest';
import { createFakeCloud, createTestActionContext } from '#tests';
import { sleep } from './sleep.ts';

const cloud = createFakeCloud({ hosts: [] });

it('drops the fraction of its duration', async () => {
  const context = createTestActionContext(cloud, { duration: 3.9 });
  expect(await sleep.execute(context)).toBe(true);
  expect(context.clock.now()).toBe(3000);
});

it('sleeps only for the rest after a crash', async () => {
  const first = createTestActionContext(cloud, { duration: 10 }, { budgetMs: 4000 });
  expect(await sleep.probe(first)).toBe('not_started');
  await expect(sleep.execute(first)).rejects.toThrow('timeout');
  const successor = createTestActionContext(cloud, { duration: 10 }, { journal: first.journal.current() });
  await successor.sleep(4000);
  expect(await sleep.probe(successor)).toBe('in_progress');
  expect(await sleep.waitFor(successor)).toBe(true);
  expect(successor.clock.now()).toBe(10_000);
  expect(await sleep.probe(successor)).toBe('applied');
});
