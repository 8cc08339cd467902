import type { JsonObject } from '#libs/domain';
import type { Server } from '#libs/openstack';
import { type CrookedWorld, createNovaJudge, type NovaJudge, virtualServices } from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

/** Hosts that replace each other after a failure. */
export interface JudgedDomain {
  hosts: string[];
  /** Whether a server may run on these hosts only. */
  binds(server: Server): boolean;
}

/** Metadata of an aggregate that limits where servers run, or is a label of its hosts. */
const limitingKeys = (metadata: Record<string, string>) =>
  Object.keys(metadata).filter((key) => !/^(availability_zone|(cpu|ram|disk)_allocation_ratio)$/.test(key));

/** Nova keeps an aggregate of tenants or traits for them. Other metadata binds the servers that name it alone. */
function bindsBy(metadata: Record<string, string>): JudgedDomain['binds'] {
  const keys = limitingKeys(metadata);
  if (keys.some((key) => /^(filter_tenant_id|trait:)/.test(key))) return () => true;
  return ({ flavor: { extraSpecs }, imageProperties = {} }) =>
    keys.some(
      (key) =>
        [key, `aggregate_instance_extra_specs:${key}`].some((name) => name in extraSpecs) || key in imageProperties,
    );
}

/** Zones, cells, and aggregates with metadata, by kind and name. */
export function domainsOf(world: CrookedWorld): Map<string, JudgedDomain> {
  const { aggregates, cells } = world;
  const domains = new Map<string, JudgedDomain>();
  const add = (name: string, host: string, binds: JudgedDomain['binds'] = () => true) => {
    const hosts = [...(domains.get(name)?.hosts ?? []), host];
    domains.set(name, { hosts, binds });
  };
  for (const { host, zone } of virtualServices(world)) {
    add(`zone ${zone}`, host);
    if (cells.size > 0) add(`cell ${cells.get(host)}`, host);
  }
  for (const { name, hosts, metadata } of aggregates)
    if (limitingKeys(metadata).length > 0) for (const host of hosts) add(`aggregate ${name}`, host, bindsBy(metadata));
  return domains;
}

/** Hosts whose compute service is up and enabled. */
export function servingHosts(world: CrookedWorld): Set<string> {
  return new Set(
    virtualServices(world)
      .filter(({ state, status, forcedDown }) => state === 'up' && status === 'enabled' && !forcedDown)
      .map(({ host }) => host),
  );
}

/** Failure domains that had a host in use, and have none after the plan. */
export function emptiedDomains(world: CrookedWorld, auditContext: AuditContext, { after }: Played): string[] {
  const [before, now] = [servingHosts(world), servingHosts(after)];
  return [...domainsOf(world)].flatMap(([name, { hosts }]) => {
    const inScope = hosts.filter((host) => auditContext.hosts.has(host));
    const had = inScope.some((host) => before.has(host));
    return had && !inScope.some((host) => now.has(host)) ? [`${name} is switched off as a whole`] : [];
  });
}

/** Resource classes by the names of parameters. */
export const filled = { vcpus: 'VCPU', memory: 'MEMORY_MB', disk: 'DISK_GB' } as const;

function isAbove(judge: NovaJudge, host: string, kind: string, percent: number): boolean {
  return (judge.used(host)[kind] ?? 0) > ((judge.capacity(host)[kind] ?? 0) * percent) / 100 + 1e-6;
}

/** Percent to which a plan may fill a resource of a host by allocations. */
export function targetOf({ target_utilization: target }: JsonObject, name: string): number {
  return Number(((target ?? {}) as JsonObject)[name] ?? 80);
}

/**
 * Hosts that the plan fills above the target of allocations.
 * @param mayExceed whether a host may be above it. Default: none may
 */
export function overfilled(
  world: CrookedWorld,
  { parameters, hosts }: Audited,
  { judge }: Played,
  mayExceed: (host: string) => boolean = () => false,
): string[] {
  const before = createNovaJudge(world);
  return hosts.hosts.flatMap(({ hostname, instancesIn }) =>
    Object.entries(filled).flatMap(([name, kind]) => {
      const percent = targetOf(parameters, name);
      const rises = (judge.used(hostname)[kind] ?? 0) > (before.used(hostname)[kind] ?? 0);
      return instancesIn > 0 && rises && isAbove(judge, hostname, kind, percent) && !mayExceed(hostname)
        ? [`${hostname} is filled above ${percent} % of ${name}`]
        : [];
    }),
  );
}
