import assert from 'node:assert/strict';
import type { CloudCheck } from '../cloud-check.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

/** Paging, filters, unknown ids and unsupported microversions. */
export const listingChecks: readonly CloudCheck[] = [
  {
    name: 'pages of servers add up to the whole list',
    async run({ cloud }) {
      const whole = await cloud.compute.listServers({});
      const pageSize = Math.max(1, Math.ceil(whole.length / 4));
      const paged = await cloud.compute.listServers({}, { pageSize });
      assert.ok(whole.length > 1, 'the cloud has too few servers');
      assert.deepEqual(paged.map((server) => server.uuid).sort(), whole.map((server) => server.uuid).sort());
    },
  },
  {
    name: 'a page of servers has limit elements and a link to the next; an unknown marker is a 400',
    async run({ raw }) {
      const path = '/servers/detail?all_tenants=True&limit=1';
      const first = await raw({ service: 'compute', path, microversion: '2.53' });
      const { servers, servers_links: links } = first.body as {
        servers: { id: string }[];
        servers_links: { rel: string; href: string }[];
      };
      assert.equal(servers.length, 1);
      const next = links.find((link) => link.rel === 'next');
      assert.equal(new URL(next?.href ?? '').searchParams.get('marker'), servers[0]?.id);
      const lost = await raw({ service: 'compute', path: `${path}&marker=${nobody}`, microversion: '2.53' });
      assert.equal(lost.status, 400);
      assert.match(JSON.stringify(lost.body), /marker.*not found/);
    },
  },
  {
    name: 'hypervisors are paged too, and found by the host of their service',
    async run({ cloud, raw }) {
      const all = await cloud.compute.listHypervisors();
      const first = await raw({ service: 'compute', path: '/os-hypervisors/detail?limit=1', microversion: '2.53' });
      const { hypervisors, hypervisors_links: links } = first.body as {
        hypervisors: unknown[];
        hypervisors_links: { rel: string }[];
      };
      assert.equal(hypervisors.length, 1);
      assert.equal(links[0]?.rel, 'next');
      const [some] = all;
      assert.ok(some !== undefined);
      assert.deepEqual(await cloud.compute.findHypervisorByServiceHost(some.serviceHost), some);
      assert.equal(await cloud.compute.findHypervisorByServiceHost('no-such-host'), null);
    },
  },
  {
    name: 'a hypervisor tells its type, its version and the architecture of its CPUs',
    async run({ cloud }) {
      for (const { serviceHost, hypervisorType, hypervisorVersion, cpu } of await cloud.compute.listHypervisors()) {
        assert.notEqual(hypervisorType, '', serviceHost);
        assert.equal(typeof hypervisorVersion, 'number', serviceHost);
        assert.equal(typeof cpu?.architecture, 'string', serviceHost);
      }
    },
  },
  {
    name: 'servers can be listed by host',
    async run(target) {
      const { host } = await target.pickServer();
      const all = await target.cloud.compute.listServers({});
      const onHost = await target.cloud.compute.listServers({ host });
      const expected = all.filter((server) => server.host === host).map((server) => server.uuid);
      assert.deepEqual(onHost.map((server) => server.uuid).sort(), expected.sort());
      assert.deepEqual(await target.cloud.compute.listServers({ host: 'no-such-host' }), []);
    },
  },
  {
    name: 'a flavor is embedded from 2.47 on, before it is a link',
    async run({ raw }) {
      const path = '/servers/detail?all_tenants=True&limit=1';
      const old = await raw({ service: 'compute', path, microversion: '2.1' });
      const young = await raw({ service: 'compute', path, microversion: '2.47' });
      const keysOf = (body: unknown) =>
        Object.keys((body as { servers: { flavor: object }[] }).servers[0]?.flavor ?? {}).sort();
      assert.deepEqual(keysOf(old.body), ['id', 'links']);
      assert.ok(keysOf(young.body).includes('vcpus'));
    },
  },
  {
    name: 'hosts of aggregates and services are the same names',
    async run({ cloud }) {
      const hosts = new Set((await cloud.compute.listServices()).map((service) => service.host));
      assert.ok(hosts.size > 1);
      for (const aggregate of await cloud.compute.listAggregates()) {
        for (const host of aggregate.hosts) assert.ok(hosts.has(host), `${host} of ${aggregate.name} has no service`);
      }
      for (const hypervisor of await cloud.compute.listHypervisors()) assert.ok(hosts.has(hypervisor.serviceHost));
    },
  },
  {
    name: 'an unknown server is a 404 and null',
    async run(target) {
      const response = await target.raw({ service: 'compute', path: `/servers/${nobody}`, microversion: '2.53' });
      assert.equal(response.status, 404);
      target.assertShape('compute', 'fault 404', response.body);
      assert.equal(await target.cloud.compute.getServer(nobody), null);
      assert.deepEqual(await target.cloud.compute.listServerMigrations(nobody), []);
    },
  },
  {
    name: 'an unknown resource provider is a 404 and null',
    async run(target) {
      const path = `/resource_providers/${nobody}/inventories`;
      const response = await target.raw({ service: 'placement', path, microversion: '1.36' });
      assert.equal(response.status, 404);
      target.assertShape('placement', 'fault 404', response.body);
      assert.equal(await target.cloud.placement.getInventories(nobody), null);
      assert.equal(await target.cloud.placement.getAllocations(nobody), null);
    },
  },
  {
    name: 'a microversion that is not there is a 406',
    async run(target) {
      const nova = await target.raw({ service: 'compute', path: '/servers', microversion: '2.999' });
      assert.equal(nova.status, 406);
      target.assertShape('compute', 'fault 406', nova.body);
      const placement = await target.raw({ service: 'placement', path: '/resource_providers', microversion: '1.999' });
      assert.equal(placement.status, 406);
      target.assertShape('placement', 'fault 406', placement.body);
    },
  },
  {
    name: 'every hypervisor is a resource provider with inventories of the three classes',
    async run({ cloud }) {
      const providers = new Set((await cloud.placement.listResourceProviders()).map((provider) => provider.uuid));
      const hypervisors = await cloud.compute.listHypervisors();
      for (const hypervisor of hypervisors) assert.ok(providers.has(hypervisor.uuid));
      const inventories = await cloud.placement.getInventories(hypervisors[0]?.uuid ?? '');
      for (const name of ['VCPU', 'MEMORY_MB', 'DISK_GB']) assert.ok((inventories?.[name]?.total ?? 0) > 0, name);
    },
  },
];
