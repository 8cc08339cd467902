import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { powerModels } from '../../services/decision-engine/replay/power-models.ts';
import type { DayHost, DayWorld } from '../../services/decision-engine/replay/replay-world.ts';
import { seriesOf } from '../../services/decision-engine/replay/step-series.ts';
import type { Traces } from './traces.ts';

/** Monday, midnight. */
export const startMs = Date.UTC(2026, 0, 5);

/** Instances may have this multiple of the CPUs of their host, as by Nova's default. */
const cpuRatio = 16;

/** The model of a generated cloud: hosts with local disks, instances without rules. */
export const testSnapshot: DayWorld['snapshot'] = (world, { hosts, hostOf }, takenAtMs) =>
  createTestWorld({
    takenAtMs,
    hosts: world.hosts.map(({ name, vcpus, memoryMb }, row) => ({
      ...{ hostname: name, vcpus, vcpusRatio: cpuRatio, memory: memoryMb, disk: 10_000 },
      state: hosts[row]?.power === 'on' && !hosts[row]?.failed ? 'up' : 'down',
      status: hosts[row]?.enabled ? 'enabled' : 'disabled',
      disabledReason: hosts[row]?.disabledReason ?? undefined,
    })),
    instances: world.instances.flatMap(({ name, uuid, vcpus, memoryMb }, row) => {
      const host = world.hosts[hostOf[row] ?? -1]?.name;
      return host === undefined ? [] : [{ name, uuid, vcpus, memory: memoryMb, disk: 10, host }];
    }),
  });

/** A vcpu of these clouds is 100 MIPS of CloudSim's set-up. */
const hostKinds = [
  { vcpus: 37, watts: powerModels['hp-ml110-g4'] },
  { vcpus: 53, watts: powerModels['hp-ml110-g5'] },
] as const;

/** CloudSim's sizes of virtual machines, in turn. */
export const instanceKinds = [
  { vcpus: 25, memoryMb: 870 },
  { vcpus: 20, memoryMb: 1740 },
  { vcpus: 10, memoryMb: 1740 },
  { vcpus: 5, memoryMb: 613 },
] as const;

const memoryMb = 65_536;

/** Half of the hosts of each kind, in turn. Their memory does not limit the placement, as in CloudSim's set-up. */
export function dayHosts(count: number): DayHost[] {
  return Array.from({ length: count }, (_, row) => {
    const name = `compute-${String(row).padStart(4, '0')}`;
    const { vcpus, watts } = hostKinds[row % hostKinds.length]!;
    const room = { vcpus: vcpus * cpuRatio, memoryMb };
    return {
      ...{ name, uuid: testUuid(name), vcpus, memoryMb, room, watts },
      node: { uuid: testUuid(`node ${name}`), name },
    };
  });
}

/** CloudSim's set-up for PlanetLab's traces: 1,052 virtual machines on 800 hosts, or the same share of other sizes. */
export function tracesWorld(traces: Traces, hosts: number): DayWorld {
  const count = Math.min(traces.length, Math.round((traces.length * hosts) / 800));
  const steps = traces[0]?.length ?? 0;
  return {
    name: 'traces',
    ...{ startMs, snapshot: testSnapshot },
    steps,
    hosts: dayHosts(hosts),
    load: { cpu: seriesOf(traces.slice(0, count)), memory: null, overhead: null },
    instances: traces.slice(0, count).map((_, row) => ({
      name: `vm-${row}`,
      uuid: testUuid(`vm-${row}`),
      ...instanceKinds[row % instanceKinds.length]!,
      ...{ arrives: 0, departs: steps },
    })),
    failures: [],
  };
}
