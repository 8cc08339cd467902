import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud.ts';
import { connectTo, failureOf, type ScriptedCloud, startScriptedCloud } from '../testing/scripted-cloud.ts';

describe('placement', () => {
  let scripted: ScriptedCloud;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    cloud = connectTo(scripted);
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  function response(path: string, body: unknown): void {
    scripted.script = (request) => (request.path === `/placement${path}` ? { status: 200, body } : undefined);
  }

  it('gives inventories with the documented defaults of missing fields', async () => {
    response('/resource_providers/rp1/inventories', {
      inventories: {
        VCPU: { total: 16, allocation_ratio: 4.0, reserved: 2, min_unit: 1, max_unit: 8, step_size: 1 },
        GPU: { total: 3 },
      },
    });
    expect(await cloud.placement.getInventories('rp1')).toEqual({
      VCPU: { total: 16, reserved: 2, allocationRatio: 4, minUnit: 1, maxUnit: 8, stepSize: 1 },
      GPU: { total: 3, reserved: 0, allocationRatio: 1, minUnit: 1, maxUnit: 3, stepSize: 1 },
    });
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('placement 1.36');
  });

  it('gives allocations by consumer', async () => {
    response('/resource_providers/rp1/allocations', {
      allocations: { s1: { consumer_generation: 1, resources: { VCPU: 2, MEMORY_MB: 512 } } },
    });
    expect(await cloud.placement.getAllocations('rp1')).toEqual(new Map([['s1', { VCPU: 2, MEMORY_MB: 512 }]]));
    response('/resource_providers/rp1/allocations', { allocations: { s1: { resources: { VCPU: '2' } } } });
    expect(String(await failureOf(cloud.placement.getAllocations('rp1')))).toContain(
      'allocations.s1.resources.VCPU is "2", not a number',
    );
  });

  it('reads which providers share with which others', async () => {
    const row = (uuid: string) => ({ uuid, name: uuid, generation: 1, parent_provider_uuid: null });
    const responses: Record<string, unknown> = {
      '/placement/resource_providers?required=MISC_SHARES_VIA_AGGREGATE': {
        resource_providers: [row('nfs'), row('alone')],
      },
      '/placement/resource_providers/nfs/aggregates': { aggregates: ['agg1', 'agg2'] },
      '/placement/resource_providers/alone/aggregates': { aggregates: [] },
      '/placement/resource_providers?member_of=in%3Aagg1%2Cagg2': { resource_providers: [row('nfs'), row('rp1')] },
    };
    scripted.script = ({ path, query }) => {
      const body = responses[query.size === 0 ? path : `${path}?${query}`];
      return body === undefined ? undefined : { status: 200, body };
    };
    expect(await cloud.placement.listSharingProviders()).toEqual([
      { uuid: 'nfs', members: ['nfs', 'rp1'] },
      { uuid: 'alone', members: [] },
    ]);
  });

  it('falls back to the fields of an older Placement', async () => {
    scripted.script = (request) => {
      if (request.path === '/placement/') {
        return { status: 200, body: { versions: [{ id: 'v1.0', min_version: '1.0', max_version: '1.10' }] } };
      }
      const row = { uuid: 'rp1', name: 'h1', generation: 3 };
      return request.path.startsWith('/placement') ? { status: 200, body: { resource_providers: [row] } } : undefined;
    };
    expect(await cloud.placement.listResourceProviders()).toEqual([
      { uuid: 'rp1', name: 'h1', generation: 3, parentUuid: null },
    ]);
    expect(scripted.seen.at(-1)?.headers['openstack-api-version']).toBe('placement 1.10');
  });

  it('returns nothing for a removed provider', async () => {
    expect(await cloud.placement.getInventories('gone')).toBeNull();
    expect(await cloud.placement.getAllocations('gone')).toBeNull();
    expect(await cloud.placement.getTraits('gone')).toEqual([]);
  });

  it('gets a limited number of parallel calls', async () => {
    const careful = connectTo(scripted, { maxConnections: 4 });
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, number) => careful.placement.getTraits(`rp${number}`)),
    );
    await careful.close();
    expect(all).toHaveLength(300);
    expect(scripted.mostAtOnce).toBeLessThanOrEqual(4);
  });
});
