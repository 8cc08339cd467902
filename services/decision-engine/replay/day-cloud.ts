import type { BaremetalSnapshot, ComputeSnapshot } from '#libs/cluster-model';
import type { DayWorld, HostState } from './replay-world.ts';
import { readStep, type StepSeries } from './step-series.ts';

/** The load of a world at a step, by row. NaN: not measured. Null as in `DayLoad`. */
export interface LoadAtStep {
  cpu: Float32Array;
  memory: Float32Array | null;
  overheadCpu: Float32Array | null;
  overheadMemoryMb: Float32Array | null;
}

/** State of the cloud at a time of a replay. Rows of hosts and instances are those of the world. */
export interface DayCloud {
  readonly world: DayWorld;
  readonly hosts: HostState[];
  /** Row of the host of each instance. -1: the instance does not exist now. */
  readonly hostOf: Int32Array;
  /** Sizes of each instance. */
  readonly vcpus: Float64Array;
  readonly memoryMb: Float64Array;
  /** First step in which each instance exists, and the first step in which it no longer does. */
  readonly arrives: Int32Array;
  readonly departs: Int32Array;
  /** Number of moves of each instance. */
  readonly moves: Int32Array;
  /** Returns arrays that are valid until the next call. */
  loadAt(step: number): LoadAtStep;
  hostRow(hostname: string): number;
  instanceRow(uuid: string): number;
  uuidOf(instance: number): string;
  /** Whether Nova would accept the instance on the host. */
  hasRoom(host: number, instance: number): boolean;
  isUsable(host: number): boolean;
  /** Chooses a host as Nova's scheduler does: the host with room and the most free memory. -1: none. */
  schedule(instance: number): number;
  snapshot(takenAtMs: number): ComputeSnapshot;
  baremetal(takenAtMs: number): BaremetalSnapshot;
}

/** Creates a cloud. Instances that exist from the start are on their hosts, or distributed over all hosts. */
export function createDayCloud(world: DayWorld): DayCloud {
  const hosts = world.hosts.map(
    ({ initial }): HostState => ({ enabled: true, disabledReason: null, power: 'on', failed: false, ...initial }),
  );
  const hostOf = Int32Array.from(world.instances, ({ arrives, host }, row) =>
    arrives === 0 ? (host ?? row % world.hosts.length) : -1,
  );
  const vcpus = Float64Array.from(world.instances, (instance) => instance.vcpus);
  const memoryMb = Float64Array.from(world.instances, (instance) => instance.memoryMb);
  const rows = new Map(world.instances.map(({ uuid }, row) => [uuid, row]));
  const hostRows = new Map(world.hosts.map(({ name }, row) => [name, row]));

  const isUp = (row: number) => hosts[row]?.power === 'on' && hosts[row]?.failed === false;
  const isUsable = (row: number) => isUp(row) && hosts[row]?.enabled === true;

  /** The free capacity of all hosts, by row. */
  function freeRoom(): { vcpus: number; memoryMb: number }[] {
    const free = world.hosts.map(({ room }) => ({ ...room }));
    for (let instance = 0; instance < hostOf.length; instance += 1) {
      const room = free[hostOf[instance] as number];
      if (room === undefined) continue;
      room.vcpus -= vcpus[instance] as number;
      room.memoryMb -= memoryMb[instance] as number;
    }
    return free;
  }

  /** The free capacity of one host. */
  function freeOf(host: number): { vcpus: number; memoryMb: number } {
    const free = { vcpus: 0, memoryMb: 0, ...world.hosts[host]?.room };
    for (let instance = 0; instance < hostOf.length; instance += 1) {
      if (hostOf[instance] !== host) continue;
      free.vcpus -= vcpus[instance] as number;
      free.memoryMb -= memoryMb[instance] as number;
    }
    return free;
  }

  function fits(free: { vcpus: number; memoryMb: number }, instance: number): boolean {
    return free.vcpus >= (vcpus[instance] as number) && free.memoryMb >= (memoryMb[instance] as number);
  }

  function schedule(instance: number): number {
    let [best, most] = [-1, -1];
    for (const [row, free] of freeRoom().entries()) {
      if (!isUsable(row) || !fits(free, instance) || free.memoryMb <= most) continue;
      [best, most] = [row, free.memoryMb];
    }
    return best;
  }

  return {
    world,
    hosts,
    hostOf,
    vcpus,
    memoryMb,
    arrives: Int32Array.from(world.instances, ({ arrives }) => arrives),
    departs: Int32Array.from(world.instances, ({ departs }) => departs),
    loadAt: createLoadReader(world),
    moves: new Int32Array(world.instances.length),
    hostRow: (hostname) => hostRows.get(hostname) ?? -1,
    instanceRow: (uuid) => rows.get(uuid) ?? -1,
    uuidOf: (instance) => world.instances[instance]!.uuid,
    hasRoom: (host, instance) => fits(freeOf(host), instance),
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

/** Reads the load of consecutive steps into the same arrays. */
function createLoadReader({ load: { cpu, memory, overhead } }: DayWorld): DayCloud['loadAt'] {
  const arrayFor = (series: StepSeries | undefined | null) => (series ? new Float32Array(series.rows) : null);
  const read: LoadAtStep = {
    cpu: new Float32Array(cpu.rows),
    memory: arrayFor(memory),
    overheadCpu: arrayFor(overhead?.cpu),
    overheadMemoryMb: arrayFor(overhead?.memoryMb),
  };
  let known = -1;
  return (step) => {
    if (step === known) return read;
    readStep(cpu, step, read.cpu);
    if (memory !== null && read.memory !== null) readStep(memory, step, read.memory);
    if (overhead !== null && read.overheadCpu !== null && read.overheadMemoryMb !== null) {
      readStep(overhead.cpu, step, read.overheadCpu);
      readStep(overhead.memoryMb, step, read.overheadMemoryMb);
    }
    known = step;
    return read;
  };
}
