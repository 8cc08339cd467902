import { expect, it } from 'vitest';
import type { UnitOfWork } from '#libs/store';
import { recentMigrations, timeSinceChange } from './recent-migrations.ts';

function actionsOf(ids: unknown[]) {
  const asked: unknown[] = [];
  const list = async (query: unknown) => {
    asked.push(query);
    return ids.map((id) => ({ actionType: 'migrate', inputParameters: { resource_id: id } }));
  };
  const now = async () => new Date(10_000);
  return { db: { actions: { list }, now } as unknown as Pick<UnitOfWork, 'actions' | 'now'>, asked };
}

it('names every instance once that was moved within the cool-down', async () => {
  const { db, asked } = actionsOf(['x', 'y', 'x', null]);
  expect(await recentMigrations(db, { auditType: 'CONTINUOUS' }, 4000)).toEqual(['x', 'y']);
  expect(asked).toEqual([
    {
      filters: [
        { field: 'actionType', op: 'in', value: ['migrate', 'evacuate', 'revert'] },
        { field: 'state', value: 'SUCCEEDED' },
        { field: 'endedAt', op: 'gte', value: new Date(6000) },
      ],
    },
  ]);
});

it('counts instances that a rollback moved back, not its other actions', async () => {
  const revert = (action_type: string, resource_id: string) => ({
    actionType: 'revert',
    inputParameters: { action_type, input_parameters: { resource_id } },
  });
  const list = async () => [revert('migrate', 'x'), revert('stop', 'y')];
  const db = { actions: { list }, now: async () => new Date(0) } as unknown as Pick<UnitOfWork, 'actions' | 'now'>;
  expect(await recentMigrations(db, { auditType: 'CONTINUOUS' }, 4000)).toEqual(['x']);
});

it.each([
  ['ONESHOT', 4000],
  ['CONTINUOUS', 0],
] as const)('does not look for a %s audit with a cool-down of %i ms', async (auditType, coolDownMs) => {
  const { db, asked } = actionsOf(['x']);
  expect(await recentMigrations(db, { auditType }, coolDownMs)).toEqual([]);
  expect(asked).toEqual([]);
});

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
