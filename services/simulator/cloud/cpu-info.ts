import type { SimulatedHost } from './entities.ts';

/** The CPUs of a host as libvirt describes them. */
export interface CpuInfo {
  arch: string;
  model: string;
  vendor: string;
  features: string[];
  topology: { sockets: number; cores: number; threads: number };
  /** Only if the driver reports the width of physical addresses. */
  maxphysaddr?: { mode: string; bits: number };
}

/** `cpu_info` of a hypervisor. */
export function cpuInfoOf({ cpu, inventory }: SimulatedHost): CpuInfo {
  const { addressBits, ...kind } = cpu;
  return {
    ...kind,
    vendor: 'Intel',
    features: ['pge', 'clflush', 'avx2'],
    topology: { sockets: 2, cores: Math.max(1, Math.floor(inventory.VCPU.total / 4)), threads: 2 },
    ...(addressBits === undefined ? {} : { maxphysaddr: { mode: 'passthrough', bits: addressBits } }),
  };
}
