import { hardwareDemand, isUp, resourcesOf, type SimulatedHost, type SimulatedServer } from '../cloud/entities.ts';
import { capabilities } from './capability-filter.ts';
import { hintFilters } from './hint-filters.ts';
import type { FilterContext, HostFilter } from './host-filter.ts';

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
  passes: (host, { server, flavor }, { ledger }) => ledger.misfit(host, resourcesOf(flavor, server)) === null,
};

/** `trait:NAME` = required or forbidden in flavor or image, and traits for the thread policy of dedicated CPUs. */
const traits: HostFilter = {
  name: 'Traits',
  passes(host, { flavor, server }) {
    const threads = hardwareDemand(flavor, server, 'cpu_thread_policy');
    const isHyperthreaded = host.traits.includes('HW_CPU_HYPERTHREADING');
    if ((threads === 'require' && !isHyperthreaded) || (threads === 'isolate' && isHyperthreaded)) return false;
    return [...Object.entries(flavor.extraSpecs), ...Object.entries(server.imageProperties)].every(([key, value]) => {
      if (!key.startsWith('trait:')) return true;
      return host.traits.includes(key.slice('trait:'.length)) === (value === 'required');
    });
  },
};

/**
 * A server with an emulated TPM can only migrate live, and only if others than its owner can read the secret. Traits
 * show the TPM versions of a host.
 */
const emulatedTpm: HostFilter = {
  name: 'EmulatedTpm',
  passes(host, { flavor, server, way }) {
    const version = hardwareDemand(flavor, server, 'tpm_version');
    if (version === undefined) return true;
    const secret = flavor.extraSpecs['hw:tpm_secret_security'];
    const isHeld = secret === undefined || secret === 'user';
    if (way !== undefined && (way !== 'live' || isHeld)) return false;
    const requested = [
      version.replace('.', '_'),
      ...(secret === undefined ? [] : [`SECRET_SECURITY_${secret.toUpperCase()}`]),
    ];
    return requested.every((name) => host.traits.includes(`COMPUTE_SECURITY_TPM_${name}`));
  },
};

/** First version of QEMU with which Nova migrates a virtual GPU live. */
const liveGpuVersion = 8_001_000;

/** The checks of Nova's conductor and of libvirt before a live migration. */
const hypervisor: HostFilter = {
  name: 'CompatibleHypervisor',
  passes: (host, { server, flavor, way }) => {
    const { hypervisorVersion: version, cpu } = server.host;
    const hasGpu = resourcesOf(flavor, server).VGPU > 0;
    return (
      way !== 'live' ||
      (version <= host.hypervisorVersion && cpu.model === host.cpu.model && (!hasGpu || version >= liveGpuVersion))
    );
  },
};

/** A guest with another architecture does not start. */
const architecture: HostFilter = {
  name: 'Architecture',
  passes: (host, { server, way }) => way === undefined || host.cpu.arch === server.host.cpu.arch,
};

/** A server with a host only moves to hosts of the same cell. */
const cell: HostFilter = {
  name: 'Cell',
  passes: (host, { server }) => !server.host.servers.has(server) || host.cell === server.host.cell,
};

const zone: HostFilter = {
  name: 'AvailabilityZone',
  passes: (host, { server }) => server.pinnedZone === null || host.zone === server.pinnedZone,
};

/** A host in aggregates with `filter_tenant_id` accepts only the listed projects. */
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

/** A host in aggregates with `trait:NAME=required` accepts only servers that require the trait. */
const traitIsolation: HostFilter = {
  name: 'IsolatedAggregates',
  passes(host, { flavor, server }, context) {
    const wanted = { ...server.imageProperties, ...flavor.extraSpecs };
    return aggregatesOf(host, context)
      .flatMap(({ metadata }) => Object.entries(metadata))
      .every(([key, value]) => !key.startsWith('trait:') || value !== 'required' || wanted[key] === 'required');
  },
};

/** An image property that aggregates of the host have must have one of their values. */
const imageIsolation: HostFilter = {
  name: 'AggregateImagePropertiesIsolation',
  passes(host, { server }, context) {
    const aggregates = aggregatesOf(host, context);
    return Object.entries(server.imageProperties).every(([key, value]) => {
      const options = aggregates.flatMap(({ metadata }) => wordsOf(metadata[key] ?? '')).filter((word) => word !== '');
      return options.length === 0 || options.includes(value);
    });
  },
};

/** Simulated hosts report neither large pages nor devices, and NUMA nodes only with the trait. */
const topology: HostFilter = {
  name: 'NUMATopologyFilter',
  passes(host, { flavor, server }) {
    const pages = hardwareDemand(flavor, server, 'mem_page_size') ?? 'any';
    if (!['any', 'small'].includes(pages)) return false;
    if (flavor.extraSpecs['pci_passthrough:alias'] !== undefined) return false;
    return hardwareDemand(flavor, server, 'numa_nodes') === undefined || host.traits.includes('HW_NUMA_ROOT');
  },
};

/** Simulated hosts have neither devices for ports, nor bandwidth in Placement. */
const portDevices: HostFilter = {
  name: 'PciPassthroughFilter',
  passes: (_host, { server }) =>
    server.ports.every(({ vnicType, resourceRequest }) => vnicType === 'normal' && resourceRequest === null),
};

/** A server with a volume on its host stays there. */
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

/** Only the current hosts of the group. They include the server's host, so a group on one host stays there. */
const affinity: HostFilter = {
  name: 'ServerGroupAffinityFilter',
  passes(host, { server }) {
    if (server.group?.policy !== 'affinity') return true;
    return [...server.group.members].some((member) => member.host === host);
  },
};

/** In the order of evaluation. The first filter that refuses a host is the reason. */
export const hostFilters: readonly HostFilter[] = [
  differentHost,
  compute,
  capacity,
  traits,
  topology,
  portDevices,
  emulatedTpm,
  hypervisor,
  architecture,
  cell,
  zone,
  tenantIsolation,
  traitIsolation,
  imageIsolation,
  extraSpecs,
  capabilities,
  localVolumes,
  antiAffinity,
  affinity,
  ...hintFilters,
];
