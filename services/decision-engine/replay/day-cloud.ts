import type { BaremetalSnapshot, ComputeSnapshot } from '#libs/cluster-model';
import type { DayWorld, HostState } from './replay-world.ts';

/** The cloud of a replay at a moment, as OpenStack keeps it. Rows of hosts and instances are those of the world. */
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

/** A cloud in which the instances that exist from the start are on their hosts, or spread over all. */
export function createDayCloud(world: DayWorld): DayCloud {
  const hosts = world.hosts.map(
    ({ initial }): HostState => ({ enabled: true, disabledReason: null, power: 'on', failed: false, ...initial }),
  );
  const hostOf = Int32Array.from(world.instances, ({ arrives, host }, row) =>
    arrives === 0 ? (host ?? row % world.hosts.length) : -1,
  );
  const rows = new Map(world.instances.map(({ uuid }, row) => [uuid, row]));
  const hostRows = new Map(world.hosts.map(({ name }, row) => [name, row]));

  const isUp = (row: number) => hosts[row]?.power === 'on' && hosts[row]?.failed === false;
  const isUsable = (row: number) => isUp(row) && hosts[row]?.enabled === true;

  function freeOf(row: number): { vcpus: number; memoryMb: number } {
    const free = { vcpus: 0, memoryMb: 0, ...world.hosts[row]?.room };
    hostOf.forEach((host, instance) => {
      if (host !== row) return;
      free.vcpus -= world.instances[instance]?.vcpus ?? 0;
      free.memoryMb -= world.instances[instance]?.memoryMb ?? 0;
    });
    return free;
  }

  function hasRoom(host: number, instance: number): boolean {
    const free = freeOf(host);
    const { vcpus, memoryMb } = world.instances[instance]!;
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

  return {
    world,
    hosts,
    hostOf,
    moves: new Int32Array(world.instances.length),
    hostRow: (hostname) => hostRows.get(hostname) ?? -1,
    instanceRow: (uuid) => rows.get(uuid) ?? -1,
    uuidOf: (instance) => world.instances[instance]!.uuid,
    hasRoom,
    isUsable,
    schedule,
    snapshot: (takenAtMs) => world.snapshot(world, { hosts, hostOf }, takenAtMs),
    baremetal: (takenAtMs) => ({
      nodes: world.hosts.flatMap(({ uuid, node }, row) => {
        const { power, failed } = hosts[row]!;
        if (node === null) return [];
        return {
          ...node,
          power: power === 'changing' ? ('unknown' as const) : power,
          powerState: null,
          maintenance: failed,
          maintenanceReason: null,
          computeNodeUuid: uuid,
        };
      }),
      takenAtMs,
      complete: true,
      gaps: [],
    }),
  };
}
