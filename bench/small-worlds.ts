import type { ComputeSnapshot } from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import { createTestWorld } from '#libs/plugin-kit/testing';

/** A cloud small enough to check all placements, and its loads in percent. */
export interface SmallWorld {
  snapshot: ComputeSnapshot;
  /** CPU use of each instance, percent of its vcpus. */
  cpu: number[];
  /** CPU use of each host, percent. */
  hostCpu: number[];
}

const hostVcpus = 16;
const hostMemory = 65_536;
const vcpusRatio = 1.5;

/** Three or four hosts with four to seven instances, placed where they fit. */
export function smallWorld(random: RandomSource): SmallWorld {
  const whole = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const hostCount = whole(3, 4);
  const used = Array.from({ length: hostCount }, () => ({ vcpus: 0, memory: 0 }));
  const instances = Array.from({ length: whole(4, 7) }, (_, row) => {
    const [vcpus, memory] = [whole(1, 8), 1024 * whole(1, 24)];
    const first = whole(0, hostCount - 1);
    const at = used.map((_, step) => (first + step) % hostCount);
    const host = at.find((index) => {
      const room = used[index];
      return room !== undefined && room.vcpus + vcpus <= hostVcpus * vcpusRatio && room.memory + memory <= hostMemory;
    });
    const room = used[host ?? -1];
    if (room !== undefined) {
      room.vcpus += vcpus;
      room.memory += memory;
    }
    return { name: `i${row}`, host: host === undefined ? null : `h${host}`, vcpus, memory, disk: 1 };
  });
  const placed = instances.filter(({ host }) => host !== null);
  const hosts = used.map((_, row) => ({ hostname: `h${row}`, vcpus: hostVcpus, vcpusRatio, memory: hostMemory }));
  const cpu = placed.map(() => whole(5, 100));
  const hostCpu = hosts.map(({ hostname }) =>
    placed.reduce(
      (sum, { host, vcpus }, row) => sum + (host === hostname ? (vcpus * (cpu[row] ?? 0)) / hostVcpus : 0),
      0,
    ),
  );
  return { snapshot: createTestWorld({ hosts, instances: placed }), cpu, hostCpu };
}
