import type { Pseudonyms } from './pseudonyms.ts';

const anyOf = (...patterns: string[]) => new RegExp(`^(${patterns.join('|')})$`);

/** Keys of Nova without information about the operator, after `hw:` of a flavor or `hw_` of an image. */
const hardwareKeys = anyOf(
  ...[
    'cpu_policy',
    'cpu_thread_policy',
    'cpu_emulation',
    'cpu_(sockets|cores|threads)',
    'cpu_max_(sockets|cores|threads)',
  ],
  ...['cpu_dedicated_mask', 'cpu_realtime(_mask)?', 'numa_nodes', 'numa_(cpus|mem)\\.\\d+', 'mem_page_size'],
  ...['mem_encryption', 'emulator_threads_policy', 'pci_numa_affinity_policy', 'locked_memory', 'watchdog_action'],
  ...['boot_menu', 'hide_hypervisor_id', 'max_(sockets|cores|threads)', 'maxphysaddr_(mode|bits)', 'tpm_version'],
  ...['tpm_model', 'tpm_secret_security', 'vif_multiqueue_enabled', 'viommu_model', 'firmware_type', 'machine_type'],
  ...['disk_bus', 'vif_model', 'video_model', 'scsi_model', 'qemu_guest_agent', 'architecture'],
);
const imageKeys = anyOf(
  ...['img_hv_(type|requested_version)', 'os_(type|distro|secure_boot|require_quiesce|license_type)', 'architecture'],
  ...['hypervisor_type', 'hypervisor_version_requires', 'vm_mode'],
);
const plainKeys = anyOf(
  ...['availability_zone', '(cpu|ram|disk)_allocation_ratio', 'max_(io_ops|instances)_per_host', 'group_policy'],
  ...['optimize', 'watcher-priority', 'volume_backend_name', 'multiattach', 'replication_enabled'],
  ...['rack', 'row', 'room', 'power'],
);
const capabilityKeys = anyOf(
  ...['cpu_info:(arch|model|vendor|features)', 'cpu_info:topology:(cells|sockets|cores|threads)', 'cpu_arch'],
  ...['hypervisor_(type|version)', 'free_(ram|disk)_mb', 'vcpus'],
);
const scopes = new Set(['aggregate_instance_extra_specs', 'capabilities', 'hw', 'quota', 'os', 'accel']);

/** Words of values that are defined by OpenStack and libvirt. */
const words = new Set([
  ...['true', 'false', 'yes', 'no', 'on', 'off', '<is>', '<in>', '<or>', '<all-in>', '=', '==', '!=', '>=', '<='],
  ...['s==', 's!=', 's<', 's<=', 's>', 's>=', 'required', 'forbidden', 'preferred', 'none', 'isolate', 'any', 'nova'],
  ...['dedicated', 'shared', 'mixed', 'prefer', 'require', 'share', 'thread', 'large', 'small', 'legacy', 'socket'],
  ...['x86_64', 'aarch64', 'ppc64le', 's390x', 'intel', 'amd', 'kvm', 'qemu', 'xen', 'vmware', 'baremetal', 'hvm'],
  ...['uefi', 'bios', 'q35', 'pc', 'virt', 'virtio', 'scsi', 'ide', 'usb', 'sata', 'e1000', 'qxl', 'vga', 'linux'],
  ...['windows', 'ubuntu', 'debian', 'rhel', 'centos', 'rocky', 'almalinux', 'fedora', 'sles', 'optional', 'user'],
  ...['host', 'deployment', 'passthrough', 'emulate', 'reset', 'pause', 'poweroff', 'disabled', 'tpm-tis', 'tpm-crb'],
]);
const amount = /^\^?\d{1,9}(\.\d{1,4})?([KMGT]i?B)?$|^\^?\d{1,3}-\d{1,3}$/;

/**
 * Replaces each word of a value by a pseudonym, except for numbers and words of OpenStack. Operators, commas and
 * spaces stay, so comparisons of values still work.
 */
export function anonymiseText(names: Pseudonyms, text: string): string {
  return text.replaceAll(/[^\s,]+/g, (word) =>
    amount.test(word) || words.has(word.toLowerCase()) ? word : names.name('text', word),
  );
}

/** Keeps standard traits and resource classes, and replaces custom ones. */
export function anonymiseConstant(names: Pseudonyms, text: string): string {
  const isStandard = /^(HW|COMPUTE|STORAGE|MISC|OWNER|SAVE)_/.test(text) || resourceClasses.has(text);
  return isStandard ? text : names.constant(text);
}

const resourceClasses = new Set([
  ...['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU', 'VGPU_DISPLAY_HEAD', 'PCI_DEVICE', 'SRIOV_NET_VF', 'FPGA'],
  ...['IPV4_ADDRESS', 'NET_BW_EGR_KILOBIT_PER_SEC', 'NET_BW_IGR_KILOBIT_PER_SEC', 'PGPU', 'MEM_ENCRYPTION_CONTEXT'],
]);

/** Pseudonym of the key of an extra spec, of an image property or of metadata. Equal keys stay equal. */
export function anonymiseKey(names: Pseudonyms, key: string): string {
  const [, kind, group = '', constant] = /^(trait|resources)(\w*):(.+)$/.exec(key) ?? [];
  if (kind !== undefined && constant !== undefined)
    return `${kind}${groupOf(names, group)}:${anonymiseConstant(names, constant)}`;
  if (isStandardKey(key)) return key;
  const at = key.indexOf(':');
  if (key.startsWith('filter_tenant_id')) return `filter_tenant_id${suffixOf(names, key.slice(16))}`;
  if (at < 0) return names.name('key', key);
  const scope = key.slice(0, at);
  const known = scopes.has(scope) ? scope : names.name('scope', scope);
  return `${known}:${anonymiseKey(names, key.slice(at + 1))}`;
}

/** Groups of requests have a number, or a name after `_`. */
function groupOf(names: Pseudonyms, group: string): string {
  return /^\d*$/.test(group) ? group : names.name('', group).replace('-', '_');
}

function suffixOf(names: Pseudonyms, suffix: string): string {
  return suffix === '' ? '' : names.name('', suffix);
}

function isStandardKey(key: string): boolean {
  if (plainKeys.test(key) || imageKeys.test(key)) return true;
  const [, scope, rest = ''] = /^(hw:|hw_|capabilities:)(.+)$/.exec(key) ?? [];
  if (scope === undefined) return false;
  return scope === 'capabilities:' ? capabilityKeys.test(rest) : hardwareKeys.test(rest);
}

/**
 * Replaces extra specs, properties or metadata, by key. `anonymiseValue` may replace the value of a key in another
 * way.
 */
export function anonymiseTexts(
  names: Pseudonyms,
  texts: Readonly<Record<string, string>>,
  anonymiseValue: (key: string, value: string) => string = (_, value) => anonymiseText(names, value),
): Record<string, string> {
  const entries = Object.entries(texts).map(
    ([key, value]) => [anonymiseKey(names, key), anonymiseValue(key, value)] as const,
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
