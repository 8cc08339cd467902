import type { Server } from '#libs/openstack';
import type { CrookedWorld } from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

/** States in which a server has a load, measured or not. */
const running = new Set(['active', 'paused', 'rescued', 'resized']);

/** Services of bare metal. The loads of its servers say nothing about instances of hypervisors. */
function bareMetal({ hypervisors }: CrookedWorld): Set<string | null> {
  return new Set(hypervisors.flatMap((one) => (one.hypervisorType === 'ironic' ? one.serviceHost : [])));
}

/** Load of each server in scope, in vcpus or MiB. A running server without measurement gets the mean of the others. */
function loadsOf(world: CrookedWorld, { hosts }: AuditContext, metric: string): Map<string, number> {
  const { servers, metrics } = world;
  const metal = bareMetal(world);
  const isCpu = metric === 'instance_cpu_usage';
  const most = ({ flavor }: Server) => (isCpu ? flavor.vcpus : flavor.ramMb);
  const measured = (server: Server) => {
    const value = metrics.get(metric)?.get(server.uuid);
    if (value === undefined || !Number.isFinite(value)) return undefined;
    return isCpu ? (value / 100) * server.flavor.vcpus : value;
  };
  const known = servers.filter(({ host }) => (host === null || hosts.has(host)) && !metal.has(host));
  const sum = { used: 0, most: 0 };
  for (const server of known) {
    const value = running.has(server.vmState) ? measured(server) : undefined;
    if (value === undefined) continue;
    sum.used += value;
    sum.most += most(server);
  }
  const mean = sum.most > 0 ? sum.used / sum.most : 0;
  return new Map(
    known.map((server) => [server.uuid, measured(server) ?? (running.has(server.vmState) ? most(server) * mean : 0)]),
  );
}

function hostLoad({ servers }: CrookedWorld, loads: ReadonlyMap<string, number>, name: string): number {
  return servers.reduce((sum, { uuid, host }) => (host === name ? sum + (loads.get(uuid) ?? 0) : sum), 0);
}

function sizeOf({ hypervisors, inventories }: CrookedWorld, name: string, metric: string): number {
  const uuid = hypervisors.find(({ serviceHost }) => serviceHost === name)?.uuid ?? '';
  const { VCPU, PCPU, MEMORY_MB } = inventories.get(uuid) ?? {};
  return metric === 'instance_cpu_usage' ? (VCPU?.total ?? 0) + (PCPU?.total ?? 0) : (MEMORY_MB?.total ?? 0);
}

/** Strategies that fill hosts by the load of their instances only, not by the load of the hosts. */
const fillersByLoad = new Set([
  'workload_balance',
  'balance_optimizer',
  'consolidation_optimizer',
  'placement_optimizer',
]);

/** Percent of the flavors of the running servers on a host that is measured before the plan. 100 without any server. */
export function coverageOf(world: CrookedWorld, { hosts }: AuditContext, metric: string, hostname: string): number {
  const { servers, metrics } = world;
  const metal = bareMetal(world);
  const most = ({ flavor }: Server) => (metric === 'instance_cpu_usage' ? flavor.vcpus : flavor.ramMb);
  const isMeasured = ({ uuid }: Server) => Number.isFinite(metrics.get(metric)?.get(uuid));
  const runs = servers.filter(({ vmState, host }) => running.has(vmState) && hosts.has(host ?? '') && !metal.has(host));
  // Without any measurement, allocations count.
  if (!runs.some(isMeasured)) return 100;
  const own = runs.filter(({ host }) => host === hostname);
  const sum = (of: readonly Server[]) => of.reduce((total, server) => total + most(server), 0);
  return own.length === 0 ? 100 : (100 * sum(own.filter(isMeasured))) / sum(own);
}

/** Returns hosts that a plan fills although most of their load is unmeasured, so that they may be full. */
export function filledBlindly(
  world: CrookedWorld,
  auditContext: AuditContext,
  { manifest, parameters, hosts }: Audited,
): string[] {
  if (!fillersByLoad.has(manifest.name)) return [];
  const metric = String(parameters.metrics ?? 'instance_cpu_usage');
  const least = Number(parameters.minimum_coverage ?? 80);
  return hosts.hosts.flatMap(({ hostname, instancesIn }) => {
    const percent = coverageOf(world, auditContext, metric, hostname);
    return instancesIn > 0 && percent < least - 1e-6
      ? [`${hostname} is filled, of which ${percent.toFixed(0)} % is measured`]
      : [];
  });
}

/**
 * Returns hosts below the threshold from which a relieving plan takes load. A host may be below the threshold if the
 * plan makes room there, unless the deviation of the hosts rises.
 */
export function wrongRelief(
  world: CrookedWorld,
  auditContext: AuditContext,
  { manifest, parameters, indicators }: Audited,
  { after }: Played,
): string[] {
  if (manifest.name !== 'workload_balance') return [];
  const metric = String(parameters.metrics);
  const loads = loadsOf(world, auditContext, metric);
  const { standard_deviation_before_audit: was = 0, standard_deviation_after_audit: is = 0 } = indicators;
  const formerHost = new Map(world.servers.map(({ uuid, host }) => [uuid, host]));
  const takers = new Set(after.servers.flatMap(({ uuid, host }) => (formerHost.get(uuid) === host ? [] : host)));
  return [...auditContext.hosts].flatMap((name) => {
    const before = hostLoad(world, loads, name);
    const percent = (100 * before) / sizeOf(world, name, metric);
    const isRelieved = hostLoad(after, loads, name) < before - 1e-9;
    const makesRoom = takers.has(name) && is <= was + 1e-9;
    return isRelieved && !makesRoom && percent < Number(parameters.threshold) - 1e-6
      ? [`${name} is relieved at ${percent.toFixed(1)} %, below the threshold of ${parameters.threshold} %`]
      : [];
  });
}
