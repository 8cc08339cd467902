import type { SmallWorld } from './small-worlds.ts';

/** A placement: the host of every instance, and the use of each host. */
export interface Placement {
  hostOf: Int32Array;
  vcpus: Float64Array;
  memory: Float64Array;
  /** CPUs in use. */
  load: Float64Array;
  /** Number of instances on another host than at the start. */
  moves: number;
}

/** Calls for every placement of all instances. The argument is reused. Costs O(hosts ^ instances). */
export function forEveryPlacement({ snapshot, cpu }: SmallWorld, visit: (placement: Placement) => void): void {
  const { instances, hostInfo } = snapshot;
  const home = instances.host;
  const count = hostInfo.length;
  const now: Placement = {
    hostOf: home.slice(),
    vcpus: new Float64Array(count),
    memory: new Float64Array(count),
    load: new Float64Array(count),
    moves: 0,
  };

  function add(instance: number, host: number, sign: 1 | -1): void {
    const vcpus = instances.vcpus[instance] as number;
    now.vcpus[host] = (now.vcpus[host] as number) + sign * vcpus;
    now.memory[host] = (now.memory[host] as number) + sign * (instances.memory[instance] as number);
    now.load[host] = (now.load[host] as number) + (sign * vcpus * (cpu[instance] as number)) / 100;
    now.moves += host === home[instance] ? 0 : sign;
    now.hostOf[instance] = host;
  }

  function place(instance: number): void {
    if (instance === home.length) {
      visit(now);
      return;
    }
    for (let host = 0; host < count; host++) {
      add(instance, host, 1);
      place(instance + 1);
      add(instance, host, -1);
    }
  }

  place(0);
}

/** Returns whether every host that gained an instance uses at most these shares of its vcpus, memory and CPUs. */
export function fits(
  { snapshot: { hosts, instances } }: SmallWorld,
  { hostOf, vcpus, memory, load }: Placement,
  share: { allocated: number; load: number },
): boolean {
  const home = instances.host;
  for (let row = 0; row < home.length; row++) {
    const host = hostOf[row] as number;
    if (host === home[row]) continue;
    const size = hosts.vcpus[host] as number;
    if ((vcpus[host] as number) > size * (hosts.vcpusRatio[host] as number) * share.allocated + 1e-9) return false;
    if ((memory[host] as number) > (hosts.memory[host] as number) * share.allocated + 1e-9) return false;
    if ((load[host] as number) > size * share.load + 1e-9) return false;
  }
  return true;
}
