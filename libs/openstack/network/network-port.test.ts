import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

const port = (id: string, more: object = {}) => ({
  id,
  device_id: `server-${id}`,
  device_owner: 'compute:nova',
  'binding:vnic_type': 'normal',
  resource_request: null,
  ...more,
});

describe('ports of servers', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;
  let pages: Record<string, { ports: object[]; next?: string }>;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted, { endpointOverrides: { network: `${scripted.url}/network` } });
    pages = {};
    scripted.script = ({ path, query }) => {
      if (path !== '/network/v2.0/ports') return undefined;
      const marker = query.get('marker') ?? 'first';
      const page = pages[marker];
      if (!page) return { status: 404, body: { NeutronError: { message: `Port ${marker} could not be found.` } } };
      const href = `${scripted.url}/network/v2.0/ports?marker=${page.next}`;
      return {
        status: 200,
        body: { ports: page.ports, ...(page.next ? { ports_links: [{ rel: 'next', href }] } : {}) },
      };
    };
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  const ports = async () =>
    (await cloud.network?.listServerPorts())?.map(({ serverUuid, vnicType, hasResourceRequest }) => [
      serverUuid,
      vnicType,
      hasResourceRequest,
    ]);

  it('are listed over all pages, with few fields, and without those of routers', async () => {
    pages = {
      first: { ports: [port('a'), port('r', { device_owner: 'network:router_interface' })], next: 'r' },
      r: { ports: [port('b', { 'binding:vnic_type': 'direct', resource_request: { request_groups: [] } })], next: 'b' },
      b: { ports: [] },
    };
    expect(await ports()).toEqual([
      ['server-a', 'normal', false],
      ['server-b', 'direct', true],
    ]);
    const fields = scripted.seen.at(-1)?.query.getAll('fields');
    expect(fields).toEqual(expect.arrayContaining(['binding:vnic_type', 'revision_number']));
  });

  it('have no kind where the credentials do not show it', async () => {
    pages = { first: { ports: [{ id: 'a', device_id: 's', device_owner: 'compute:' }] } };
    expect(await ports()).toEqual([['s', null, false]]);
  });

  it('are listed anew when the port at the end of a page is deleted', async () => {
    pages = { first: { ports: [port('a')], next: 'gone' } };
    const original = scripted.script;
    scripted.script = (request) => {
      const reply = original(request);
      if (request.query.get('marker') === 'gone') pages = { first: { ports: [port('b')] } };
      return reply;
    };
    expect(await ports()).toEqual([['server-b', 'normal', false]]);
  });

  it('exist only where the catalogue has the service', async () => {
    expect(await cloud.hasNetworkService?.()).toBe(true);
    const without = connectTo(scripted);
    expect(await without.hasNetworkService?.()).toBe(false);
    await without.close();
  });
});
