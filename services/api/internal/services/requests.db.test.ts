import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { internalVersion } from '#libs/client';
import { fault, useTestApi } from '../../testing/test-api.ts';

const headers = { 'X-Vigil-Internal-Version': internalVersion };
const api = await useTestApi();

const request = (kind: string, name: string) =>
  api.send('POST', `/internal/services/${name}/${kind}`, undefined, headers);

async function started(host: string): Promise<string> {
  const instanceId = randomUUID();
  const type = 'watcher-applier';
  const { registry } = api.store.db;
  const row = { instanceId, serviceType: type, serviceName: type, host, pid: 1, version: '1.0.0', config: {} };
  await registry.enlist({ ...row, configHash: null, ttlMs: 60_000 });
  await registry.transition(instanceId, 'started');
  return instanceId;
}

it('a start that no process can execute is refused immediately, with the alternative', async () => {
  const instanceId = await started('alone');
  await api.store.db.registry.transition(instanceId, 'crash', { reason: 'boom' });
  for (const kind of ['start', 'restart']) {
    expect(fault(await request(kind, 'watcher-applier@alone'))).toEqual({
      status: 409,
      text: 'No process can start watcher-applier@alone on request: only `vigil up` does, and it does not run there. On alone: `systemctl start vigil-applier`, or `vigil applier`.',
    });
  }
  expect((await request('stop', 'watcher-applier@alone')).json()).toMatchObject({
    state: 'OK',
    reason: 'it does not run',
  });
});

it('a start waits while `vigil up` reports that it keeps the service', async () => {
  const { registry } = api.store.db;
  const instanceId = await started('kept');
  await registry.transition(instanceId, 'crash', { reason: 'boom' });
  const names = ['watcher-applier', 'watcher-api'];
  await registry.supervise('kept', names, { name: 'vigil-up', ttlMs: 60_000 });
  await registry.supervise('kept', names, { name: 'vigil-up', ttlMs: 60_000 });
  const response = await request('start', 'watcher-applier@kept');
  expect(response.statusCode, response.body).toBe(202);
  expect(response.headers.location).toBe(`/internal/service-requests/${response.json().id}`);
  expect(response.json()).toMatchObject({ kind: 'start', state: 'PENDING' });
  await registry.supervise('kept', ['watcher-applier'], { name: 'vigil-up', ttlMs: -1 });
  expect((await request('restart', 'watcher-applier@kept')).statusCode).toBe(409);
  await registry.endSupervision('kept', names);
  expect(await registry.isSupervised('watcher-api', 'kept')).toBe(false);
});

it.each([
  ['has ended', true, 'it has ended, and nothing has started it again within the time limit'],
  ['runs on', false, 'unchanged: nothing was done within the time limit'],
])('a request that is too late says that the process %s', async (_, ends, reason) => {
  const { registry } = api.store.db;
  const host = `late-${ends}`;
  const instanceId = await started(host);
  const target = { kind: 'restart', serviceName: 'watcher-applier', host, requestedBy: 'test' } as const;
  const { id } = await registry.request({ ...target, id: randomUUID(), timeoutMs: -1 });
  if (ends) await registry.transition(instanceId, 'crash', { reason: 'boom' });
  const shown = await api.get(`/internal/service-requests/${id}`, headers);
  expect(shown.json()).toMatchObject({ state: 'TIMED_OUT', reason });
});

it('the list names the plugins that each service works without', async () => {
  await Promise.all([started('whole'), started('lame')]);
  await api.store.db.pluginFaults.report('watcher-applier', 'lame', [{ plugin: './broken', reason: 'no export' }]);
  await api.store.db.pluginFaults.report('watcher-decision-engine', 'whole', [{ plugin: './other', reason: 'x' }]);
  const { services } = (await api.get('/internal/services', headers)).json();
  const faultsOn = (host: string) =>
    services.find((row: { host: string }) => row.host === host).plugin_faults as object[];
  expect(faultsOn('lame')).toEqual([{ plugin: './broken', reason: 'no export', at: expect.any(String) }]);
  expect(faultsOn('whole')).toEqual([]);
});
