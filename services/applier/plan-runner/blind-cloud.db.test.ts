import { describe, expect, it } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { createFakeCloud, type FakeCloud, refusal } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';
import { killRunAt } from '../testing/kill-run-at.ts';
import { createKillable } from '../testing/killable.ts';

const bench = await useApplierBench();

const forbidden = refusal(403, "Policy doesn't allow os_compute_api:os-migrations:index to be performed.");
const makeCloud = (): FakeCloud =>
  createFakeCloud({
    hosts: ['a', 'b'].map((name) => ({ name })),
    servers: [{ uuid: serverId(1), host: 'a' }],
  });

/** A live migration that runs in the cloud, and whose applier was killed. */
async function leftInTheMiddle(cloud: FakeCloud): Promise<ActionPlanView> {
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await killRunAt(bench, { cloud, plan, point: 'mid-poll', nth: 1 });
  return plan;
}

/** From now on the next `times` reads of migrations fail. Returns the action's message at each check. */
function blind(cloud: FakeCloud, plan: ActionPlanView, times: number): (string | null | undefined)[] {
  const said: (string | null | undefined)[] = [];
  cloud.fail({ call: 'listMigrations', when: 'before', error: forbidden, times });
  cloud.onCall(async (call) => {
    if (call === 'listMigrations') said.push((await bench.outcome(plan)).messages[0]);
  });
  return said;
}

const options = { timeScale: 10_000 };

describe('a cloud that does not show the result of an action', () => {
  it('is polled until it does, and the status reports that', async () => {
    const cloud = makeCloud();
    const plan = await leftInTheMiddle(cloud);
    const said = blind(cloud, plan, 5);
    const end = await bench.run(bench.runner({ cloud, options }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'], messages: [null] });
    expect(said[0]).toBeNull();
    expect(said[4]).toBe(`Waiting: the cloud does not show the state of this action (${forbidden.message})`);
    expect(cloud.mutations).toHaveLength(1);
  });

  it('leaves a request without a response open, however long that takes', async () => {
    const cloud = makeCloud();
    const late = cloud.delay('liveMigrate');
    const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
    const process = createKillable(bench.store, cloud);
    await bench
      .runner({ cloud: process.cloud, store: process.store })
      .tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 1000);
    await late.sent;
    process.kill();
    await bench.expireLease(plan);
    expect(late.land()).toBeNull();
    blind(cloud, plan, 8);
    const action = { pollIntervalMs: 500, migrationTimeoutMs: 900_000, lateEffectMs: 1 };
    const end = await bench.run(bench.runner({ cloud, options: { ...options, action } }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED'] });
    expect(cloud.mutations).toHaveLength(1);
  });

  it('holds the plan when it takes too long, and an operator lets it continue', async () => {
    const cloud = makeCloud();
    const plan = await leftInTheMiddle(cloud);
    blind(cloud, plan, 3);
    const held = await bench.run(bench.runner({ cloud, options: { ...options, blindLimitMs: 0 } }), plan, 'taken_over');
    const [action] = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(held).toMatchObject({ state: 'SUSPENDED', actions: ['ONGOING'], messages: [null] });
    expect(held.message).toBe(
      `Held: the cloud did not show the state of action ${action?.uuid} (migrate): ${forbidden.message}. Check the cloud, then start or cancel it.`,
    );
    await bench.store.db.actionPlans.transition(plan.uuid, 'start');
    const end = await bench.run(bench.runner({ cloud, options }), plan);
    expect(end).toMatchObject({ state: 'SUCCEEDED', message: null, actions: ['SUCCEEDED'] });
    expect(cloud.mutations).toHaveLength(1);
  });

  it('is not waited for much longer once people have cancelled the plan', async () => {
    const cloud = makeCloud();
    const plan = await leftInTheMiddle(cloud);
    await bench.store.db.actionPlans.transition(plan.uuid, 'requestCancel');
    let passedMs = 0;
    cloud.onCall((call) => {
      if (call === 'listMigrations') passedMs += 400_000;
    });
    cloud.fail({ call: 'listMigrations', when: 'before', error: forbidden, times: 1000 });
    const steadyClock = { now: () => performance.now() + passedMs };
    const end = await bench.run(bench.runner({ cloud, options, deps: { steadyClock } }), plan, 'taken_over');
    expect(end).toMatchObject({ state: 'CANCELLED', actions: ['FAILED'] });
    expect(end.messages[0]).toContain('unknown');
  });

  it('does not let a rollback fail while its request may still take effect', async () => {
    const cloud = makeCloud();
    const failing = { input: { message: 'm', fail_execute: true }, after: [0] };
    const plan = await bench.plan([moveSpec(1, 'a', 'b'), failing], { onFailure: 'rollback' });
    let requested = 0;
    cloud.onCall((call) => {
      if (call !== 'liveMigrate') return;
      requested += 1;
      if (requested < 2) return;
      cloud.fail({ call: 'listMigrations', when: 'before', error: forbidden, times: 5 });
      cloud.fail({ call: 'liveMigrate', when: 'after', error: refusal(0, 'reset', true) });
    });
    const end = await bench.run(bench.runner({ cloud, options }), plan);
    expect(end).toMatchObject({ state: 'FAILED', rollback: 'SUCCEEDED', rollbacks: ['SUCCEEDED', null] });
    expect(cloud.servers.get(serverId(1))?.host).toBe('a');
    expect(requested).toBe(2);
  });
});
