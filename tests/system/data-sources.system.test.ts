// @needs prometheus
import { afterEach, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { testServerUrl } from '../servers/test-server-url.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

let stack: TestStack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const strategy = 'workload_stabilization';

test('metrics come from the first data source that has them, and report and state say so', async () => {
  stack = await startTestStack({
    // Simulated time stands still, so that the history shows one load for any window.
    simulator: ['--generate', 'hosts=6,instances=48,seed=7,skew=3', '--speed', '0'],
    env: {
      VIGIL_DATASOURCES: 'gnocchi,prometheus,postgres',
      VIGIL_STRATEGY_DATASOURCES: 'workload_balance=prometheus',
      // No server listens there, and no series has these labels.
      VIGIL_GNOCCHI_URL: 'http://admin@127.0.0.1:1',
      VIGIL_PROMETHEUS_URL: testServerUrl('prometheus'),
      VIGIL_PROMETHEUS_FQDN_LABEL: 'host_of_nobody',
      VIGIL_PROMETHEUS_INSTANCE_LABEL: 'instance_of_nobody',
    },
  });
  await stack.start(['decision-engine']);
  const { client } = stack;

  const state = await dataOf(client.api.GET('/v1/strategies/{ident}/state', { params: { path: { ident: strategy } } }));
  expect(state).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'Datasource',
        state: 'gnocchi: not available, prometheus: available, postgres: available',
        comment: expect.stringContaining('ECONNREFUSED'),
      }),
    ]),
  );

  const goal = (await client.get('strategies', strategy)).goal_name!;
  const parameters = { thresholds: { instance_cpu_usage: 0.02 }, periods: { instance: 600, compute_node: 600 } };
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false } as never,
    }),
  );
  const audit = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  expect(audit.state).toBe('SUCCEEDED');
  const { report } = await dataOf(
    client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: audit.uuid } } }),
  );
  const use = report?.metrics.find(({ metric }) => metric === 'host_cpu_usage');
  expect(use).toMatchObject({ source: 'postgres', missing: 0 });
  expect(use?.passed_over).toEqual([
    expect.stringMatching(/gnocchi.*ECONNREFUSED/),
    'prometheus: has no values of host_cpu_usage',
  ]);

  const balance = await dataOf(
    client.api.GET('/v1/strategies/{ident}/state', { params: { path: { ident: 'workload_balance' } } }),
  );
  expect(balance).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'Datasource', state: 'prometheus: available' })]),
  );
});
