import type { JsonObject } from '#libs/domain';
import type { Server } from '#libs/openstack';
import {
  type CrookedWorld,
  copyWorld,
  createNovaJudge,
  ownAmountsOf,
  sharedStorageOf,
  virtualServices,
} from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import { coverageOf } from './judge-relief.ts';
import { filled, targetOf } from './judge-reserve.ts';
import { createOperatorJudge } from './operator-judge.ts';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

/** Maximum use of a resource of hosts in percent, and an upper limit of the use of a server. */
interface Heat {
  percent: number;
  metric: string;
  size(host: string): number;
  mostOf(server: Server): number;
}

/** Limits of loads. The load of an unmeasured server is at most its size. */
function heatsOf({ metrics, hypervisors, inventories }: CrookedWorld, parameters: JsonObject): Heat[] {
  const { hot_limit: given } = parameters;
  const limits: { cpu: number; memory?: number } =
    typeof given === 'number' ? { cpu: given } : { cpu: 80, ...(given as JsonObject) };
  const value = (name: string, { uuid }: Server) => metrics.get(name)?.get(uuid) ?? Number.NaN;
  const totals = (host: string) => {
    const uuid = hypervisors.find(({ serviceHost }) => serviceHost === host)?.uuid ?? '';
    const { VCPU, PCPU, MEMORY_MB } = inventories.get(uuid) ?? {};
    return { cpus: (VCPU?.total ?? 0) + (PCPU?.total ?? 0), memory: MEMORY_MB?.total ?? 0 };
  };
  const cpu: Heat = {
    percent: limits.cpu,
    metric: 'instance_cpu_usage',
    size: (host) => totals(host).cpus,
    mostOf(server) {
      const [used, waited] = [value('instance_cpu_usage', server), value('instance_cpu_steal', server)];
      const percent = Number.isFinite(used) ? used + (Number.isFinite(waited) ? waited : 0) : 100;
      return (server.flavor.vcpus * percent) / 100;
    },
  };
  const memory = (percent: number): Heat => ({
    percent,
    metric: 'instance_ram_usage',
    size: (host) => totals(host).memory,
    mostOf(server) {
      const used = value('instance_ram_usage', server);
      return Number.isFinite(used) ? used : server.flavor.ramMb;
    },
  });
  return limits.memory === undefined ? [cpu] : [cpu, memory(limits.memory)];
}

/**
 * Returns whether a server that arrived at `host` could surely be on another one after the plan: Nova, strict rules
 * and scope allow a move there from its former host, and the other host stays within the target and surely within the
 * hot limits. Soft rules are not judged, so servers under them have no other place. Disks stay on their storage. Where
 * Nova does not report whether a server is pinned, the server stays in its zone.
 */
export function hasOtherPlace(
  world: CrookedWorld,
  auditContext: AuditContext,
  { parameters, actions }: Audited,
  { after, judge }: Played,
  host: string,
): boolean {
  const { rules, refusedMoves, hosts } = auditContext;
  if (rules.texts.some(({ isStrict }) => !isStrict)) return false;
  const operator = createOperatorJudge(rules, judge.hostOf);
  const soft = new Set(
    world.serverGroups.flatMap(({ policy, members }) => (policy.startsWith('soft-') ? members : [])),
  );
  const heats = heatsOf(after, parameters);

  function isCool(server: Server, other: string): boolean {
    return heats.every(({ percent, metric, size, mostOf }) => {
      const residents = after.servers.filter((one) => one.host === other);
      const load = [...residents, server].reduce((sum, one) => sum + mostOf(one), 0);
      const isKnown = coverageOf(world, auditContext, metric, other) >= Number(parameters.minimum_coverage ?? 80);
      return isKnown && load <= (size(other) * percent) / 100;
    });
  }

  const zones = new Map(virtualServices(world).map(({ host: name, zone }) => [name, zone]));
  const mayChangeZone = ({ pinnedAvailabilityZone: pinned, availabilityZone }: Server, other: string) =>
    pinned !== undefined || zones.get(other) === availabilityZone;

  function staysWithin(server: Server, other: string): boolean {
    const needs = ownAmountsOf(after, server);
    return Object.entries(filled).every(
      ([name, kind]) =>
        (judge.used(other)[kind] ?? 0) + (needs[kind] ?? 0) <=
        ((judge.capacity(other)[kind] ?? 0) * targetOf(parameters, name)) / 100,
    );
  }

  return actions.some(({ actionType, inputParameters }) => {
    const { resource_id: id, migration_type: way, source_node, destination_node } = inputParameters;
    if (actionType !== 'migrate' || destination_node !== host || soft.has(String(id))) return false;
    const server = after.servers.find(({ uuid }) => uuid === id);
    const kind = way === 'cold' ? 'cold' : 'live';
    // Processors and shared disks of the source decide too.
    const storageOn = (other: string) => server && sharedStorageOf(after, { ...server, host: other });
    const before = createNovaJudge(copyWorld(after));
    before.begin(String(id), kind, String(source_node)).end();
    return [...hosts].some(
      (other) =>
        other !== host &&
        server !== undefined &&
        world.servers.find(({ uuid }) => uuid === id)?.host !== other &&
        !refusedMoves.some((refused) => refused.instance === id && refused.host === other) &&
        storageOn(other) === storageOn(String(source_node)) &&
        before.refusals(String(id), kind, other).length === 0 &&
        operator.broken(String(id), other).length === 0 &&
        mayChangeZone(world.servers.find(({ uuid }) => uuid === id) ?? server, other) &&
        staysWithin(server, other) &&
        isCool(server, other),
    );
  });
}
