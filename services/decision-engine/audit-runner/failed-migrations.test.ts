import { expect, it } from 'vitest';
import type { UnitOfWork } from '#libs/store';
import { failedMigrations, reportFailedMigrations } from './failed-migrations.ts';

const minute = 60_000;
const now = Date.UTC(2026, 0, 10);

interface Past {
  id: string;
  state: 'FAILED' | 'SUCCEEDED';
  minutesAgo: number;
  actionType?: string;
}

function dbWith(past: Past[]) {
  const asked: { state: unknown; since: unknown }[] = [];
  const list = async ({ filters }: { filters: { field: string; value: unknown }[] }) => {
    const valueIn = (field: string) => filters.find((filter) => filter.field === field)?.value;
    asked.push({ state: valueIn('state'), since: valueIn('endedAt') });
    const since = (valueIn('endedAt') as Date).getTime();
    return past
      .map(({ id, state, minutesAgo, actionType = 'migrate' }) => {
        const moved = { resource_id: id };
        const undone = { action_type: 'migrate', input_parameters: moved };
        const inputParameters = actionType === 'revert' ? undone : moved;
        return { actionType, state, inputParameters, endedAt: new Date(now - minutesAgo * minute) };
      })
      .filter(({ state, endedAt }) => state === valueIn('state') && endedAt.getTime() >= since);
  };
  const db = { actions: { list }, now: async () => new Date(now) };
  return { db: db as unknown as Pick<UnitOfWork, 'actions' | 'now'>, asked };
}

const held = async (past: Past[], backOffMinutes = 30) =>
  (await failedMigrations(dbWith(past).db, backOffMinutes * minute)).map(({ uuid, failures, heldUntilMs }) => ({
    uuid,
    failures,
    minutesLeft: (heldUntilMs - now) / minute,
  }));

it.each<[string, Past[], { uuid: string; failures: number; minutesLeft: number }[]]>([
  ['one failure', [{ id: 'x', state: 'FAILED', minutesAgo: 10 }], [{ uuid: 'x', failures: 1, minutesLeft: 20 }]],
  ['one failure, long ago', [{ id: 'x', state: 'FAILED', minutesAgo: 31 }], []],
  [
    'a second one, which doubles the time',
    [
      { id: 'x', state: 'FAILED', minutesAgo: 50 },
      { id: 'x', state: 'FAILED', minutesAgo: 10 },
    ],
    [{ uuid: 'x', failures: 2, minutesLeft: 50 }],
  ],
  [
    'many, for a day at most',
    [1, 2, 3, 4, 5, 6, 7, 8].map((times) => ({ id: 'x', state: 'FAILED' as const, minutesAgo: times * 10 })),
    [{ uuid: 'x', failures: 8, minutesLeft: 24 * 60 - 10 }],
  ],
  [
    'one that was followed by a success',
    [
      { id: 'x', state: 'FAILED', minutesAgo: 20 },
      { id: 'x', state: 'SUCCEEDED', minutesAgo: 10 },
    ],
    [],
  ],
  [
    'one after a success',
    [
      { id: 'x', state: 'FAILED', minutesAgo: 20 },
      { id: 'x', state: 'SUCCEEDED', minutesAgo: 15 },
      { id: 'x', state: 'FAILED', minutesAgo: 10 },
    ],
    [{ uuid: 'x', failures: 1, minutesLeft: 20 }],
  ],
  [
    'a rollback that failed, an evacuation, and a volume',
    [
      { id: 'v', state: 'FAILED', minutesAgo: 10, actionType: 'volume_migrate' },
      { id: 'x', state: 'FAILED', minutesAgo: 10, actionType: 'revert' },
      { id: 'y', state: 'FAILED', minutesAgo: 10, actionType: 'evacuate' },
    ],
    [
      { uuid: 'v', failures: 1, minutesLeft: 20 },
      { uuid: 'x', failures: 1, minutesLeft: 20 },
      { uuid: 'y', failures: 1, minutesLeft: 20 },
    ],
  ],
])('remembers %s', async (_, past, expected) => {
  expect(await held(past)).toEqual(expected);
});

it('queries successes only after a failure, and nothing when it is switched off', async () => {
  const quiet = dbWith([{ id: 'x', state: 'SUCCEEDED', minutesAgo: 10 }]);
  expect(await failedMigrations(quiet.db, minute)).toEqual([]);
  expect(quiet.asked.map(({ state }) => state)).toEqual(['FAILED']);
  const off = dbWith([{ id: 'x', state: 'FAILED', minutesAgo: 10 }]);
  expect(await failedMigrations(off.db, 0)).toEqual([]);
  expect(off.asked).toEqual([]);
});

it.each([
  [false, 'are left alone because their migrations failed', ', until 2026-01-10T00:30:00.000Z', ['web', 'data']],
  [true, 'are tried although their migrations failed lately', '', undefined],
])('tells of instances and volumes, by order %s', (byOrder, what, until, examples) => {
  const failed = ['i', 'v', 'gone'].map((uuid) => ({ uuid, failures: 2, heldUntilMs: now + 30 * minute }));
  const instances = { instanceInfo: [{ uuid: 'i', name: 'web' }] } as never;
  const { uuids, notes, blocked } = reportFailedMigrations(
    [instances, { volumes: [{ uuid: 'v', name: 'data' }] } as never],
    failed,
    byOrder,
  );
  expect(uuids).toEqual(['i', 'v']);
  expect(notes).toEqual([
    `1 instances ${what}: web (2 failures${until})`,
    `1 volumes ${what}: data (2 failures${until})`,
  ]);
  expect(blocked([])).toEqual(examples ? [{ constraint: 'migration-failed', count: 2, examples }] : []);
});
