import { expect, it } from 'vitest';
import type { UnitOfWork } from '#libs/store';
import { timeSinceChange } from './time-since-change.ts';

it.each<[string, { state: string; endedAt: Date | null }[], number]>([
  ['nothing was ever done', [], Number.POSITIVE_INFINITY],
  ['one ended', [{ state: 'SUCCEEDED', endedAt: new Date(4000) }], 6000],
  ['one was cancelled while it ran', [{ state: 'CANCELLED', endedAt: new Date(9000) }], 1000],
  [
    'one runs, and what it does may be done already',
    [
      { state: 'ONGOING', endedAt: null },
      { state: 'SUCCEEDED', endedAt: new Date(4000) },
    ],
    0,
  ],
])('time since the cloud was changed: %s', async (_, rows, expected) => {
  const list = async ({ filters: [filter] }: { filters: { value: string | string[] }[] }) =>
    rows.filter(({ state }) => [filter?.value].flat().includes(state));
  const db = { actions: { list }, now: async () => new Date(10_000) };
  expect(await timeSinceChange(db as unknown as Pick<UnitOfWork, 'actions' | 'now'>)).toBe(expected);
});
