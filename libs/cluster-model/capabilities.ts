import type { Hypervisor } from '#libs/openstack';

const prefix = 'capabilities:';
const physicalBits = 'hw:maxphysaddr_bits';

/** Attributes of Nova's host state by which an unscoped extra spec is checked as a capability. */
const attributes = new Set([
  ...['host', 'nodename', 'uuid', 'hypervisor_hostname', 'hypervisor_type', 'hypervisor_version', 'host_ip'],
  ...['cpu_info', 'cell_uuid', 'total_usable_ram_mb', 'total_usable_disk_gb', 'disk_mb_used', 'free_ram_mb'],
  ...['free_disk_mb', 'vcpus_total', 'vcpus_used', 'pci_stats', 'numa_topology', 'supported_instances', 'limits'],
  ...['metrics', 'aggregates', 'ram_allocation_ratio', 'cpu_allocation_ratio', 'disk_allocation_ratio', 'instances'],
  ...['num_io_ops', 'num_instances', 'failed_builds', 'updated', 'stats', 'service', 'allocation_candidates'],
]);

/** Keys that Nova itself adds to the statistics of a host. */
const statistics = /^(io_workload|num_(task|vm|os_type|proj)_.+)$/;

function isCapability(key: string): boolean {
  if (key.startsWith(prefix)) return true;
  return !key.includes(':') && (attributes.has(key) || statistics.test(key));
}

/**
 * Extra specs that Nova's ComputeCapabilitiesFilter compares with a host: `capabilities:…`, unscoped keys that are
 * properties of its host state, and `hw:maxphysaddr_bits`. Path, such as `cpu_info:arch`, with the wanted value. Null
 * when there are none.
 */
export function capabilityDemands(extraSpecs: Readonly<Record<string, string>>): Record<string, string> | null {
  const found = Object.entries(extraSpecs).flatMap(([key, wanted]): [string, string][] => {
    if (key === physicalBits) return [['cpu_info:maxphysaddr:bits', `>= ${wanted}`]];
    return isCapability(key) ? [[key.replace(prefix, ''), wanted]] : [];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** A value as Python writes it, since Nova compares texts. */
function pythonText(value: unknown, isInner = false): string {
  if (typeof value === 'string') return isInner ? `'${value}'` : value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map((item) => pythonText(item, true)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, item]) => `'${key}': ${pythonText(item, true)}`);
  return `{${entries.join(', ')}}`;
}

/** The properties of a host state that `os-hypervisors` shows. Undefined where it does not. */
function readable(hypervisor: Hypervisor): Record<string, unknown> {
  return {
    host: hypervisor.serviceHost,
    nodename: hypervisor.hypervisorHostname,
    hypervisor_hostname: hypervisor.hypervisorHostname,
    uuid: hypervisor.uuid,
    hypervisor_type: hypervisor.hypervisorType === '' ? undefined : hypervisor.hypervisorType,
    hypervisor_version: hypervisor.hypervisorVersion,
    host_ip: hypervisor.hostIp,
    cpu_info: hypervisor.cpuInfo,
  };
}

/** Null when the hypervisor lacks the capability, so that Nova refuses the host. Undefined when no API shows it. */
function capabilityOf(hypervisor: Hypervisor, path: string): string | null | undefined {
  const [root = '', ...rest] = path.split(':');
  let value = readable(hypervisor)[root];
  if (value === undefined) return undefined;
  for (const name of rest) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    if (value === undefined || value === null) return null;
  }
  return pythonText(value);
}

/** The capabilities of a hypervisor at the paths. Those that no API shows are left out. */
export function readCapabilities(hypervisor: Hypervisor, paths: Iterable<string>): Record<string, string | null> {
  const found: Record<string, string | null> = {};
  for (const path of paths) {
    const value = capabilityOf(hypervisor, path);
    if (value !== undefined) found[path] = value;
  }
  return found;
}
