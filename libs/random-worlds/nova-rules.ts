import type { Aggregate, ComputeService, Hypervisor, Server } from '#libs/openstack';
import type { CrookedWorld } from './crooked-world.ts';
import { meetsSpec, needsHugePages, needsNuma, tpmOf, traitsOf } from './nova-demands.ts';

/** Ways in which Nova moves a server to another host. */
export type Way = 'live' | 'cold' | 'evacuate';

/** A host as Nova sees it, without Placement. */
export interface Host {
  name: string;
  hypervisor: Hypervisor;
  service: ComputeService;
  aggregates: Aggregate[];
  traits: readonly string[];
}

const movable: Record<Way, string[]> = {
  live: ['active', 'paused'],
  cold: ['active', 'stopped'],
  evacuate: ['active', 'stopped', 'error'],
};
const running = 1;
const paused = 3;

/** Whether Nova considers the compute service alive. */
export function isUp({ service }: Host): boolean {
  return service.state === 'up' && !service.forcedDown;
}

/**
 * Nova's rules for emulated TPMs (docs.openstack.org/nova/2026.1/admin/emulated-tpm.html, and the spec of their live
 * migration): with the owner's secret only the owner can move the server. With another secret it migrates live.
 * Evacuation is refused, and a cold migration needs the owner's access to the key manager.
 */
function tpmRefusals(server: Server, way: Way): string[] {
  const tpm = tpmOf(server);
  if (tpm === null) return [];
  if (way !== 'live') return [`vTPM does not go ${way}`];
  return tpm.secret === 'user' ? ['vTPM with the secret of its owner'] : [];
}

/**
 * First release of QEMU with which Nova migrates a virtual GPU live (release notes of 29.0.0). It also needs libvirt
 * 8.6.0.
 */
const liveGpuVersion = 8_001_000;

/** Reasons in the server's source devices. A cold migration gets other devices from Placement. */
export function deviceRefusals(way: Way, { flavor }: Server, source: Hypervisor): string[] {
  const isGpu = Number(flavor.extraSpecs['resources:VGPU'] ?? 0) > 0;
  const isTooOld = (source.hypervisorVersion ?? 0) < liveGpuVersion;
  return way === 'live' && isGpu && isTooOld ? ['VGPU on an old hypervisor'] : [];
}

/** Reasons in the server against a move. */
function stateRefusals(server: Server, way: Way): string[] {
  const guest = server.powerState === running || server.powerState === paused;
  return [
    ...(server.locked ? ['locked'] : []),
    ...(server.taskState === null ? [] : [`task ${server.taskState}`]),
    ...(movable[way].includes(server.vmState) ? [] : [`vm_state ${server.vmState}`]),
    ...(way === 'live' && !guest ? [`power_state ${server.powerState}`] : []),
    ...(Object.keys(server.flavor.extraSpecs).some((key) => /^(pci_passthrough|accel):/.test(key)) ? ['device'] : []),
    ...tpmRefusals(server, way),
  ];
}

/** Reasons in the source host against a move. */
export function sourceRefusals(server: Server, way: Way, source: Host | undefined): string[] {
  if (source === undefined) return ['it is on no host'];
  const state = isUp(source) ? 'up' : 'down';
  const wanted = way === 'evacuate' ? 'down' : 'up';
  return [...stateRefusals(server, way), ...(state === wanted ? [] : [`source service is ${state}`])];
}

/** A guest runs only on its kind of CPU. A live migration keeps its machine type and CPU features. */
export function hypervisorRefusals(way: Way, from: Hypervisor, to: Hypervisor): string[] {
  const isOlder = (from.hypervisorVersion ?? 0) > (to.hypervisorVersion ?? 0);
  return [
    ...(way === 'live' && isOlder ? ['hypervisor is too old'] : []),
    ...(way === 'live' && from.cpu?.model !== to.cpu?.model ? ['CPU model'] : []),
    ...(from.hypervisorType === to.hypervisorType ? [] : ['hypervisor type']),
    // Ironic's driver supports none of the three: a bare-metal server cannot move.
    ...(from.hypervisorType === 'ironic' || to.hypervisorType === 'ironic' ? ['bare metal'] : []),
    ...(from.cpu?.architecture === to.cpu?.architecture ? [] : ['architecture']),
  ];
}

const scopedPrefix = 'aggregate_instance_extra_specs:';

/** Values of a key in all aggregates of a host. Each may list several. */
function valuesOf({ aggregates }: Host, key: string): string[] {
  return aggregates.flatMap(({ metadata }) => metadata[key]?.split(',').map((value) => value.trim()) ?? []);
}

/** AggregateInstanceExtraSpecsFilter. Many clouds run without it. Keys that no aggregate has are ignored then. */
function extraSpecRefusals({ flavor }: Server, host: Host, allKeys: ReadonlySet<string>): string[] {
  return Object.entries(flavor.extraSpecs).flatMap(([key, spec]) => {
    const isScoped = key.startsWith(scopedPrefix);
    if (!isScoped && (key.includes(':') || !allKeys.has(key))) return [];
    const name = isScoped ? key.slice(scopedPrefix.length) : key;
    return valuesOf(host, name).some((have) => meetsSpec(have, spec)) ? [] : [`aggregate metadata ${name}`];
  });
}

/** AggregateMultiTenancyIsolation. */
function tenantRefusals({ projectId }: Server, host: Host): string[] {
  const keys = new Set(host.aggregates.flatMap(({ metadata }) => Object.keys(metadata)));
  const tenants = [...keys].filter((key) => key.startsWith('filter_tenant_id')).flatMap((key) => valuesOf(host, key));
  return tenants.length === 0 || tenants.includes(projectId) ? [] : ['tenant isolation'];
}

/** AggregateImagePropertiesIsolation. */
function imageRefusals({ imageProperties = {} }: Server, host: Host): string[] {
  return Object.entries(imageProperties).flatMap(([key, value]) => {
    const allowed = valuesOf(host, key);
    return allowed.length === 0 || allowed.includes(value) ? [] : [`image property ${key}`];
  });
}

/** Isolation of aggregates by traits. */
function keptRefusals(server: Server, { aggregates }: Host): string[] {
  const { required } = traitsOf(server);
  const kept = aggregates.flatMap(({ metadata }) =>
    Object.keys(metadata).filter((key) => key.startsWith('trait:') && metadata[key] === 'required'),
  );
  return kept.filter((key) => !required.has(key.slice(6))).map((key) => `host is kept for ${key}`);
}

/** Reasons of a host's aggregates against the server. @param allKeys metadata keys of all aggregates */
export function aggregateRefusals(server: Server, host: Host, allKeys: ReadonlySet<string>): string[] {
  return [
    ...extraSpecRefusals(server, host, allKeys),
    ...tenantRefusals(server, host),
    ...imageRefusals(server, host),
    ...keptRefusals(server, host),
  ];
}

/** Host state by path, as far as os-hypervisors shows it. Undefined: not shown. Null: the host has none. */
function stateAt({ hypervisor }: Host, path: string): string | null | undefined {
  const { cpu, hypervisorHostname, hypervisorVersion } = hypervisor;
  if (path === 'hypervisor_hostname') return hypervisorHostname;
  if (path === 'hypervisor_version') return hypervisorVersion?.toString();
  const named = { 'cpu_info:arch': cpu?.architecture, 'cpu_info:model': cpu?.model }[path];
  if (path.startsWith('cpu_info:')) return cpu === undefined ? undefined : (named ?? null);
  return undefined;
}

/** ComputeCapabilitiesFilter. The judge refuses capabilities that no API shows. */
function capabilityRefusals({ flavor }: Server, host: Host): string[] {
  return Object.entries(flavor.extraSpecs).flatMap(([key, wanted]) => {
    const isScoped = key.startsWith('capabilities:');
    if (!isScoped && !/^(hypervisor_|num_|cpu_info$)/.test(key)) return [];
    const have = stateAt(host, isScoped ? key.slice('capabilities:'.length) : key);
    return have !== undefined && have !== null && meetsSpec(have, wanted) ? [] : [`capability ${key}`];
  });
}

/** Traits that the server requests and the host lacks. */
export function demandRefusals(server: Server, host: Host): string[] {
  const { traits } = host;
  const { required, forbidden } = traitsOf(server);
  return [
    ...[...required].filter((trait) => !traits.includes(trait)).map((trait) => `lacks trait ${trait}`),
    ...[...forbidden].filter((trait) => traits.includes(trait)).map((trait) => `has trait ${trait}`),
    ...capabilityRefusals(server, host),
    ...(needsHugePages(server) ? ['huge pages'] : []),
    ...(needsNuma(server) && !traits.includes('HW_NUMA_ROOT') ? ['NUMA nodes'] : []),
  ];
}

/** Judges the network ports of a server: none of these hosts has a free device, or reports bandwidth to Placement. */
export function portRefusals({ ports }: Pick<CrookedWorld, 'ports'>, server: string): string[] {
  return ports.flatMap(({ serverUuid, vnicType, hasResourceRequest }) => {
    if (serverUuid !== server) return [];
    if (vnicType !== 'normal') return [`port of the kind ${vnicType}`];
    return hasResourceRequest ? ['port with guaranteed bandwidth'] : [];
  });
}
