import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';

const ports = [{ vnic_type: 'accelerator-direct' }, { vnic_type: 'direct' }, { minimum_kbps: 1000 }];
let served: Awaited<ReturnType<typeof serveSimulation>>;

beforeAll(async () => {
  served = await serveSimulation(smallWorld([{}, { ports }]));
});
afterAll(() => served.simulator.stop());

const list = async (query = '') => {
  const { status, body } = await served.request('GET', `/network/v2.0/ports${query}`);
  return { status, body: body as { ports: Record<string, unknown>[]; ports_links?: { href: string }[] } };
};
const servers = () => [...served.simulator.simulation.state.servers.keys()];

describe('ports', () => {
  it('are listed with their owner, kind and resource request', async () => {
    const { body } = await list();
    expect(
      body.ports.map((port) => [port.device_id, port['binding:vnic_type'], port.resource_request !== null]).sort(),
    ).toEqual(
      [
        [servers()[0], 'normal', false],
        [servers()[1], 'accelerator-direct', false],
        [servers()[1], 'direct', false],
        [servers()[1], 'normal', true],
      ].sort(),
    );
    expect(new Set(body.ports.map((port) => port.device_owner))).toEqual(new Set(['compute:nova']));
  });

  it('are filtered by several values, and reduced to the requested fields', async () => {
    const { body } = await list(`?device_id=${servers()[0]}&device_id=none&fields=id&fields=device_id`);
    expect(body.ports).toEqual([{ id: expect.any(String), device_id: servers()[0] }]);
  });

  it('are paged', async () => {
    const seen: unknown[] = [];
    let query: string | null = '?limit=3';
    while (query !== null) {
      const { body } = await list(query);
      seen.push(...body.ports.map(({ id }) => id));
      const [next] = body.ports_links ?? [];
      query = next ? new URL(next.href).search : null;
    }
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(4);
  });

  it('are refused in the format of Neutron', async () => {
    expect(await list('?limit=some')).toMatchObject({ status: 400, body: { NeutronError: { type: 'BadRequest' } } });
    const lost = '?limit=1&marker=00000000-0000-4000-8000-000000000000';
    expect(await list(lost)).toMatchObject({ status: 404, body: { NeutronError: { type: 'PortNotFound' } } });
  });
});

describe('servers with such ports', () => {
  it('are refused immediately with an accelerator', async () => {
    const actions = [{ 'os-migrateLive': { host: null, block_migration: 'auto' } }, { migrate: null }];
    for (const body of actions) {
      const path = `/compute/v2.1/servers/${servers()[1]}/action`;
      expect((await served.request('POST', path, { version: '2.60', body })).status).toBe(400);
    }
  });
});
