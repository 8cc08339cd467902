import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, type ServedSimulation, serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';

let served: ServedSimulation;
beforeAll(async () => {
  const nodes = [1, 2, 3].map((number) => ({ name: `node-${number}`, host: `compute-${number}` }));
  const world = smallWorld([{ volumes: ['v1'] }], {
    baremetal_nodes: [...nodes, { name: 'spare', maintenance_reason: 'fan' }],
    pools: [
      { name: 's@lvm#one', total_gb: 100 },
      { name: 's@lvm#two', total_gb: 100 },
    ],
    volumes: [{ name: 'v1', size_gb: 10 }],
  });
  served = await serveSimulation(world, { speed: 100 });
});
afterAll(() => served.simulator.stop());

describe('bare metal over HTTP', () => {
  it('is in the catalogue and returns its versions without a token', async () => {
    const response = await login(served.simulator.url, { name: 'admin', password: 'vigil', project: 'admin' });
    const body = (await response.json()) as { token: { catalog: { type: string }[] } };
    expect(body.token.catalog.map(({ type }) => type)).toContain('baremetal');
    const root = await served.request('GET', '/baremetal/', { as: null });
    expect(root).toMatchObject({ status: 200, body: { versions: [{ id: 'v1', version: '1.82' }] } });
  });

  it('lists nodes in pages, with the requested fields', async () => {
    const first = await served.request('GET', '/baremetal/v1/nodes?limit=3&fields=uuid,extra');
    const { nodes, next } = first.body as { nodes: Record<string, unknown>[]; next: string };
    expect(nodes.map((node) => Object.keys(node))).toEqual([0, 1, 2].map(() => ['uuid', 'extra']));
    const { pathname, search } = new URL(next);
    const rest = await served.request('GET', pathname + search);
    expect(rest.body).toMatchObject({ nodes: [{ name: 'spare', maintenance: true }] });
    const host = served.simulator.simulation.state.hosts.get('compute-1');
    expect(nodes[0]).toMatchObject({ extra: { compute_node_id: host?.uuid } });
  });

  it.each([
    ['soft power off', 'power off', 'power off'],
    ['rebooting', 'power on', 'power on'],
  ])('accepts %s as a way to %s', async (target, leadsTo, after) => {
    const { simulatedClock } = served.simulator.simulation;
    const path = '/baremetal/v1/nodes/node-2';
    simulatedClock.setSpeed(0);
    expect(await served.request('PUT', `${path}/states/power`, { body: { target } })).toMatchObject({ status: 202 });
    expect((await served.request('GET', path)).body).toMatchObject({ target_power_state: leadsTo });
    simulatedClock.setSpeed(100);
    await expect
      .poll(async () => (await served.request('GET', path)).body)
      .toMatchObject({ power_state: after, target_power_state: null });
  });

  it('changes power, and refuses like Ironic', async () => {
    const { simulatedClock } = served.simulator.simulation;
    const path = '/baremetal/v1/nodes/node-3';
    // The change continues until the test has checked it.
    simulatedClock.setSpeed(0);
    expect(await served.request('PUT', `${path}/states/power`, { body: { target: 'power off' } })).toMatchObject({
      status: 202,
    });
    const locked = await served.request('PUT', `${path}/states/power`, { body: { target: 'power on' } });
    expect(locked.status).toBe(409);
    const fault = JSON.parse((locked.body as { error_message: string }).error_message);
    expect(fault.faultstring).toContain('is locked');
    simulatedClock.setSpeed(100);
    await expect
      .poll(async () => (await served.request('GET', path)).body)
      .toMatchObject({ power_state: 'power off', target_power_state: null });
    const services = await served.request('GET', '/compute/v2.1/os-services?host=compute-3', { version: '2.53' });
    expect(services.body).toMatchObject({ services: [{ state: 'down' }] });
    expect((await served.request('GET', '/baremetal/v1/nodes/nobody')).status).toBe(404);
    expect((await served.request('GET', '/baremetal/v1/nodes', { as: 'member' })).status).toBe(403);
  });

  it('sets and ends maintenance', async () => {
    const path = '/baremetal/v1/nodes/node-2';
    await served.request('PUT', `${path}/maintenance`, { body: { reason: 'dust' } });
    expect((await served.request('GET', path)).body).toMatchObject({ maintenance: true, maintenance_reason: 'dust' });
    await served.request('DELETE', `${path}/maintenance`);
    expect((await served.request('GET', path)).body).toMatchObject({ maintenance: false, maintenance_reason: null });
  });
});

it('a volume is migrated over HTTP by administrators only', async () => {
  const [volume] = served.simulator.simulation.state.volumes.values();
  const path = `/volume/v3/volumes/${volume?.uuid}`;
  const body = { 'os-migrate_volume': { host: 's@lvm#two', lock_volume: true } };
  expect((await served.request('POST', `${path}/action`, { body, as: 'member' })).status).toBe(403);
  expect((await served.request('POST', `${path}/action`, { body })).status).toBe(202);
  const key = 'os-vol-mig-status-attr:migstat';
  await expect
    .poll(async () => ((await served.request('GET', path)).body as { volume: Record<string, unknown> }).volume[key])
    .toBe('success');
  const after = await served.request('GET', path);
  expect(after.body).toMatchObject({ volume: { 'os-vol-host-attr:host': 's@lvm#two', status: 'in-use' } });
  expect((await served.request('POST', `${path}/action`, { body: { odd: {} } })).status).toBe(400);
});
