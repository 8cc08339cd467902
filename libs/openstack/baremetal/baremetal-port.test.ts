import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, failureOf, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

const rawNode = {
  uuid: 'n1',
  name: 'rack-1',
  power_state: 'power on',
  target_power_state: null,
  provision_state: 'active',
  maintenance: false,
  maintenance_reason: null,
  last_error: null,
  driver_internal_info: { last_power_state_change: '2026-11-01T10:00:00.000123' },
  extra: { compute_node_id: 'y1' },
};

const node = {
  uuid: 'n1',
  name: 'rack-1',
  powerState: 'power on',
  targetPowerState: null,
  provisionState: 'active',
  maintenance: false,
  maintenanceReason: null,
  lastError: null,
  powerChangedAt: '2026-11-01T10:00:00.000123',
  computeNodeId: 'y1',
  extra: { compute_node_id: 'y1' },
};

const versionDocument = { versions: [{ id: 'v1', version: '1.90', min_version: '1.1' }] };

describe('bare metal', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted, { endpointOverrides: { baremetal: `${scripted.url}/baremetal` } });
    scripted.script = ({ method, path, query }) => {
      if (path === '/baremetal/') return { status: 200, body: versionDocument };
      if (path === '/baremetal/v1/nodes') {
        const second = { nodes: [{ uuid: 'n2', power_state: null, driver_internal_info: '** Redacted **' }] };
        const first = { nodes: [rawNode], next: 'http://elsewhere/v1/nodes?marker=n1' };
        return { status: 200, body: query.get('marker') === 'n1' ? second : first };
      }
      if (path === '/baremetal/v1/nodes/n1') return { status: 200, body: rawNode };
      if (method === 'PUT' && path === '/baremetal/v1/nodes/n1/states/power') return { status: 202 };
      const fault = { faultcode: 'Client', faultstring: 'Node n9 could not be found.' };
      return path.startsWith('/baremetal/v1')
        ? { status: 404, body: { error_message: JSON.stringify(fault) } }
        : undefined;
    };
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  it('is there when the catalogue, or an override, says so', async () => {
    expect(await cloud.hasBaremetalService()).toBe(true);
    const without = connectTo(scripted);
    expect(await without.hasBaremetalService()).toBe(false);
    expect(String(await failureOf(without.baremetal.listNodes()))).toContain('no public endpoint of type baremetal');
    await without.close();
  });

  it("lists nodes page by page, with Ironic's own version header", async () => {
    expect(await cloud.baremetal.listNodes()).toMatchObject([
      node,
      { uuid: 'n2', powerState: null, powerChangedAt: null },
    ]);
    expect(scripted.seen.at(-1)?.headers['x-openstack-ironic-api-version']).toBe('1.58');
  });

  it('reads one node, or nothing', async () => {
    expect(await cloud.baremetal.getNode('n1')).toEqual(node);
    expect(await cloud.baremetal.getNode('n9')).toBeNull();
  });

  it('changes the power with one request', async () => {
    await cloud.baremetal.setPowerState('n1', 'power off');
    expect(scripted.seen.at(-1)?.body).toEqual({ target: 'power off' });
    expect(scripted.count('PUT /baremetal/v1/nodes/n1/states/power')).toBe(1);
    expect(await failureOf(cloud.baremetal.setPowerState('n9', 'power on'))).toMatchObject({
      service: 'baremetal',
      status: 404,
      message: 'Node n9 could not be found.',
    });
  });

  it('takes an address that ends in /v1 as well', async () => {
    const other = connectTo(scripted, { endpointOverrides: { baremetal: `${scripted.url}/baremetal/v1` } });
    expect(await other.baremetal.getNode('n1')).toEqual(node);
    await other.close();
  });
});
