import type { InstanceInfo } from './compute-snapshot.ts';

/** Properties of an instance that state demands on its host. */
export type Asking = Pick<InstanceInfo, 'flavorExtraSpecs' | 'imageProperties'>;

/** The property that Nova reads from a flavor as `hw:<name>`, or else from an image as `hw_<name>`. */
export function hardwareDemand(info: Asking, name: string): string | undefined {
  return info.flavorExtraSpecs[`hw:${name}`] ?? info.imageProperties?.[`hw_${name}`];
}

/** Placement's classes for the CPUs of a flavor. */
export interface CpuNeed {
  shared: number;
  dedicated: number;
}

/** Number of CPUs in a set such as `0-3,^1`. A set that starts with `^` excludes from all CPUs. */
function sizeOfCpuSet(text: string, vcpus: number): number {
  const chosen = new Set<number>();
  const parts = text.startsWith('^') ? [`0-${vcpus - 1}`, ...text.split(',')] : text.split(',');
  const range = (part: string) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: Math.max(0, Math.min(last, vcpus - 1) - first + 1) }, (_, index) => first + index);
  };
  for (const part of parts.filter((entry) => !entry.startsWith('^'))) for (const cpu of range(part)) chosen.add(cpu);
  for (const part of parts.filter((entry) => entry.startsWith('^')))
    for (const cpu of range(part.slice(1))) chosen.delete(cpu);
  return chosen.size;
}

/** With `mixed`, the CPUs of the mask are dedicated. Without such a mask the real-time mask applies. */
function mixedNeed(info: Asking, vcpus: number): CpuNeed {
  const mask = hardwareDemand(info, 'cpu_dedicated_mask') ?? hardwareDemand(info, 'cpu_realtime_mask');
  const dedicated = mask === undefined ? vcpus : sizeOfCpuSet(mask.replaceAll(' ', ''), vcpus);
  return { shared: vcpus - dedicated, dedicated };
}

/**
 * CPUs of an instance by Placement's classes: the CPU policy `dedicated` makes all vcpus dedicated and `mixed` those
 * of a mask, `resources:PCPU` and `resources:VCPU` name numbers, which count instead of those of the flavor. Isolated
 * emulator threads need one more dedicated CPU.
 */
export function cpuNeed(info: Asking, vcpus: number): CpuNeed {
  const specs = info.flavorExtraSpecs;
  const policy = hardwareDemand(info, 'cpu_policy');
  const emulator = specs['hw:emulator_threads_policy'] === 'isolate' ? 1 : 0;
  if (policy === 'dedicated') return { shared: 0, dedicated: vcpus + emulator };
  if (policy === 'mixed') {
    const { shared, dedicated } = mixedNeed(info, vcpus);
    return { shared, dedicated: dedicated + emulator };
  }
  const dedicated = Number(specs['resources:PCPU'] ?? 0);
  if (!(dedicated > 0)) {
    const shared = Number(specs['resources:VCPU'] ?? vcpus);
    return { shared: Number.isNaN(shared) ? vcpus : shared, dedicated: 0 };
  }
  return { shared: Number(specs['resources:VCPU'] ?? 0) || 0, dedicated: dedicated + emulator };
}

/** Extra specs by which Nova requests resources from Placement or a host that the model does not count. */
const uncounted = /^(resources(?!:(?:VCPU|PCPU)$).*:|pci_passthrough:|accel:|trait[0-9_]|group_policy)/;

/**
 * Whether the instance has resources that the model does not count, so that no destination is known to have them: PCI
 * devices, accelerators, encrypted memory, custom classes of Placement and numbered groups of requests.
 */
export function holdsUncountedResource(info: Asking): boolean {
  return (
    Object.keys(info.flavorExtraSpecs).some((key) => uncounted.test(key)) ||
    /^(true|yes|1|on)$/i.test(hardwareDemand(info, 'mem_encryption') ?? '')
  );
}

const tpmSecurity = 'hw:tpm_secret_security';

/**
 * Owner of the secret of the instance's emulated TPM. Null without a TPM. The secret of its owner (`user`, the default)
 * pins the instance. With another owner only live migration works. Nova refuses to evacuate the instance, and a cold
 * migration needs the owner's access to the key manager.
 * Source: Nova's administrator guide on emulated TPMs, from 2026.1 on.
 */
export function tpmSecret(info: Asking): string | null {
  if (hardwareDemand(info, 'tpm_version') === undefined) return null;
  return info.flavorExtraSpecs[tpmSecurity] ?? 'user';
}

/** Traits that Nova requests where there is an emulated TPM. */
function tpmTraits(info: Asking): string[] {
  const version = hardwareDemand(info, 'tpm_version');
  if (version === undefined) return [];
  const secret = info.flavorExtraSpecs[tpmSecurity];
  return [
    `COMPUTE_SECURITY_TPM_${version.replace('.', '_')}`,
    ...(secret === undefined ? [] : [`COMPUTE_SECURITY_TPM_SECRET_SECURITY_${secret.toUpperCase()}`]),
  ];
}

const traitPrefix = 'trait:';
const hyperthreading = 'HW_CPU_HYPERTHREADING';

/** Traits that hosts must have or must not have, by flavor, image and the thread policy of dedicated CPUs. */
export function traitDemands(info: Asking): { required: string[]; forbidden: string[] } {
  const required = new Set<string>(tpmTraits(info));
  const forbidden = new Set<string>();
  const all = [...Object.entries(info.flavorExtraSpecs), ...Object.entries(info.imageProperties ?? {})];
  for (const [key, value] of all) {
    if (key.startsWith(traitPrefix)) (value === 'forbidden' ? forbidden : required).add(key.slice(traitPrefix.length));
  }
  const threads = hardwareDemand(info, 'cpu_thread_policy');
  if (threads === 'require') required.add(hyperthreading);
  if (threads === 'isolate') forbidden.add(hyperthreading);
  return { required: [...required].sort(), forbidden: [...forbidden].sort() };
}

/** Whether traits of hosts are checked: if flavor or image request some, or for NUMA nodes. */
export function needsTraits(info: Asking): boolean {
  const { required, forbidden } = traitDemands(info);
  return required.length + forbidden.length > 0 || Number(hardwareDemand(info, 'numa_nodes') ?? 0) > 0;
}

const judgedImageProperty = /^(trait:|hw_(cpu|mem|numa|emulator|realtime|tpm))/;

/**
 * Image properties that restrict the hosts of its instances: Nova's demands, and properties that an aggregate names.
 */
export function judgedImageProperties(
  properties: Readonly<Record<string, string>>,
  aggregateKeys: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([key]) => judgedImageProperty.test(key) || aggregateKeys.has(key)),
  );
}

const systemProperty = /^os_(type|distro|version)$|licen[cs]e/;

/** The properties of an image for its system and licence, which do not restrict the hosts of its instances. */
export function systemProperties(properties: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => systemProperty.test(key)));
}
