// @needs build
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpenStackError } from '#libs/openstack';
import { type Store, StoreUnavailableError } from '#libs/store';
import { type TestEngines, useTestEngines } from '../testing/test-engines.ts';

const engines = await useTestEngines();
const store = engines.store;
beforeEach(() => engines.reset());
afterEach(() => engines.stopRunners());

const { start, newAudit, ended }: Pick<TestEngines, 'start' | 'newAudit' | 'ended'> = {
  start: (options) => engines.start(options),
  newAudit: (strategy, change) => engines.newAudit(strategy, change),
  ended: (uuid) => engines.ended(uuid),
};

async function eventually<Value>(read: () => Promise<Value>, isIt: (value: Value) => boolean): Promise<Value> {
  const until = Date.now() + 120_000;
  for (;;) {
    const value = await read();
    if (isIt(value) || Date.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('an audit waits for the end of an outage instead of failing because of it', async () => {
  let away = true;
  const { runner, lease } = start({
    collect: async () => {
      if (away) throw new OpenStackError('compute', 'GET /servers/detail', 503, 'The service is unavailable');
      return engines.world.snapshot;
    },
  });
  const audit = await newAudit('dummy');
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));
  const waiting = await eventually(
    () => store.db.audits.get(audit.uuid),
    ({ nextRunTime }) => nextRunTime !== null,
  );
  expect(waiting).toMatchObject({ state: 'ONGOING', failedRuns: 1, attempts: 0 });
  expect(waiting.statusMessage).toContain('The service is unavailable; the audit is run again at ');

  away = false;
  await store.db.audits.update(audit.uuid, { nextRunTime: new Date() });
  await runner.submit(() => store.db.audits.takeOver(audit.uuid, lease));

  expect(await ended(audit.uuid)).toMatchObject({
    state: 'SUCCEEDED',
    failedRuns: 0,
    nextRunTime: null,
    statusMessage: null,
  });
});

/** The store during an outage of the database, which refuses the calls of its audits in `refused`. */
function without(...refused: ('renewLease' | 'transition')[]): Store {
  const away = () => Promise.reject(new StoreUnavailableError('cut off'));
  const calls = Object.fromEntries(refused.map((call) => [call, away]));
  return { ...store, db: { ...store.db, audits: { ...store.db.audits, ...calls } } };
}

/** The audit as soon as its runs so far are not counted. */
const forgiven = (uuid: string) =>
  eventually(
    () => store.db.audits.get(uuid),
    ({ attempts }) => attempts === 0,
  );

test('leases lost in an outage of the database do not count against the audit', async () => {
  const audit = await newAudit('dummy');
  const { runner, lease } = start({
    leaseMs: 400,
    maxAttempts: 1,
    store: without('renewLease'),
    source: engines.withFixture('strategy', 'never_ends'),
  });
  for (const take of ['claim', 'takeOver', 'takeOver'] as const) {
    await eventually(() => runner.submit(() => store.db.audits[take](audit.uuid, lease)), Boolean);
    expect(await forgiven(audit.uuid)).toMatchObject({ state: 'ONGOING', attempts: 0 });
  }

  const last = start({ instance: 'engine-2', maxAttempts: 1 });
  await eventually(() => last.runner.submit(() => store.db.audits.takeOver(audit.uuid, last.lease)), Boolean);

  expect(await ended(audit.uuid)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
});

test('a run whose end could not be stored, because of an outage of the database, is not counted once it is back', async () => {
  const audit = await newAudit('dummy');
  const away = without('transition');
  let refused = 0;
  away.transaction = () => Promise.reject(new StoreUnavailableError('cut off'));
  away.db.audits.forgiveRun = (uuid, fence) => {
    refused += 1;
    return refused < 3 ? Promise.reject(new StoreUnavailableError('cut off')) : store.db.audits.forgiveRun(uuid, fence);
  };
  const { runner, lease } = start({ store: away });
  await runner.submit(() => store.db.audits.claim(audit.uuid, lease));

  expect(await forgiven(audit.uuid)).toMatchObject({ state: 'ONGOING', attempts: 0 });
});

test('a loss that is noted late does not take a run out of the count that came after it', async () => {
  const audit = await newAudit('dummy', { state: 'ONGOING', attempts: 1, fence: 5 });
  const counted = async () => (await store.db.audits.get(audit.uuid)).attempts;
  await store.db.audits.forgiveRun(audit.uuid, 4);
  expect(await counted()).toBe(1);
  await store.db.audits.update(audit.uuid, { attempts: 2 });
  await store.db.audits.forgiveRun(audit.uuid, 4);
  expect(await counted()).toBe(1);
  await store.db.audits.forgiveRun(audit.uuid, 5);
  await store.db.audits.forgiveRun(audit.uuid, 5);
  expect(await counted()).toBe(0);
});
