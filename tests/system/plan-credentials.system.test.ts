import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { connectApplicationCredentials, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { insertAction, insertActionPlan, insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import { atEnd } from '../at-end.ts';
import { cloudEnv } from './cloud-env.ts';
import { useVigil } from './use-vigil.ts';

const { store, url } = await useStore();
const simulator = await useVigil(['simulator'], {
  VIGIL_SIMULATOR_PORT: '0',
  VIGIL_SIMULATOR_GENERATE: 'hosts=3,instances=3,seed=3',
  VIGIL_SIMULATOR_SPEED: '1',
  VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
});
const env = cloudEnv(simulator.url);
const deps = { logger: silentLogger, clock: systemClock };
const keystone = connectApplicationCredentials(openStackConfigFromEnv(env), deps);
const cloud = createOpenStackCloud(openStackConfigFromEnv(env), deps);
atEnd(() => keystone.close());
atEnd(() => cloud.close());

const startApplier = (host: string) =>
  useVigil(['applier'], {
    ...env,
    VIGIL_DATABASE_URL: url,
    VIGIL_HOST_ID: host,
    VIGIL_PLAN_CREDENTIALS: 'per_plan',
    VIGIL_APPLIER_LEASE_SECONDS: '3',
    VIGIL_APPLIER_POLL_SECONDS: '1',
    VIGIL_MIGRATION_POLL_SECONDS: '0.2',
    VIGIL_OUTCOME_BEFORE_SECONDS: '0',
  });

const names = async () =>
  (await keystone.credentials.list()).map(({ name }) => name).filter((name) => name.startsWith('vigil-plan-'));

it('the credential of a plan ends with the applier that is killed, and its successor has another one', async () => {
  const [server] = await cloud.compute.listServers({});
  const hosts = (await cloud.compute.listServices()).map(({ host }) => host);
  const target = hosts.find((host) => host !== server?.host);
  const strategy = await insertStrategy(store.db, await insertGoal(store.db));
  const audit = await insertAudit(store.db, strategy);
  const plan = await insertActionPlan(store.db, audit, strategy, () => ({ state: 'PENDING', launchSeq: 1 }));
  const move = await insertAction(store.db, plan, () => ({
    actionType: 'migrate',
    inputParameters: {
      migration_type: 'live',
      resource_id: server?.uuid ?? '',
      source_node: server?.host ?? '',
      destination_node: target ?? '',
    },
  }));
  const rest = { actionType: 'sleep', inputParameters: { duration: 3 }, parents: [move.uuid] };
  await insertAction(store.db, plan, () => rest);

  const first = await startApplier('first');
  await expect.poll(async () => (await store.db.actions.listByPlan(plan.uuid))[0]?.state, patient).toBe('ONGOING');
  const [former] = await names();
  await first.kill();
  expect(former).toContain(plan.uuid);
  expect(await names()).toEqual([former]);

  const second = await startApplier('second');
  await expect.poll(names, patient).not.toContain(former);
  await expect.poll(async () => (await store.db.actionPlans.get(plan.uuid)).state, patient).toBe('SUCCEEDED');
  expect((await cloud.compute.getServer(server?.uuid ?? ''))?.host).toBe(target);
  await expect.poll(names, patient).toEqual([]);
  expect(second.output()).toContain('credential of action plan created');
  expect(second.output()).not.toMatch(/"secret"/);
});

/** Waits of the test, in milliseconds. */
const patient = { timeout: 60_000, interval: 100 };
