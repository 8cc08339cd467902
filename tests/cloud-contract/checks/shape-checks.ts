import assert from 'node:assert/strict';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';
import type { ContractService } from '../expected-shapes.ts';

/** Reads whose responses are compared as they are: service, key of the shape, path with `{…}` to be filled in. */
const reads: readonly [ContractService, string, string][] = [
  ['compute', 'GET /', '/'],
  ['compute', 'GET /servers/detail 2.53', '/servers/detail?all_tenants=True&limit=5'],
  ['compute', 'GET /servers/detail 2.93', '/servers/detail?all_tenants=True&limit=5'],
  ['compute', 'GET /servers/detail 2.96', '/servers/detail?all_tenants=True&limit=5'],
  ['compute', 'GET /servers/{id} 2.93', '/servers/{server}'],
  ['compute', 'GET /servers/{id} 2.96', '/servers/{server}'],
  ['compute', 'GET /os-hypervisors/detail 2.87', '/os-hypervisors/detail?limit=2'],
  ['compute', 'GET /os-hypervisors/detail 2.88', '/os-hypervisors/detail?limit=2'],
  [
    'compute',
    'GET /os-hypervisors/detail?hypervisor_hostname_pattern= 2.87',
    '/os-hypervisors/detail?hypervisor_hostname_pattern={hypervisor}&with_servers=False',
  ],
  ['compute', 'GET /os-services 2.69', '/os-services?binary=nova-compute'],
  ['compute', 'GET /os-aggregates 2.81', '/os-aggregates'],
  ['compute', 'GET /os-server-groups 2.64', '/os-server-groups?all_projects=True'],
  ['compute', 'GET /flavors/detail 2.61', '/flavors/detail?is_public=None&limit=2'],
  ['placement', 'GET /', '/'],
  ['placement', 'GET /resource_providers 1.36', '/resource_providers'],
  ['placement', 'GET /resource_providers/{uuid}/inventories 1.36', '/resource_providers/{provider}/inventories'],
  ['placement', 'GET /resource_providers/{uuid}/allocations 1.36', '/resource_providers/{provider}/allocations'],
  ['placement', 'GET /resource_providers/{uuid}/traits 1.36', '/resource_providers/{provider}/traits'],
  ['placement', 'GET /resource_providers/{uuid}/usages 1.36', '/resource_providers/{provider}/usages'],
  ['placement', 'GET /allocations/{consumer} 1.36', '/allocations/{server}'],
  ['block-storage', 'GET /volumes/detail 3.71', '/volumes/detail?all_tenants=True&limit=5'],
  ['block-storage', 'GET /scheduler-stats/get_pools 3.71', '/scheduler-stats/get_pools?detail=True'],
  ['block-storage', 'GET /types 3.71', '/types?is_public=None'],
  ['block-storage', 'GET /os-services 3.71', '/os-services?binary=cinder-volume'],
];

/** Raw responses to the client's reads, at fixed microversions. Skips those that the cloud is too old for. */
export const shapeChecks: readonly CloudCheck[] = reads.map(([service, key, path]) => ({
  name: `shape of ${service} ${key}`,
  async run(target) {
    if ((await target.cloud.identity.endpoint(service)) === null) return;
    const microversion = /\d+\.\d+$/.exec(key)?.[0];
    const request = { service, path: await fillIn(target, path) };
    const response = await target.raw(microversion === undefined ? request : { ...request, microversion });
    if (response.status === 406 && isNewest(key)) return;
    assert.equal(response.status, 200, JSON.stringify(response.body)?.slice(0, 300));
    if (microversion !== undefined && service === 'compute') {
      assert.equal(response.headers.get('openstack-api-version'), `compute ${microversion}`);
    }
    target.assertShape(service, key, response.body);
  },
}));

/** Newer than many clouds in use. */
function isNewest(key: string): boolean {
  return key.endsWith(' 2.96') || key.endsWith(' 3.71');
}

async function fillIn(target: ContractTarget, path: string): Promise<string> {
  let filled = path;
  if (filled.includes('{server}')) filled = filled.replace('{server}', (await target.pickServer()).uuid);
  if (filled.includes('{hypervisor}')) {
    const [hypervisor] = await target.cloud.compute.listHypervisors();
    filled = filled.replace('{hypervisor}', hypervisor?.hypervisorHostname ?? '');
  }
  if (filled.includes('{provider}')) {
    const host = (await target.pickServer()).host;
    const hypervisor = await target.cloud.compute.findHypervisorByServiceHost(host);
    filled = filled.replace('{provider}', hypervisor?.uuid ?? '');
  }
  return filled;
}
