import { expect, it } from 'vitest';
import type { RefusalReason } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';
import { readFailures } from './failed-migrations.ts';

const minute = 60_000;
const now = Date.UTC(2026, 0, 10);

interface Past {
  id: string;
  state: 'FAILED' | 'SUCCEEDED';
  minutesAgo: number;
  actionType?: string;
  refusal?: RefusalReason;
  /** Default `h`. Null: Nova chose. */
  host?: string | null;
}

function dbWith(past: Past[]) {
  const requested: { state: unknown; since: unknown }[] = [];
  const list = async ({ filters }: { filters: { field: string; value: unknown }[] }) => {
    const valueIn = (field: string) => filters.find((filter) => filter.field === field)?.value;
    requested.push({ state: valueIn('state'), since: valueIn('endedAt') });
    const since = (valueIn('endedAt') as Date).getTime();
    return past
      .map(({ id, state, minutesAgo, actionType = 'migrate', refusal = null, host = 'h' }) => {
        const moved = { resource_id: id, destination_node: host };
        const undone = { action_type: 'migrate', input_parameters: moved };
        const inputParameters = actionType === 'revert' ? undone : moved;
        return { actionType, state, inputParameters, refusal, endedAt: new Date(now - minutesAgo * minute) };
      })
      .filter(({ state, endedAt }) => state === valueIn('state') && endedAt.getTime() >= since);
  };
  const db = { actions: { list }, now: async () => new Date(now) };
  return { db: db as unknown as Pick<UnitOfWork, 'actions' | 'now'>, asked: requested };
}

const restsOf = (backOff: number, refusalRest: number) => ({
  backOffMs: backOff * minute,
  refusalRestMs: refusalRest * minute,
});

const held = async (past: Past[], backOffMinutes = 30) =>
  (await readFailures(dbWith(past).db, restsOf(backOffMinutes, 0))).failedMigrations.map(
    ({ uuid, failures, heldUntilMs }) => ({ uuid, failures, minutesLeft: (heldUntilMs - now) / minute }),
  );

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
  const none = { failedMigrations: [], refusedMoves: [] };
  expect(await readFailures(quiet.db, restsOf(1, 1))).toEqual(none);
  expect(quiet.asked.map(({ state }) => state)).toEqual(['FAILED']);
  const off = dbWith([{ id: 'x', state: 'FAILED', minutesAgo: 10 }]);
  expect(await readFailures(off.db, restsOf(0, 0))).toEqual(none);
  expect(off.asked).toEqual([]);
});

/** Instances that rest with their reasons, and moves that are left out, after 10 minutes. */
async function afterRefusals(past: Omit<Past, 'state' | 'minutesAgo'>[], successes: Past[] = []) {
  const failed = past.map((one): Past => ({ state: 'FAILED', minutesAgo: 10, ...one }));
  const { failedMigrations, refusedMoves } = await readFailures(dbWith([...failed, ...successes]).db, restsOf(0, 60));
  return [
    ...failedMigrations.map(({ uuid, refusal, heldUntilMs }) => [uuid, refusal, (heldUntilMs - now) / minute]),
    ...refusedMoves.map(({ instance, host, refusal, heldUntilMs }) => [
      `${instance} to ${host}`,
      refusal,
      (heldUntilMs - now) / minute,
    ]),
  ];
}

it.each<[string, Omit<Past, 'state' | 'minutesAgo'>, unknown[]]>([
  ['a share', { id: 'x', refusal: 'share' }, [['x', 'share', 50]]],
  ['no valid host', { id: 'x', refusal: 'no_valid_host' }, [['x to h', 'no_valid_host', 50]]],
  ['no valid host, where Nova chose', { id: 'x', refusal: 'no_valid_host', host: null }, [['x', 'no_valid_host', 50]]],
  ['the destination', { id: 'x', refusal: 'destination' }, [['x to h', 'destination', 50]]],
  [
    'the pool of a volume',
    { id: 'v', refusal: 'no_valid_host', actionType: 'volume_migrate' },
    [['v', 'no_valid_host', 50]],
  ],
  ['a lock, which passes', { id: 'x', refusal: 'locked' }, []],
  ['a policy', { id: 'x', refusal: 'policy' }, []],
  ['nothing: the migration failed', { id: 'x' }, []],
])('leaves out moves that were refused for %s', async (_, past, expected) => {
  expect(await afterRefusals([past])).toEqual(expected);
});

it('tries a refused move again after it succeeded', async () => {
  const refused = [
    { id: 'x', refusal: 'share' as const },
    { id: 'y', refusal: 'no_valid_host' as const },
    { id: 'z', refusal: 'no_valid_host' as const },
  ];
  const success = { state: 'SUCCEEDED' as const, minutesAgo: 5 };
  const successes = [
    { id: 'x', ...success },
    { id: 'y', ...success },
    { id: 'z', host: 'elsewhere', ...success },
  ];
  expect(await afterRefusals(refused, successes)).toEqual([['z to h', 'no_valid_host', 50]]);
});
