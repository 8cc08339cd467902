import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { internalVersion } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { createStore } from '#libs/store';
import { insertPlanWorld } from '../builders.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';
import { runVigil, type VigilProcess } from './vigil-process.ts';

let coordinator: VigilProcess;
const quickly = { VIGIL_COORDINATOR_LEASE_SECONDS: '2', VIGIL_COORDINATOR_POLL_SECONDS: '1' };
const stack = await useTestStack({
  simulator: noHistory,
  env: { VIGIL_HOST_ID: 'node-1', VIGIL_ALLOW_MULTIPLE: 'false' },
});
const env = { ...stack.env, VIGIL_API_URL: stack.api.url!, OS_USERNAME: 'admin', OS_PROJECT_NAME: 'admin' };

interface Row {
  name: string;
  status: string;
  instance: { pid: number };
}
const vigil = async <Result>(...args: string[]) => {
  const { exitCode, stdout, stderr } = await runVigil([...args, '--json'], env);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Result;
};
const statuses = async () =>
  Object.fromEntries((await vigil<Row[]>('services')).map(({ name, status }) => [name, status]));

test('the client requests the internal version of its build', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toMatch(new RegExp(`^${internalVersion}\\.`));
});

test('processes register, respond, are unique, and end on request', async () => {
  const applier = await stack.start(['applier'], { VIGIL_HEALTH_PORT: '0' });
  coordinator = await stack.start(['coordinator'], quickly);
  expect(await statuses()).toEqual({
    'recovery-coordinator': 'Running',
    'watcher-api': 'Running',
    'watcher-applier': 'Running',
  });

  expect(await vigil('service', 'check', 'watcher-applier')).toMatchObject({ status: 'pass' });
  const status = await vigil<Record<string, unknown>>('service', 'status', 'watcher-applier@node-1');
  expect(status).toMatchObject({ serviceName: 'watcher-applier', work: [], check: { status: 'pass' } });
  expect(status.config).toMatchObject({ VIGIL_DATABASE_URL: '[set]', VIGIL_APPLIER_WORKERS: 1 });
  expect(JSON.stringify(status)).not.toContain(stack.env.VIGIL_DATABASE_URL);

  const api = await vigil<{ owns: { rel: string; dstId: string }[] }>('service', 'status', 'watcher-api');
  expect(api.owns).toContainEqual(expect.objectContaining({ rel: 'runs', dstId: 'outbox-relay' }));

  const second = await runVigil(['applier'], stack.env);
  expect(second).toMatchObject({ exitCode: 75, stderr: expect.stringContaining('already running on node-1') });
  const invalid = await runVigil(['applier'], { ...stack.env, VIGIL_APPLIER_WORKERS: 'many' });
  expect(invalid).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('VIGIL_APPLIER_WORKERS must be') });
  const events = await vigil<{ type: string; doc: { errors?: string[] } }[]>('services', '--events');
  const refused = events.filter(({ type }) => type === 'service.could_not_start');
  expect(refused).toMatchObject([{ doc: { errors: [expect.stringContaining('VIGIL_APPLIER_WORKERS')] } }, {}]);

  const restart = vigil('service', 'restart', 'watcher-applier');
  expect(await applier.ended).toBe(10);
  await stack.start(['applier']);
  expect(await restart).toMatchObject({ state: 'OK' });
  expect(await vigil('service', 'start', 'watcher-applier')).toMatchObject({ state: 'OK', reason: 'it runs already' });
  await vigil('service', 'stop', 'watcher-applier');
  expect((await statuses())['watcher-applier']).toBe('NotRunning');
  // Nothing restarts ended processes here, and `vigil` reports their end immediately.
  const start = await runVigil(['service', 'start', 'watcher-applier'], env);
  expect(start.exitCode).toBe(1);
  expect(start.stderr).toContain('No process can start watcher-applier@node-1 on request');
  expect(start.stderr).toContain('systemctl start vigil-applier');
});

test('a coordinator that is killed in the middle of a job leaves it to the next one, which ends it', async () => {
  const second = await stack.start(['coordinator'], { ...quickly, VIGIL_HOST_ID: 'node-2' });
  const store = await createStore({ url: stack.env.VIGIL_DATABASE_URL!, logger: silentLogger, poolSize: 1 });
  try {
    const { registry, recovery, actionPlans } = store.db;
    const { plan } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
    const lost = { instanceId: randomUUID(), serviceType: 'watcher-applier', serviceName: 'watcher-applier', pid: 1 };
    await registry.enlist({ ...lost, host: 'gone', version: '0.1.0', config: {}, configHash: null, ttlMs: 1 });
    await actionPlans.claim(plan.uuid, { instance: lost.instanceId, host: 'gone', ttlMs: 600_000 });
    const jobOf = async (phase: string | null) =>
      (await recovery.listJobs(100)).find(
        (job) => job.rule === 'R1' && job.subject.instanceId === lost.instanceId && (!phase || job.phase === phase),
      );
    // It waits for the lease of the plan.
    await vi.waitFor(async () => expect(await jobOf('hand-over')).toMatchObject({ endedAt: null }), 60_000);
    await coordinator.kill();
    await stack.sql('UPDATE action_plans SET lease_expires_at = now() WHERE uuid = $1', [plan.uuid]);
    await vi.waitFor(async () => expect(await jobOf(null)).toMatchObject({ outcome: 'HANDED_OVER' }), 60_000);
    const [decision, ...others] = (await recovery.decisions({ limit: 100, rule: 'R1' })).filter(
      ({ inputs }) => inputs.instanceId === lost.instanceId,
    );
    expect(others).toEqual([]);
    expect(decision?.fence).toBeGreaterThan(1);
    // The output of a process arrives later than its rows.
    await vi.waitFor(() => expect(second.output()).toContain('"outcome":"HANDED_OVER"'), 60_000);
  } finally {
    await store.close();
  }
});
