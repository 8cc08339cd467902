import { expect, onTestFinished, test, vi } from 'vitest';
import { dataOf } from '#libs/client';
import { startOtlpReceiver } from '../otlp-receiver.ts';
import { expectOneTrace } from './expect-one-trace.ts';
import {
  countMigrations,
  execute,
  letPass,
  runAudit,
  type SimulatorState,
  standing,
  wholeHistory,
} from './run-loop.ts';
import { startTestStack } from './test-stack.ts';

// A whole stack on a busy machine takes longer than other tests of the fast stage.
vi.setConfig({ testTimeout: 180_000 });

test('separate processes on PostgreSQL, RabbitMQ and InfluxDB: from audit to executed plan', async () => {
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const running = await startTestStack({ real: true, simulator: standing, env: { VIGIL_OTLP_URL: collector.url } });
  onTestFinished(() => running.stop());
  await running.start(['decision-engine']);
  await running.start(['applier']);
  const before = await running.control<SimulatorState>('/state');

  const { audit, plan } = await runAudit(running, 'workload_stabilization', {
    thresholds: { instance_cpu_usage: 0.02 },
    periods: wholeHistory,
  });
  await letPass(running, 200);
  const { plan: ended, actions } = await execute(running, plan.uuid);
  const after = await running.control<SimulatorState>('/state');

  expect(audit.state).toBe('SUCCEEDED');
  expect(ended.state).toBe('SUCCEEDED');
  expect(actions.length).toBeGreaterThan(2);
  expect(new Set(actions.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
  expect(after.cpu_spread.stddev).toBeLessThan(before.cpu_spread.stddev / 2);
  expect([...(await countMigrations(running)).values()].every((count) => count === 1)).toBe(true);
  await expectOneTrace(collector, running, { audit: audit.uuid, plan: plan.uuid, actions: actions.length });

  const { action_uuid, cloud_request_ids } = await dataOf(
    running.client.api.GET('/v1/actions/{ident}/reason', { params: { path: { ident: actions[0]!.uuid } } }),
  );
  const { requests } = await running.control<{ requests: { globalRequestId: string; requestId: string }[] }>(
    '/requests',
  );
  const ofAction = requests.filter(({ globalRequestId }) => globalRequestId === `req-${action_uuid}`);
  expect(cloud_request_ids).toEqual(ofAction.map(({ requestId }) => requestId));
  expect(cloud_request_ids).toHaveLength(1);
});
