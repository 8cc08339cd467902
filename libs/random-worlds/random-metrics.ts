import type { Server } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import type { Draw } from './draw.ts';

/** The only metrics that are reported for a running server. */
const ofServers = [
  'instance_cpu_usage',
  'instance_ram_usage',
  'instance_l3_cache_usage',
  'instance_cpu_steal',
  'instance_disk_io',
  'instance_network_io',
];

function isRunning({ vmState, powerState }: Server): boolean {
  return vmState === 'active' && powerState === 1;
}

function put(world: CrookedWorld, metric: string, name: string, value: number): void {
  const values = world.metrics.get(metric) ?? new Map<string, number>();
  world.metrics.set(metric, values.set(name, value));
}

function measureServers(world: CrookedWorld, draw: Draw): void {
  const activity = new Map(world.services.map(({ host }) => [host, draw.between(2, 95)]));
  const hasSteal = draw.chance(0.3);
  for (const server of world.servers) {
    const { uuid, flavor, vmState } = server;
    const load = isRunning(server) ? Math.min(100, (activity.get(server.host ?? '') ?? 0) * draw.between(0.3, 1.7)) : 0;
    if (isRunning(server)) {
      put(world, 'instance_cpu_usage', uuid, load);
      put(world, 'instance_ram_usage', uuid, flavor.ramMb * draw.between(0.2, 0.95));
      put(world, 'instance_l3_cache_usage', uuid, 1e6 * draw.between(0.2, 2));
      put(world, 'instance_disk_io', uuid, 1e8 * draw.unit() ** 4);
      put(world, 'instance_network_io', uuid, 3e8 * draw.unit() ** 4);
      if (hasSteal) put(world, 'instance_cpu_steal', uuid, 30 * draw.unit() ** 3);
      put(world, 'instance_l3_cache_usage before', uuid, 1e6 * draw.between(0.2, 2));
    }
    if (vmState === 'error') continue;
    put(world, 'instance_ram_allocated', uuid, flavor.ramMb);
    put(world, 'instance_root_disk_size', uuid, flavor.diskGb);
  }
}

const finite = (value = 0) => (Number.isFinite(value) ? value : 0);

/** Hosts use the load of their servers, and a small part for the system. */
function measureHosts(world: CrookedWorld, draw: Draw): void {
  for (const { uuid, serviceHost } of world.hypervisors) {
    const inventory = world.inventories.get(uuid) ?? {};
    const cpus = (inventory.VCPU?.total ?? 0) + (inventory.PCPU?.total ?? 0);
    const residents = world.servers.filter(({ host }) => host === serviceHost);
    const sum = (metric: string, weight: (server: Server) => number) =>
      residents.reduce(
        (total, server) => total + finite(world.metrics.get(metric)?.get(server.uuid)) * weight(server),
        0,
      );
    const cpu = sum('instance_cpu_usage', ({ flavor }) => flavor.vcpus) / Math.max(1, cpus);
    put(world, 'host_cpu_usage', serviceHost, Math.min(100, cpu + draw.between(0, 3)));
    put(world, 'host_ram_usage', serviceHost, sum('instance_ram_usage', () => 1024) + draw.between(0, 1e6));
    if (draw.chance(0.8)) put(world, 'host_cpu_pressure', serviceHost, draw.between(0, 60));
    put(
      world,
      'host_disk_io',
      serviceHost,
      sum('instance_disk_io', () => 1),
    );
    put(
      world,
      'host_network_io',
      serviceHost,
      sum('instance_network_io', () => 1),
    );
    put(world, 'host_outlet_temp', serviceHost, 20 + cpu / 4 + draw.between(0, 10));
    put(world, 'host_inlet_temp', serviceHost, draw.between(18, 30));
    put(world, 'host_airflow', serviceHost, draw.between(200, 600));
    put(world, 'host_power', serviceHost, draw.between(150, 500));
  }
}

/** Removes values, and makes some infinite or NaN. */
function spoil(world: CrookedWorld, draw: Draw): void {
  const missing = draw.pick([0, 0, 0.1, 0.5]);
  const broken = draw.pick([0, 0, 0.03]);
  const silent = world.services.filter(() => draw.chance(missing / 3)).map(({ host }) => host);
  for (const [metric, values] of world.metrics) {
    for (const name of values.keys()) {
      const server = ofServers.includes(metric) ? world.servers.find(({ uuid }) => uuid === name) : undefined;
      if (silent.includes(server?.host ?? name) || draw.chance(missing / 2)) values.delete(name);
      else if (draw.chance(broken)) values.set(name, draw.pick([Number.POSITIVE_INFINITY, Number.NaN]));
    }
  }
}

/**
 * Consistent loads of servers and hosts. Some worlds have gaps and invalid values. `keepsServers` keeps the loads of
 * servers and measures the hosts again.
 */
export function addMetrics(world: CrookedWorld, draw: Draw, { keepsServers = false } = {}): void {
  if (!keepsServers) measureServers(world, draw);
  measureHosts(world, draw);
  if (!keepsServers) spoil(world, draw);
}
