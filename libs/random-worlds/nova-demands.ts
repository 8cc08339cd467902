import type { Server } from '#libs/openstack';
import type { Amounts } from './crooked-world.ts';

/*
 * Demands of a server on a host, read from flavor and image by Nova's documentation. Independent of the engine's model
 * on purpose: the two are compared.
 */

/** CPUs that a spec such as `0-3,^1` names. */
function cpuSet(spec: string, vcpus: number): Set<number> {
  const chosen = new Set<number>();
  const dropped = new Set<number>();
  for (const part of spec.split(',').map((text) => text.trim())) {
    const isDropped = part.startsWith('^');
    const [low, high] = part.replace('^', '').split('-').map(Number);
    for (let cpu = low ?? 0; cpu <= (high ?? low ?? 0); cpu++) (isDropped ? dropped : chosen).add(cpu);
  }
  if (chosen.size === 0) for (let cpu = 0; cpu < vcpus; cpu++) chosen.add(cpu);
  return new Set([...chosen].filter((cpu) => cpu < vcpus && !dropped.has(cpu)));
}

/** A property that flavors spell `hw:x` and images `hw_x`. */
function hardware({ flavor, imageProperties = {} }: Server, name: string): string | undefined {
  return flavor.extraSpecs[`hw:${name}`] ?? imageProperties[`hw_${name}`];
}

function cpuAmounts(server: Server): Amounts {
  const { vcpus, extraSpecs } = server.flavor;
  const isolated = extraSpecs['hw:emulator_threads_policy'] === 'isolate' ? 1 : 0;
  switch (hardware(server, 'cpu_policy')) {
    case 'dedicated':
      return { PCPU: vcpus + isolated };
    case 'mixed': {
      const pinned = cpuSet(hardware(server, 'cpu_dedicated_mask') ?? '', vcpus).size;
      return { VCPU: vcpus - pinned, PCPU: pinned + isolated };
    }
  }
  if (extraSpecs['resources:PCPU'] !== undefined)
    return { PCPU: Number(extraSpecs['resources:PCPU']), VCPU: Number(extraSpecs['resources:VCPU'] ?? 0) };
  return { VCPU: Number(extraSpecs['resources:VCPU'] ?? vcpus) };
}

/** Amounts that a server requests from Placement when it moves to a host. Classes without a demand are left out. */
export function amountsOf(server: Server): Amounts {
  const { flavor, bootedFromVolume } = server;
  const disk = (bootedFromVolume ? 0 : flavor.diskGb) + flavor.ephemeralGb + Math.ceil(flavor.swapMb / 1024);
  const named = Object.entries(flavor.extraSpecs).flatMap(([key, value]): [string, number][] =>
    /^resources:(CUSTOM_|VGPU$)/.test(key) ? [[key.slice('resources:'.length), Number(value)]] : [],
  );
  const all = { ...cpuAmounts(server), MEMORY_MB: flavor.ramMb, DISK_GB: disk, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount > 0));
}

/** Emulated TPM of a server by the owner of its secret (`user`, `host`, `deployment`), or null. */
export function tpmOf(server: Server): { version: string; secret: string } | null {
  const version = hardware(server, 'tpm_version');
  if (version === undefined) return null;
  return { version, secret: server.flavor.extraSpecs['hw:tpm_secret_security'] ?? 'user' };
}

/** Traits that Nova adds to the request for an emulated TPM. */
function tpmTraits(server: Server): string[] {
  const tpm = tpmOf(server);
  if (tpm === null) return [];
  const version = `COMPUTE_SECURITY_TPM_${tpm.version.replace('.', '_')}`;
  const isTold = server.flavor.extraSpecs['hw:tpm_secret_security'] !== undefined;
  return [version, ...(isTold ? [`COMPUTE_SECURITY_TPM_SECRET_SECURITY_${tpm.secret.toUpperCase()}`] : [])];
}

/** Traits that the host must have, and traits that it must not have. */
export function traitsOf(server: Server): { required: Set<string>; forbidden: Set<string> } {
  const required = new Set<string>(tpmTraits(server));
  const forbidden = new Set<string>();
  for (const properties of [server.flavor.extraSpecs, server.imageProperties ?? {}])
    for (const [key, value] of Object.entries(properties)) {
      if (!key.startsWith('trait:')) continue;
      if (value === 'required') required.add(key.slice(6));
      if (value === 'forbidden') forbidden.add(key.slice(6));
    }
  const threads = hardware(server, 'cpu_thread_policy');
  if (threads === 'require') required.add('HW_CPU_HYPERTHREADING');
  if (threads === 'isolate') forbidden.add('HW_CPU_HYPERTHREADING');
  return { required, forbidden };
}

/** Whether it needs huge pages. No API reports the free ones of a host. */
export function needsHugePages(server: Server): boolean {
  const size = hardware(server, 'mem_page_size') ?? 'small';
  return size !== 'small' && size !== 'any';
}

/** Whether it needs dedicated NUMA nodes. */
export function needsNuma(server: Server): boolean {
  return Number(hardware(server, 'numa_nodes') ?? '0') > 0;
}

/** Nova's operators of extra specs, as the filter of aggregates reads them. */
export function meetsSpec(have: string, spec: string): boolean {
  const [operator = '', ...rest] = spec.split(/\s+/);
  const wanted = rest.join(' ');
  switch (operator) {
    case '=':
    case '>=':
      return Number(have) >= Number(wanted);
    case '<=':
      return Number(have) <= Number(wanted);
    case '==':
      return Number(have) === Number(wanted);
    case '!=':
      return Number(have) !== Number(wanted);
    case 's==':
      return have === wanted;
    case 's!=':
      return have !== wanted;
    case '<in>':
      return have.includes(wanted);
    case '<or>':
      return spec
        .split('<or>')
        .map((word) => word.trim())
        .includes(have);
    default:
      return have === spec;
  }
}
