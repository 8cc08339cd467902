import { expect, it } from 'vitest';
import { OpenStackError } from '#libs/openstack';
import { createMetrics } from '#libs/service-kit';
import { createFakeCloud, type FakeCloud } from '#tests';
import { createApplierMetrics } from '../metrics.ts';
import { moveSpec, serverId, useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();

const refuses = (status: number, text: string) => (cloud: FakeCloud) =>
  cloud.fail({
    call: 'liveMigrate',
    when: 'before',
    error: new OpenStackError('compute', 'POST /servers/s1/action', status, text),
    times: 9,
  });
const endsIn = (fault: string) => (cloud: FakeCloud) => cloud.script(serverId(1), { status: 'error', fault });

/** Kind of refusal that is stored with a migration, and the metric. */
async function refusalOf(prepare: (cloud: FakeCloud) => void) {
  const cloud = createFakeCloud({ hosts: [{ name: 'a' }, { name: 'b' }], servers: [{ uuid: serverId(1), host: 'a' }] });
  prepare(cloud);
  const metrics = createMetrics('applier');
  const plan = await bench.plan([moveSpec(1, 'a', 'b')]);
  await bench.run(bench.runner({ cloud, deps: { metrics: createApplierMetrics(metrics) } }), plan);
  const [action] = await bench.store.db.actions.listByPlan(plan.uuid);
  const { body } = await metrics.expose();
  return {
    state: action?.state,
    refusal: action?.refusal,
    counted: /^vigil_applier_refusals_total\{type="migrate",reason="(\w+)".*\} 1$/m.exec(body)?.[1] ?? null,
  };
}

it.each<[string, (cloud: FakeCloud) => void, string | null]>([
  ['a share', refuses(409, 'Feature not supported with instances that have shares.'), 'share'],
  ['a policy', refuses(403, "Policy doesn't allow os_compute_api:os-migrate-server:migrate_live"), 'policy'],
  ['no valid host, before the move', refuses(400, 'No valid host was found. Not enough hosts'), 'no_valid_host'],
  ['no valid host, after the request', endsIn('No valid host was found. Not enough hosts'), 'no_valid_host'],
  ['nothing: the move failed', endsIn('libvirt: operation failed'), null],
  ['nothing: the service was unavailable', refuses(503, 'No valid host was found'), null],
])('stores and counts the kind of a refusal: %s', async (_, prepare, reason) => {
  expect(await refusalOf(prepare)).toEqual({ state: 'FAILED', refusal: reason, counted: reason });
});

it('stores no refusal with a migration that succeeded', async () => {
  expect(await refusalOf(() => undefined)).toEqual({ state: 'SUCCEEDED', refusal: null, counted: null });
});
