import { describe, expect, it } from 'vitest';
import { createFakeCloud, refusal } from '#tests';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();

describe('when a parent did not succeed, an action of a plan that continues is checked again', () => {
  const makeCloud = () =>
    createFakeCloud({
      hosts: [{ name: 'a' }, { name: 'b', vcpus: 1 }, { name: 'c' }],
      servers: [
        { uuid: serverId(1), host: 'b' },
        { uuid: serverId(2), host: 'a' },
        { uuid: serverId(3), host: 'a' },
      ],
    });
  /** The first one frees the room on b that the second one needs. The third one needs nothing of it. */
  const swap = [moveSpec(1, 'b', 'c'), moveSpec(2, 'a', 'b', { after: [0] }), moveSpec(3, 'a', 'c', { after: [0] })];

  it('runs when its parent succeeded', async () => {
    const cloud = makeCloud();
    const end = await bench.run(bench.runner({ cloud }), await bench.plan(swap));
    expect(end).toMatchObject({ state: 'SUCCEEDED', actions: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'] });
  });

  it('is SKIPPED with its parent as the reason when its room is missing; actions that still fit run', async () => {
    const cloud = makeCloud();
    cloud.script(serverId(1), { status: 'error' });
    const plan = await bench.plan(swap);
    const end = await bench.run(bench.runner({ cloud }), plan);
    const rows = await bench.store.db.actions.listByPlan(plan.uuid);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SKIPPED', 'SUCCEEDED'] });
    expect(end.messages[1]).toBe(
      `Action was skipped automatically: action ${rows[0]?.uuid} before it is FAILED: ` +
        `Destination node b has no room for instance ${serverId(2)} (VCPU: 1 needed, 0 free)`,
    );
    expect(rows[1]?.endReason).toBe('parent');
    expect(cloud.mutations.map(({ target }) => target)).toEqual([serverId(1), serverId(3)]);
  });

  it('is SKIPPED when its host was not enabled for it, and its children are checked too', async () => {
    const cloud = makeCloud();
    Object.assign(cloud.hosts.get('c') ?? {}, { status: 'disabled', reason: 'broken disk' });
    const enable = {
      type: 'change_nova_service_state',
      input: { resource_id: 'c', resource_name: 'c', state: 'enabled' },
    };
    const plan = await bench.plan([
      enable,
      moveSpec(1, 'b', 'c', { after: [0] }),
      moveSpec(2, 'a', 'b', { after: [1] }),
      { after: [2] },
    ]);
    const end = await bench.run(bench.runner({ cloud }), plan);
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'SKIPPED', 'SKIPPED', 'SUCCEEDED'] });
    expect(end.messages[1]).toContain('before it is FAILED: Destination node c is not in enabled state');
    expect(end.messages[2]).toContain('before it is SKIPPED: Destination node b has no room');
    expect(cloud.mutations).toEqual([]);
  });

  it('is FAILED as before when the check is impossible', async () => {
    const cloud = makeCloud();
    cloud.script(serverId(1), { status: 'error' });
    cloud.fail({ call: 'getInventories', when: 'before', error: refusal(403, 'Policy does not allow') });
    const end = await bench.run(bench.runner({ cloud }), await bench.plan(swap.slice(0, 2)));
    expect(end).toMatchObject({ state: 'FAILED', actions: ['FAILED', 'FAILED'] });
  });
});
