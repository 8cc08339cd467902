import type { BaremetalSnapshot, ComputeSnapshot } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import type { DayInstance, DayWorld } from './world.ts';

export interface HostState {
  enabled: boolean;
  disabledReason: string | null;
  /** `changing`: the machine consumes power and runs nothing. */
  power: 'on' | 'off' | 'changing';
  failed: boolean;
}

/** The cloud of a bench at a moment, as OpenStack keeps it. Rows of hosts and instances are those of the world. */
export interface DayCloud {
  readonly world: DayWorld;
  readonly hosts: HostState[];
  /** Row of the host of each instance. -1: the instance does not exist now. */
  readonly hostOf: Int32Array;
  /** Moves of each instance, and the hosts on which it was. */
  readonly moves: Int32Array;
  hostRow(hostname: string): number;
  instanceRow(uuid: string): number;
  uuidOf(instance: number): string;
  /** Whether Nova would take the instance there. */
  hasRoom(host: number, instance: number): boolean;
  isUsable(host: number): boolean;
  /** Chooses a host as Nova's scheduler does: of those with room, the one with the most free memory. -1: none. */
  schedule(instance: number): number;
  snapshot(takenAtMs: number): ComputeSnapshot;
  baremetal(takenAtMs: number): BaremetalSnapshot;
}

/** Instances may have this multiple of the CPUs of their host, as by Nova's default. */
const cpuRatio = 16;

/** A cloud in which the instances that exist from the start are spread over all hosts. */
export function createDayCloud(world: DayWorld): DayCloud {
  const hosts = world.hosts.map((): HostState => ({ enabled: true, disabledReason: null, power: 'on', failed: false }));
  const hostOf = Int32Array.from(world.instances, ({ arrives }, row) =>
    arrives === 0 ? row % world.hosts.length : -1,
  );
  const uuids = world.instances.map(({ name }) => testUuid(name));
  const rows = new Map(uuids.map((uuid, row) => [uuid, row]));
  const hostRows = new Map(world.hosts.map(({ name }, row) => [name, row]));
  const kinds = new Map(world.instances.map((instance) => [instance, testInstanceOf(instance)]));

  const isUp = (row: number) => hosts[row]?.power === 'on' && hosts[row]?.failed === false;
  const isUsable = (row: number) => isUp(row) && hosts[row]?.enabled === true;

  function freeOf(row: number): { vcpus: number; memoryMb: number } {
    const { vcpus = 0, memoryMb = 0 } = world.hosts[row] ?? {};
    const free = { vcpus: vcpus * cpuRatio, memoryMb };
    hostOf.forEach((host, instance) => {
      if (host !== row) return;
      free.vcpus -= world.instances[instance]?.vcpus ?? 0;
      free.memoryMb -= world.instances[instance]?.memoryMb ?? 0;
    });
    return free;
  }

  function hasRoom(host: number, instance: number): boolean {
    const free = freeOf(host);
    const { vcpus, memoryMb } = world.instances[instance] as DayInstance;
    return free.vcpus >= vcpus && free.memoryMb >= memoryMb;
  }

  function schedule(instance: number): number {
    let [best, most] = [-1, -1];
    for (const row of world.hosts.keys()) {
      if (!isUsable(row) || !hasRoom(row, instance)) continue;
      const { memoryMb } = freeOf(row);
      if (memoryMb > most) [best, most] = [row, memoryMb];
    }
    return best;
  }

  function snapshot(takenAtMs: number): ComputeSnapshot {
    const present = world.instances.flatMap((instance, row) => ((hostOf[row] ?? -1) >= 0 ? [{ instance, row }] : []));
    return createTestWorld({
      takenAtMs,
      hosts: world.hosts.map(({ name, vcpus, memoryMb }, row) => ({
        ...{ hostname: name, vcpus, vcpusRatio: cpuRatio, memory: memoryMb, disk: 10_000 },
        state: isUp(row) ? 'up' : 'down',
        status: hosts[row]?.enabled ? 'enabled' : 'disabled',
        disabledReason: hosts[row]?.disabledReason ?? undefined,
      })),
      instances: present.map(({ instance, row }) => ({
        ...(kinds.get(instance) ?? testInstanceOf(instance)),
        uuid: uuids[row],
        host: world.hosts[hostOf[row] ?? 0]?.name,
      })),
    });
  }

  return {
    world,
    hosts,
    hostOf,
    moves: new Int32Array(world.instances.length),
    hostRow: (hostname) => hostRows.get(hostname) ?? -1,
    instanceRow: (uuid) => rows.get(uuid) ?? -1,
    uuidOf: (instance) => uuids[instance] as string,
    hasRoom,
    isUsable,
    schedule,
    snapshot,
    baremetal: (takenAtMs) => ({
      nodes: world.hosts.map(({ name }, row) => ({
        uuid: testUuid(`node ${name}`),
        name,
        power: hosts[row]?.power === 'changing' ? 'unknown' : (hosts[row]?.power as 'on' | 'off'),
        powerState: null,
        maintenance: hosts[row]?.failed ?? false,
        maintenanceReason: null,
        computeNodeUuid: testUuid(name),
      })),
      takenAtMs,
      complete: true,
      gaps: [],
    }),
  };
}

function testInstanceOf({ name, vcpus, memoryMb }: DayInstance) {
  return { name, vcpus, memory: memoryMb, disk: 10 };
}
