import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { useStore } from '#tests';
import { createTaskCatalogue, type TaskDefinition, type TaskSchedule } from '../catalogue/task-definition.ts';
import { createTaskRequests } from '../task-requests.ts';
import { parseOverrides } from './overrides.ts';
import { createTaskScheduler, leaderResource } from './task-scheduler.ts';

const { store, sql } = await useStore();
afterEach(async () => {
  await sql.query('DELETE FROM tasks; DELETE FROM scheduled_tasks; DELETE FROM config_warnings; DELETE FROM leases');
});

const none = { overrides: parseOverrides('', new Map()), fault: null };

function catalogueOf(schedule: TaskSchedule) {
  const definition: TaskDefinition = {
    name: 'tick',
    description: '',
    argumentsSchema: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
    queue: 'generic',
    singleFlight: { mode: 'none' },
    timeoutSeconds: 60,
    schedule,
  };
  return createTaskCatalogue([definition, { ...definition, name: 'other', schedule: { cron: '0 0 1 1 *' } }]);
}

function schedulerOn(own: Pick<Store, 'db' | 'transaction'>, schedule: TaskSchedule, leaseMs = 600_000) {
  const catalogue = catalogueOf(schedule);
  const requests = createTaskRequests({ store: own, catalogue, newUuid });
  return createTaskScheduler(
    { store: own, catalogue, requests, logger: silentLogger, random: () => 0.5 },
    { holder: newUuid(), leaseMs },
  );
}

class Killed extends Error {}

/** A store whose user dies at its call number `last`, before or after the database has done it. Then nothing works. */
function mortal(last: number, when: 'before' | 'after') {
  let calls = 0;
  const guard =
    (run: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls += 1;
      if (calls > last || (calls === last && when === 'before')) throw new Killed();
      const result = await run(...args);
      if (calls === last) throw new Killed();
      return result;
    };
  const wrap = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value === 'function') return guard(value.bind(target));
        return typeof value === 'object' && value !== null ? wrap(value) : value;
      },
    });
  const transaction: Store['transaction'] = (work) =>
    guard(() => store.transaction((unit) => work(wrap(unit))))() as ReturnType<typeof work>;
  return { store: { db: wrap(store.db), transaction }, calls: () => calls };
}

const everySecond: TaskSchedule = { cron: '* * * * * *', misfirePolicy: 'catch_up' };

async function firings(): Promise<number[]> {
  const { rows } = await sql.query<{ fire_time: Date }>('SELECT fire_time FROM tasks ORDER BY fire_time');
  return rows.map((row) => row.fire_time.getTime());
}

test('of three schedulers one leads, and each firing is one task', async () => {
  const schedulers = [1, 2, 3].map(() => schedulerOn(store, everySecond));
  const responses = await Promise.all(schedulers.map((scheduler) => scheduler.tick(none)));
  expect(responses.filter(Boolean)).toHaveLength(1);
  await sql.query(
    `UPDATE scheduled_tasks SET next_fire_at = date_trunc('second', now()) - interval '5 seconds' WHERE name = 'tick'`,
  );
  for (let round = 0; round < 3; round += 1) await Promise.all(schedulers.map((scheduler) => scheduler.tick(none)));
  const times = await firings();
  expect(times.length).toBeGreaterThanOrEqual(6);
  expect(new Set(times).size).toBe(times.length);
  expect((await store.db.tasks.list())[0]).toMatchObject({ createdBy: 'scheduler', scheduleName: 'tick' });

  const [leader] = schedulers.filter((scheduler) => scheduler.isLeader());
  await leader?.resign();
  const successors = await Promise.all(schedulers.filter((one) => one !== leader).map((one) => one.tick(none)));
  expect(successors.filter(Boolean)).toHaveLength(1);
});

test('a leader that dies at any step loses no firing and doubles none', async () => {
  for (let step = 1, survived = false; !survived; step += 1) {
    for (const when of ['before', 'after'] as const) {
      await sql.query('DELETE FROM tasks; DELETE FROM scheduled_tasks; DELETE FROM leases');
      const first = await schedulerOn(store, everySecond).tick(none);
      expect(first).toBe(true);
      // The first tick fires too where a second ends within it.
      await sql.query(
        `DELETE FROM tasks; DELETE FROM leases; UPDATE scheduled_tasks SET next_fire_at = date_trunc('second', now()) - interval '3 seconds' WHERE name = 'tick'`,
      );
      const begin = (
        await sql.query<{ at: Date }>(`SELECT next_fire_at AS at FROM scheduled_tasks WHERE name = 'tick'`)
      ).rows[0]?.at;
      const dying = mortal(step, when);
      const end = await schedulerOn(dying.store, everySecond)
        .tick(none)
        .catch((error) => error);
      if (end === true) survived = true;
      else expect(end).toBeInstanceOf(Killed);
      // The lease of the dead one is over.
      await sql.query(`UPDATE leases SET expires_at = now() - interval '1 second'`);
      expect(await schedulerOn(store, everySecond).tick(none)).toBe(true);
      const times = await firings();
      expect(times[0], `step ${step} ${when}`).toBe(begin?.getTime());
      expect(times, `step ${step} ${when}`).toEqual(times.map((_, index) => (begin?.getTime() ?? 0) + index * 1000));
    }
    // Every call of the first tick: lease, sync, and the firings.
    if (survived) expect(step).toBeGreaterThan(15);
  }
});

test('a process without the lease does not lead', async () => {
  const brief = schedulerOn(store, everySecond, 1);
  await brief.tick(none);
  await expect.poll(() => brief.isLeader()).toBe(false);
});

test('a deposed leader that is still busy cannot fire', async () => {
  let isDeposed = false;
  const transaction: Store['transaction'] = async (work) => {
    if (isDeposed) {
      await sql.query(
        `UPDATE leases SET holder = 'successor', fence = fence + 1, expires_at = now() + interval '1 hour'`,
      );
    }
    return store.transaction(work);
  };
  const old = schedulerOn({ db: store.db, transaction }, everySecond);
  expect(await old.tick(none)).toBe(true);
  await sql.query(`DELETE FROM tasks; UPDATE scheduled_tasks SET next_fire_at = now() WHERE name = 'tick'`);
  // Between taking the lease and firing, and from then on.
  isDeposed = true;
  expect(await old.tick(none)).toBe(false);
  expect(await old.tick(none)).toBe(false);
  expect(old.isLeader()).toBe(false);
  expect(await firings()).toEqual([]);
  expect(await store.db.leases.confirm(leaderResource, 1)).toBe(false);
});

test.each([
  ['skip', 0],
  ['run_once', 1],
  ['catch_up', 3],
] as const)('firings while no scheduler was alive: %s', async (misfirePolicy, expected) => {
  // Half a day from now, so neither due during the test nor on time.
  const schedule = { cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, misfirePolicy };
  const scheduler = schedulerOn(store, schedule);
  await scheduler.tick(none);
  const next = (await store.db.scheduledTasks.list()).find(({ name }) => name === 'tick')?.nextFireAt;
  await sql.query(`UPDATE scheduled_tasks SET next_fire_at = next_fire_at - interval '3 days' WHERE name = 'tick'`);
  await scheduler.tick(none);
  expect(await firings()).toHaveLength(expected);
  const after = (await store.db.scheduledTasks.list()).find(({ name }) => name === 'tick');
  expect(after?.nextFireAt).toEqual(next);
});

test('a firing is carried out later by chance, within the jitter of its schedule', async () => {
  // Its time is in a year, so that only the firing of yesterday is due.
  const scheduler = schedulerOn(store, { cron: '0 12 1 1 *', maxJitterSeconds: 300 });
  await scheduler.tick(none);
  await sql.query(`UPDATE scheduled_tasks SET next_fire_at = now() - interval '1 day' WHERE name = 'tick'`);
  await scheduler.tick(none);
  const { rows } = await sql.query('SELECT extract(epoch FROM run_after - fire_time)::int AS seconds FROM tasks');
  expect(rows).toEqual([{ seconds: 150 }]);
});

test('the configuration changes, disables and starts schedules; its errors are visible and local', async () => {
  const schedule: TaskSchedule = { cron: '0 12 29 2 *', maxJitterSeconds: 0 };
  const scheduler = schedulerOn(store, schedule);
  const tick = async (text: string) => {
    await scheduler.tick({ overrides: parseOverrides(text, catalogueOf(schedule)), fault: null });
    return Object.fromEntries((await store.db.scheduledTasks.list()).map((row) => [row.name, row]));
  };
  const before = await tick('');
  expect(before.tick).toMatchObject({ source: 'code', enabled: true, cron: '0 12 29 2 *', timezone: 'UTC' });
  expect((await tick('other: null')).tick?.nextFireAt).toEqual(before.tick?.nextFireAt);
  expect((await tick('tick: null')).tick).toMatchObject({ enabled: false, nextFireAt: null, source: 'config' });

  const given = await tick(
    'tick: { cron: "30 6 * * *", timezone: Asia/Tokyo, args: { n: 7 }, max_jitter_seconds: 10 }',
  );
  expect(given.tick).toMatchObject({ enabled: true, args: { n: 7 }, source: 'config', maxJitterSeconds: 10 });
  expect(given.tick?.nextFireAt?.toISOString()).toMatch(/T21:30:00/);
  await sql.query(`UPDATE scheduled_tasks SET next_fire_at = date_trunc('second', now()) WHERE name = 'tick'`);
  await scheduler.tick({ overrides: parseOverrides('tick: "30 6 * * *"', catalogueOf(schedule)), fault: null });

  const broken = await tick('{ "tick": "61 * * * *", "nothing": null, "other": "0 5 * * *" }');
  expect(broken.tick).toMatchObject({ enabled: false });
  expect(broken.other).toMatchObject({ enabled: true, cron: '0 5 * * *' });
  expect((await store.db.scheduledTasks.warnings()).map(({ name, reason }) => [name, reason])).toEqual([
    ['nothing', 'there is no such task'],
    ['tick', expect.stringMatching(/^cron: 61 \* \* \* \* is not a cron expression: .*; the schedule is disabled$/)],
  ]);

  // An unreadable file: the stored settings stay, also for a scheduler that never read a valid one.
  await scheduler.resign();
  await schedulerOn(store, schedule).tick({ overrides: null, fault: 'tasks.yaml: no YAML' });
  const kept = Object.fromEntries((await store.db.scheduledTasks.list()).map((row) => [row.name, row]));
  expect(kept.other).toMatchObject({ cron: '0 5 * * *', source: 'config', nextFireAt: broken.other?.nextFireAt });
  expect(await store.db.scheduledTasks.warnings()).toMatchObject([{ name: '', reason: 'tasks.yaml: no YAML' }]);
});
