import type { ComputeService, Server } from '#libs/openstack';
import type { Amounts, CrookedWorld } from './crooked-world.ts';
import { amountsOf } from './nova-demands.ts';
import {
  aggregateRefusals,
  demandRefusals,
  deviceRefusals,
  type Host,
  hypervisorRefusals,
  isUp,
  portRefusals,
  sourceRefusals,
  type Way,
} from './nova-rules.ts';
import { claim, handOver, providerOf, release } from './providers.ts';

/** A started move: it occupies both hosts until it ends. */
export interface StartedMove {
  to: string;
  end(): void;
}

/**
 * Nova and Placement by their documentation, on the rows of a world, which moves change. Shares no code with the
 * engine's model or the simulated cloud. Hosts are named by their compute service.
 */
export interface NovaJudge {
  /** Reasons why Nova would refuse to start the move now. Empty when it would not. */
  refusals(server: string, way: Way, host: string): string[];
  /** Hosts that Nova could choose for the move now. */
  choices(server: string, way: Way): string[];
  /** Starts a move without checks. */
  begin(server: string, way: Way, host: string): StartedMove;
  setService(host: string, status: 'enabled' | 'disabled', reason: string | null): void;
  stop(server: string): void;
  /** Users of the host: servers on it, and every consumer with an allocation there. */
  usersOf(host: string): string[];
  /** Allocations of Placement on the host, without further providers. */
  used(host: string): Amounts;
  /** (total − reserved) × ratio by class, of the host. */
  capacity(host: string): Amounts;
  hostOf(server: string): string | null;
}

/** Judges moves on a world and changes the world. */
export function createNovaJudge(world: CrookedWorld): NovaJudge {
  const services = new Map(world.services.map((service) => [service.host, service]));
  const hosts = new Map<string, Host>();
  for (const hypervisor of world.hypervisors) {
    const name = hypervisor.serviceHost;
    const aggregates = world.aggregates.filter((aggregate) => aggregate.hosts.includes(name));
    const traits = world.traits.get(hypervisor.uuid) ?? [];
    hosts.set(name, { name, hypervisor, service: services.get(name) as ComputeService, aggregates, traits });
  }
  const servers = new Map(world.servers.map((server) => [server.uuid, server]));
  const allKeys = new Set(world.aggregates.flatMap(({ metadata }) => Object.keys(metadata)));
  /** Destinations of running moves. */
  const incoming = new Map<string, string>();
  let migrations = 0;

  const serverOf = (uuid: string) => servers.get(uuid) as Server;
  const hostNamed = (name: string) => hosts.get(name) as Host;
  const allocationsOf = (host: Host) => world.allocations.get(host.hypervisor.uuid) as Map<string, Amounts>;

  function usedOf(provider: string): Amounts {
    const sum: Amounts = {};
    for (const amounts of world.allocations.get(provider)?.values() ?? [])
      for (const [kind, amount] of Object.entries(amounts)) sum[kind] = (sum[kind] ?? 0) + amount;
    return sum;
  }

  function roomRefusals(server: Server, host: Host): string[] {
    return Object.entries(amountsOf(server)).flatMap(([kind, amount]) => {
      const provider = providerOf(world, host.hypervisor.uuid, kind) ?? '';
      const of = world.inventories.get(provider)?.[kind];
      if (of === undefined) return [`no ${kind}`];
      const taken = usedOf(provider);
      const isWhole = amount >= of.minUnit && amount <= of.maxUnit && amount % of.stepSize === 0;
      const room = (of.total - of.reserved) * of.allocationRatio - (taken[kind] ?? 0);
      if (!isWhole) return [`unit of ${kind}`];
      return amount > room + 1e-6 ? [`${kind}: ${amount} of ${room} left`] : [];
    });
  }

  /**
   * An evacuated server keeps its allocations. Nova claims nothing more from a provider that the server already uses,
   * such as shared storage.
   */
  function unclaimedAmounts(server: Server, { hypervisor: { uuid } }: Host): Amounts {
    const isNew = (kind: string) => !world.allocations.get(providerOf(world, uuid, kind) ?? '')?.has(server.uuid);
    return Object.fromEntries(Object.entries(amountsOf(server)).filter(([kind]) => isNew(kind)));
  }

  /** Counts the members on the host or on their way to it. */
  function membersOn(members: readonly string[], name: string, without: string): number {
    const there = members.filter(
      (uuid) => uuid !== without && (servers.get(uuid)?.host === name || incoming.get(uuid) === name),
    );
    return there.length;
  }

  function groupRefusals(server: Server, host: Host): string[] {
    return world.serverGroups.flatMap(({ policy, members, maxServerPerHost }) => {
      if (!members.includes(server.uuid) || policy.startsWith('soft-')) return [];
      const there = membersOn(members, host.name, server.uuid);
      if (policy === 'affinity') return there > 0 ? [] : ['affinity'];
      return there < maxServerPerHost ? [] : ['anti-affinity'];
    });
  }

  /** Whether the server is on the host, or on its way to it or from it. */
  const isOn = (uuid: string, name: string) => servers.get(uuid)?.host === name || incoming.get(uuid) === name;

  /** Filters of hints. Nova reads those of the moved server. Those of others must still hold after the move. */
  function hintRefusals(server: Server, way: Way, host: Host): string[] {
    const { different_host: apart = [], same_host: together = [], ...rest } = server.schedulerHints ?? {};
    const isBroken = (other: Server) => {
      const hints = other.schedulerHints ?? {};
      if (hints.different_host?.includes(server.uuid) && isOn(other.uuid, host.name)) return true;
      const named = hints.same_host ?? [];
      const leaves = named.includes(server.uuid) && other.host === server.host && other.host !== host.name;
      return (
        leaves && way !== 'evacuate' && !named.some((uuid) => uuid !== server.uuid && isOn(uuid, other.host ?? ''))
      );
    };
    return [
      ...(apart.some((uuid) => isOn(uuid, host.name)) ? ['hint different_host'] : []),
      ...(together.length > 0 && !together.some((uuid) => servers.get(uuid)?.host === host.name)
        ? ['hint same_host']
        : []),
      ...['query', 'build_near_host_ip'].flatMap((name) => (rest[name] === undefined ? [] : [`hint ${name}`])),
      ...world.servers
        .filter((other) => other !== server && isBroken(other))
        .map(({ name }) => `breaks the hint of ${name}`),
    ];
  }

  function zoneRefusals(server: Server, host: Host): string[] {
    const zone = world.pins.get(server.uuid);
    return zone !== undefined && zone !== host.service.zone ? [`pinned to zone ${zone}`] : [];
  }

  /** Whether the host accepts instances now. */
  function serviceRefusals(host: Host): string[] {
    return [
      ...(isUp(host) ? [] : ['destination service is down']),
      ...(host.service.status === 'enabled' ? [] : ['destination service is disabled']),
    ];
  }

  /** Refusals for this pair of hosts. */
  function pathRefusals(server: Server, way: Way, source: Host, host: Host): string[] {
    return [
      ...(source === host ? ['same host'] : []),
      ...(world.cells.get(host.name) === world.cells.get(source.name) ? [] : ['other cell']),
      ...deviceRefusals(way, server, source.hypervisor),
      ...hypervisorRefusals(way, source.hypervisor, host.hypervisor),
    ];
  }

  function refusals(uuid: string, way: Way, name: string): string[] {
    const [server, host] = [servers.get(uuid), hosts.get(name)];
    if (server === undefined || host === undefined) return ['unknown'];
    const source = hosts.get(server.host ?? '');
    return [
      ...sourceRefusals(server, way, source),
      ...(incoming.has(uuid) ? ['it is moving'] : []),
      ...(server.attachedVolumeIds.some((id) => world.hostBoundVolumes.has(id)) ? ['volume of its host'] : []),
      ...(world.shares.get(uuid) ? ['share attached'] : []),
      ...portRefusals(world, uuid),
      ...serviceRefusals(host),
      ...(source === undefined ? [] : pathRefusals(server, way, source, host)),
      ...roomRefusals(server, host),
      ...demandRefusals(server, host),
      ...aggregateRefusals(server, host, allKeys),
      ...zoneRefusals(server, host),
      ...groupRefusals(server, host),
      ...hintRefusals(server, way, host),
    ];
  }

  return {
    refusals,
    choices: (uuid, way) => [...hosts.keys()].filter((name) => refusals(uuid, way, name).length === 0),
    begin(uuid, way, name) {
      const server = serverOf(uuid);
      const [source, host] = [hosts.get(server.host ?? ''), hostNamed(name)];
      migrations += 1;
      const migration = `migration-${migrations}`;
      // Nova hands the server's source allocation to the migration, and claims the destination for the server.
      const isEvacuated = way === 'evacuate';
      if (source !== undefined && !isEvacuated) handOver(world, source.hypervisor.uuid, uuid, migration);
      claim(world, host.hypervisor.uuid, uuid, isEvacuated ? unclaimedAmounts(server, host) : amountsOf(server));
      incoming.set(uuid, name);
      return {
        to: name,
        end() {
          if (source !== undefined) release(world, source.hypervisor.uuid, migration);
          incoming.delete(uuid);
          server.host = name;
          server.hypervisorHostname = host.hypervisor.hypervisorHostname;
          server.availabilityZone = host.service.zone;
        },
      };
    },
    setService(name, status, reason) {
      const { service, hypervisor } = hostNamed(name);
      Object.assign(service, { status, disabledReason: reason });
      Object.assign(hypervisor, { status, disabledReason: reason });
    },
    stop(uuid) {
      Object.assign(serverOf(uuid), { vmState: 'stopped', status: 'SHUTOFF', powerState: 4 });
    },
    usersOf(name) {
      const residents = world.servers.filter((server) => server.host === name).map(({ uuid }) => uuid);
      return [...new Set([...residents, ...allocationsOf(hostNamed(name)).keys()])];
    },
    used: (name) => usedOf(hostNamed(name).hypervisor.uuid),
    capacity: (name) =>
      Object.fromEntries(
        Object.entries(world.inventories.get(hostNamed(name).hypervisor.uuid) ?? {}).map(([kind, of]) => [
          kind,
          (of.total - of.reserved) * of.allocationRatio,
        ]),
      ),
    hostOf: (uuid) => servers.get(uuid)?.host ?? null,
  };
}
