import type { AllocationLedger } from '../cloud/allocation-ledger.ts';
import {
  type CloudState,
  isUp,
  resourcesOf,
  type SimulatedFlavor,
  type SimulatedHost,
  type SimulatedServer,
} from '../cloud/entities.ts';

/** One placement question: where can `server`, as `flavor`, go? */
export interface ScheduleRequest {
  server: SimulatedServer;
  flavor: SimulatedFlavor;
  /** Host asked for by name; null leaves the choice to the scheduler. */
  requested: SimulatedHost | null;
}

export interface FilterContext {
  state: CloudState;
  ledger: AllocationLedger;
}

/** A filter named like Nova's; true keeps the host. */
export interface HostFilter {
  name: string;
  passes(host: SimulatedHost, request: ScheduleRequest, context: FilterContext): boolean;
}

function aggregatesOf(host: SimulatedHost, context: FilterContext) {
  return [...context.state.aggregates.values()].filter((aggregate) => aggregate.hosts.has(host.name));
}

const wordsOf = (text: string): string[] => text.split(',').map((word) => word.trim());

const differentHost: HostFilter = {
  name: 'DifferentFromSource',
  passes: (host, { server }) => host !== server.host,
};

const compute: HostFilter = {
  name: 'ComputeFilter',
  passes: (host) => host.status === 'enabled' && isUp(host),
};

const capacity: HostFilter = {
  name: 'Placement',
  passes: (host, { server, flavor }, { ledger }) =>
    ledger.misfit(host, resourcesOf(flavor, server.bootFromVolume)) === null,
};

/** Flavor extra specs `trait:NAME` = required or forbidden. */
const traits: HostFilter = {
  name: 'Traits',
  passes: (host, { flavor }) =>
    Object.entries(flavor.extraSpecs).every(([key, value]) => {
      if (!key.startsWith('trait:')) return true;
      return host.traits.includes(key.slice('trait:'.length)) === (value === 'required');
    }),
};

const zone: HostFilter = {
  name: 'AvailabilityZone',
  passes: (host, { server }) => server.pinnedZone === null || host.zone === server.pinnedZone,
};

/** A host in aggregates with `filter_tenant_id` takes only the projects listed there. */
const tenantIsolation: HostFilter = {
  name: 'AggregateMultiTenancyIsolation',
  passes(host, { server }, context) {
    const lists = aggregatesOf(host, context).flatMap((aggregate) =>
      Object.entries(aggregate.metadata)
        .filter(([key]) => key.startsWith('filter_tenant_id'))
        .flatMap(([, value]) => wordsOf(value)),
    );
    return lists.length === 0 || lists.includes(server.projectId);
  },
};

/** Every `aggregate_instance_extra_specs:KEY` of the flavor must be in the metadata of an aggregate of the host. */
const extraSpecs: HostFilter = {
  name: 'AggregateInstanceExtraSpecsFilter',
  passes(host, { flavor }, context) {
    const prefix = 'aggregate_instance_extra_specs:';
    const wanted = Object.entries(flavor.extraSpecs).filter(([key]) => key.startsWith(prefix));
    if (wanted.length === 0) return true;
    const aggregates = aggregatesOf(host, context);
    return wanted.every(([key, value]) =>
      aggregates.some((aggregate) => wordsOf(aggregate.metadata[key.slice(prefix.length)] ?? '').includes(value)),
    );
  },
};

/** Simulated hosts have neither large pages nor, without the trait, NUMA nodes that are told of; none has dedicated CPUs. */
const topology: HostFilter = {
  name: 'NUMATopologyFilter',
  passes(host, { flavor: { extraSpecs } }) {
    const pages = extraSpecs['hw:mem_page_size'] ?? 'any';
    if (!['any', 'small'].includes(pages)) return false;
    const isPinned = ['dedicated', 'mixed'].includes(extraSpecs['hw:cpu_policy'] ?? '');
    if (isPinned || Number.parseInt(extraSpecs['resources:PCPU'] ?? '0', 10) > 0) return false;
    return extraSpecs['hw:numa_nodes'] === undefined || host.traits.includes('HW_NUMA_ROOT');
  },
};

/** A server whose volume lies on its host stays there. */
const localVolumes: HostFilter = {
  name: 'LocalVolumes',
  passes(_host, { server }, { state }) {
    if (server.volumeUuids.length === 0) return true;
    const bound = new Set(state.pools.filter(({ hostBound }) => hostBound).map(({ name }) => name));
    return server.volumeUuids.every((uuid) => !bound.has(state.volumes.get(uuid)?.pool ?? ''));
  },
};

function otherMembers(server: SimulatedServer): SimulatedServer[] {
  return [...(server.group?.members ?? [])].filter((member) => member !== server);
}

const antiAffinity: HostFilter = {
  name: 'ServerGroupAntiAffinityFilter',
  passes(host, { server }) {
    if (server.group?.policy !== 'anti-affinity') return true;
    const there = otherMembers(server).filter((member) => member.host === host).length;
    return there < server.group.maxServerPerHost;
  },
};

const affinity: HostFilter = {
  name: 'ServerGroupAffinityFilter',
  passes(host, { server }) {
    if (server.group?.policy !== 'affinity') return true;
    const others = otherMembers(server);
    return others.length === 0 || others.some((member) => member.host === host);
  },
};

/** In the order in which they are asked; the first that refuses a host is the reason. */
export const hostFilters: readonly HostFilter[] = [
  differentHost,
  compute,
  capacity,
  traits,
  topology,
  zone,
  tenantIsolation,
  extraSpecs,
  localVolumes,
  antiAffinity,
  affinity,
];
