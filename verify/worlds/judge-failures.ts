import type { Server } from '#libs/openstack';
import type { Amounts, CrookedWorld } from '#libs/random-worlds';
import { createNovaJudge, type NovaJudge, ownAmountsOf, providerOf, sharedStorageOf } from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import { domainsOf, servingHosts } from './judge-reserve.ts';
import type { Played } from './play-plan.ts';

/** Resource classes that move when a host fails. */
const counted = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'];

const needsOf = (world: CrookedWorld, server: Server): Amounts =>
  Object.fromEntries(Object.entries(ownAmountsOf(world, server)).filter(([kind]) => counted.includes(kind)));

function roomFor(judge: NovaJudge, host: string, needs: Amounts): number {
  const [used, capacity] = [judge.used(host), judge.capacity(host)];
  const places = Object.entries(needs).map(([kind, amount]) =>
    Math.floor(((capacity[kind] ?? 0) - (used[kind] ?? 0) + 1e-6) / amount),
  );
  return Math.max(0, Math.min(...places));
}

/**
 * Counts the servers of a host that surely find no place when it fails: those beyond the places of their size on other
 * hosts with the same storage. This is a lower bound, because sizes do not compete here.
 */
function stranded(world: CrookedWorld, judge: NovaJudge, servers: readonly Server[], others: readonly string[]) {
  const sizes = new Map<string, { needs: Amounts; storage: string | undefined; count: number }>();
  for (const server of servers) {
    const [needs, storage] = [needsOf(world, server), sharedStorageOf(world, server)];
    const key = JSON.stringify([storage, Object.entries(needs).sort()]);
    sizes.set(key, { needs, storage, count: (sizes.get(key)?.count ?? 0) + 1 });
  }
  const uuids = new Map(world.hypervisors.map(({ serviceHost, uuid }) => [serviceHost, uuid]));
  const disksOf = (host: string) => providerOf(world, uuids.get(host) ?? '', 'DISK_GB');
  let left = 0;
  for (const { needs, storage, count } of sizes.values()) {
    const able = others.filter((host) => storage === undefined || disksOf(host) === storage);
    const places = able.reduce((sum, host) => sum + roomFor(judge, host, needs), 0);
    left += Math.max(0, count - places);
  }
  return left;
}

/** Most servers that the failure of one host strands, for each failure domain with hosts in use. */
function strandedIn(world: CrookedWorld, auditContext: AuditContext, judge: NovaJudge): Map<string, number> {
  const serving = servingHosts(world);
  const inUse = (hosts: readonly string[]) => hosts.filter((host) => serving.has(host) && auditContext.hosts.has(host));
  return new Map(
    [...domainsOf(world)].map(([name, domain]): [string, number] => {
      const hosts = inUse(domain.hosts);
      const worst = hosts.map((host) => {
        const on = world.servers.filter((server) => server.host === host && domain.binds(server));
        return stranded(
          world,
          judge,
          on,
          hosts.filter((other) => other !== host),
        );
      });
      return [name, Math.max(0, ...worst)];
    }),
  );
}

/**
 * Failure domains that could lose any one host before the plan, but not after it (N + 1).
 * @param mayLose whether a domain of these hosts may lose its reserve. Default: none may
 */
export function lostReserves(
  world: CrookedWorld,
  auditContext: AuditContext,
  { after, judge }: Played,
  mayLose: (hosts: readonly string[]) => boolean = () => false,
): string[] {
  const before = strandedIn(world, auditContext, createNovaJudge(world));
  const domains = domainsOf(world);
  return [...strandedIn(after, auditContext, judge)].flatMap(([name, count]) =>
    count > 0 && before.get(name) === 0 && !mayLose(domains.get(name)?.hosts ?? [])
      ? [`${name}: ${count} servers have no place when a host fails`]
      : [],
  );
}
