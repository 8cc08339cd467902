import type { Sample } from '#libs/history';
import type { SimulatedHost } from '../cloud/entities.ts';
import { hashText, hashUnit } from '../seeded.ts';
import { serverCpuPercent } from './host-load.ts';

/** Sensor readings of a machine. */
export interface HostSensors {
  /** W. */
  power: number;
  /** 0.1 CFM, the unit of Watcher's thresholds. */
  airflow: number;
  /** °C. */
  inletTemp: number;
  /** °C. */
  outletTemp: number;
}

/** Kelvin by which one watt warms one CFM of air: 1 / (1.2 kg/m³ × 1005 J/kg/K × 4.72e-4 m³/s). */
const kelvinPerWattAndCfm = 1.757;
const mib = 1024 * 1024;

/**
 * Sensors of a two-socket machine at a CPU load in percent: power = 120 + 2.8 × CPU W. The fans move 20 + 0.25 × CPU
 * CFM. The inlet temperature is 20 to 24 °C, by seed and host name, independent of the rack position. The outlet is
 * warmer by the heat of that power in that air: about 31 to 35 °C idle and 36 to 40 °C at full load.
 */
export function hostSensors(hostName: string, cpuPercent: number, seed: number): HostSensors {
  const power = 120 + 2.8 * cpuPercent;
  const cfm = 20 + 0.25 * cpuPercent;
  const inletTemp = 20 + 4 * hashUnit(seed ^ 0x1b873593, hashText(hostName), 0);
  return { power, airflow: 10 * cfm, inletTemp, outletTemp: inletTemp + (kelvinPerWattAndCfm * power) / cfm };
}

/**
 * Bytes of L3 cache for each server of a host. The host has 1 MiB per vCPU. A server needs CPU × vCPUs × 1 to 4 MiB (by
 * seed and server). If the demand exceeds the cache, each server gets a share, so a growing demand reduces those of the
 * others.
 */
export function hostCacheUse(host: SimulatedHost, second: number, seed: number): Map<string, number> {
  const wants = new Map<string, number>();
  let sum = 0;
  for (const server of host.servers) {
    const appetite = mib * (1 + 3 * hashUnit(seed ^ 0x2545f491, server.loadKey, 0));
    const want = (serverCpuPercent(server, second, seed) / 100) * server.flavor.vcpus * appetite;
    wants.set(server.uuid, want);
    sum += want;
  }
  const squeeze = Math.min(1, (mib * host.inventory.VCPU.total) / Math.max(1, sum));
  for (const [uuid, want] of wants) wants.set(uuid, want * squeeze);
  return wants;
}

/** Contention of the servers of a host for CPUs, disks and network. */
export interface HostContention {
  /** Percent of the time in which a task waits for a CPU. */
  pressure: number;
  /** By uuid: percent of the time in which its vCPUs wait, bytes per second of disk and network. */
  servers: Map<string, { steal: number; diskIo: number; networkIo: number }>;
}

/**
 * If the demand of the servers exceeds the CPUs of the host, each waits for its share of the shortage. Disk and network
 * grow with the demanded CPUs: 1 to 8 MB/s and 1 to 4 MB/s per CPU, by seed and server.
 */
export function hostContention(host: SimulatedHost, second: number, seed: number): HostContention {
  const wants = [...host.servers].map((server) => ({
    server,
    cpus: (serverCpuPercent(server, second, seed) / 100) * server.flavor.vcpus,
  }));
  const wanted = wants.reduce((sum, { cpus }) => sum + cpus, 0);
  const missing = Math.max(0, 1 - (host.inventory.VCPU.total + host.inventory.PCPU.total) / Math.max(1e-9, wanted));
  const rate = (salt: number, key: number, most: number) => 1e6 * (1 + (most - 1) * hashUnit(seed ^ salt, key, 0));
  return {
    pressure: 100 * missing,
    servers: new Map(
      wants.map(({ server, cpus }) => [
        server.uuid,
        {
          steal: serverCpuPercent(server, second, seed) * missing,
          diskIo: cpus * rate(0x3c6ef372, server.loadKey, 8),
          networkIo: cpus * rate(0x510e527f, server.loadKey, 4),
        },
      ]),
    ),
  };
}

/** Samples of sensors, caches and contention of a host at one time. */
export function extraSamples(
  host: SimulatedHost,
  cpuPercent: number,
  moment: { second: number; at: number; seed: number },
): Sample[] {
  const { second, at, seed } = moment;
  const resource = host.name;
  const sensors = hostSensors(host.name, cpuPercent, seed);
  const caches = [...hostCacheUse(host, second, seed)];
  const { pressure, servers } = hostContention(host, second, seed);
  const sum = (of: 'diskIo' | 'networkIo') => [...servers.values()].reduce((total, server) => total + server[of], 0);
  return [
    { metric: 'host_inlet_temp', resource, value: sensors.inletTemp, at },
    { metric: 'host_outlet_temp', resource, value: sensors.outletTemp, at },
    { metric: 'host_airflow', resource, value: sensors.airflow, at },
    { metric: 'host_power', resource, value: sensors.power, at },
    { metric: 'host_cpu_pressure', resource, value: pressure, at },
    { metric: 'host_disk_io', resource, value: sum('diskIo'), at },
    { metric: 'host_network_io', resource, value: sum('networkIo'), at },
    ...caches.map(([uuid, value]): Sample => ({ metric: 'instance_l3_cache_usage', resource: uuid, value, at })),
    ...[...servers].flatMap(([uuid, { steal, diskIo, networkIo }]): Sample[] => [
      { metric: 'instance_cpu_steal', resource: uuid, value: steal, at },
      { metric: 'instance_disk_io', resource: uuid, value: diskIo, at },
      { metric: 'instance_network_io', resource: uuid, value: networkIo, at },
    ]),
  ];
}
