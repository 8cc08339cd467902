import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../faults/request-log.ts';
import {
  manualSimulation,
  type ServedSimulation,
  serveSimulation,
  smallWorld,
} from '../../testing/simulation-fixture.ts';
import { controlRoutes } from './control-routes.ts';

describe('the control API', () => {
  let served: ServedSimulation;
  let uuid: string;
  beforeEach(async () => {
    served = await serveSimulation(smallWorld([{ load: { kind: 'steady', base: 20, noise: 0 } }]));
    uuid = [...served.simulator.simulation.state.servers.keys()][0] ?? '';
  });
  afterEach(() => served.simulator.stop());

  const control = (method: string, path: string, body?: unknown) =>
    served.request(method, `/simulator${path}`, { as: null, body });
  const list = () => served.request('GET', '/compute/v2.1/servers');
  const stop = (headers?: Record<string, string>, signal?: AbortSignal) =>
    served.request('POST', `/compute/v2.1/servers/${uuid}/action`, { body: { 'os-stop': null }, headers, signal });
  const requests = async () => ((await control('GET', '/requests')).body as { requests: LoggedRequest[] }).requests;

  it('has valid schemas for its bodies', async () => {
    // Fastify refuses invalid schemas by default.
    const app = fastify().register(controlRoutes(manualSimulation().simulation, null));
    await expect(app.ready()).resolves.toBeDefined();
  });

  it('shows hosts, deviation and migrations', async () => {
    const { body } = await control('GET', '/state');
    expect(body).toMatchObject({
      world: 'small',
      servers: 1,
      cpu_spread: { hosts: 3 },
      hosts: [{ name: 'compute-1', servers: 1, cpu_percent: 3.5, used: { VCPU: 1 } }, {}, {}],
      migrations: [],
    });
  });

  it('logs every changing request with ids and outcome, but without secrets', async () => {
    await list();
    await stop({ 'x-openstack-request-id': 'req-11111111-2222-4333-8444-555555555555' });
    const logged = await requests();
    expect(logged.map((entry) => `${entry.service} ${entry.method} ${entry.status}`)).toEqual([
      'identity POST 201',
      'compute POST 202',
    ]);
    expect(logged[0]?.body).toBeNull();
    expect(logged[1]).toMatchObject({
      path: `/compute/v2.1/servers/${uuid}/action`,
      body: { 'os-stop': null },
      globalRequestId: 'req-11111111-2222-4333-8444-555555555555',
      userName: 'admin',
      delivered: true,
    });
  });

  it('makes a service fail the given number of times', async () => {
    await control('POST', '/faults', {
      kind: 'error',
      match: { service: 'compute', path: '/servers' },
      status: 503,
      count: 2,
    });
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([503, 503, 200]);
    expect((await control('GET', '/faults')).body).toEqual({ faults: [] });
  });

  it('makes requests fail with a seeded probability', async () => {
    await control('POST', '/faults', { kind: 'error', match: { service: 'compute' }, status: 500, probability: 0.5 });
    const statuses: number[] = [];
    for (let index = 0; index < 40; index++) statuses.push((await list()).status);
    const failed = statuses.filter((status) => status === 500).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(32);
  });

  it('delays responses', async () => {
    await list();
    await control('POST', '/faults', { kind: 'latency', milliseconds: 200 });
    const before = performance.now();
    await list();
    expect(performance.now() - before).toBeGreaterThan(195);
  });

  it('applies a request and drops its response, which is visible only in the log', async () => {
    await list();
    await control('POST', '/faults', { kind: 'drop', match: { method: 'post', path: '/action$' }, count: 1 });
    await expect(stop()).rejects.toThrow();
    expect((await requests()).at(-1)).toMatchObject({ status: 202, delivered: false });
    const server = await served.request('GET', `/compute/v2.1/servers/${uuid}`);
    expect(server.body).toMatchObject({ server: { 'OS-EXT-STS:task_state': 'powering-off' } });
  });

  it('closes a connection and applies the request later', async () => {
    await list();
    await control('POST', '/faults', { kind: 'late', match: { path: '/action$' }, milliseconds: 300, count: 1 });
    await expect(stop()).rejects.toThrow();
    expect((await requests()).at(-1)).toMatchObject({ status: null, pending: true, doneAt: null });
    const task = async () => (await served.request('GET', `/compute/v2.1/servers/${uuid}`)).body;
    expect(await task()).toMatchObject({ server: { 'OS-EXT-STS:task_state': null } });
    await expect.poll(task).toMatchObject({ server: { 'OS-EXT-STS:task_state': 'powering-off' } });
    const { at, doneAt, ...entry } = (await requests()).at(-1) as LoggedRequest;
    expect(entry).toMatchObject({ status: 202, delivered: false, pending: false });
    expect((doneAt ?? 0) - at).toBeGreaterThan(295);
  });

  it('applies a delayed request after its client has left', async () => {
    await list();
    // Long enough for a loaded machine to notice that the client has left.
    await control('POST', '/faults', { kind: 'latency', match: { path: '/action$' }, milliseconds: 2000, count: 1 });
    await expect(stop({}, AbortSignal.timeout(50))).rejects.toThrow();
    await expect.poll(async () => (await requests()).at(-1)).toMatchObject({ status: 202, delivered: false });
  });

  it('resets a connection before any effect', async () => {
    await list();
    await control('POST', '/faults', { kind: 'reset', match: { path: '/action$' }, count: 1 });
    await expect(stop()).rejects.toThrow();
    expect((await requests()).at(-1)).toMatchObject({ status: null, delivered: false });
    expect((await stop()).status).toBe(202);
  });

  it('hangs until the fault is removed', async () => {
    await list();
    await control('POST', '/faults', { kind: 'hang', match: { service: 'compute' } });
    const pending = list().then(
      () => 'answered',
      () => 'cut off',
    );
    expect(await Promise.race([pending, new Promise((resolve) => setTimeout(() => resolve('waiting'), 150))])).toBe(
      'waiting',
    );
    await control('DELETE', '/faults');
    expect(await pending).toBe('cut off');
    expect((await list()).status).toBe(200);
  });

  it('takes a host down and up again', async () => {
    const down = await control('POST', '/faults', { kind: 'host-down', host: 'compute-2' });
    const state = async () =>
      (
        (await served.request('GET', '/compute/v2.1/os-services?host=compute-2')).body as {
          services: { state: string }[];
        }
      ).services[0]?.state;
    expect(await state()).toBe('down');
    await control('DELETE', `/faults/${(down.body as { id: number }).id}`);
    expect(await state()).toBe('up');
  });

  it('advances time, changes the speed and multiplies loads', async () => {
    await control('POST', '/speed', { speed: 0 });
    const seconds = async () =>
      ((await control('GET', '/state')).body as { simulated_seconds: number }).simulated_seconds;
    const before = await seconds();
    await stop();
    await control('POST', '/tick', { seconds: 30 });
    expect(await seconds()).toBeCloseTo(before + 30, 6);
    const server = await served.request('GET', `/compute/v2.1/servers/${uuid}`);
    expect(server.body).toMatchObject({ server: { status: 'SHUTOFF' } });
    await served.request('POST', `/compute/v2.1/servers/${uuid}/action`, { body: { 'os-start': null } });
    await control('POST', '/tick', { seconds: 30 });
    await control('POST', '/load', { hosts: ['compute-1'], factor: 4 });
    expect((await control('GET', '/state')).body).toMatchObject({ hosts: [{ cpu_percent: 11 }, {}, {}] });
    await control('DELETE', '/load');
    expect((await control('GET', '/state')).body).toMatchObject({ hosts: [{ cpu_percent: 3.5 }, {}, {}] });
  });

  it('attaches ports and shares, which then prevent moves', async () => {
    const move = async () => {
      const body = { migrate: { host: 'compute-2' } };
      const response = await served.request('POST', `/compute/v2.1/servers/${uuid}/action`, { body });
      return [response.status, JSON.stringify(response.body)];
    };
    const suspend = () => served.request('POST', `/compute/v2.1/servers/${uuid}/action`, { body: { suspend: null } });
    expect((await control('POST', `/servers/${uuid}/shares`)).status).toBe(201);
    expect((await suspend()).status).toBe(409);
    expect(await control('POST', `/servers/${uuid}/ports`, { vnic_type: 'accelerator-direct' })).toMatchObject({
      status: 201,
      body: { vnic_type: 'accelerator-direct' },
    });
    expect(await move()).toEqual([400, expect.stringContaining('Ports that have accelerators')]);
    expect((await control('POST', `/servers/${uuid}/ports`, { vnic_type: 'nonsense' })).status).toBe(400);
    expect((await control('POST', '/servers/nobody/shares')).status).toBe(404);
  });

  it.each([
    ['/faults', { kind: 'explode' }],
    ['/faults', { kind: 'latency' }],
    ['/faults', { kind: 'late' }],
    ['/faults', { kind: 'host-down', host: 'nowhere' }],
    ['/faults', { kind: 'error', match: { path: '(' } }],
    ['/speed', { speed: -1 }],
    ['/load', { factor: 2, hosts: ['nowhere'] }],
  ])('refuses POST %s %o', async (path, body) => {
    expect((await control('POST', path, body)).status).toBe(400);
  });
});
