import type { Sample } from '#libs/history';
import type { SimulatedHost } from '../cloud/entities.ts';
import { hashText, hashUnit } from '../seeded.ts';
import { serverCpuPercent } from './host-load.ts';

/** What sensors of a machine say. */
export interface HostSensors {
  /** W. */
  power: number;
  /** 0.1 CFM, which is how Watcher's thresholds are given. */
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
 * Sensors of a two-socket machine at a CPU load in percent: power = 120 + 2.8 × CPU W; the fans move 20 + 0.25 × CPU CFM; the
 * inlet has 20 to 24 °C, by seed and host name, wherever in the rack it is; the outlet is warmer by what that power does to
 * that air, so it has about 31 to 35 °C idle and 36 to 40 °C at full load.
 */
export function hostSensors(hostName: string, cpuPercent: number, seed: number): HostSensors {
  const power = 120 + 2.8 * cpuPercent;
  const cfm = 20 + 0.25 * cpuPercent;
  const inletTemp = 20 + 4 * hashUnit(seed ^ 0x1b873593, hashText(hostName), 0);
  return { power, airflow: 10 * cfm, inletTemp, outletTemp: inletTemp + (kelvinPerWattAndCfm * power) / cfm };
}

/**
 * Bytes of L3 cache that each server of a host holds. The host has 1 MiB for each vCPU; a server wants CPU × vCPUs × 1 to 4 MiB
 * (by seed and server). When all want more than there is, each gets its share: who begins to want much takes from the others.
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

/** Samples of sensors and caches of a host at a moment. */
export function extraSamples(
  host: SimulatedHost,
  cpuPercent: number,
  moment: { second: number; at: number; seed: number },
): Sample[] {
  const { second, at, seed } = moment;
  const resource = host.name;
  const sensors = hostSensors(host.name, cpuPercent, seed);
  const caches = [...hostCacheUse(host, second, seed)];
  return [
    { metric: 'host_inlet_temp', resource, value: sensors.inletTemp, at },
    { metric: 'host_outlet_temp', resource, value: sensors.outletTemp, at },
    { metric: 'host_airflow', resource, value: sensors.airflow, at },
    { metric: 'host_power', resource, value: sensors.power, at },
    ...caches.map(([uuid, value]): Sample => ({ metric: 'instance_l3_cache_usage', resource: uuid, value, at })),
  ];
}
